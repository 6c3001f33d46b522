// Which algorithms send every block straight to its rank, so that ranks need not know the lengths of others' blocks.
#include <gtest/gtest.h>

#include "program/program.hpp"
#include "run_schedules.hpp"

namespace quadrille::run_straight_test {
namespace {

using testing::request;
using testing::schedule_of;

bool straight(const Spec& spec, const std::string& choice) {
  const SchedulePtr schedule = schedule_of(spec, choice);
  for (Rank r = 0; r < spec.ranks(); ++r)
    if (!program::Compiler(spec, *schedule).compile(r, true, Bytes{1} << 24).goes_straight()) return false;
  return true;
}

TEST(RunStraight, BlocksThatNobodyPassesOn) {
  EXPECT_TRUE(straight(request(Collective::alltoall, "crossbar:7", 1), "alltoall_pairwise"));
  EXPECT_TRUE(straight(request(Collective::alltoall, "ring:6", 1), "alltoall_pairwise"));
  EXPECT_TRUE(straight(request(Collective::alltoall, "hypercube:3", 1), "alltoall_direct"));
  EXPECT_TRUE(straight(request(Collective::alltoall, "bus:5", 1), "alltoall_tournament"));
}

TEST(RunStraight, BlocksThatGoByWayOfOthersOrInCompany) {
  EXPECT_FALSE(straight(request(Collective::alltoall, "crossbar:7", 1), "alltoall_bruck:radix=2"));
  EXPECT_FALSE(straight(request(Collective::alltoall, "hypercube:3", 1), "alltoall_mce:phases=2,1"));
  EXPECT_FALSE(straight(request(Collective::alltoall, "ring:6", 1), "alltoall_rotate"));
}

TEST(RunStraight, NoOtherCollectiveDoes) {
  EXPECT_FALSE(straight(request(Collective::allgather, "crossbar:5", 1), "allgather_daisy"));
  EXPECT_FALSE(straight(request(Collective::transpose, "mesh:3x3", 1), "transpose_direct"));
}

}  // namespace
}  // namespace quadrille::run_straight_test
