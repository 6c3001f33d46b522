// A schedule on checked data over MPI: what run_threads does, with processes.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

#include "base/integer.hpp"
#include "executor/clock.hpp"
#include "executor/data.hpp"
#include "executor/reference.hpp"
#include "mpi/state.hpp"

namespace quadrille::mpi {

namespace {

constexpr Seconds never = std::numeric_limits<Seconds>::infinity();

class Runner {
 public:
  Runner(const Peers& peers, Execution& execution, executor::RankData& data, const RunOptions& options)
      : peers_(peers), execution_(execution), data_(data), options_(options) {}

  RunResult run(Rank ranks, Round rounds) {
    data_.fill();
    once();
    data_.take_own();
    const Bytes checked = check();
    std::vector<Seconds> times;
    for (int i = 0; i < options_.repetitions; ++i) times.push_back(once());
    peers_.reduce_to_all(times, MPI_MAX);
    RunResult result;
    result.ranks = ranks;
    executor::set_times(result, std::move(times));
    if (options_.trace) result.trace = traced(rounds);
    data_.take_own();
    check();  // what the runs against the clock left behind
    peers_.together([&] {
      if (wrong_) std::rethrow_exception(wrong_);
    });
    const program::Program& p = execution_.program();
    std::vector<std::int64_t> sums{static_cast<std::int64_t>(p.sends.size()), p.moved, p.permuted, p.combined, checked};
    peers_.reduce_to_all(sums, MPI_SUM);
    result.messages = sums[0], result.moved = sums[1], result.permuted = sums[2], result.combined = sums[3],
    result.checked = sums[4];
    return result;
  }

 private:
  /// What is wrong is kept until all can hear of it.
  Bytes check() {
    try {
      return options_.check ? data_.check() : 0;
    } catch (const Error&) {
      if (!wrong_) wrong_ = std::current_exception();
      return 0;
    }
  }

  /// From a barrier until this rank has everything.
  Seconds once() {
    peers_.barrier();
    const double begin = MPI_Wtime();
    execution_.start(data_.bases());
    execution_.wait();
    return MPI_Wtime() - begin;
  }

  std::vector<RunResult::RoundTime> traced(Round rounds) {
    const std::vector<program::Step>& steps = execution_.program().steps;
    std::vector<double> begins(static_cast<std::size_t>(rounds), never), ends(begins.size(), -never);
    double start = 0;
    execution_.enter = [&](std::size_t i) { begins[static_cast<std::size_t>(steps[i].round)] = MPI_Wtime() - start; };
    execution_.leave = [&](std::size_t i) { ends[static_cast<std::size_t>(steps[i].round)] = MPI_Wtime() - start; };
    peers_.barrier();
    start = MPI_Wtime();
    execution_.start(data_.bases());
    execution_.wait();
    execution_.enter = execution_.leave = nullptr;
    peers_.reduce_to_all(begins, MPI_MIN);
    peers_.reduce_to_all(ends, MPI_MAX);
    std::vector<RunResult::RoundTime> trace;
    const Seconds first = begins.empty() ? 0 : *std::min_element(begins.begin(), begins.end());
    for (std::size_t t = 0; t < begins.size(); ++t)
      if (begins[t] <= ends[t]) trace.push_back({static_cast<Round>(t), begins[t] - first, ends[t] - first});
    return trace;
  }

  const Peers& peers_;
  Execution& execution_;
  executor::RankData& data_;
  const RunOptions& options_;
  std::exception_ptr wrong_;
};

}  // namespace

RunResult communicator::run(const Spec& asked, const Schedule& schedule, const RunOptions& options) const {
  Spec spec;
  std::unique_ptr<Execution> execution;
  std::unique_ptr<const executor::Reference> reference;
  std::unique_ptr<executor::RankData> data;
  Reducer reducer;
  state_->agree([&] {
    executor::check_repetitions(options);
    spec = checked(asked);
    if (spec.topology->nodes() != ranks())
      throw Error(Error::Kind::argument, "the schedule is for another number of ranks than the communicator has");
    program::Program program =
        program::Compiler(spec, schedule).compile(rank(), options.barriers, options.memory, options.order);
    Bytes needed = program.memory();
    for (const Bytes size : program.size) needed = base::checked_add(needed, size, "data");
    if (combines(spec)) needed = base::checked_add(needed, executor::Reference::memory(spec), "expected result");
    if (needed > options.memory)
      throw Error(Error::Kind::budget, "running needs more memory than allowed; use smaller blocks or fewer ranks");
    if (combines(spec)) {
      reference = std::make_unique<const executor::Reference>(spec, options.seed);
      reducer = Reducer(operators::kernel(executor::operator_of(spec)));
    }
    data = std::make_unique<executor::RankData>(spec, rank(), program.size, options.seed, reference.get());
    execution =
        std::make_unique<Execution>(state_->peers, std::move(program), state_->take_tags(schedule.shape().rounds),
                                    state_->settings.segment, state_->neighbours.get());
    return fmt::format("{} of {} B in {} rounds", to_string(spec.collective), spec.bytes, schedule.shape().rounds);
  });
  execution->combine_by(reducer);
  execution->connect();
  return Runner(state_->peers, *execution, *data, options).run(spec.ranks(), schedule.shape().rounds);
}

}  // namespace quadrille::mpi
