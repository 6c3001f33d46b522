// In which order executors send: as soon as bytes are final, or round by round.
#include "planner/clock.hpp"
#include "quadrille/plan.hpp"

namespace quadrille {

namespace {

/// Rounds are taken where they take at most this share of the time by data. Simulations are not more exact than 2 %,
/// and the order of data needs no waiting for what was sent. With overheads it matters which message of a round goes
/// first: by rounds that is as the schedule lists them, by data the executors' choice, so that rounds win ties.
double share_for_rounds(const Machine& machine) { return machine.has_overhead() ? 1 + 1e-9 : 0.98; }

}  // namespace

Network network_to_perform(const Machine& machine, const Topology& topology) {
  if (machine.switching == Switching::wormhole && !topology.shared_medium()) return Network::fluid;
  return usual_network(machine, topology);
}

Sending order_to_perform(const Spec& spec, const Machine& machine, const Choice& choice, std::optional<Network> network,
                         std::int64_t messages) {
  const SimulateOptions how{.network = network.value_or(network_to_perform(machine, *spec.topology))};
  std::int64_t by_data = messages, by_rounds = messages;
  Sending sending = planner::in_both_orders(spec, machine, choice, how, by_data, by_rounds);
  if (sending.eager.how == Timing::How::too_large && choice.algorithm->searched) {
    sending.order = Order::dataflow;
    sending.dataflow = sending.eager;
  }
  return sending;
}

}  // namespace quadrille

namespace quadrille::planner {

Sending in_both_orders(const Spec& spec, const Machine& machine, const Choice& choice, SimulateOptions how,
                       std::int64_t& by_data, std::int64_t& by_rounds) {
  Sending sending{.network = how.network};
  how.order = Order::eager;
  sending.eager = simulated(spec, machine, choice, how, by_data);
  if (sending.eager.how == Timing::How::too_large) return sending;
  if (sending.eager.how == Timing::How::timed) how.deadline = sending.eager.time * share_for_rounds(machine);
  how.order = Order::dataflow;
  sending.dataflow = simulated(spec, machine, choice, how, by_rounds);
  if (sending.dataflow.how == Timing::How::timed) sending.order = Order::dataflow;
  return sending;
}

}  // namespace quadrille::planner
