// How fast reductions of threads combine here. Prints two tables:
//   kernels: bytes/s that an operator reads and writes, beside a plain loop that adds doubles (STREAM's add);
//   allreduce of two ranks: its time beside that of the additions and copies alone, with one meeting between them. What
//   is copied was written by the other core a moment ago, and comes out of its cache.
// What is compared runs in turns, and every number is a median. Usage: bench_reduce [--quick | --check]
// --quick: fewer sizes and turns; --check: little data once, to see that it works.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "operators/kernels.hpp"
#include "threads.hpp"

namespace {

using namespace quadrille;

using bench::best_candidate, bench::Candidate, bench::Clock, bench::median;
using operators::Number, operators::Operation, operators::Operator;

using Vector = std::vector<std::uint64_t>;

template <class Body>
Seconds time_of(Body body) {
  const auto begin = Clock::now();
  body();
  return std::chrono::duration<Seconds>(Clock::now() - begin).count();
}

void add(const double* a, const double* b, double* c, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) c[i] = a[i] + b[i];
}

void compare_kernels(Bytes bytes, int turns) {
  const auto words = static_cast<std::size_t>(bytes / 8);
  Vector a(words, 0x3ff8000000000000), b(words, 0x3ff4000000000000), c(words, 0);  // no denormal numbers
  const auto as_bytes = [](Vector& v) { return reinterpret_cast<std::byte*>(v.data()); };
  const auto as_doubles = [](Vector& v) { return reinterpret_cast<double*>(v.data()); };
  fmt::print("\nkernels on {}: GB/s read and written\n{:<16} {:>8} {:>8} {:>8}\n", base::format_bytes(bytes),
             "operator", "kernel", "add", "share");
  const std::vector<std::pair<std::string_view, Operator>> all{
      {"sum uint8", {Operation::sum, Number::uint8}},          {"sum int32", {Operation::sum, Number::int32}},
      {"sum int64", {Operation::sum, Number::int64}},          {"sum float", {Operation::sum, Number::float32}},
      {"sum double", {Operation::sum, Number::float64}},       {"prod double", {Operation::prod, Number::float64}},
      {"min int32", {Operation::min, Number::int32}},          {"max double", {Operation::max, Number::float64}},
      {"band int64", {Operation::band, Number::int64}},        {"land int32", {Operation::land, Number::int32}},
      {"maxloc double", {Operation::maxloc, Number::float64}}, {"sum half", {Operation::sum, Number::float16}},
      {"affine bytes", {Operation::affine, Number::uint8}}};
  for (const auto& [name, op] : all) {
    const operators::Kernel kernel = operators::kernel(op);
    std::vector<Seconds> ours, plain;
    for (int i = 0; i < turns; ++i) {
      ours.push_back(time_of([&] { kernel(as_bytes(a), as_bytes(b), as_bytes(c), words * 8); }));
      plain.push_back(time_of([&] { add(as_doubles(a), as_doubles(b), as_doubles(c), words); }));
    }
    const auto rate = [&](Seconds time) { return 3 * static_cast<double>(bytes) / time / 1e9; };
    fmt::print("{:<16} {:>8.2f} {:>8.2f} {:>6.0f} %\n", name, rate(median(ours)), rate(median(plain)),
               100 * median(plain) / median(ours));
  }
}

/// What two ranks at least do for an allreduce: each adds half of the vectors and copies the half of the other.
class LeastWork {
 public:
  explicit LeastWork(Bytes bytes) : half_(static_cast<std::size_t>(bytes / 16)) {
    for (Vector& v : vectors_) v.assign(2 * half_, 1);
  }
  Seconds time() {
    constexpr Rank ranks = 2;
    executor::Gathering start(ranks);
    const std::atomic<bool> never{false};
    std::array<Clock::time_point, ranks> begins, ends;
    executor::run_team(
        ranks,
        [&](Rank r) {
          const auto me = static_cast<std::size_t>(r);
          start.arrive({.spins = 1000}, never);
          begins[me] = Clock::now();
          add_half(me);
          start.arrive({.spins = 1000}, never);
          copy_half(me);
          ends[me] = Clock::now();
        },
        [] {});
    return std::chrono::duration<Seconds>(std::max(ends[0], ends[1]) - std::min(begins[0], begins[1])).count();
  }

 private:
  std::byte* at(std::size_t vector, std::size_t half) {
    return reinterpret_cast<std::byte*>(vectors_[vector].data() + half * half_);
  }
  void add_half(std::size_t me) {
    static const operators::Kernel sum = operators::kernel({Operation::sum, Number::uint64});
    sum(at(0, me), at(1, me), at(2 + me, me), 8 * half_);
  }
  void copy_half(std::size_t me) { std::memcpy(at(2 + me, 1 - me), at(3 - me, 1 - me), 8 * half_); }

  std::size_t half_;
  std::array<Vector, 4> vectors_;  ///< in of both ranks, out of both
};

void compare_allreduce(Bytes bytes, int turns) {
  const Spec spec = checked(
      {.collective = Collective::allreduce, .topology = parse_topology("hypercube:1"), .bytes = bytes, .element = 8});
  const Candidate best = best_candidate(spec, Bytes{1} << 30);
  LeastWork least(bytes);
  std::vector<Seconds> run, plain;
  for (int i = 0; i < turns; ++i) {
    run.push_back(run_threads(spec, *best.schedule, {.repetitions = 11, .check = i == 0}).median);
    std::vector<Seconds> some;
    for (int k = 0; k < 5; ++k) some.push_back(least.time());
    plain.push_back(median(some));
  }
  fmt::print("{:>8}  {:<36} {:>10} {:>10} {:>6.0f} %\n", base::format_bytes(bytes), best.name,
             base::format_seconds(median(run)), base::format_seconds(median(plain)), 100 * median(plain) / median(run));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  if (!how.empty() && how != "--quick" && how != "--check") {
    fmt::print(stderr, "bench_reduce: unknown option {}; it takes --quick, --check, or nothing\n", how);
    return 2;
  }
  const bool check = how == "--check", quick = how == "--quick";
  const int turns = check ? 1 : quick ? 5 : 15;
  fmt::print("{} cores\n", executor::usable_cores());
  for (const Bytes bytes : check ? std::vector<Bytes>{4096} : std::vector<Bytes>{Bytes{64} << 10, Bytes{64} << 20})
    compare_kernels(bytes, turns);
  fmt::print("\nallreduce of two ranks\n{:>8}  {:<36} {:>10} {:>10} {:>8}\n", "vector", "best algorithm here", "run",
             "least work", "share");
  for (Bytes bytes = 64; bytes <= (check ? 4096 : Bytes{4} << 20); bytes *= quick || check ? 64 : 4)
    compare_allreduce(bytes, turns);
  return 0;
}
