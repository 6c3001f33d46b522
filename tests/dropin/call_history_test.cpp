// Whether ranks have made the same calls: two histories in one process.
#include "dropin/ranks/call_history.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace quadrille::dropin {
namespace {

struct Call {
  Operation operation = Operation::bcast;
  Bytes bytes = 100;
  int root = 1;
};

CallHistory of(const std::vector<Call>& calls) {
  CallHistory history;
  for (const Call& call : calls) history.note(kind_of(call.operation, call.bytes, call.root));
  return history;
}

TEST(CallHistory, OfTheSameCallsIsTheSame) {
  const std::vector<Call> calls(3);
  EXPECT_EQ(of(calls).call(), 3);
  EXPECT_FALSE(of(calls).differs(3, of(calls).last()));
}

TEST(CallHistory, KnowsOperationSizeAndRoot) {
  const CallHistory here = of({{}, {}});
  for (const Call& other :
       {Call{.operation = Operation::gather}, Call{.bytes = 101}, Call{.root = 2}, Call{.bytes = 0}}) {
    EXPECT_TRUE(here.differs(2, of({{}, other}).last()));
    EXPECT_TRUE(here.differs(2, of({other, {}}).last()));  // a difference stays
  }
}

TEST(CallHistory, KnowsTheOrder) {
  const Call first{.bytes = 1}, second{.bytes = 2};
  EXPECT_TRUE(of({first, second}).differs(2, of({second, first}).last()));
}

TEST(CallHistory, KnowsHowManyWereAlike) {
  const Call one{.bytes = 1}, other{.bytes = 2};
  EXPECT_TRUE(of({one, one, other, other}).differs(4, of({one, other, other, other}).last()));
  EXPECT_TRUE(of({one, one, other}).differs(3, of({one, other, one}).last()));
}

TEST(CallHistory, ComparesWithEarlierCalls) {
  std::vector<Call> calls{{.bytes = 7}, {.bytes = 7}, {.bytes = 8}, {.bytes = 7}, {.bytes = 7}};
  const std::vector<Call> all = calls;
  while (!calls.empty()) {
    const auto call = static_cast<std::int64_t>(calls.size());
    const std::uint64_t then = of(calls).last();
    EXPECT_FALSE(of(all).differs(call, then)) << call;
    EXPECT_TRUE(of(all).differs(call, then + 1)) << call;
    calls.pop_back();
  }
}

TEST(CallHistory, ComparesWithAnyOfManyAlike) {
  const std::uint64_t then = of(std::vector<Call>(5)).last();
  const CallHistory here = of(std::vector<Call>(100'000));
  EXPECT_FALSE(here.differs(5, then));
  EXPECT_TRUE(here.differs(5, then + 1));
  EXPECT_TRUE(here.differs(6, then));
}

TEST(CallHistory, ForgetsWhatIsLongAgo) {
  std::vector<Call> calls;
  const auto call = [&] { calls.push_back({.bytes = static_cast<Bytes>(calls.size() % 2)}); };
  for (int i = 0; i < 5; ++i) call();
  const std::uint64_t then = of(calls).last();
  for (std::uint64_t i = 1; i < CallHistory::remembered; ++i) call();
  EXPECT_FALSE(of(calls).differs(5, then));
  EXPECT_TRUE(of(calls).differs(5, then + 1));
  call();
  EXPECT_FALSE(of(calls).differs(5, then + 1));
}

TEST(CallHistory, CannotTellOfCallsToCome) { EXPECT_FALSE(of({{}}).differs(2, 12345)); }

}  // namespace
}  // namespace quadrille::dropin
