#include "quadrille/simulate.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cost/link_costs.hpp"
#include "simulator/networks/networks.hpp"

namespace quadrille {

Timeline simulate(const Spec& asked, const Machine& machine, const Schedule& schedule, const SimulateOptions& options) {
  const Spec spec = on_ways_of(asked, schedule);
  constexpr std::int64_t most = std::int64_t{1} << 31, most_links = std::int64_t{1} << 28;
  const bool links = options.network != Network::free && !spec.topology->shared_medium() &&
                     (simulator::needs_links(machine, *spec.topology) || options.network == Network::circuit);
  if (links && spec.topology->links() > most_links)
    throw Error(Error::Kind::budget, fmt::format("simulating {} links: at most {}; network free needs none",
                                                 spec.topology->links(), most_links));
  if (spec.topology->nodes() > most || schedule.shape().rounds > most)
    throw Error(Error::Kind::budget,
                fmt::format("simulating {} ranks and {} rounds: at most {} of each; price the schedule instead",
                            spec.ranks(), schedule.shape().rounds, most));
  if (options.network == Network::circuit && spec.topology->shared_medium())
    throw Error(Error::Kind::argument,
                fmt::format("there are no circuits on {}, which all share; expected another network model",
                            spec.topology->text()));
  if (!(options.tolerance >= 0 && options.tolerance <= 0.1))
    throw Error(Error::Kind::argument, fmt::format("a tolerance of {}: expected 0 .. 0.1", options.tolerance));
  const Machine plain = cost::by_fastest_link(machine, *spec.topology);
  switch (options.network) {
    case Network::circuit:
      return simulator::play_circuit(spec, plain, schedule, options);
    case Network::fluid:
    case Network::fluid_latency:
      return simulator::play_fluid(spec, plain, schedule, options);
    case Network::wormhole:
      return simulator::play_wormhole(spec, plain, schedule, options);
    default:
      return simulator::play_fifo(spec, plain, schedule, options);
  }
}

const std::vector<Order>& simulated_orders() {
  static const std::vector<Order> all{Order::dataflow, Order::eager, Order::lockstep};
  return all;
}

std::string_view to_string(Order order) {
  switch (order) {
    case Order::lockstep:
      return "lockstep";
    case Order::dataflow:
      return "dataflow";
    case Order::eager:
      return "eager";
  }
  return "unknown";
}

std::string_view to_string(Network network) {
  switch (network) {
    case Network::free:
      return "free";
    case Network::store_and_forward:
      return "store-and-forward";
    case Network::cut_through:
      return "cut-through";
    case Network::circuit:
      return "circuit";
    case Network::fluid:
      return "fluid";
    case Network::fluid_latency:
      return "fluid-latency";
    case Network::wormhole:
      return "wormhole";
  }
  return "unknown";
}

}  // namespace quadrille
