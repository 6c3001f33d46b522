// Schedules of every algorithm with one message lost, doubled, late or astray: the verifier must refuse each of them.
#include <gtest/gtest.h>

#include <functional>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::mutants_test {
namespace {

using testing::command;
using testing::in_turns;
using testing::request;

/// A schedule whose every transfer passes through an edit; an edit that empties the slots drops the transfer.
class Edited final : public Schedule {
 public:
  using Edit = std::function<std::vector<Transfer>(Round, Rank, std::vector<Transfer>)>;
  Edited(SchedulePtr base, Edit edit, Round rounds = -1)
      : base_(std::move(base)), edit_(std::move(edit)), shape_(base_->shape()) {
    if (rounds >= 0) shape_.rounds = rounds;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    Collected list;
    const auto original = t < base_->shape().rounds ? list.all(*base_, t, r) : std::vector<Transfer>{};
    for (const Transfer& x : edit_(t, r, original)) out.add(x);
  }
  bool barrier(Round t) const override { return t < base_->shape().rounds && base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  SchedulePtr base_;
  Edit edit_;
  Shape shape_;
};

struct Case {
  Spec spec;
  Choice choice;
  Machine machine;
};

/// One small case for every algorithm in the registry.
std::vector<Case> one_case_each() {
  std::vector<Case> cases;
  for (const Algorithm& a : algorithms()) {
    // What is combined again may do no harm; tests/verifier/reduction_proof_test.cpp spoils reductions.
    if (combines(request(a.collective, "torus:2x2", 40))) continue;
    for (const char* topology : {"hypercube:3", "crossbar:5", "ring:5", "torus:3x3", "bus:4", "memory:4"}) {
      bool found = !testing::can_request(a.collective, topology);
      for (const Machine& m : testing::test_machines()) {
        if (found) break;
        const Spec spec = request(a.collective, topology, 40, has_root(a.collective) ? 1 : 0);
        if (!a.illegal(spec, m, {}).empty()) continue;
        cases.push_back({spec, {&a, a.variants(spec, m).back()}, m});
        found = true;
      }
    }
  }
  return cases;
}

/// Whether the message is the only one between ranks in its round: delaying it then gives another schedule that is as
/// good.
bool alone(const Schedule& schedule, Round t) {
  Summary summary;
  std::size_t messages = 0;
  for (Rank r = 0; r < schedule.shape().ranks; ++r)
    for (const Summary::Message& m : summary.of(schedule, t, r)) messages += m.peer != r ? 1 : 0;
  return messages == 2;  // its send and its receive
}

/// Whether the message brings a source back the block that it has from the start: nobody misses it.
bool comes_home(const Spec& spec, const Schedule& schedule, Round t, Rank from, Rank to) {
  if (spec.collective != Collective::multibcast) return false;
  Collected landed;
  bool home = true;
  for (const Transfer& x : landed.one(schedule, t, to, Kind::recv, from))
    for_each_slot(x.slots, [&](Slot s) { home = home && held_before(spec, x.buffer, to, s) != no_block; });
  return home;
}

/// Applies `mutate` to messages of every algorithm's schedule and requires that each mutant is refused by the proof or
/// differs in its price. Algorithms that deliver more than once can lose a copy and still be right: they are left out.
void expect_mutants_refused(const char* name,
                            const std::function<SchedulePtr(SchedulePtr, Round, Rank, Rank)>& mutate) {
  constexpr int most = testing::sanitized ? 6 : 24;  // of an algorithm, or a few more
  int mutants = 0;
  for (const Case& c : one_case_each()) {
    const Built built = build(c.spec, c.machine, c.choice);
    SCOPED_TRACE(std::string(name) + ": " + command(c.spec, c.machine, *c.choice.algorithm, built.choice.params));
    ASSERT_TRUE(verify(c.spec, in_turns(c.machine), *built.schedule, built.claims).holds);
    if (!built.claims.once) continue;
    const Cost price = built.claims.exact ? built.formula : count(c.spec, c.machine, *built.schedule).cost;
    int here = 0;
    Summary summary;
    for (Round t = 0; t < built.schedule->shape().rounds && here < most; ++t)
      for (Rank r = 0; r < c.spec.ranks() && here < most; ++r)
        for (const Summary::Message& m : std::vector<Summary::Message>(summary.of(*built.schedule, t, r))) {
          if (m.kind != Kind::send || m.peer == r || (t + r) % 2 != 0) continue;
          if (comes_home(c.spec, *built.schedule, t, r, m.peer)) continue;
          const SchedulePtr mutant = mutate(built.schedule, t, r, m.peer);
          if (!mutant) continue;
          ++here, ++mutants;
          const Proof proof = verify(c.spec, in_turns(c.machine), *mutant, built.claims);
          if (!proof.holds) {
            EXPECT_FALSE(proof.counterexample->text.empty());
            continue;
          }
          EXPECT_NE(count(c.spec, c.machine, *mutant).cost, price)
              << "survived: round " << t << ", " << r << " to " << m.peer;
        }
  }
  EXPECT_GT(mutants, 100);
}

bool is_message(const Transfer& x, Rank r, Rank from, Rank to) {
  return (r == from && x.kind == Kind::send && x.peer == to) || (r == to && x.kind == Kind::recv && x.peer == from);
}

/// What rank r does in `round` for that message.
void append_message(std::vector<Transfer>& list, const Schedule& base, Round round, Rank r, Rank from, Rank to) {
  Collected collected;
  for (const Transfer& x : collected.all(base, round, r))
    if (is_message(x, r, from, to)) list.push_back(x);
}

TEST(Mutants, ADroppedMessageIsRefused) {
  expect_mutants_refused("drop", [](SchedulePtr base, Round round, Rank from, Rank to) -> SchedulePtr {
    return std::make_shared<Edited>(base, [=](Round t, Rank r, std::vector<Transfer> list) {
      if (t == round) std::erase_if(list, [&](const Transfer& x) { return is_message(x, r, from, to); });
      return list;
    });
  });
}

TEST(Mutants, AnUnansweredSendIsRefused) {
  expect_mutants_refused("half drop", [](SchedulePtr base, Round round, Rank from, Rank to) -> SchedulePtr {
    return std::make_shared<Edited>(base, [=](Round t, Rank r, std::vector<Transfer> list) {
      if (t == round && r == to) std::erase_if(list, [&](const Transfer& x) { return is_message(x, r, from, to); });
      return list;
    });
  });
}

TEST(Mutants, ARedirectedSendIsRefused) {
  expect_mutants_refused("redirect", [](SchedulePtr base, Round round, Rank from, Rank to) -> SchedulePtr {
    const Rank p = base->shape().ranks;
    if (p < 3) return nullptr;
    return std::make_shared<Edited>(base, [=](Round t, Rank r, std::vector<Transfer> list) {
      if (t == round && r == from)
        for (Transfer& x : list)
          if (x.kind == Kind::send && x.peer == to) x.peer = (to + 1) % p == from ? (to + 2) % p : (to + 1) % p;
      return list;
    });
  });
}

TEST(Mutants, ARepeatedMessageIsRefused) {
  expect_mutants_refused("repeat", [](SchedulePtr base, Round round, Rank from, Rank to) -> SchedulePtr {
    const Round rounds = base->shape().rounds;
    return std::make_shared<Edited>(
        base,
        [=](Round t, Rank r, std::vector<Transfer> list) {
          if (t == rounds) append_message(list, *base, round, r, from, to);
          return list;
        },
        rounds + 1);
  });
}

TEST(Mutants, ADelayedMessageIsRefused) {
  expect_mutants_refused("delay", [](SchedulePtr base, Round round, Rank from, Rank to) -> SchedulePtr {
    const Round rounds = base->shape().rounds;
    if (alone(*base, round)) return nullptr;
    return std::make_shared<Edited>(
        base,
        [=](Round t, Rank r, std::vector<Transfer> list) {
          if (t == round) std::erase_if(list, [&](const Transfer& x) { return is_message(x, r, from, to); });
          if (t == rounds) append_message(list, *base, round, r, from, to);
          return list;
        },
        rounds + 1);
  });
}

TEST(Mutants, AShiftedReceiveIsRefused) {
  expect_mutants_refused("shift", [](SchedulePtr base, Round round, Rank from, Rank to) -> SchedulePtr {
    return std::make_shared<Edited>(base, [=](Round t, Rank r, std::vector<Transfer> list) {
      if (t == round && r == to)
        for (Transfer& x : list)
          if (x.kind == Kind::recv && x.peer == from) {
            x.slots.first = x.slots.last() + 1 < base->shape().slots(x.buffer) ? x.slots.first + 1 : x.slots.first - 1;
            break;
          }
      return list;
    });
  });
}

}  // namespace
}  // namespace quadrille::mutants_test
