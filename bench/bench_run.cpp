// How well ranks that are threads move data here. Prints two tables:
//   large blocks: bytes/s of collectives beside plain memcpy of the same bytes between equal buffers by as many cores;
//   small blocks: time of a round of 64 ranks beside one hand-over between two threads that sleep in the kernel.
// What is compared runs in turns, and every number is a median. Usage: bench_run [--quick | --check]
// --quick: one size of large blocks and fewer turns; --check: little data once, to see that it works.
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>
#include <vector>

#include "base/text.hpp"
#include "quadrille/run.hpp"
#include "threads.hpp"

namespace {

using namespace quadrille;

using bench::best_candidate, bench::Candidate, bench::circuits, bench::Clock, bench::median, bench::PlainCopies,
    bench::request;

void compare_large(Collective collective, const std::string& topology, Bytes bytes, int turns) {
  const Spec spec = request(collective, topology, bytes);
  const Candidate best = best_candidate(spec, Bytes{1} << 30);
  const PlainCopies plain(spec);
  const Rank threads = std::min<Rank>(spec.ranks(), executor::usable_cores());
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
             base::format_bytes(bytes), best.name, rate(median(run)), rate(median(copy)),
             100 * median(copy) / median(run));
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
                 barriers ? "kept" : "left out", schedule->shape().rounds, base::format_seconds(median(run)),
                 base::format_seconds(round), base::format_seconds(median(hand)), round / median(hand));
    }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  if (!how.empty() && how != "--quick" && how != "--check") {
    fmt::print(stderr, "bench_run: unknown option {}; it takes --quick, --check, or nothing\n", how);
    return 2;
  }
  std::vector<Bytes> sizes{Bytes{256} << 10, Bytes{1} << 20, Bytes{8} << 20};
  if (how == "--quick") sizes = {Bytes{1} << 20};
  if (how == "--check") sizes = {Bytes{16} << 10};
  const int turns = how == "--check" ? 1 : how == "--quick" ? 3 : 7;
  fmt::print("{} cores\nlarge blocks: GB/s of what must be moved\n{:<10} {:<12} {:>8}  {:<40} {:>8} {:>8} {:>8}\n",
             executor::usable_cores(), "collective", "network", "block", "best algorithm here", "run", "memcpy",
             "ratio");
  for (const Collective c : {Collective::alltoall, Collective::allgather, Collective::bcast})
    for (const std::string topology :
         {"hypercube:1", "hypercube:2", "hypercube:3", "crossbar:2", "crossbar:4", "crossbar:8"})
      for (const Bytes bytes : sizes) compare_large(c, topology, bytes, turns);
  compare_small(turns);
  return 0;
}
