// The verifier must refuse what is wrong, for the right reason, and say so readably.
#include "quadrille/verify.hpp"

#include <gtest/gtest.h>

#include "settings.hpp"

namespace quadrille::verify_test {
namespace {

using testing::request;
using testing::test_machine;
using What = Counterexample::Kind;

const Machine all_ports = test_machine(Ports::all, Duplex::full, Switching::circuit);

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

TEST(Verify, NamesTheMessageAndTheSlotAtFault) {
  using Message = std::pair<Rank, Rank>;
  const auto wrong = [](const Spec& spec, const Schedule& schedule) {
    return *verify(spec, all_ports, schedule, Claims{}).counterexample;
  };
  const auto expect = [](const Counterexample& x, std::optional<Message> message, Rank rank, Buffer buffer,
                         std::string_view has, std::string_view must) {
    EXPECT_EQ(x.message, message) << x.text;
    ASSERT_TRUE(x.content) << x.text;
    EXPECT_EQ(x.content->rank, rank);
    EXPECT_EQ(x.content->buffer, buffer);
    EXPECT_EQ(x.content->slot, 0);
    EXPECT_EQ(x.content->has, has);
    EXPECT_EQ(x.content->must, must);
    EXPECT_EQ(x.content->block, must.empty() ? no_block : 0);
  };
  // Rank 1 sends on what it does not have yet; from tmp, of which nobody says what it is for; or gets in this round.
  expect(wrong(bcast3, Table(bcast3_shape, {{{}, {send(2)}, {recv(1)}}})), Message{1, 2}, 1, Buffer::out, "nothing",
         "the message");
  expect(wrong(bcast3, Table(bcast3_shape, {{{send(1)}, {recv(0), send(2, 0, Buffer::tmp)}, {recv(1)}}})),
         Message{1, 2}, 1, Buffer::tmp, "nothing", "");
  expect(wrong(bcast3, Table(bcast3_shape, {{{send(1)}, {recv(0), send(2)}, {recv(1)}}})), Message{0, 1}, 1,
         Buffer::out, "", "the message");
  expect(wrong(bcast3, Table(bcast3_shape, {{{send(1)}, {recv(0)}, {}}})), std::nullopt, 2, Buffer::out, "nothing",
         "the message");
  const Counterexample waits = wrong(bcast3, Table(bcast3_shape, {{{send(1)}, {recv(0)}, {recv(1)}}}));
  EXPECT_EQ(waits.message, (Message{1, 2}));
  EXPECT_FALSE(waits.content);
}

TEST(Verify, RefusesAnIncompleteResult) {
  std::string text;
  const Table short_one(bcast3_shape, {{{send(1)}, {recv(0)}, {}}});
  EXPECT_EQ(refusal(bcast3, all_ports, short_one, &text), What::delivery);
  EXPECT_EQ(text, "rank 2 ends with nothing in block 0 of out and must have the message");
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
