// Measures what threads of one process pay on this machine and prints it as a machine file:
//   bench_localhost > here.toml;  quadrille plan ... --machine here.toml
// Every number is the median of several runs; machines/localhost.toml is such a file from an ordinary machine.
// With --check it runs once, with little data: to see that it works.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/tune.hpp"

namespace {

using quadrille::Seconds;
int runs = 11;
std::size_t large = std::size_t{256} << 20;  // far more than a cache holds
constexpr std::size_t piece = 256;           // a block as local permutations move it

Seconds now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class Run>
Seconds median(const Run& run) {
  std::vector<Seconds> times;
  for (int i = 0; i < runs; ++i) times.push_back(run());
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[times.size() / 2];
}

/// One hand-over: a small message is written, the next thread of a ring is woken and reads it. With many more threads
/// than cores each of them is asleep in the kernel when its turn comes, as ranks are.
Seconds hand_over() {
  constexpr std::uint32_t threads = 64, laps = 500;
  struct alignas(64) Box {
    std::atomic<std::uint32_t> lap{0};
    std::uint64_t message = 0;
  };
  std::vector<Box> boxes(threads);
  const auto give = [&](std::uint32_t to, std::uint64_t message, std::uint32_t lap) {
    boxes[to % threads].message = message;
    boxes[to % threads].lap.store(lap, std::memory_order_release);
    boxes[to % threads].lap.notify_one();
  };
  const auto take = [&](std::uint32_t self, std::uint32_t lap) {
    boxes[self].lap.wait(lap - 1, std::memory_order_acquire);
    return boxes[self].message;
  };
  std::vector<std::thread> others;
  for (std::uint32_t self = 1; self < threads; ++self)
    others.emplace_back([&, self] {
      for (std::uint32_t lap = 1; lap <= laps; ++lap) give(self + 1, take(self, lap) + 1, lap);
    });
  const Seconds begin = now();
  std::uint64_t message = 0;
  for (std::uint32_t lap = 1; lap <= laps; ++lap) {
    give(1, message + 1, lap);
    message = take(0, lap);
  }
  const Seconds time = now() - begin;
  for (std::thread& thread : others) thread.join();
  if (message != threads * laps)
    throw quadrille::Error(quadrille::Error::Kind::transport, "a hand-over lost its message");
  return time / (threads * laps);
}

/// Seconds per byte of one long copy between buffers that no cache holds.
Seconds copy(const std::vector<char>& from, std::vector<char>& to) {
  const Seconds begin = now();
  std::memcpy(to.data(), from.data(), large);
  return (now() - begin) / static_cast<double>(large);
}

/// Seconds per byte of a local permutation: pieces in order go to places far apart, as a digit rotation moves blocks.
Seconds permute(const std::vector<char>& from, std::vector<char>& to) {
  const std::size_t pieces = large / piece, rows = 1024, columns = pieces / rows;
  const Seconds begin = now();
  for (std::size_t i = 0; i < pieces; ++i)
    std::memcpy(&to[(i % rows * columns + i / rows) * piece], &from[i * piece], piece);
  return (now() - begin) / static_cast<double>(large);
}

/// One barrier of `ranks` threads.
Seconds barrier(int ranks) {
  constexpr int crossings = 200;
  std::barrier meeting(ranks);
  Seconds begin = 0;
  const auto cross = [&] {
    for (int i = 0; i < crossings; ++i) meeting.arrive_and_wait();
  };
  std::vector<std::thread> others;
  for (int r = 1; r < ranks; ++r)
    others.emplace_back([&] {
      meeting.arrive_and_wait();
      cross();
    });
  meeting.arrive_and_wait();
  begin = now();
  cross();
  const Seconds time = (now() - begin) / crossings;
  for (std::thread& thread : others) thread.join();
  return time;
}

/// Least squares of constant + slope * log2 ranks through barriers of 2 .. 64 ranks, both 0 or more.
void fit_barrier(quadrille::Machine& machine) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int log = 1; log <= 6; ++log) {
    const Seconds time = median([&] { return barrier(1 << log); });
    std::fprintf(stderr, "barrier of %d threads: %.3g s\n", 1 << log, time);
    n += 1, x += log, y += time, xx += log * log, xy += log * time;
  }
  machine.barrier_log2 = std::max(0.0, (n * xy - x * y) / (n * xx - x * x));
  machine.barrier = (y - machine.barrier_log2 * x) / n;
  if (machine.barrier < 0) machine.barrier = 0, machine.barrier_log2 = xy / xx;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--check") {
    runs = 1;
    large = std::size_t{4} << 20;
  } else if (argc > 1) {
    fmt::print(stderr, "bench_localhost: unknown option {}; it takes --check, or nothing\n", argv[1]);
    return 2;
  }
  std::vector<char> from(large, 1), to(large, 2);
  quadrille::Machine machine;
  machine.name = "localhost";
  machine.description = fmt::format("Threads of one process, {} hardware threads", std::thread::hardware_concurrency());
  machine.ports = quadrille::Ports::one;
  machine.switching = quadrille::Switching::wormhole;
  const auto measured = [&](const char* key, const char* how) {
    machine.origins.push_back(
        {key, fmt::format("bench_localhost, median of {}: {}", runs, how), quadrille::Honesty::measured});
  };
  machine.alpha = median(hand_over);
  measured("alpha", "8 bytes round a ring of 64 threads, atomic wait and notify");
  machine.beta = median([&] { return copy(from, to); });
  measured("beta", "memcpy of 256 MiB");
  machine.rho = median([&] { return permute(from, to); });
  measured("rho", "256 MiB in pieces of 256 bytes to places 256 KiB apart");
  fit_barrier(machine);
  measured("barrier", "std::barrier of 2 to 64 threads, least squares, constant part");
  measured("barrier_log2", "std::barrier of 2 to 64 threads, least squares, part per log2 of the threads");
  quadrille::MeasuredOn on{.transport = "threads", .library = {}, .topology = {}, .date = {}};
  on.hosts = 1, on.cores = std::max(1u, std::thread::hardware_concurrency());
  fmt::print("{}", quadrille::to_text(quadrille::file_of(machine, on)));
}
