#include "quadrille/simulate.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "simulate/engine.hpp"
#include "simulate/fifo.hpp"

namespace quadrille {

Timeline simulate(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (spec.topology->nodes() > most || schedule.shape().rounds > most)
    throw Error(Error::Kind::budget,
                fmt::format("simulating {} ranks and {} rounds: at most {} of each; price the schedule instead",
                            spec.ranks(), schedule.shape().rounds, most));
  return Engine<FifoNetwork>(spec, machine, schedule, FifoNetwork(spec, machine, options.network)).run(options.order);
}

std::string_view to_string(Order order) { return order == Order::lockstep ? "lockstep" : "dataflow"; }

std::string_view to_string(Network network) {
  switch (network) {
    case Network::free:
      return "free";
    case Network::store_and_forward:
      return "store-and-forward";
    case Network::cut_through:
      return "cut-through";
  }
  return "unknown";
}

}  // namespace quadrille
