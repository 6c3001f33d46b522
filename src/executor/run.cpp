// Runs a schedule on threads: budget, compilation, data, checks and clocks around the transport.
#include "quadrille/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "executor/clock.hpp"
#include "executor/data.hpp"
#include "executor/reference.hpp"
#include "executor/run_threads.hpp"
#include "executor/team.hpp"
#include "executor/threads.hpp"

namespace quadrille {

namespace {

using Clock = std::chrono::steady_clock;
Seconds seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<Seconds>(to - from).count();
}

struct Span {
  Clock::time_point begin = Clock::time_point::max(), end = Clock::time_point::min();
  void include(const Span& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

/// Memory counted against the budget before it is taken.
class Account {
 public:
  explicit Account(Bytes limit) : limit_(limit) {}
  void add(Bytes bytes, const char* what) {
    used_ = base::checked_add(used_, bytes, what);
    if (used_ > limit_)
      throw Error(
          Error::Kind::budget,
          fmt::format(
              "running needs more than {} of memory ({} reached with the {}); use smaller blocks or fewer ranks, "
              "or verify and price the schedule, which moves no data",
              base::format_bytes(limit_), base::format_bytes(used_), what));
  }
  Bytes left() const { return limit_ - used_; }

 private:
  Bytes limit_, used_ = 0;
};

std::vector<program::Program> compile_all(const Spec& spec, const Schedule& schedule, const RunOptions& options,
                                          Account& account) {
  const Rank nodes = spec.topology->nodes();
  for (Rank r = 0; r < nodes; ++r)
    for (const Buffer b : {Buffer::in, Buffer::out}) account.add(buffer_bytes(spec, b, r), "data");
  if (combines(spec)) account.add(executor::Reference::memory(spec), "expected result");
  std::vector<program::Program> programs;
  programs.reserve(static_cast<std::size_t>(nodes));
  program::Compiler compiler(spec, schedule);
  account.add(compiler.memory(), "table of slots");
  for (Rank r = 0; r < nodes; ++r) {
    programs.push_back(compiler.compile(r, options.barriers, account.left(), options.order));
    account.add(programs.back().size[static_cast<std::size_t>(Buffer::tmp)], "scratch space");
    account.add(programs.back().memory(), "compiled schedule");
  }
  return programs;
}

/// All ranks of one run, and what they write down for the result.
class Runner {
 public:
  Runner(const Spec& spec, const std::vector<program::Program>& programs, const RunOptions& options,
         const executor::Watch& watch, int cores)
      : spec_(spec),
        programs_(programs),
        options_(options),
        watch_(watch),
        reference_(combines(spec) ? std::make_unique<executor::Reference>(spec, options.seed) : nullptr),
        exchange_(programs, cores, combines(spec) ? executor::operator_of(spec) : operators::Operator{}),
        data_(programs.size()),
        spans_(static_cast<std::size_t>(options.repetitions), std::vector<Span>(programs.size())),
        rounds_(options.trace ? programs.size() : 0),
        checked_(programs.size()) {}

  void run() {
    Bytes data = 0;
    for (const program::Program& p : programs_)
      for (const Bytes size : p.size) data += size;
    executor::run_team(
        spec_.topology->nodes(), [this](Rank r) { rank(r); }, [this] { exchange_.cancel(); },
        data <= executor::cache_size);
  }
  RunResult result() const;

 private:
  void rank(Rank r);
  void traced(const program::Program& program, executor::ThreadExchange::End& end, std::vector<Span>& rounds) const;
  std::vector<RunResult::RoundTime> trace() const;

  const Spec& spec_;
  const std::vector<program::Program>& programs_;
  const RunOptions& options_;
  const executor::Watch& watch_;
  const std::unique_ptr<const executor::Reference> reference_;  ///< of reductions
  executor::ThreadExchange exchange_;
  std::vector<std::unique_ptr<executor::RankData>>
      data_;                              ///< [rank]; outlives all threads, since a failing rank may still be read from
  std::vector<std::vector<Span>> spans_;  ///< [repetition][rank]
  std::vector<std::vector<Span>> rounds_;  ///< [rank][step] of the traced run
  std::vector<Bytes> checked_;             ///< [rank]
};

void Runner::rank(Rank r) {
  const auto me = static_cast<std::size_t>(r);
  const program::Program& program = programs_[me];
  data_[me] = std::make_unique<executor::RankData>(spec_, r, program.size, options_.seed, reference_.get());
  executor::RankData& data = *data_[me];
  data.fill();
  executor::ThreadExchange::End end(exchange_, r, data.bases());
  const auto once = [&](const executor::Watch& watch) {
    end.begin();
    executor::perform(program, end, watch);
  };
  end.barrier();
  once(watch_);
  end.barrier();
  data.take_own();
  if (options_.check) checked_[me] = data.check();
  for (std::vector<Span>& spans : spans_) {
    end.barrier();
    const auto begin = Clock::now();
    once({});
    spans[me] = {begin, Clock::now()};
  }
  end.barrier();
  if (options_.trace) {
    end.begin();
    traced(program, end, rounds_[me]);
    end.barrier();
  }
  data.take_own();
  if (options_.check && end.runs() > 1) data.check();  // what the runs against the clock left behind
}

void Runner::traced(const program::Program& program, executor::ThreadExchange::End& end,
                    std::vector<Span>& rounds) const {
  rounds.reserve(program.steps.size());
  executor::perform(program, end,
                    {[&](Rank, Round) {
                       rounds.push_back({Clock::now(), {}});
                     },
                     [&](Rank, Round) { rounds.back().end = Clock::now(); }});
}

std::vector<RunResult::RoundTime> Runner::trace() const {
  Round last = -1;
  Clock::time_point start = Clock::time_point::max();
  for (std::size_t r = 0; r < rounds_.size(); ++r)
    for (std::size_t i = 0; i < rounds_[r].size(); ++i) {
      last = std::max(last, programs_[r].steps[i].round);
      start = std::min(start, rounds_[r][i].begin);
    }
  std::vector<Span> total(static_cast<std::size_t>(last + 1));
  for (std::size_t r = 0; r < rounds_.size(); ++r)
    for (std::size_t i = 0; i < rounds_[r].size(); ++i)
      total[static_cast<std::size_t>(programs_[r].steps[i].round)].include(rounds_[r][i]);
  std::vector<RunResult::RoundTime> trace;
  for (std::size_t t = 0; t < total.size(); ++t)
    if (total[t].begin <= total[t].end)
      trace.push_back(
          {static_cast<Round>(t), seconds_between(start, total[t].begin), seconds_between(start, total[t].end)});
  return trace;
}

RunResult Runner::result() const {
  RunResult result;
  result.ranks = spec_.ranks();
  result.cores = executor::usable_cores();
  std::vector<Seconds> times;
  Span loop;
  for (const std::vector<Span>& spans : spans_) {
    Span all;
    for (const Span& s : spans) all.include(s);
    times.push_back(seconds_between(all.begin, all.end));
    loop.include(all);
  }
  if (!times.empty()) result.in_a_row = seconds_between(loop.begin, loop.end) / static_cast<double>(times.size());
  executor::set_times(result, std::move(times));
  for (const program::Program& p : programs_) {
    result.messages += static_cast<std::int64_t>(p.sends.size());
    result.moved += p.moved;
    result.permuted += p.permuted;
    result.combined += p.combined;
  }
  for (const Bytes b : checked_) result.checked += b;
  result.trace = trace();
  return result;
}

}  // namespace

}  // namespace quadrille

namespace quadrille::executor {

RunResult run_threads(const Spec& spec, const Schedule& schedule, const RunOptions& options, const Watch& watch) {
  check_repetitions(options);
  const Spec complete = checked(spec);
  check_team_size(complete.topology->nodes());
  if (combines(complete)) operator_of(complete);  // refuses elements before anything is compiled
  Account account(options.memory);
  const std::vector<program::Program> programs = compile_all(complete, schedule, options, account);
  Runner runner(complete, programs, options, watch, usable_cores());
  runner.run();
  return runner.result();
}

}  // namespace quadrille::executor

namespace quadrille {

RunResult run_threads(const Spec& spec, const Schedule& schedule, const RunOptions& options) {
  return executor::run_threads(spec, schedule, options, executor::Watch{});
}

}  // namespace quadrille
