#include "simulator/replay.hpp"

#include <fmt/format.h>

namespace quadrille::simulator {

Replayed replay(const interchange::Application& application, const TopologyPtr& topology, const Machine& machine,
                const SimulateOptions& options) {
  if (topology->nodes() != application.ranks || topology->ranks() != application.ranks)
    throw Error(Error::Kind::illegal,
                fmt::format("the application has {} ranks, and {} has {}; expected as many, and no other nodes",
                            application.ranks, topology->text(), topology->ranks()));
  if (machine.circuit == CircuitCost::average && options.network == Network::circuit)
    throw Error(Error::Kind::illegal, "an application is not played on circuits of average length");
  Spec spec{.collective = Collective::barrier, .topology = topology};
  Replayed result;
  const Performed performed(application, result);
  result.line = simulate(spec, machine, performed, options);
  return result;
}

}  // namespace quadrille::simulator
