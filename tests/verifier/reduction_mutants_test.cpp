// Schedules of reductions with one message at another time, on the other side, or without what it may not lack:
// refused.
#include <gtest/gtest.h>

#include <functional>

#include "quadrille/verify.hpp"
#include "settings.hpp"

namespace quadrille::reduction_mutants_test {
namespace {

using What = Counterexample::Kind;
using Lists = std::function<void(Round, Rank, std::vector<Transfer>&)>;

const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);

class Edited final : public Schedule {
 public:
  Edited(SchedulePtr base, Lists edit) : base_(std::move(base)), edit_(std::move(edit)), shape_(base_->shape()) {
    ++shape_.rounds;  // room for what comes later
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
  Lists edit_;
  Shape shape_;
};

struct Subject {
  Spec spec;
  Built built;
};
Subject subject(const char* question, const char* algorithm) {
  const Spec spec = parse_spec(question);
  return {spec, build(spec, machine, parse_choice(algorithm))};
}
/// Every rank of these has something to do in all rounds, so that no message has time to spare.
std::vector<Subject> without_slack() {
  return {subject("reduce_scatter ring:5 20", "reduce_scatter_ring"),
          subject("allreduce hypercube:3 48", "allreduce_halving"),
          subject("allreduce crossbar:8 24 operands=ordered", "allreduce_doubling"),
          subject("reduce_scatter crossbar:8 3", "reduce_scatter_circulant"),
          subject("reduce_scatter crossbar:8 3 operands=ordered", "reduce_scatter_halving")};
}
std::vector<Subject> in_order() {
  return {subject("reduce crossbar:6 24 operands=ordered root=4", "reduce_interval"),
          subject("allreduce crossbar:8 24 operands=ordered", "allreduce_doubling"),
          subject("allreduce crossbar:7 28 operands=ordered", "allreduce_splits"),
          subject("allreduce ring:4 16 operands=ordered", "allreduce_routed"),
          subject("scan crossbar:5 20", "scan_doubling"),
          subject("exscan crossbar:6 24", "exscan_shift")};
}

Proof prove(const Subject& s, const Lists& edit) {
  Claims claims = s.built.claims;
  claims.contention_free = claims.port_free = false;
  return verify(s.spec, testing::in_turns(machine), Edited(s.built.schedule, edit), claims);
}

struct Message {
  Round round;
  Rank from, to;
};
std::vector<Message> messages_of(const Subject& s) {
  std::vector<Message> all;
  Summary summary;
  for (Round t = 0; t < s.built.schedule->shape().rounds; ++t)
    for (Rank r = 0; r < s.spec.ranks(); ++r)
      for (const Summary::Message& m : summary.of(*s.built.schedule, t, r))
        if (m.kind == Kind::send && m.peer != r) all.push_back({t, r, m.peer});
  return all;
}
bool is_part(const Transfer& x, Rank r, const Message& m) {
  return (r == m.from && x.kind == Kind::send && x.peer == m.to) ||
         (r == m.to && x.kind == Kind::recv && x.peer == m.from);
}

/// Both ends of the message move to another round.
Proof moved(const Subject& s, const Message& m, Round to) {
  return prove(s, [&](Round t, Rank r, std::vector<Transfer>& list) {
    if (t == m.round) std::erase_if(list, [&](const Transfer& x) { return is_part(x, r, m); });
    if (t != to) return;
    Collected original;
    for (const Transfer& x : original.all(*s.built.schedule, m.round, r))
      if (is_part(x, r, m)) list.push_back(x);
  });
}

/// Applies the edit to one segment after the other that is wanted; returns how many there were.
int each_spoilt(const Subject& s, const std::function<bool(const Transfer&)>& wanted,
                const std::function<void(Transfer&)>& spoil, const std::function<void(const Proof&)>& look) {
  int found = 0;
  Collected list;
  for (Round t = 0; t < s.built.schedule->shape().rounds; ++t)
    for (Rank r = 0; r < s.spec.ranks(); ++r) {
      const std::vector<Transfer> all = list.all(*s.built.schedule, t, r);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!wanted(all[i])) continue;
        ++found;
        SCOPED_TRACE(to_text(*s.built.choice.algorithm, s.built.choice.params) + ", round " + std::to_string(t) +
                     ", rank " + std::to_string(r));
        look(prove(s, [&](Round at, Rank rank, std::vector<Transfer>& edited) {
          if (at == t && rank == r) spoil(edited[i]);
        }));
      }
    }
  return found;
}

bool combines_here(const Transfer& x) { return x.combine.combines(); }

TEST(ReductionMutants, AMessageOfALaterRoundIsRefused) {
  for (const Subject& s : without_slack()) {
    const Round rounds = s.built.schedule->shape().rounds;
    for (const Message& m : messages_of(s)) {
      if (m.round + 1 == rounds) continue;  // nobody waits for it
      EXPECT_FALSE(moved(s, m, m.round + 1).holds)
          << s.built.choice.algorithm->name << ", round " << m.round << ": " << m.from << " to " << m.to;
    }
  }
}

TEST(ReductionMutants, AMessageOfAnEarlierRoundIsRefused) {
  for (const Subject& s : without_slack())
    for (const Message& m : messages_of(s)) {
      if (m.round == 0) continue;
      EXPECT_FALSE(moved(s, m, m.round - 1).holds)
          << s.built.choice.algorithm->name << ", round " << m.round << ": " << m.from << " to " << m.to;
    }
}

TEST(ReductionMutants, TheOtherSideOfAnOperandIsRefusedWhereOrderIsClaimed) {
  const auto turned = [](Transfer& x) {
    using Side = Combine::Incoming;
    x.combine.incoming = x.combine.incoming == Side::left ? Side::right : Side::left;
  };
  for (Subject s : in_order()) {
    EXPECT_GT(each_spoilt(s, combines_here, turned,
                          [](const Proof& proof) {
                            ASSERT_FALSE(proof.holds);
                            EXPECT_EQ(proof.counterexample->kind, What::order);
                          }),
              2);
    const bool prefixes = s.spec.collective == Collective::scan || s.spec.collective == Collective::exscan;
    if (prefixes) continue;
    s.spec.operands = Operands::commutative, s.built.claims = {.once = false, .exact = false};
    s.built.claims.identical = Identical::commutatively;
    each_spoilt(s, combines_here, turned, [](const Proof& proof) { EXPECT_TRUE(proof.holds); });
  }
}

TEST(ReductionMutants, AResultThatIsNotTakenAgainIsRefused) {
  for (const auto& [question, algorithm] : {std::pair{"exscan hypercube:3 24", "exscan_butterfly"},
                                            {"scan hypercube:3 24", "scan_butterfly"},
                                            {"exscan crossbar:6 24", "exscan_chain:packets=2"}}) {
    const Subject s = subject(question, algorithm);
    EXPECT_GT(each_spoilt(
                  s, [](const Transfer& x) { return x.combine.again; }, [](Transfer& x) { x.combine.again = false; },
                  [](const Proof& proof) { EXPECT_FALSE(proof.holds); }),
              3);
  }
}

TEST(ReductionMutants, CombiningInPlaceWhatIsSentIsARace) {
  const Subject s = subject("allreduce crossbar:8 24", "allreduce_doubling");
  int found = 0;
  Collected list;
  for (Round t = 1; t < s.built.schedule->shape().rounds; ++t)
    for (Rank r = 0; r < s.spec.ranks(); ++r) {
      const std::vector<Transfer> all = list.all(*s.built.schedule, t, r);
      const auto sent = std::find_if(all.begin(), all.end(), [](const Transfer& x) { return x.kind == Kind::send; });
      ASSERT_NE(sent, all.end());
      const Proof proof = prove(s, [&](Round at, Rank rank, std::vector<Transfer>& edited) {
        if (at != t || rank != r) return;
        for (Transfer& x : edited)
          if (combines_here(x)) x.buffer = sent->buffer, x.slots = sent->slots;
      });
      ++found;
      ASSERT_FALSE(proof.holds);
      EXPECT_EQ(proof.counterexample->kind, What::race);
    }
  EXPECT_EQ(found, 16);
}

TEST(ReductionMutants, WritingTheFirstRanksResultOfAnExscanIsRefused) {
  const Subject s = subject("exscan crossbar:5 20", "exscan_123");
  const Proof proof = prove(s, [&](Round t, Rank r, std::vector<Transfer>& list) {
    if (t != s.built.schedule->shape().rounds) return;
    if (r == 1) list.push_back({Kind::send, Buffer::in, 0, contiguous(0, 1), {}});
    if (r == 0) list.push_back({Kind::recv, Buffer::out, 1, contiguous(0, 1), {}});
  });
  EXPECT_FALSE(proof.holds);
}

TEST(ReductionMutants, EqualBitsAreNotBelievedOfWhatGroupsDifferently) {
  for (const auto& [question, algorithm] : {std::pair{"allreduce crossbar:6 24 bits=any", "allreduce_census"},
                                            {"allreduce ring:8 24 bits=any", "allreduce_swing_latency:far=0"}}) {
    Subject s = subject(question, algorithm);
    EXPECT_EQ(s.built.claims.identical, Identical::no);
    s.built.claims.identical = Identical::commutatively;
    EXPECT_FALSE(prove(s, [](Round, Rank, std::vector<Transfer>&) {}).holds) << algorithm;
    s.built.claims.identical = Identical::no;
    EXPECT_TRUE(prove(s, [](Round, Rank, std::vector<Transfer>&) {}).holds) << algorithm;
  }
}

}  // namespace
}  // namespace quadrille::reduction_mutants_test
