// All-gathers and complete exchanges alike: rows worked out by hand, and ranks that either send or receive.
#include "sound.hpp"

namespace quadrille::exchange_test {
namespace {

TEST(Exchange, IsSoundWhereARankReadsOrWrites) {
  EXPECT_GE(testing::expect_sound_where_ranks_take_turns(Collective::allgather), 25);
  EXPECT_GE(testing::expect_sound_where_ranks_take_turns(Collective::alltoall), 15);
}

constexpr Duplex half = Duplex::half, full = Duplex::full;
constexpr Ports all = Ports::all, one = Ports::one;

/// Saad & Schultz's algorithms on small cubes, rings and switches: tau, words a block, and what follows from them.
constexpr testing::Row rows[] = {
    {"ss-023", "ring:8", 16, half, all, "allgather_daisy", 10, 1, 182, 7, 56, 112, 112},
    {"ss-025", "ring:5", 100, half, all, "allgather_daisy", 1, 3, 1204, 4, 20, 400, 400},
    {"ss-100", "hypercube:3", 12, half, all, "allgather_sequential:packets=3", 10, 1, 560, 40, 168, 48, 160},
    {"ss-101", "hypercube:4", 10, half, all, "allgather_sequential:packets=2", 2, 1, 560, 80, 480, 80, 400},
    {"ss-103", "hypercube:3", 16, half, all, "allgather_adea", 10, 1, 284, 6, 24, 64, 224},
    {"ss-104", "hypercube:3", 16, full, all, "allgather_adea", 10, 1, 142, 3, 24, 64, 112},
    {"ss-106", "hypercube:3", 16, half, all, "allgather_tea2", 10, 1, 156, 6, 56, 48, 96},
    {"ss-107", "hypercube:3", 16, full, all, "allgather_tea2", 10, 1, 78, 3, 56, 48, 48},
    {"ss-109", "hypercube:3", 16, half, all, "allgather_tea2_grouped", 10, 1, 136, 4, 40, 48, 96},
    {"ss-110", "hypercube:4", 5, half, all, "allgather_daisy", 100, 0.5, 1537.5, 15, 240, 75, 75},
    {"ss-112", "hypercube:4", 5, full, all, "allgather_adea", 100, 0.5, 437.5, 4, 64, 40, 75},
    {"ss-113", "hypercube:4", 5, half, all, "allgather_tea1", 100, 0.5, 840, 8, 256, 40, 80},
    {"ss-115", "hypercube:4", 5, full, all, "allgather_tea2", 100, 0.5, 412.5, 4, 208, 25, 25},
    {"ss-116", "hypercube:4", 5, half, all, "allgather_tea1_grouped", 100, 0.5, 540, 5, 160, 40, 80},
    {"ss-118", "hypercube:5", 3, half, all, "allgather_daisy", 7, 2, 403, 31, 992, 93, 93},
    {"ss-119", "hypercube:5", 3, half, all, "allgather_adea", 7, 2, 442, 10, 160, 48, 186},
    {"ss-121", "hypercube:5", 3, half, all, "allgather_tea2", 7, 2, 154, 10, 672, 21, 42},
    {"ss-122", "hypercube:5", 3, full, all, "allgather_tea2", 7, 2, 77, 5, 672, 21, 21},
    {"ss-124", "hypercube:5", 3, half, all, "allgather_tea2_grouped", 7, 2, 126, 6, 416, 21, 42},
    {"ss-125", "hypercube:6", 2, half, all, "allgather_adea", 20, 1, 492, 12, 384, 64, 252},
    {"ss-127", "hypercube:6", 2, half, all, "allgather_tea2", 20, 1, 292, 12, 1984, 26, 52},
    {"ss-128", "hypercube:6", 2, half, all, "allgather_tea1_grouped", 20, 1, 268, 7, 1344, 64, 128},
    {"ss-153", "crossbar:8", 16, full, one, "allgather_daisy", 10, 1, 182, 7, 56, 112, 112},
    {"ss-154", "crossbar:8", 16, full, one, "allgather_doubling", 10, 1, 142, 3, 24, 64, 112},
    {"ss-158", "crossbar:11", 4, full, one, "allgather_doubling", 5, 0.5, 40, 4, 44, 16, 40},
    {"ss-161", "crossbar:6", 3, full, one, "allgather_daisy", 1, 1, 20, 5, 30, 15, 15},
    {"ss-247", "hypercube:3", 12, half, all, "allgather_adea_rotated", 10, 1, 116, 6, 72, 28, 56},
    {"ss-249", "hypercube:3", 12, full, all, "allgather_adea_rotated", 10, 1, 58, 3, 72, 28, 28},
    {"ss-255", "hypercube:4", 8, full, all, "allgather_adea_rotated", 5, 2, 80, 4, 256, 30, 30},
    {"ss-033", "ring:8", 4, half, all, "alltoall_bidir", 10, 1, 134, 7, 56, 40, 64},
    {"ss-034", "ring:7", 3, half, all, "alltoall_rotate", 5, 0.5, 61.5, 6, 42, 63, 63},
    {"ss-036", "ring:8", 4, full, all, "alltoall_bidir:ways=1", 10, 1, 80, 4, 56, 40, 40},
    {"ss-136", "hypercube:2", 9, half, all, "alltoall_mtadea", 10, 1, 112, 4, 8, 18, 72},
    {"ss-138", "hypercube:2", 9, half, all, "alltoall_gathers", 10, 1, 188, 8, 12, 18, 108},
    {"ss-139", "hypercube:3", 4, half, all, "alltoall_mtadea", 10, 1, 156, 6, 24, 16, 96},
    {"ss-141", "hypercube:3", 4, half, all, "alltoall_gathers", 10, 1, 464, 24, 56, 16, 224},
    {"ss-142", "hypercube:4", 1, half, all, "alltoall_mtadea", 5, 0.5, 72, 8, 64, 8, 64},
    {"ss-165", "crossbar:8", 4, full, one, "alltoall_mtadea", 10, 1, 78, 3, 24, 16, 48},
    {"ss-166", "crossbar:8", 4, full, one, "alltoall_pairwise", 10, 1, 98, 7, 56, 4, 28},
    {"ss-168", "crossbar:4", 9, full, one, "alltoall_pairwise", 3, 0.5, 22.5, 3, 12, 9, 27},
    {"ss-169", "crossbar:6", 5, full, one, "alltoall_bruck:radix=2", 10, 1, 65, 3, 18, 15, 35},
    {"ss-248", "hypercube:3", 12, half, all, "alltoall_mtadea_rotated", 10, 1, 156, 6, 72, 48, 96},
    {"ss-250", "hypercube:3", 12, full, all, "alltoall_mtadea_rotated", 10, 1, 78, 3, 72, 48, 48},
    {"ss-256", "hypercube:4", 8, full, all, "alltoall_mtadea_rotated", 5, 2, 148, 4, 256, 64, 64},
};

TEST(Exchange, HandWorkedRows) {
  for (const testing::Row& row : rows) testing::expect_row(row);
}

}  // namespace
}  // namespace quadrille::exchange_test
