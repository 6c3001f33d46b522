// What the suites of single algorithms ask of every schedule: proven with and without its symmetry, and counted
// exactly.
#pragma once

#include <gtest/gtest.h>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::testing {

inline std::string cube(int n) { return "hypercube:" + std::to_string(n); }
/// Of rings and crossbars.
inline const std::vector<int> sizes{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 24, 33};

/// A schedule without its claim of symmetry, so that every rank is looked at.
class Plain final : public Schedule {
 public:
  explicit Plain(SchedulePtr base) : base_(std::move(base)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override { base_->step(t, r, out); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  SchedulePtr base_;
};

inline std::string to_text(const Cost& c) {
  return std::to_string(c.startups) + " start-ups, " + std::to_string(c.hops) + " hops, " + std::to_string(c.bytes) +
         " bytes, " + std::to_string(c.permuted) + " permuted, " + std::to_string(c.barriers) + " barriers, " +
         std::to_string(c.packed) + " packed, " + std::to_string(c.further) + " further messages, " +
         std::to_string(c.combined) + " combined";
}

inline void expect_proof(const Spec& spec, const Machine& machine, const Built& built, bool use_symmetry) {
  const Proof proof = verify(spec, in_turns(machine), *built.schedule, built.claims, {.use_symmetry = use_symmetry});
  EXPECT_TRUE(proof.holds) << to_string(proof.counterexample->kind) << " in round " << proof.counterexample->round
                           << ": " << proof.counterexample->text;
}

/// Its counts are the closed form's, with and without its symmetry; and it is proven, and symmetric as claimed.
inline void expect_sound(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params,
                         bool prove = true) {
  SCOPED_TRACE(command(spec, machine, a, params));
  ASSERT_EQ(a.illegal(spec, machine, params), "");
  const Built built = build(spec, machine, {&a, params});
  if (prove) expect_proof(spec, machine, built, false);
  ASSERT_TRUE(built.claims.exact);
  EXPECT_EQ(to_text(count(spec, machine, *built.schedule).cost), to_text(built.formula));
  if (built.schedule->symmetry().group == Group::none) return;
  if (prove) expect_proof(spec, machine, built, true);
  EXPECT_FALSE(prove && check_symmetry(spec, *built.schedule).has_value());
  EXPECT_EQ(to_text(count(spec, machine, Plain(built.schedule)).cost), to_text(built.formula));
}

/// The same for every variant on every machine of the papers where the algorithm is legal, and for sizes around the
/// number of ranks and around what nothing divides; larger networks are proven for two of the sizes. Returns how many
/// machines and sizes were legal.
inline int expect_sound_everywhere(const std::string& name, const std::string& topology) {
  const Algorithm& a = find_algorithm(name);
  const Rank p = parse_topology(topology)->ranks();
  int legal = 0;
  for (const Machine& machine : test_machines())
    for (const Bytes bytes : {Bytes{0}, Bytes{1}, p - 1, p, Bytes{97}, Bytes{1000}}) {
      const Spec spec = request(a.collective, topology, bytes);
      if (!a.illegal(spec, machine, {}).empty()) continue;
      ++legal;
      const bool prove = p <= 9 || bytes == 1 || bytes == 97;
      if (!sampled(command(spec, machine, a, {}))) continue;
      for (const Params& params : a.variants(spec, machine)) expect_sound(spec, machine, a, params, prove);
      if (::testing::Test::HasFailure()) return legal;
    }
  return legal;
}

/// The same for one size on machines where a rank either sends or receives.
inline int expect_sound_where_ranks_take_turns(Collective collective) {
  const Machine machine = test_machine(Ports::all, Duplex::node_half, Switching::store_and_forward);
  int legal = 0;
  for (const Algorithm& a : algorithms())
    for (const char* topology :
         {"hypercube:1", "hypercube:4", "ring:2", "ring:7", "ring:8", "crossbar:2", "crossbar:5", "crossbar:8"}) {
      if (a.collective != collective) continue;
      const Spec spec = request(collective, topology, 97);
      if (!a.illegal(spec, machine, {}).empty()) continue;
      ++legal;
      for (const Params& params : a.variants(spec, machine)) expect_sound(spec, machine, a, params);
    }
  return legal;
}

/// What the counted schedule says, for rows worked out by hand.
struct Row {
  const char* id;
  const char* topology;
  Bytes bytes;
  Duplex duplex;
  Ports ports;
  const char* algorithm;
  double alpha, beta;
  double time;
  std::int64_t rounds, messages;
  Bytes link;  ///< on the busiest wire of a half-duplex machine, the busiest directed link of a full-duplex one
  Bytes critical;
};

inline void expect_row(const Row& row) {
  SCOPED_TRACE(row.id);
  const Choice choice = parse_choice(row.algorithm);
  Machine machine = test_machine(row.ports, row.duplex, Switching::store_and_forward);
  machine.alpha = row.alpha, machine.beta = row.beta, machine.per_hop = 0, machine.rho = 0;
  const Spec spec = request(choice.algorithm->collective, row.topology, row.bytes);
  const Built built = build(spec, machine, choice);
  const Traffic traffic = count(spec, machine, *built.schedule);
  EXPECT_DOUBLE_EQ(seconds(traffic.cost, machine, *spec.topology), row.time);
  EXPECT_DOUBLE_EQ(seconds(built.formula, machine, *spec.topology), row.time);
  EXPECT_EQ(traffic.cost.startups, row.rounds);
  EXPECT_EQ(traffic.messages, row.messages);
  EXPECT_EQ(traffic.busiest_link, row.link);
  EXPECT_EQ(traffic.critical_bytes, row.critical);
}

}  // namespace quadrille::testing
