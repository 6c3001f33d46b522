// The verifier must refuse what is wrong, for the right reason, and say so readably.
#include "quadrille/verify.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "quadrille/price.hpp"
#include "schedule/combine.hpp"
#include "settings.hpp"

namespace quadrille::verify_test {
namespace {

using testing::command;
using testing::in_turns;
using testing::request;
using testing::test_machine;
using What = Counterexample::Kind;

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

const Machine all_ports = test_machine(Ports::all, Duplex::full, Switching::circuit);

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
  int mutants = 0;
  for (const Case& c : one_case_each()) {
    const Built built = build(c.spec, c.machine, c.choice);
    SCOPED_TRACE(std::string(name) + ": " + command(c.spec, c.machine, *c.choice.algorithm, built.choice.params));
    ASSERT_TRUE(verify(c.spec, in_turns(c.machine), *built.schedule, built.claims).holds);
    if (!built.claims.once) continue;
    int here = 0;
    Summary summary;
    for (Round t = 0; t < built.schedule->shape().rounds && here < 24; ++t)
      for (Rank r = 0; r < c.spec.ranks() && here < 24; ++r)
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
          EXPECT_TRUE(built.claims.exact && count(c.spec, c.machine, *mutant).cost != built.formula)
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

/// A hand-made schedule: round -> rank -> transfers.
class Table final : public Schedule {
 public:
  Table(Shape shape, std::vector<std::vector<std::vector<Transfer>>> rounds)
      : shape_(shape), rounds_(std::move(rounds)) {
    shape_.rounds = static_cast<Round>(rounds_.size());
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (const Transfer& x : rounds_[static_cast<std::size_t>(t)][static_cast<std::size_t>(r)]) out.add(x);
  }

 private:
  Shape shape_;
  std::vector<std::vector<std::vector<Transfer>>> rounds_;
};

constexpr Slots one{.first = 0};
Transfer send(Rank to, Slot slot = 0, Buffer b = Buffer::out) { return {Kind::send, b, to, {.first = slot}}; }
Transfer recv(Rank from, Slot slot = 0, Buffer b = Buffer::out) { return {Kind::recv, b, from, {.first = slot}}; }

What refusal(const Spec& spec, const Machine& machine, const Schedule& schedule, std::string* text = nullptr) {
  const Proof proof = verify(spec, machine, schedule, Claims{});
  EXPECT_FALSE(proof.holds);
  if (!proof.counterexample) return What::symmetry;
  if (text) *text = proof.counterexample->text;
  return proof.counterexample->kind;
}

// Three ranks on a line of a crossbar; rank 0 has the message.
const Spec bcast3 = request(Collective::bcast, "crossbar:3", 8);
const Shape bcast3_shape{.ranks = 3, .out = 1, .tmp = 1, .cut = {.bytes = 8}};

TEST(Verify, AcceptsAChainAndSaysWhatWasShown) {
  const Table chain(bcast3_shape, {{{send(1)}, {recv(0)}, {}}, {{}, {send(2)}, {recv(1)}}});
  const Proof proof = verify(bcast3, all_ports, chain, Claims{});
  ASSERT_TRUE(proof.holds);
  EXPECT_EQ(proof.rounds, 2);
  EXPECT_EQ(proof.messages, 2);
  EXPECT_EQ(proof.deliveries, 2);
  EXPECT_GE(proof.statements.size(), 6U);
}

TEST(Verify, RefusesSendingWhatIsNotHeld) {
  std::string text;
  const Table early(bcast3_shape, {{{send(1)}, {recv(0), send(2, 0, Buffer::tmp)}, {recv(1)}}});
  EXPECT_EQ(refusal(bcast3, all_ports, early, &text), What::possession);
  EXPECT_EQ(text, "rank 1 sends slot 0 of tmp to rank 2 and holds nothing there");
}

TEST(Verify, RefusesReadingAndWritingASlotInOneRound) {
  const Table race(bcast3_shape, {{{send(1)}, {recv(0), send(2)}, {recv(1)}}});
  EXPECT_EQ(refusal(bcast3, all_ports, race), What::race);
}

TEST(Verify, RefusesAReceiveWithoutItsSend) {
  std::string text;
  const Table waits(bcast3_shape, {{{send(1)}, {recv(0)}, {recv(1)}}, {{}, {send(2)}, {}}});
  EXPECT_EQ(refusal(bcast3, all_ports, waits, &text), What::matching);
  EXPECT_NE(text.find("wait for ever"), std::string::npos);
}

TEST(Verify, RefusesAnIncompleteResult) {
  std::string text;
  const Table short_one(bcast3_shape, {{{send(1)}, {recv(0)}, {}}});
  EXPECT_EQ(refusal(bcast3, all_ports, short_one, &text), What::delivery);
  EXPECT_EQ(text, "rank 2 ends with nothing at index 0 of out and must have the message");
}

TEST(Verify, RefusesASecondDelivery) {
  const Table twice(bcast3_shape,
                    {{{send(1), send(2)}, {recv(0)}, {recv(0)}}, {{send(1)}, {recv(0, 0, Buffer::tmp)}, {}}});
  EXPECT_EQ(refusal(bcast3, all_ports, twice), What::duplicate);
  EXPECT_TRUE(verify(bcast3, all_ports, twice, Claims{.once = false}).holds);
}

TEST(Verify, RefusesMoreMessagesThanPorts) {
  const Table star(bcast3_shape, {{{send(1), send(2)}, {recv(0)}, {recv(0)}}});
  EXPECT_TRUE(verify(bcast3, all_ports, star, Claims{}).holds);
  Machine one_port = test_machine(Ports::one, Duplex::full, Switching::circuit);
  EXPECT_EQ(refusal(bcast3, one_port, star), What::ports);
  one_port.multicast = true;  // the same data to both: one message at the port
  EXPECT_TRUE(verify(bcast3, one_port, star, Claims{}).holds);
}

TEST(Verify, RefusesDistantPartnersOnAStoreAndForwardMachine) {
  const Spec ring = request(Collective::bcast, "ring:4", 8);
  const Shape shape{.ranks = 4, .out = 1, .cut = {.bytes = 8}};
  const Table jump(shape, {{{send(2)}, {}, {recv(0)}, {}}, {{send(1)}, {recv(0)}, {send(3)}, {recv(2)}}});
  EXPECT_TRUE(verify(ring, all_ports, jump, Claims{}).holds);
  EXPECT_EQ(refusal(ring, test_machine(Ports::all, Duplex::full, Switching::store_and_forward), jump), What::adjacency);
}

TEST(Verify, RefusesTwoMessagesOnALinkAndBothWaysOnAHalfDuplexWire) {
  const Spec ring = request(Collective::allgather, "ring:2", 8);
  const Shape shape{.ranks = 2, .out = 2, .cut = {.bytes = 8}};
  const Table swap(shape, {{{send(1, 0), recv(1, 1)}, {send(0, 1), recv(0, 0)}}});
  EXPECT_TRUE(verify(ring, all_ports, swap, Claims{}).holds);
  EXPECT_EQ(refusal(ring, test_machine(Ports::all, Duplex::half, Switching::store_and_forward), swap), What::duplex);
  EXPECT_EQ(refusal(ring, test_machine(Ports::all, Duplex::node_half, Switching::store_and_forward), swap),
            What::duplex);

  // 0 -> 2 crosses 0-1-2 clockwise, and so does part of 1 -> 3: both use the link 1 -> 2.
  const Spec four = request(Collective::bcast, "ring:6", 8);
  const Table crossing({.ranks = 6, .out = 1, .cut = {.bytes = 8}},
                       {{{send(1)}, {recv(0)}, {}, {}, {}, {}},
                        {{send(2)}, {send(3)}, {recv(0)}, {recv(1)}, {}, {}},
                        {{send(5)}, {}, {}, {send(4)}, {recv(3)}, {recv(0)}}});
  EXPECT_EQ(refusal(four, all_ports, crossing), What::contention);
  EXPECT_TRUE(verify(four, all_ports, crossing, Claims{.contention_free = false}).holds);
}

TEST(Verify, RefusesSlotsAndRanksThatDoNotExist) {
  EXPECT_EQ(refusal(bcast3, all_ports, Table(bcast3_shape, {{{send(7)}, {}, {}}})), What::shape);
  EXPECT_EQ(refusal(bcast3, all_ports, Table(bcast3_shape, {{{send(1)}, {recv(0, 5)}, {}}})), What::shape);
  EXPECT_EQ(refusal(bcast3, all_ports, Table(bcast3_shape, {{{send(1)}, {recv(0, 0, Buffer::in)}, {}}})), What::shape);
  EXPECT_EQ(refusal(bcast3, all_ports, Table({.ranks = 4, .out = 1, .cut = {.bytes = 8}}, {})), What::shape);
  EXPECT_EQ(refusal(bcast3, all_ports, Table({.ranks = 3, .out = 1, .cut = {.bytes = 9}}, {})), What::shape);
}

/// Claims that all ranks act alike, and rank 2 does not.
class FalseClaim final : public Schedule {
 public:
  explicit FalseClaim(SchedulePtr base) : base_(std::move(base)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override {
    if (t == 0 && r == 2) return;
    base_->step(t, r, out);
  }
  Symmetry symmetry() const override { return base_->symmetry(); }

 private:
  SchedulePtr base_;
};

TEST(Verify, RefusesAFalseClaimOfSymmetry) {
  const Spec spec = request(Collective::allgather, "hypercube:3", 8);
  const Built built = build(spec, all_ports, parse_choice("allgather_adea"));
  EXPECT_FALSE(check_symmetry(spec, *built.schedule).has_value());
  const FalseClaim wrong(built.schedule);
  EXPECT_TRUE(check_symmetry(spec, wrong).has_value());
  EXPECT_EQ(refusal(spec, all_ports, wrong), What::symmetry);
}

TEST(Verify, RefusesToKeepMoreThanItsBudget) {
  const Spec spec = request(Collective::bcast, "hypercube:12", 8);
  const Built built = build(spec, all_ports, parse_choice("bcast_binomial"));
  try {
    verify(spec, all_ports, *built.schedule, built.claims, {.slots = 100});
    FAIL() << "no budget error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::budget);
    EXPECT_NE(std::string(e.what()).find("hypercube:12"), std::string::npos);
  }
}

}  // namespace
}  // namespace quadrille::verify_test
