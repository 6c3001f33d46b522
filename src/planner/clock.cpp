#include "planner/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "cost/link_costs.hpp"
#include "simulator/feed.hpp"

namespace quadrille {

namespace {

/// What a rank's processor spends on its messages; a shared memory has none.
/// The receiver's share only where no message can be too long to be buffered.
Seconds of_processor(const simulator::Part& part, const Machine& machine, bool is_rank, bool all_buffered) {
  if (!is_rank) return 0;
  return static_cast<double>(part.bundles.size()) * machine.overhead_send +
         static_cast<double>(part.receives) * (all_buffered ? machine.overhead_receive : 0);
}

}  // namespace

namespace planner {

Outline outline(const Spec& spec, const Machine& machine, const Schedule& schedule, std::int64_t most_messages,
                Order order) {
  const Rank nodes = spec.topology->nodes();
  const Group group = nodes == spec.ranks() ? schedule.symmetry().group : Group::none;
  const Rank asked = group == Group::none ? nodes : group == Group::xor_even ? std::min<Rank>(2, nodes) : 1;
  const Round rounds = schedule.shape().rounds;
  Outline outline;
  if (rounds > 8 * most_messages / asked) return {.whole = false};
  const bool average = machine.circuit == CircuitCost::average;
  const cost::LinkCosts links(machine, *spec.topology, cost::LinkCosts::Asked::network);
  const double beta = machine.beta * links.least();
  const Seconds startup =
      links.least_alpha() +
      machine.per_hop * (average ? std::min(1.0, static_cast<double>(spec.topology->diameter()) / 2.0) : 1.0);
  // Where a port or a medium takes one message after the other, a round's messages add up; but several that carry the
  // same data may be one, and what a medium makes of a rank's messages is its business.
  const bool in_turn = machine.ports == Ports::one && !machine.multicast && !spec.topology->shared_medium();
  const Shape& shape = schedule.shape();
  const bool all_buffered =
      shape.cut.bytes < machine.eager_limit / std::max<std::int64_t>(1, shape.in + shape.out + shape.tmp);
  const Seconds barrier = machine.barrier + machine.barrier_log2 * base::log2_ceil(spec.ranks());
  const auto feed = simulator::make_feed(spec, machine, schedule);
  std::vector<Seconds> busy(static_cast<std::size_t>(asked), 0);
  std::int64_t messages = 0;
  const std::int64_t most_asked = most_messages / (nodes / asked);
  for (Round t = 0; t < rounds; ++t) {
    const Seconds waited = schedule.barrier(t) ? barrier : 0;
    for (Rank r = 0; r < asked; ++r) {
      const simulator::Seen seen = feed->part(t, r);
      const simulator::Part& part = seen.part();
      Bytes sent = 0;
      for (const simulator::Part::Bundle& b : part.bundles) sent = in_turn ? sent + b.bytes : std::max(sent, b.bytes);
      Seconds& own = busy[static_cast<std::size_t>(r)];
      const Seconds wire = std::max(0.0, static_cast<double>(sent) * beta - machine.burst);
      const Seconds sends = machine.has_overhead() ? of_processor(part, machine, r < spec.ranks(), all_buffered)
                            : part.bundles.empty() ? 0
                                                   : startup + wire;
      if (order != Order::eager)
        own += waited + static_cast<double>(part.copied()) * machine.rho + sends;
      else  // rounds overlap, but for what one port sends
        own = in_turn || machine.has_overhead() ? own + sends : std::max(own, sends);
      messages += static_cast<std::int64_t>(part.peers.size());
    }
    if (messages > most_asked) return {.whole = false};
  }
  outline.messages = messages * (nodes / asked);
  // Sums in another order than the simulator's may come out larger by rounding: a bound must not.
  outline.at_least = *std::max_element(busy.begin(), busy.end()) * (1 - 1e-7);
  return outline;
}

}  // namespace planner

namespace {

std::string some_messages(std::int64_t n) {
  return fmt::format("{} message{}", base::format_count(n), n == 1 ? "" : "s");
}

Timing too_large(std::int64_t allowed) {
  return {Timing::How::too_large, 0, fmt::format("more than the {} that may still be played", some_messages(allowed))};
}

}  // namespace

Timing simulated(const Spec& spec, const Machine& machine, const Choice& choice, const SimulateOptions& options,
                 std::int64_t& messages) {
  const Built built = build(spec, machine, choice);
  const planner::Outline known = planner::outline(spec, machine, *built.schedule, messages, options.order);
  if (!known.whole) return too_large(messages);
  if (known.at_least >= options.deadline) return {Timing::How::hopeless, known.at_least};
  try {
    const Timeline played = simulate(spec, machine, *built.schedule, options);
    messages -= std::min(messages, played.messages);
    if (!played.complete) return {Timing::How::stopped, options.deadline};
    return {Timing::How::timed, played.makespan};
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::budget) return {Timing::How::too_large, 0, error.what()};
    if (error.kind() == Error::Kind::illegal) return {Timing::How::impossible, 0, error.what()};
    throw;
  }
}

}  // namespace quadrille

namespace quadrille::planner {

Timing timed(const Spec& spec, const Machine& machine, const Choice& choice, const SimulateOptions& how,
             bool order_is_given, std::int64_t& messages) {
  Order order = how.order;
  Timing timing;
  if (order_is_given || !machine.has_overhead()) {
    timing = simulated(spec, machine, choice, how, messages);
  } else {
    const Sending sending = in_both_orders(spec, machine, choice, how, messages, messages);
    order = sending.order;
    timing = order == Order::eager ? sending.eager : sending.dataflow;
  }
  timing.order = order;
  return timing;
}

void rank_by_clock(Plan& plan, const PlanOptions& options) {
  SimulateOptions simulation{.order = plan.order, .network = plan.network};
  std::int64_t messages = options.messages;
  const Seconds cheapest = plan.best().time;
  Seconds fastest = std::numeric_limits<Seconds>::infinity();
  std::size_t played = 0;
  for (Candidate& c : plan.candidates) {
    if (played++ == options.cheapest || (options.within && c.time > *options.within * cheapest)) break;
    if (options.begun) options.begun(c);
    c.timing = timed(plan.spec, plan.machine, {c.algorithm, c.params}, simulation, options.order.has_value(), messages);
    if (c.timing.how != Timing::How::timed) continue;
    fastest = std::min(fastest, c.timing.time);
    simulation.deadline = options.within.value_or(1) * fastest;
  }
  const auto group = [](const Candidate& c) {
    switch (c.timing.how) {
      case Timing::How::timed:
      case Timing::How::too_large:
        return 0;
      case Timing::How::impossible:
        return 2;
      default:
        return 1;
    }
  };
  auto unsorted = plan.candidates.begin();
  if (options.within) {
    constexpr double error = 1.15;  // on emulated networks predictions were about as good, nine of ten
    const auto alike = std::find_if(unsorted, plan.candidates.end(), [&](const Candidate& c) {
      return c.timing.how == Timing::How::timed && c.timing.time <= error * fastest;
    });
    if (alike != plan.candidates.end()) std::rotate(unsorted, alike, alike + 1), ++unsorted;
  }
  std::stable_sort(unsorted, plan.candidates.end(), [&](const Candidate& a, const Candidate& b) {
    if (group(a) != group(b)) return group(a) < group(b);
    return group(a) == 0 && a.known() < b.known();
  });
}

}  // namespace quadrille::planner
