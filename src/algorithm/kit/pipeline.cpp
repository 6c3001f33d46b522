#include "algorithm/kit/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::kit {

Round relay_interval(const Machine& machine, std::int64_t depth) {
  const bool either =
      machine.duplex == Duplex::node_half || (machine.duplex == Duplex::half && machine.ports == Ports::one);
  return either && depth > 1 ? 2 : 1;
}

Cost pipe_cost(const Pipe& pipe, std::int64_t packets) {
  if (pipe.bytes == 0) return {};
  Cost cost =
      neighbour_cost(pipe.interval * (packets - 1) + pipe.depth,
                     pipe.interval * pipe.bytes + (pipe.depth - pipe.interval) * base::ceil_div(pipe.bytes, packets));
  cost.further = pipe.each_packet * packets + pipe.at_last;
  return cost;
}

std::int64_t best_packets(const Pipe& pipe, const Spec& spec, const Machine& machine) {
  return best_packets(pipe, neighbour_startup(spec, machine), machine.beta, further_time(machine));
}

std::int64_t best_packets(const Pipe& pipe, Seconds startup, double beta, Seconds one_further) {
  if (pipe.bytes == 0 || pipe.depth <= pipe.interval) return 1;
  const auto further = static_cast<double>(pipe.depth - pipe.interval), every = static_cast<double>(pipe.interval);
  const auto size = static_cast<double>(pipe.bytes);
  const Seconds crowd = static_cast<double>(pipe.each_packet) * one_further, packet = every * startup + crowd;
  return cheapest_cut({.total = pipe.bytes,
                       .high = pipe.bytes,
                       .ideal = packet > 0 ? std::sqrt(further * size * beta / packet) : size,  // eq. (3.4)
                       .cost =
                           [&](std::int64_t nu) {
                             const Cost c = pipe_cost(pipe, nu);
                             return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * beta +
                                    static_cast<double>(c.further) * one_further;
                           },
                       .bound =
                           [&](std::int64_t nu) {
                             const auto packets = static_cast<double>(nu);
                             return (every * packets + further) * (startup + size * beta / packets) + packets * crowd;
                           }});
}

Parameter packets_parameter() {
  return {.name = "packets", .meaning = "packets of nearly equal size that the message is cut in"};
}

Params with_few_packets(Params params, Rank ranks) {
  const std::int64_t few = 64 * ranks;
  if (packets_of(params) > few) params.set("packets", {few});
  return params;
}

std::string packets_illegal(const Params& params, Bytes bytes) {
  const std::int64_t packets = packets_of(params), most = std::max<Bytes>(1, bytes);
  if (packets >= 1 && packets <= most) return {};
  return fmt::format("packets={} is not in 1 .. {}, and a packet carries at least one byte; try packets={}", packets,
                     most, packets < 1 ? 1 : most);
}

std::string packets_illegal(const Params& params, Bytes bytes, std::int64_t parts) {
  const std::int64_t packets = packets_of(params), most = most_packets(bytes, parts);
  if (packets >= 1 && packets <= most) return {};
  return fmt::format("packets={} is not in 1 .. {}, and the largest of {} parts has no more bytes; try packets={}",
                     packets, most, parts, packets < 1 ? 1 : most);
}

Cut packet_cut(Bytes bytes, std::int64_t packets, std::int64_t parts) {
  if (bytes == 0) return {.packet_bytes = 1};
  return {.bytes = bytes, .parts = parts, .packets = packets};
}

void check_listed(Slot pieces) {
  constexpr Slot most = Slot{1} << 24;
  if (pieces > most)
    throw Error(Error::Kind::budget,
                fmt::format("{} packets of uneven size are not listed; at most {}; try fewer packets", pieces, most));
}

namespace {

/// The cheapest x seen so far. Times that differ by rounding errors only count as equal.
class Least {
 public:
  explicit Least(const CutSearch& search) : search_(search) {}
  void take(std::int64_t x) {
    const double time = search_.cost(x);
    if (best_ == 0 || time < least_ * (1 - slack)) {
      best_ = x, least_ = time;
    } else if (time <= least_ * (1 + slack) && x < best_) {
      best_ = x;
    }
  }
  bool may_improve(std::int64_t x) const { return search_.bound(x) <= least_ * (1 + slack); }
  std::int64_t best() const { return best_; }

 private:
  static constexpr double slack = 1e-12;
  const CutSearch& search_;
  std::int64_t best_ = 0;
  double least_ = 0;
};

}  // namespace

std::int64_t cheapest_cut(const CutSearch& search) {
  Least least(search);
  const auto first_of_class = [&](std::int64_t x) {
    return base::ceil_div(search.total, base::ceil_div(search.total, x));
  };
  const auto last_of_class = [&](std::int64_t x) {
    const std::int64_t c = base::ceil_div(search.total, x);
    return c <= 1 ? search.high : std::min(search.high, (search.total - 1) / (c - 1));
  };
  const auto visit = [&](std::int64_t x) {
    const std::int64_t first = first_of_class(x), last = last_of_class(x);
    least.take(first);
    if (last <= search.not_monotone)
      for (std::int64_t each = first + 1; each < last; ++each) least.take(each);
    if (first < last) least.take(first + 1);
    if (first + 1 < last) least.take(last);
  };
  const std::int64_t start = search.ideal >= static_cast<double>(search.high)
                                 ? search.high
                                 : std::max<std::int64_t>(1, static_cast<std::int64_t>(search.ideal));
  for (std::int64_t x = start; x >= 1 && (x == start || least.may_improve(x)); x = first_of_class(x) - 1) visit(x);
  for (std::int64_t x = last_of_class(start) + 1; x <= search.high && least.may_improve(x); x = last_of_class(x) + 1)
    visit(x);
  return least.best();
}

}  // namespace quadrille::algorithm::kit
