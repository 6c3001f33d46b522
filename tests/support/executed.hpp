// What tests of reductions on threads share: a reduction written out by hand, and one without the data of a run.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "base/hash.hpp"
#include "executor/run_threads.hpp"
#include "executor/team.hpp"
#include "executor/threads.hpp"
#include "run_schedules.hpp"

namespace quadrille::testing {

/// Segments of single slots, by round and rank.
class ByRank final : public Schedule {
 public:
  struct Entry {
    Round round;
    Rank rank;
    Transfer transfer;
  };
  ByRank(Shape shape, std::vector<Entry> entries) : shape_(shape), entries_(std::move(entries)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (const Entry& e : entries_)
      if (e.round == t && e.rank == r) out.add(e.transfer);
  }

 private:
  Shape shape_;
  std::vector<Entry> entries_;
};

inline Transfer sends(Rank to, Buffer buffer, Slot slot = 0) {
  return {Kind::send, buffer, to, contiguous(slot, 1), {}};
}
inline Transfer takes(Rank from, Buffer buffer, const Combine& how, Slot slot = 0) {
  return {Kind::recv, buffer, from, contiguous(slot, 1), how};
}
constexpr auto left = Combine::Incoming::left, right = Combine::Incoming::right, stored = Combine::Incoming::stored;

/// Numbers of very different sizes, whose rounded sum depends on who is added to whom.
inline double uneven_number(Rank r, Bytes i) {
  const auto bits = base::hash_of(r, i);
  return static_cast<double>(static_cast<std::int64_t>(bits)) * std::ldexp(1.0, static_cast<int>(bits % 60) - 90);
}

inline Spec reduction(Collective collective, const std::string& topology, Bytes bytes, Operands operands, Bytes element,
                      Rank root = 0) {
  return checked({.collective = collective,
                  .topology = parse_topology(topology),
                  .bytes = bytes,
                  .root = root,
                  .operands = operands,
                  .element = element});
}

/// Runs on an exchange with buffers of its own. Before each run `fill` is called for every rank, after it `look`.
/// `cores`: that the exchange believes in.
struct Bench {
  using Visit = std::function<void(Rank, const program::Program&, const program::Bases&)>;
  const Spec& spec;
  const Schedule& schedule;
  operators::Operator op;
  int cores = 1, runs = 1;

  void run(const Visit& fill, const Visit& look) const {
    std::vector<program::Program> programs;
    program::Compiler compiler(spec, schedule);
    for (Rank r = 0; r < spec.topology->nodes(); ++r) programs.push_back(compiler.compile(r, true, Bytes{1} << 30));
    executor::ThreadExchange exchange(programs, cores, op);
    std::vector<std::array<std::vector<std::uint64_t>, 3>> memory(programs.size());
    const auto body = [&](Rank r) {
      const auto me = static_cast<std::size_t>(r);
      program::Bases bases;
      for (std::size_t b = 0; b < bases.size(); ++b) {
        memory[me][b].resize(static_cast<std::size_t>(programs[me].size[b] / 8 + 1));
        bases[b] = reinterpret_cast<std::byte*>(memory[me][b].data());
      }
      executor::ThreadExchange::End end(exchange, r, bases);
      for (int i = 0; i < runs; ++i) {
        fill(r, programs[me], bases);
        end.barrier();
        end.begin();
        executor::perform(programs[me], end, {});
        end.barrier();
        look(r, programs[me], bases);
      }
    };
    executor::run_team(spec.topology->nodes(), body, [&] { exchange.cancel(); });
  }
};

}  // namespace quadrille::testing
