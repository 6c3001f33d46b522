// Proofs of reductions: every way to spoil a schedule that combines is refused, and the two ways to prove agree.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "schedule/metered.hpp"
#include "settings.hpp"
#include "verifier/expressions.hpp"
#include "verifier/tree_proof.hpp"

namespace quadrille::reduction_proof_test {
namespace {

using What = Counterexample::Kind;
using Edit = std::function<void(Round, Rank, std::vector<Transfer>&)>;

const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);

/// A schedule whose every step passes through an edit.
class Edited final : public Schedule {
 public:
  Edited(SchedulePtr base, Edit edit, Round more = 0)
      : base_(std::move(base)), edit_(std::move(edit)), shape_(base_->shape()) {
    shape_.rounds += more;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    Collected list;
    std::vector<Transfer> all;
    if (t < base_->shape().rounds) all = list.all(*base_, t, r);
    edit_(t, r, all);
    for (const Transfer& x : all) out.add(x);
  }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  SchedulePtr base_;
  Edit edit_;
  Shape shape_;
};

struct Subject {
  const char* question;
  const char* algorithm;
};
constexpr Subject subjects[] = {{"reduce_scatter ring:5 20", "reduce_scatter_ring"},
                                {"allreduce hypercube:3 48", "allreduce_halving"},
                                {"reduce ring:6 24 root=2", "reduce_pipelined:packets=3"},
                                {"reduce torus:3x3 36", "reduce_adst:packets=2"},
                                {"allreduce torus:3x4 48", "allreduce_axes:first=0"},
                                {"reduce_scatter crossbar:4 5", "reduce_scatter_linear"}};

struct Played {
  Spec spec;
  Built built;
};
Played play(const Subject& subject) {
  const Spec spec = parse_spec(subject.question);
  return {spec, build(spec, machine, parse_choice(subject.algorithm))};
}

Proof prove(const Played& p, const SchedulePtr& schedule) {
  Claims claims = p.built.claims;
  claims.contention_free = claims.port_free = false;
  return verify(p.spec, machine, *schedule, claims);
}

/// A combine of the schedule: rank, round and place in the list.
struct Place {
  Round round;
  Rank rank;
  std::size_t index;
};
std::vector<Place> places_of(const Schedule& schedule, const std::function<bool(const Transfer&)>& wanted) {
  std::vector<Place> places;
  Collected list;
  for (Round t = 0; t < schedule.shape().rounds; ++t)
    for (Rank r = 0; r < schedule.shape().ranks; ++r) {
      const auto& all = list.all(schedule, t, r);
      for (std::size_t i = 0; i < all.size(); ++i)
        if (wanted(all[i])) places.push_back({t, r, i});
    }
  return places;
}

bool combines_here(const Transfer& x) { return x.combine.combines(); }

/// Every spoilt schedule must be refused.
void expect_refused(const char* what, const std::function<bool(const Transfer&)>& wanted,
                    const std::function<void(Transfer&)>& spoil) {
  for (const Subject& subject : subjects) {
    const Played p = play(subject);
    const std::vector<Place> places = places_of(*p.built.schedule, wanted);
    for (std::size_t n = 0; n < places.size(); n += 1 + places.size() / 40) {
      const Place at = places[n];
      const auto spoilt = std::make_shared<Edited>(p.built.schedule, [&](Round t, Rank r, std::vector<Transfer>& all) {
        if (t == at.round && r == at.rank) spoil(all[at.index]);
      });
      EXPECT_FALSE(prove(p, spoilt).holds)
          << what << ": " << subject.algorithm << ", round " << at.round << ", rank " << at.rank;
    }
  }
}

}  // namespace

TEST(ReductionProofs, HoldAsTheyAre) {
  for (const Subject& subject : subjects) {
    const Played p = play(subject);
    const Proof proof = verify(p.spec, machine, *p.built.schedule, p.built.claims);
    EXPECT_TRUE(proof.holds) << subject.algorithm << ": " << proof.counterexample->text;
    EXPECT_TRUE(proof.exact);
    EXPECT_GT(proof.depth, 0);
  }
}

TEST(ReductionProofs, RefuseACopyInPlaceOfACombine) {
  expect_refused("a copy", combines_here, [](Transfer& x) { x.combine = {}; });
}

TEST(ReductionProofs, RefuseADroppedSegment) {
  const auto all = [](const Transfer&) { return true; };
  expect_refused("dropped", all, [](Transfer& x) { x.slots.size = 0; });
}

TEST(ReductionProofs, RefuseAnotherOperand) {
  expect_refused(
      "the raw contribution for what was combined before",
      [](const Transfer& x) { return combines_here(x) && x.combine.buffer != Buffer::in; },
      [](Transfer& x) { x.combine.buffer = Buffer::in; });
  expect_refused(
      "a sum that is not begun", [](const Transfer& x) { return combines_here(x) && x.combine.buffer == Buffer::in; },
      [](Transfer& x) { x.combine.buffer = x.buffer; });
  expect_refused("another part of the vector", combines_here, [](Transfer& x) { x.combine.with ^= 1; });
}

TEST(ReductionProofs, RefuseWritingTheInput) {
  expect_refused("into in", combines_here, [](Transfer& x) { x.buffer = Buffer::in; });
}

TEST(ReductionProofs, RefuseSendingTheRawContribution) {
  expect_refused(
      "raw", [](const Transfer& x) { return x.kind == Kind::send && x.buffer != Buffer::in; },
      [](Transfer& x) { x.buffer = Buffer::in; });
}

TEST(ReductionProofs, RefuseARedirectedMessage) {
  for (const Subject& subject : subjects) {
    const Played p = play(subject);
    const Rank ranks = p.spec.ranks();
    const Place at = places_of(*p.built.schedule, combines_here).back();
    const auto spoilt = std::make_shared<Edited>(p.built.schedule, [&](Round t, Rank r, std::vector<Transfer>& all) {
      if (t == at.round && r == at.rank) all[at.index].peer = (all[at.index].peer + 1) % ranks;
    });
    EXPECT_FALSE(prove(p, spoilt).holds) << subject.algorithm;
  }
}

TEST(ReductionProofs, RefuseARoundThatIsRepeated) {
  for (const Subject& subject : subjects) {
    const Played p = play(subject);
    const Round rounds = p.built.schedule->shape().rounds;
    for (Round twice = 0; twice < rounds; ++twice) {
      // What begins with a contribution, or ends in scratch memory, may come twice without harm.
      bool goes_on = false, begins = false;
      for (const Place& at : places_of(*p.built.schedule, combines_here)) {
        if (at.round != twice) continue;
        Collected one;
        const Transfer x = one.all(*p.built.schedule, at.round, at.rank)[at.index];
        begins = begins || x.combine.buffer == Buffer::in;
        goes_on = goes_on || x.buffer == Buffer::out;
      }
      if (!goes_on || begins) continue;
      Collected list;
      const auto spoilt = std::make_shared<Edited>(
          p.built.schedule,
          [&](Round t, Rank r, std::vector<Transfer>& all) {
            if (t == rounds) all = list.all(*p.built.schedule, twice, r);
          },
          1);
      EXPECT_FALSE(prove(p, spoilt).holds) << subject.algorithm << ", round " << twice;
    }
  }
}

/// Rank 0 combines what ranks 1 and 2 send in one round.
class ThreeRanks final : public Schedule {
 public:
  explicit ThreeRanks(std::vector<Transfer> at_root) : at_root_(std::move(at_root)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank r, Steps& out) const override {
    if (r > 0) out.send(0, Buffer::in, contiguous(0, 1));
    for (const Transfer& x : at_root_)
      if (r == 0) out.add(x);
  }

 private:
  Shape shape_{.ranks = 3, .rounds = 1, .in = 1, .out = 1, .tmp = 1, .cut = {.bytes = 8}};
  std::vector<Transfer> at_root_;
};

TEST(ReductionProofs, TakeWhatComesInARoundInTheOrderOfTheList) {
  const Spec ordered = parse_spec("reduce crossbar:3 8 operands=ordered"), any = parse_spec("reduce crossbar:3 8");
  const Transfer first{Kind::recv, Buffer::out, 1, contiguous(0, 1), {.incoming = Combine::Incoming::right}};
  const Transfer then{
      Kind::recv, Buffer::out, 2, contiguous(0, 1), {.incoming = Combine::Incoming::right, .buffer = Buffer::out}};
  const Claims claims;
  EXPECT_TRUE(verify(ordered, machine, ThreeRanks({first, then}), claims).holds);
  // Rank 2 before rank 1: in place of nothing at first.
  Transfer early = then, late = first;
  early.combine.buffer = Buffer::in, late.combine.buffer = Buffer::out;
  const Proof swapped = verify(ordered, machine, ThreeRanks({early, late}), claims);
  ASSERT_FALSE(swapped.holds);
  EXPECT_EQ(swapped.counterexample->kind, What::order);
  EXPECT_TRUE(verify(any, machine, ThreeRanks({early, late}), claims).holds);
  // The side exchanged.
  Transfer left = first;
  left.combine.incoming = Combine::Incoming::left;
  EXPECT_FALSE(verify(ordered, machine, ThreeRanks({left, then}), claims).holds);
  EXPECT_TRUE(verify(any, machine, ThreeRanks({left, then}), claims).holds);
  // Both begin: the second one overwrites the first.
  Transfer again = then;
  again.combine.buffer = Buffer::in;
  const Proof race = verify(any, machine, ThreeRanks({first, again}), claims);
  ASSERT_FALSE(race.holds);
  EXPECT_EQ(race.counterexample->kind, What::race);
}

TEST(ReductionProofs, AreTheSameBackwardsAndForwards) {
  for (const Subject& subject : subjects) {
    const Played p = play(subject);
    schedule::Meter meter(1 << 28, "");
    const schedule::Metered metered(*p.built.schedule, meter);
    verifier::TreeProof backwards(p.spec, metered, Group::none, false);
    EXPECT_TRUE(backwards.run()) << subject.algorithm;
    EXPECT_EQ(backwards.depth(), prove(p, p.built.schedule).depth) << subject.algorithm;
    const Place at = places_of(*p.built.schedule, combines_here).front();
    const Edited spoilt(p.built.schedule, [&](Round t, Rank r, std::vector<Transfer>& all) {
      if (t == at.round && r == at.rank) all[at.index].combine = {};
    });
    verifier::TreeProof refused(p.spec, spoilt, Group::none, false);
    EXPECT_FALSE(refused.run()) << subject.algorithm;
  }
}

TEST(ReductionProofs, RepresentativesStandForAMillionRanks) {
  const Spec spec = parse_spec("reduce_scatter ring:65536 4");
  const Built built = build(spec, machine, parse_choice("reduce_scatter_ring"));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims);
  ASSERT_TRUE(proof.holds);
  EXPECT_TRUE(proof.by_symmetry);
  EXPECT_EQ(proof.depth, 65535);
}

TEST(Expressions, KnowWhatTheyAreMadeOf) {
  verifier::Expressions all(6, 1000, 1000);
  const auto ab = all.combine(0, 1), cd = all.combine(2, 3), abcd = all.combine(ab, cd), ba = all.combine(1, 0);
  EXPECT_EQ(ab, all.combine(0, 1));
  EXPECT_NE(ab, ba);
  EXPECT_EQ(all.unordered(ab), all.unordered(ba));
  EXPECT_EQ(all.hash(ab), all.hash(ba));
  EXPECT_TRUE(all.in_order(abcd));
  EXPECT_FALSE(all.in_order(ba));
  EXPECT_EQ(all.depth(abcd), 2);
  EXPECT_TRUE(all.is(abcd, {0, 4}));
  EXPECT_FALSE(all.is(abcd, {0, 5}));
  const auto with_gap = all.combine(0, 3);
  EXPECT_EQ(all.common(with_gap, cd), 3);
  EXPECT_FALSE(all.overlap(with_gap, all.combine(1, 2)));
  // ((0 1) (2 3)) and (0 (1 (2 3))) are different groups of the same contributions.
  EXPECT_NE(all.unordered(all.combine(0, all.combine(1, cd))), all.unordered(abcd));
}

TEST(Expressions, BeyondTheRoomForSetsKnowItAlmostSurely) {
  verifier::Expressions all(64, 1000, 0);
  verifier::Expression sum = all.combine(0, 2);
  for (const verifier::Expression r : {1, 5, 3, 4}) sum = all.combine(sum, r);
  EXPECT_FALSE(all.exact());
  EXPECT_TRUE(all.is(sum, {0, 6}));
  EXPECT_FALSE(all.is(all.combine(sum, 6), {0, 6}));
  verifier::Expression twice = all.combine(0, 2);
  for (const verifier::Expression r : {2, 5, 3, 4}) twice = all.combine(twice, r);
  EXPECT_FALSE(all.is(twice, {0, 6}));
}

}  // namespace quadrille::reduction_proof_test
