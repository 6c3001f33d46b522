#include "simulate/wormhole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <tuple>

#include "base/integer.hpp"

namespace quadrille {

namespace {

/// Durations become multiples of one unit so small that nothing is lost and so large that every sum of them is exact.
class Clock {
 public:
  explicit Clock(Seconds all_durations) {
    if (all_durations > 0) unit_ = std::ldexp(1.0, std::ilogb(all_durations) - 50);
  }
  Seconds operator()(Seconds duration) const { return std::round(duration / unit_) * unit_; }

 private:
  double unit_ = std::ldexp(1.0, -60);
};

/// What a rank does in one round.
struct Stop {
  Round round;
  std::vector<std::size_t> messages;  ///< it sends or receives
  Bytes permuted = 0;
};

class Simulation {
 public:
  Simulation(const Topology& topology, const Machine& machine, const Schedule& schedule, const WormholeOptions& options)
      : topology_(topology),
        machine_(machine),
        schedule_(schedule),
        first_(options.first),
        last_(options.last < 0 ? schedule.shape().rounds : options.last),
        barrier_(machine.barrier + machine.barrier_log2 * log2_ceil(topology.ranks())),
        ranks_(static_cast<std::size_t>(topology.nodes())) {
    const Round rounds = schedule.shape().rounds;
    if (first_ < 0 || first_ > last_ || last_ > rounds)
      throw Error(Error::Kind::argument,
                  fmt::format("rounds {} .. {}: the schedule has {}, from 0 on", first_, last_, rounds));
    read(options.messages);
    set_out();
  }

  WormholeRun run() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) enter_next(r, 0);
    while (!events_.empty()) {
      now_ = events_.top().time;
      while (!events_.empty() && events_.top().time == now_) take_event();
      start_what_can();
    }
    for (const WormholeRun::Message& m : line_.messages) line_.waited += m.start - m.requested;
    for (const Person& p : ranks_) line_.makespan = std::max(line_.makespan, p.done);
    return std::move(line_);
  }

 private:
  struct Person {
    std::vector<Stop> stops;
    std::size_t next = 0;  ///< the stop after the one it is in
    std::size_t open = 0;  ///< messages of its stop that are not complete
    Seconds done = 0;
  };
  struct Progress {
    int ends_ready = 0;
    Seconds duration = 0;
    std::vector<std::size_t> resources;
  };
  struct Permuted {
    Round round;
    std::size_t rank;
    Bytes bytes;
  };
  struct Event {
    enum class Kind { completion, idle, request };  ///< in this order: what completions release is there for requests
    Seconds time;
    Kind kind;
    std::size_t what;  ///< message; idle: rank
    bool operator>(const Event& o) const { return std::tuple(time, kind, what) > std::tuple(o.time, o.kind, o.what); }
  };

  void read(std::int64_t most);
  void set_out();
  Stop& stop(std::size_t rank, Round t);
  void find_way(std::size_t message);
  void enter_next(std::size_t rank, Seconds now);
  void pass_barrier(Seconds now);
  void enter(std::size_t rank, Seconds now);
  void complete(std::size_t message);
  void start_what_can();
  bool free(const Progress& p) const {
    return std::none_of(p.resources.begin(), p.resources.end(), [&](std::size_t i) { return busy_[i]; });
  }
  void take_event() {
    const Event event = events_.top();
    events_.pop();
    if (event.kind == Event::Kind::completion) return complete(event.what);
    if (event.kind == Event::Kind::idle) return enter_next(event.what, now_);
    waiting_.insert({event.time, event.what});
  }

  const Topology& topology_;
  const Machine& machine_;
  const Schedule& schedule_;
  Round first_, last_;
  Seconds barrier_;
  Clock clock_{0};
  WormholeRun line_;
  std::vector<Permuted> permuted_;
  std::vector<Progress> progress_;  ///< by message
  std::vector<Person> ranks_;
  std::size_t at_barrier_ = 0;
  std::vector<bool> busy_;  ///< links, then the out and in port of every node
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::set<std::pair<Seconds, std::size_t>> waiting_;  ///< by time of request, then order
  Seconds now_ = 0;
};

/// Lists the messages of all rounds, and what ranks rearrange.
void Simulation::read(std::int64_t most) {
  Summary summary;
  for (Round t = first_; t < last_; ++t) {
    for (Rank r = 0; r < topology_.nodes(); ++r)
      for (const Summary::Message& m : summary.of(schedule_, t, r)) {
        if (m.kind != Kind::send) continue;
        if (m.peer == r)
          permuted_.push_back({t, static_cast<std::size_t>(r), m.bytes});
        else
          line_.messages.push_back({t, r, m.peer, m.bytes, 0, 0, 0});
      }
    if (static_cast<std::int64_t>(line_.messages.size()) > most)
      throw Error(Error::Kind::budget,
                  fmt::format("more than {} messages to simulate; the counted price has no such limit", most));
  }
  const auto key = [](const WormholeRun::Message& m) {
    return std::tuple(m.round, std::min(m.from, m.to), m.from > m.to, std::max(m.from, m.to));
  };
  std::stable_sort(line_.messages.begin(), line_.messages.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  progress_.resize(line_.messages.size());
  busy_.resize(static_cast<std::size_t>(topology_.links() + 2 * topology_.nodes()), false);
}

Stop& Simulation::stop(std::size_t rank, Round t) {
  std::vector<Stop>& stops = ranks_[rank].stops;
  if (stops.empty() || stops.back().round != t) stops.push_back({t, {}, 0});
  return stops.back();
}

/// What every rank has to do, and how long it takes.
void Simulation::set_out() {
  auto moved = permuted_.begin();
  std::size_t i = 0;
  Seconds all = barrier_;
  for (Round t = first_; t < last_; ++t) {
    if (schedule_.barrier(t)) {
      for (std::size_t r = 0; r < ranks_.size(); ++r) stop(r, t);
      all += barrier_;
    }
    for (; moved != permuted_.end() && moved->round == t; ++moved) {
      stop(moved->rank, t).permuted += moved->bytes;
      all += machine_.rho * static_cast<double>(moved->bytes);
    }
    for (; i < line_.messages.size() && line_.messages[i].round == t; ++i) {
      const WormholeRun::Message& m = line_.messages[i];
      stop(static_cast<std::size_t>(m.from), t).messages.push_back(i);
      stop(static_cast<std::size_t>(m.to), t).messages.push_back(i);
      find_way(i);
      all += progress_[i].duration + 2 * machine_.alpha;
    }
  }
  clock_ = Clock(all);
  for (Progress& p : progress_) p.duration = clock_(p.duration);
  barrier_ = clock_(barrier_);
}

void Simulation::find_way(std::size_t message) {
  const WormholeRun::Message& m = line_.messages[message];
  Progress& p = progress_[message];
  std::vector<Link> path;
  topology_.route(m.from, m.to, path);
  for (const Link link : path)
    p.resources.push_back(
        static_cast<std::size_t>(machine_.duplex == Duplex::full ? link : std::min(link, topology_.reverse(link))));
  if (machine_.ports == Ports::one) {
    const bool either = machine_.duplex != Duplex::full;  // a port sends or receives
    p.resources.push_back(static_cast<std::size_t>(topology_.links() + 2 * m.from));
    p.resources.push_back(static_cast<std::size_t>(topology_.links() + 2 * m.to + (either ? 0 : 1)));
  }
  p.duration = machine_.per_hop * static_cast<double>(path.size()) + machine_.beta * static_cast<double>(m.bytes);
}

void Simulation::enter_next(std::size_t rank, Seconds now) {
  Person& p = ranks_[rank];
  p.done = now;
  if (p.next == p.stops.size()) return;
  if (!schedule_.barrier(p.stops[p.next].round)) return enter(rank, now);
  if (++at_barrier_ == ranks_.size()) pass_barrier(now);
}

/// The last rank has come: time never runs backwards, so no other came later.
void Simulation::pass_barrier(Seconds now) {
  at_barrier_ = 0;
  for (std::size_t r = 0; r < ranks_.size(); ++r) enter(r, now + barrier_);
}

void Simulation::enter(std::size_t rank, Seconds now) {
  Person& p = ranks_[rank];
  const Stop& stop = p.stops[p.next++];
  p.open = stop.messages.size();
  const Seconds ready = now + clock_(machine_.alpha) * static_cast<double>(p.open) +
                        clock_(machine_.rho * static_cast<double>(stop.permuted));
  if (p.open == 0) return events_.push({ready, Event::Kind::idle, rank});
  for (const std::size_t i : stop.messages) {
    WormholeRun::Message& m = line_.messages[i];
    m.requested = std::max(m.requested, ready);
    if (++progress_[i].ends_ready == 2) events_.push({m.requested, Event::Kind::request, i});
  }
}

void Simulation::complete(std::size_t message) {
  for (const std::size_t i : progress_[message].resources) busy_[i] = false;
  for (const Rank r : {line_.messages[message].from, line_.messages[message].to})
    if (--ranks_[static_cast<std::size_t>(r)].open == 0) enter_next(static_cast<std::size_t>(r), now_);
}

void Simulation::start_what_can() {
  for (auto w = waiting_.begin(); w != waiting_.end();) {
    const std::size_t i = w->second;
    if (!free(progress_[i])) {
      ++w;
      continue;
    }
    for (const std::size_t resource : progress_[i].resources) busy_[resource] = true;
    line_.messages[i].start = now_;
    line_.messages[i].end = now_ + progress_[i].duration;
    events_.push({line_.messages[i].end, Event::Kind::completion, i});
    w = waiting_.erase(w);
  }
}

}  // namespace

WormholeRun run_wormhole(const Topology& topology, const Machine& machine, const Schedule& schedule,
                         const WormholeOptions& options) {
  return Simulation(topology, machine, schedule, options).run();
}

}  // namespace quadrille
