// What schedules of threads are compared with: the plain copies that nobody can avoid; and the fastest of all
// algorithms.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "executor/sleep.hpp"
#include "executor/team.hpp"
#include "quadrille/run.hpp"

namespace quadrille::bench {

using Clock = std::chrono::steady_clock;

inline Seconds median(std::vector<Seconds> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

inline Spec request(Collective collective, const std::string& topology, Bytes bytes) {
  return checked({.collective = collective, .topology = parse_topology(topology), .bytes = bytes});
}

inline Machine circuits() {
  Machine m;
  m.switching = Switching::circuit;
  return m;
}

/// The copies that nobody can avoid, straight from where a block is to where it is wanted, shared out evenly by bytes.
class PlainCopies {
 public:
  explicit PlainCopies(const Spec& spec) {
    const Rank p = spec.ranks();
    for (Rank r = 0; r < p; ++r)
      for (std::vector<std::byte*>* side : {&in_, &out_}) {
        const Buffer b = side == &in_ ? Buffer::in : Buffer::out;
        memory_.emplace_back(static_cast<std::size_t>(blocks(spec, b, r) * spec.bytes), std::byte{1});
        side->push_back(memory_.back().data());
      }
    for (Rank to = 0; to < p; ++to)
      for (Slot i = 0; i < blocks(spec, Buffer::out, to); ++i)
        if (const std::byte* from = origin(spec, to, i)) {
          copies_.push_back({out_[static_cast<std::size_t>(to)] + i * spec.bytes, from, spec.bytes});
          total_ += spec.bytes;
        }
  }
  Bytes total() const { return total_; }

  Seconds time(Rank threads) const {
    executor::Gathering start(threads);
    const std::atomic<bool> never{false};
    std::vector<Clock::time_point> begins(static_cast<std::size_t>(threads)), ends = begins;
    executor::run_team(
        threads,
        [&](Rank t) {
          start.arrive({.spins = 1000}, never);
          begins[static_cast<std::size_t>(t)] = Clock::now();
          copy(total_ * t / threads, total_ * (t + 1) / threads);
          ends[static_cast<std::size_t>(t)] = Clock::now();
        },
        [] {});
    return std::chrono::duration<Seconds>(*std::max_element(ends.begin(), ends.end()) -
                                          *std::min_element(begins.begin(), begins.end()))
        .count();
  }

 private:
  struct Piece {
    std::byte* to;
    const std::byte* from;
    Bytes bytes;
  };
  /// Where block `i` of rank `to` comes from; null when it is there from the start.
  const std::byte* origin(const Spec& spec, Rank to, Slot i) const {
    const Slot wanted = wanted_after(spec, to, i);
    if (held_before(spec, Buffer::out, to, i) == wanted) return nullptr;
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Buffer b : {Buffer::in, Buffer::out})
        for (Slot k = 0; k < blocks(spec, b, r); ++k)
          if (r != to && held_before(spec, b, r, k) == wanted)
            return (b == Buffer::in ? in_ : out_)[static_cast<std::size_t>(r)] + k * spec.bytes;
    return nullptr;
  }
  /// The part first .. last-1 of all bytes.
  void copy(Bytes first, Bytes last) const {
    Bytes at = 0;
    for (const Piece& p : copies_) {
      const Bytes low = std::max(first, at) - at, high = std::min(last, at + p.bytes) - at;
      if (low < high) std::memcpy(p.to + low, p.from + low, static_cast<std::size_t>(high - low));
      at += p.bytes;
    }
  }

  std::vector<std::vector<std::byte>> memory_;
  std::vector<std::byte*> in_, out_;
  std::vector<Piece> copies_;
  Bytes total_ = 0;
};

struct Candidate {
  std::string name;
  SchedulePtr schedule;
  Seconds time = 0;  ///< the least of a short trial
};

inline std::vector<Candidate> legal_candidates(const Spec& spec) {
  std::vector<Candidate> all;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != spec.collective || !a.illegal(spec, circuits(), {}).empty()) continue;
    std::vector<Params> variants = a.variants(spec, circuits());
    if (variants.size() > 4) variants = {variants.front(), variants[variants.size() / 2], variants.back()};
    for (const Params& params : variants)
      all.push_back({to_text(a, params), build(spec, circuits(), {&a, params}).schedule});
  }
  return all;
}

/// The fastest of all that can run, alone or in a row of calls. Packets of single bytes, which some machines would ask
/// for, do not fit `memory`.
inline Candidate best_candidate(const Spec& spec, Bytes memory, bool in_a_row = false) {
  const int calls = in_a_row ? 40 : 4;
  std::vector<Candidate> all = legal_candidates(spec);
  for (int turn = 0; turn < 3; ++turn)
    for (Candidate& c : all) try {
        const RunResult run = run_threads(
            spec, *c.schedule, {.repetitions = calls, .check = false, .barriers = !in_a_row, .memory = memory});
        const Seconds least = in_a_row ? run.in_a_row : run.least;
        c.time = turn == 0 ? least : std::min(c.time, least);
      } catch (const Error& e) {
        if (e.kind() != Error::Kind::budget) throw;
        c.time = std::numeric_limits<Seconds>::infinity();
      }
  return *std::min_element(all.begin(), all.end(),
                           [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
}

}  // namespace quadrille::bench
