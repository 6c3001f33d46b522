// A wrong run is named: misplaced bytes, messages whose ends differ, what no executor can perform; and what fails in
// one rank ends all of them.
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "executor/run_threads.hpp"
#include "quadrille/run.hpp"
#include "run_schedules.hpp"

namespace quadrille::run_checks_test {
namespace {

using testing::error_of;
using testing::expect_mentions;
using testing::request;
using testing::schedule_of;

using Change = std::function<void(Round, Rank, Transfer&)>;

/// A schedule with some of its segments changed.
class Changed final : public Schedule {
 public:
  Changed(SchedulePtr base, Change change) : base_(std::move(base)), change_(std::move(change)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override {
    Collected collected;
    for (Transfer x : collected.all(*base_, t, r)) {
      change_(t, r, x);
      out.add(x);
    }
  }

 private:
  SchedulePtr base_;
  Change change_;
};

Error error_when_changed(const Change& change) {
  const Spec spec = request(Collective::alltoall, "hypercube:3", 97);
  const Changed changed(schedule_of(spec, "alltoall_mce:phases=3"), change);
  return error_of([&] { run_threads(spec, changed, {.seed = 3}); });
}

TEST(RunChecks, EmptyPiecesOfAMessageAreSentLikeOthers) {
  for (const auto& [algorithm, network, bytes] :
       std::vector<std::tuple<std::string, std::string, Bytes>>{{"bcast_adst:packets=3", "torus:3x3", 9},
                                                                {"bcast_esbt:packets=2", "hypercube:3", 4},
                                                                {"bcast_late:packets=2", "torus:3x4", 3},
                                                                {"bcast_earliest:parts=8", "mesh:2x3", 3},
                                                                {"sendrecv_multipath:packets=2", "ring:5", 3}}) {
    const Choice choice = parse_choice(algorithm);
    const Spec spec = request(choice.algorithm->collective, network, bytes);
    const SchedulePtr schedule = schedule_of(spec, algorithm);
    const Shape& shape = schedule->shape();
    EXPECT_EQ(shape.cut.size(shape.cut.pieces() - 1), 0) << algorithm;
    EXPECT_NO_THROW(run_threads(spec, *schedule, {.seed = 3})) << algorithm;
  }
}

TEST(RunChecks, ABlockPutInTheWrongPlaceIsNamed) {
  // Rank 5 gets block 4->5 in round 0, and that of rank 7 in round 1: here it puts both where 7->5 belongs.
  const Error error = error_when_changed([](Round t, Rank r, Transfer& x) {
    if (t == 0 && r == 5 && x.kind == Kind::recv) x.slots.first = 7;
  });
  expect_mentions(error, Error::Kind::transport, {"rank 5", "block 4->5", "index 4", "byte 0", "never received"});
}

TEST(RunChecks, ABlockSentInsteadOfAnotherIsNamed) {
  const Error error = error_when_changed([](Round t, Rank r, Transfer& x) {
    if (t == 2 && r == 6 && x.kind == Kind::send) x.slots.first = 0;  // to rank 5, for rank 0
  });
  expect_mentions(error, Error::Kind::transport,
                  {"rank 5", "block 6->5", "index 6", "byte 0", "expected 0x", "found 0x"});
}

TEST(RunChecks, EndsOfAMessageThatDifferAreNamed) {
  const auto add_segment = [](Round t, Rank r, Transfer& x) {
    if (t == 1 && r == 2 && x.kind == Kind::send) x.slots = contiguous(0, 2);
  };
  expect_mentions(error_when_changed(add_segment), Error::Kind::transport,
                  {"round 1", "rank 0 receives 97 B from rank 2", "194 B"});
  const auto drop_send = [](Round t, Rank r, Transfer& x) {
    if (t == 1 && r == 2 && x.kind == Kind::send) x.slots.size = 0;
  };
  expect_mentions(error_when_changed(drop_send), Error::Kind::transport,
                  {"round 1", "rank 0 receives 97 B from rank 2", "nothing"});
  const auto drop_receive = [](Round t, Rank r, Transfer& x) {
    if (t == 1 && r == 2 && x.kind == Kind::recv) x.slots.size = 0;
  };
  expect_mentions(error_when_changed(drop_receive), Error::Kind::transport,
                  {"round 1", "rank 0 sends 97 B to rank 2", "receives nothing"});
}

TEST(RunChecks, WhatNoExecutorCanPerformIsRefusedBeforeAnythingMoves) {
  const auto receives_into = [](Buffer buffer, Slot slot) {
    return [=](Round t, Rank r, Transfer& x) {
      if (t == 0 && r == 1 && x.kind == Kind::recv) x.buffer = buffer, x.slots.first = slot;
    };
  };
  expect_mentions(error_when_changed(receives_into(Buffer::in, 3)), Error::Kind::internal,
                  {"round 0", "rank 1", "slot 3 of in"});
  expect_mentions(error_when_changed(receives_into(Buffer::out, 8)), Error::Kind::internal,
                  {"round 0", "rank 1", "slot 8 of out"});
  expect_mentions(error_when_changed(receives_into(Buffer::tmp, 0)), Error::Kind::internal,
                  {"round 0", "rank 1", "slot 0 of tmp"});
  expect_mentions(error_when_changed([](Round t, Rank r, Transfer& x) {
                    if (t == 0 && r == 1) x.buffer = Buffer::out, x.slots.first = 4;
                  }),
                  Error::Kind::internal, {"round 0", "rank 1", "slot 4 of out", "reads"});
  expect_mentions(error_when_changed([](Round, Rank, Transfer& x) { x.peer += 8; }), Error::Kind::internal,
                  {"round 0", "rank 0 names rank 9"});
  const Spec spec = request(Collective::alltoall, "hypercube:3", 97);
  const Spec other = request(Collective::alltoall, "hypercube:3", 98);
  expect_mentions(error_of([&] { run_threads(other, *schedule_of(spec, "alltoall_mce:phases=3")); }),
                  Error::Kind::internal, {"97 B", "98 B"});
}

// ---- one fails, all end

/// Rank `unlucky` throws in round `when`, when the others have had time to fall asleep.
void expect_failure(const std::string& choice, bool barriers, Rank unlucky, Round when) {
  SCOPED_TRACE(choice + (barriers ? "" : " without barriers") + ", round " + std::to_string(when));
  const Spec spec = request(Collective::alltoall, "hypercube:4", 97);
  const executor::Watch watch{[=](Rank r, Round t) {
                                if (r != unlucky || t != when) return;
                                std::this_thread::sleep_for(std::chrono::milliseconds(3));
                                throw std::runtime_error("rank " + std::to_string(r));
                              },
                              {}};
  try {
    executor::run_threads(spec, *schedule_of(spec, choice), {.barriers = barriers}, watch);
    ADD_FAILURE() << "no exception";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(e.what(), "rank " + std::to_string(unlucky));
  }
}

TEST(RunFailure, AnExceptionInOneRankEndsAllAndComesOut) {
  for (const std::string choice : {"alltoall_mce:phases=1,1,1,1", "alltoall_mce:phases=4"})
    for (const bool barriers : {true, false})
      for (const Rank unlucky : {0, 7, 15})
        for (const Round when : {0, 3, 7}) expect_failure(choice, barriers, unlucky, when);
}

TEST(RunFailure, WhenAllFailOneErrorComesOut) {
  const Spec spec = request(Collective::alltoall, "hypercube:4", 97);
  const executor::Watch watch{[](Rank, Round) { throw Error(Error::Kind::argument, "all"); }, {}};
  EXPECT_EQ(
      error_of([&] { executor::run_threads(spec, *schedule_of(spec, "alltoall_mce:phases=4"), {}, watch); }).kind(),
      Error::Kind::argument);
}

}  // namespace
}  // namespace quadrille::run_checks_test
