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
  for (const Call& call : calls) history.note(call.operation, call.bytes, call.root);
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

TEST(CallHistory, ComparesWithEarlierCalls) {
  std::vector<Call> calls(5);
  const std::uint64_t then = of(calls).last();
  calls.resize(5 + CallHistory::remembered - 1);
  EXPECT_FALSE(of(calls).differs(5, then));
  EXPECT_TRUE(of(calls).differs(5, then + 1));
  calls.emplace_back();
  EXPECT_FALSE(of(calls).differs(5, then + 1));  // forgotten
}

TEST(CallHistory, CannotTellOfCallsToCome) { EXPECT_FALSE(of({{}}).differs(2, 12345)); }

}  // namespace
}  // namespace quadrille::dropin
