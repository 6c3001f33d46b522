// How well ranks that are threads move data here. Prints two tables:
//   large blocks: bytes/s of collectives beside plain memcpy of the same bytes between equal buffers by as many cores;
//   small blocks: time of a round of 64 ranks beside one hand-over between two threads that sleep in the kernel.
// What is compared runs in turns, and every number is a median. Usage: bench_run [--quick]
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <string_view>
#include <thread>
#include <vector>

#include "base/text.hpp"
#include "quadrille/run.hpp"
#include "run/sleep.hpp"
#include "run/team.hpp"

namespace {

using namespace quadrille;
using Clock = std::chrono::steady_clock;

Seconds median(std::vector<Seconds> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

Spec request(Collective collective, const std::string& topology, Bytes bytes) {
  return checked({.collective = collective, .topology = parse_topology(topology), .bytes = bytes});
}

Machine circuits() {
  Machine m;
  m.switching = Switching::circuit;
  return m;
}

// --------------------------------------------------------------------------------------------------------- large
// blocks

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
    Gathering start(threads);
    const std::atomic<bool> never{false};
    std::vector<Clock::time_point> begins(static_cast<std::size_t>(threads)), ends = begins;
    run_team(
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

std::vector<Candidate> legal_candidates(const Spec& spec) {
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

/// The fastest of all that can run. Packets of single bytes, which some machines would ask for, do not fit `memory`.
Candidate best_candidate(const Spec& spec, Bytes memory) {
  std::vector<Candidate> all = legal_candidates(spec);
  for (int turn = 0; turn < 3; ++turn)
    for (Candidate& c : all) try {
        const Seconds least =
            run_threads(spec, *c.schedule, {.repetitions = 4, .check = false, .memory = memory}).least;
        c.time = turn == 0 ? least : std::min(c.time, least);
      } catch (const Error& e) {
        if (e.kind() != Error::Kind::budget) throw;
        c.time = std::numeric_limits<Seconds>::infinity();
      }
  return *std::min_element(all.begin(), all.end(),
                           [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
}

void compare_large(Collective collective, const std::string& topology, Bytes bytes, int turns) {
  const Spec spec = request(collective, topology, bytes);
  const Candidate best = best_candidate(spec, Bytes{1} << 30);
  const PlainCopies plain(spec);
  const Rank threads = std::min<Rank>(spec.ranks(), usable_cores());
  std::vector<Seconds> run, copy;
  for (int i = 0; i < turns; ++i) {
    const RunResult result = run_threads(spec, *best.schedule, {.repetitions = 5, .check = i == 0});
    run.push_back(result.median);
    std::vector<Seconds> five;
    for (int k = 0; k < 5; ++k) five.push_back(plain.time(threads));
    copy.push_back(median(five));
  }
  const auto rate = [&](Seconds time) { return static_cast<double>(plain.total()) / time / 1e9; };
  fmt::print("{:<10} {:<12} {:>8}  {:<40} {:>8.2f} {:>8.2f} {:>6.0f} %\n", to_string(collective), topology,
             format_bytes(bytes), best.name, rate(median(run)), rate(median(copy)), 100 * median(copy) / median(run));
}

// --------------------------------------------------------------------------------------------------------- small
// blocks

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, nullptr, nullptr, 0);
}

/// One hand-over between two threads that always sleep until it is their turn.
Seconds hand_over() {
  constexpr std::uint32_t laps = 4000;
  std::atomic<std::uint32_t> turn{0};
  const auto play = [&](std::uint32_t me) {
    for (std::uint32_t lap = me; lap < laps; lap += 2) {
      for (std::uint32_t now = turn.load(); now != lap; now = turn.load()) futex(turn, FUTEX_WAIT_PRIVATE, now);
      turn.store(lap + 1);
      futex(turn, FUTEX_WAKE_PRIVATE, 1);
    }
  };
  const auto begin = Clock::now();
  std::thread other(play, 1);
  play(0);
  other.join();
  return std::chrono::duration<Seconds>(Clock::now() - begin).count() / laps;
}

void compare_small(int turns) {
  const Spec spec = request(Collective::alltoall, "hypercube:6", 8);
  fmt::print("\n64 ranks, all-to-all of 8 B on hypercube:6\n");
  fmt::print("{:<34} {:>9} {:>7} {:>11} {:>11} {:>11} {:>8}\n", "algorithm", "barriers", "rounds", "run", "a round",
             "hand-over", "ratio");
  for (const std::string name : {"1,1,1,1,1,1", "2,2,2", "3,3", "6"})
    for (const bool barriers : {true, false}) {
      const SchedulePtr schedule = build(spec, circuits(), parse_choice("alltoall_mce:phases=" + name)).schedule;
      std::vector<Seconds> run, hand;
      for (int i = 0; i < turns; ++i) {
        run.push_back(run_threads(spec, *schedule, {.repetitions = 15, .check = i == 0, .barriers = barriers}).median);
        hand.push_back(hand_over());
      }
      const Seconds round = median(run) / static_cast<double>(schedule->shape().rounds);
      fmt::print("{:<34} {:>9} {:>7} {:>11} {:>11} {:>11} {:>8.1f}\n", "alltoall_mce:phases=" + name,
                 barriers ? "kept" : "left out", schedule->shape().rounds, format_seconds(median(run)),
                 format_seconds(round), format_seconds(median(hand)), round / median(hand));
    }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  fmt::print("{} cores\nlarge blocks: GB/s of what must be moved\n{:<10} {:<12} {:>8}  {:<40} {:>8} {:>8} {:>8}\n",
             usable_cores(), "collective", "network", "block", "best algorithm here", "run", "memcpy", "ratio");
  const std::vector<Bytes> sizes =
      quick ? std::vector<Bytes>{Bytes{1} << 20} : std::vector<Bytes>{Bytes{256} << 10, Bytes{1} << 20, Bytes{8} << 20};
  for (const Collective c : {Collective::alltoall, Collective::allgather, Collective::bcast})
    for (const std::string topology :
         {"hypercube:1", "hypercube:2", "hypercube:3", "crossbar:2", "crossbar:4", "crossbar:8"})
      for (const Bytes bytes : sizes) compare_large(c, topology, bytes, quick ? 3 : 7);
  compare_small(quick ? 3 : 7);
  return 0;
}
