// From samples to constants.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "quadrille/tune.hpp"

namespace quadrille {

namespace {

using Point = Samples::Point;

/// No constant of what costs something is 0: a clock that is too coarse has seen nothing.
constexpr double least_per_byte = 1e-15;
constexpr Seconds least_time = 1e-9;

/// Seconds a byte between the two longest messages, where start-ups no longer count. Of the longest alone where noise
/// has made it the faster of the two; of the shorter one where the longest takes half as long again as it promised:
/// then something has held it up, and plans of such messages were seen to be as fast as the shorter one promised.
double slope(const std::vector<Point>& points) {
  const Point &early = points[points.size() - 2], &late = points.back();
  const double all = late.time / static_cast<double>(late.bytes);
  const double more = (late.time - early.time) / static_cast<double>(late.bytes - early.bytes);
  const Point& small = points.front();
  const double promised =
      points.size() > 2 ? (early.time - small.time) / static_cast<double>(early.bytes - small.bytes) : more;
  if (promised > 0 && more > 1.5 * promised) return std::max(promised, least_per_byte);
  return std::max(more > 0 ? more : all, least_per_byte);
}

Seconds at(const std::vector<Point>& points, Bytes bytes) {
  for (const auto& point : points)
    if (point.bytes == bytes) return point.time;
  return points.back().time + slope(points) * static_cast<double>(bytes - points.back().bytes);
}

/// The value at `share` of the way through sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double next = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (place - static_cast<double>(below)) * (next - sorted[below]);
}

/// ", least of 15, interquartile range 3 %".
std::string confidence(int repetitions, double spread) {
  if (repetitions == 0) return {};
  return spread > 1 ? fmt::format(", least of {}, interquartile range over 100 %: the machine was busy", repetitions)
                    : fmt::format(", least of {}, interquartile range {:.0f} %", repetitions, 100 * spread);
}
std::string confidence(const Point& p) { return confidence(p.repetitions, p.spread); }
/// Of a difference of two, as a part of it: both are off by their own.
std::string confidence(const Point& early, const Point& late) {
  const double difference = std::max(late.time - early.time, 1e-15);
  const double off = std::hypot(early.spread * early.time, late.spread * late.time) / difference;
  return confidence(std::min(early.repetitions, late.repetitions), off);
}

/// Wire time that a link lets through at once after it was idle, as shapers do: a longer message takes so much less
/// than its bytes and a short one's time say. 0 unless even its bytes alone would take longer than it does.
Seconds burst(const std::vector<Point>& one_way) {
  const Point &small = one_way.front(), &middle = one_way[one_way.size() - 2];
  const Seconds bytes = slope(one_way) * static_cast<double>(middle.bytes);
  return one_way.size() > 2 && middle.time < bytes ? bytes + small.time - middle.time : 0;
}

/// What a message more costs the rank that handles all of them.
struct Further {
  Seconds time = 0;  ///< 0: not clearly more than nothing
  std::string source;
};

/// `wire` is what its bytes take at a rank's one port, whatever the processor does.
Further further(const Samples::Crowd& crowd, Seconds wire, Seconds half_round_trip, std::string_view what) {
  if (crowd.many <= crowd.few) return {};
  const int more = crowd.many - crowd.few;
  const Seconds time = (crowd.of_many.time - crowd.of_few.time) / more - wire;
  const Seconds off =
      std::hypot(crowd.of_few.spread * crowd.of_few.time, crowd.of_many.spread * crowd.of_many.time) / more;
  const std::string seen =
      fmt::format("{} {} messages of {} B a round in {}, {} in {}{}", what, crowd.many, crowd.of_many.bytes,
                  base::format_seconds(crowd.of_many.time), crowd.few, base::format_seconds(crowd.of_few.time),
                  confidence(crowd.of_few, crowd.of_many));
  const bool clear = time > 2 * off && time > 0.02 * half_round_trip;
  return {clear ? time : 0, clear ? seen : seen + ": within noise, taken for none"};
}

/// Both overheads; what is left of half a round trip is alpha's.
void fit_overheads(Machine& machine, const Samples& s) {
  const Seconds half = s.one_way.front().time;
  const Seconds wire = machine.ports == Ports::one ? machine.beta * static_cast<double>(s.sent.of_many.bytes) : 0;
  const Further sent = further(s.sent, wire, half, "one rank sends"),
                received = further(s.received, wire, half, "one rank receives");
  machine.overhead_send = sent.time, machine.overhead_receive = received.time;
  const Seconds rest = half - machine.per_hop, both = sent.time + received.time;
  if (both > 0) {
    const double share = std::clamp((rest - least_time) / both, 0.0, 1.0);  // a round trip holds them once each way
    machine.overhead_send *= share, machine.overhead_receive *= share;
    machine.alpha = std::max(rest - share * both, least_time);
  }
  if (!sent.source.empty()) machine.origins.push_back({"overhead_send", sent.source, Honesty::measured});
  if (!received.source.empty()) machine.origins.push_back({"overhead_receive", received.source, Honesty::measured});
}

/// Constants that no message is needed for.
void fit_local(Machine& machine, const Samples& s) {
  const auto from = [&](std::string key, std::string source) {
    machine.origins.push_back({std::move(key), std::move(source), Honesty::measured});
  };
  const auto per_byte = [](const Point& p) { return std::max(p.time / static_cast<double>(p.bytes), least_per_byte); };
  if (s.permute.bytes > 0) {
    machine.rho = per_byte(s.permute);
    from("rho", fmt::format("every rank moves {} in pieces of 256 B to places apart{}",
                            base::format_bytes(s.permute.bytes), confidence(s.permute)));
  }
  if (s.reduce.bytes > 0) {
    machine.gamma = per_byte(s.reduce);
    from("gamma", fmt::format("one rank adds {} of doubles to others{}", base::format_bytes(s.reduce.bytes),
                              confidence(s.reduce)));
  }
  if (s.barrier_ranks > 1) {
    machine.barrier_log2 = std::max(s.barrier.time / base::log2_ceil(s.barrier_ranks), least_time);
    from("barrier_log2", fmt::format("barrier of {} ranks, {}, over ceil(log2 ranks){}", s.barrier_ranks,
                                     base::format_seconds(s.barrier.time), confidence(s.barrier)));
  }
}

/// What a memory costs, beside the overheads, which are the same for all messages of a rank.
void fit_nodes(Machine& machine, const Samples& s) {
  if (s.within.empty()) return;
  const Seconds rest = s.within.front().time - machine.overhead_send - machine.overhead_receive;
  machine.links.push_back({.kind = "memory", .alpha = std::max(rest, least_time), .beta = slope(s.within)});
  machine.description += fmt::format("; {} ranks of a node at once took {:.2f} times as long as one", s.leaving_ranks,
                                     s.leaving.time / s.alone.time);
  if (s.incast_senders > 1)
    machine.description +=
        fmt::format(", {} nodes to one {:.2f} times", s.incast_senders, s.incast.time / s.alone.time);
}

}  // namespace

std::int64_t rails(const Samples& s) {
  constexpr double clear = 0.5;
  if (s.leaving_ranks < 2 || s.leaving.time <= 0 || std::max(s.alone.spread, s.leaving.spread) > clear) return 1;
  return std::clamp<std::int64_t>(std::llround(s.leaving_ranks * s.alone.time / s.leaving.time), 1, s.leaving_ranks);
}

Sample summarised(Bytes bytes, std::vector<Seconds> times, int parts) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const double middle = quantile(times, 0.5);
  return {bytes, times.front() / parts, middle > 0 ? (quantile(times, 0.75) - quantile(times, 0.25)) / middle : 0,
          static_cast<int>(times.size())};
}

int uncertain(const Samples& s) {
  std::vector<Point> all{s.two_way, s.fan,         s.far,          s.permute,         s.reduce,
                         s.barrier, s.sent.of_few, s.sent.of_many, s.received.of_few, s.received.of_many};
  if (!s.within.empty()) all.insert(all.end(), {s.alone, s.leaving, s.incast});
  all.insert(all.end(), s.within.begin(), s.within.end());
  all.insert(all.end(), s.one_way.begin(), s.one_way.end());
  all.insert(all.end(), s.all_ways.begin(), s.all_ways.end());
  return static_cast<int>(std::count_if(all.begin(), all.end(), [](const Point& p) { return p.spread > 1; }));
}

Machine fit(const Samples& s, std::string_view where) {
  Machine machine;
  machine.name = "fitted";
  machine.description = fmt::format("Fitted on {}", where);
  machine.switching = Switching::wormhole;
  machine.circuit = CircuitCost::exact;
  const double fan_ratio = s.fan.time / at(s.one_way, s.fan.bytes);
  machine.ports = s.fan_out > 1 && fan_ratio < (1 + s.fan_out) / 2.0 ? Ports::all : Ports::one;
  const double two_way_ratio = s.two_way.time / at(s.one_way, s.two_way.bytes);
  machine.duplex = two_way_ratio < 1.5 ? Duplex::full : Duplex::half;
  const bool at_once = machine.ports == Ports::all && machine.duplex == Duplex::full;
  const std::vector<Point>& lengths = at_once ? s.all_ways : s.one_way;
  machine.beta = slope(lengths);
  // A link lets a first small packet through at once, so its bytes are not taken off.
  const Point& near = s.one_way.front();
  const Point& small = at_once ? s.all_ways.front() : near;
  machine.per_hop = s.far_hops > 1 ? std::max((s.far.time - near.time) / (s.far_hops - 1), 0.0) : 0;
  machine.alpha = std::max(small.time - machine.per_hop, least_time);
  fit_overheads(machine, s);
  const auto from = [&](std::string key, std::string source) {
    machine.origins.push_back({std::move(key), std::move(source), Honesty::measured});
  };
  const std::string between =
      at_once ? "every rank to and from all its neighbours at once" : "one way between neighbours";
  from("ports", s.fan_out > 1 ? fmt::format("one rank to {} neighbours at once takes {:.2f} times as long as to one{}",
                                            s.fan_out, fan_ratio, confidence(s.fan))
                              : "a rank has one neighbour only");
  from("duplex", fmt::format("both ways between neighbours at once takes {:.2f} times as long as one way{}",
                             two_way_ratio, confidence(s.two_way)));
  if (machine.has_overhead())
    from("alpha", fmt::format("one way between neighbours with {} B, {:.2f} us, less the hop and the overheads{}",
                              near.bytes, near.time * 1e6, confidence(near)));
  else
    from("alpha", fmt::format("{} with {} B, {:.2f} us, less the hop{}", between, small.bytes, small.time * 1e6,
                              confidence(small)));
  from("beta", fmt::format("{}, {} less {}{}", between, base::format_bytes(lengths.back().bytes),
                           base::format_bytes(lengths[lengths.size() - 2].bytes),
                           confidence(lengths[lengths.size() - 2], lengths.back())));
  if (machine.burst = burst(s.one_way); machine.burst > 0)
    from("burst", fmt::format("one way between neighbours, {} in {}, where the longest and the shortest promise {}",
                              base::format_bytes(s.one_way[s.one_way.size() - 2].bytes),
                              base::format_seconds(s.one_way[s.one_way.size() - 2].time),
                              base::format_seconds(s.one_way[s.one_way.size() - 2].time + machine.burst)));
  from("per_hop", s.far_hops > 1
                      ? fmt::format("half a round trip of {} B over {} links, {:.2f} us, less that over one{}",
                                    s.far.bytes, s.far_hops, s.far.time * 1e6, confidence(near, s.far))
                      : "no two ranks are more than a link apart");
  fit_nodes(machine, s);
  fit_local(machine, s);
  return machine;
}

MachineFile file_of(Machine machine, MeasuredOn measured) {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  gmtime_r(&now, &day);
  measured.date = fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
  MachineFile file{std::move(machine), std::move(measured), {}};
  for (const Machine::Origin& origin : file.machine.origins) file.given.push_back(origin.key);
  return file;
}

}  // namespace quadrille
