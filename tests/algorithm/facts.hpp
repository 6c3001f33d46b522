// Rows of facts for algorithms that combine nothing: start-ups and bytes sent, permuted and packed in a small case,
// worked out apart from the code. facts_test.cpp holds algorithms to them.
#pragma once

#include "quadrille/machine.hpp"

namespace quadrille::facts_test {

constexpr Ports one = Ports::one, all = Ports::all;
constexpr Duplex half = Duplex::half, full = Duplex::full;

struct Fact {
  const char* algorithm;
  const char* topology;
  Bytes bytes;
  Rank target;  ///< sendrecv only
  Ports ports;
  Duplex duplex;
  std::int64_t startups, wire_bytes;
  Bytes permuted = 0, packed = 0;
  const char* sources = "";  ///< of a multibcast; of an alltoallv its demands
};

/// Most are from the executions behind tests/reference.
constexpr Fact facts[] = {
    // Two nodes of two ranks: 10 between leaders and 10 inside; two blocks over a node's link and two inside; and so
    // on.
    {"bcast_levels:inner=(bcast_binomial):outer=(bcast_binomial)", "star:2*2", 10, -1, one, full, 2, 20},
    // Two packets reach three nodes in 3 rounds. Each goes to the node's other rank when its leader sends it on, and at
    // the last node in a round of its own. So a leader's port has two messages in each of the first three rounds.
    {"bcast_levels:pieces=2:inner=(bcast_binomial):outer=(bcast_chain:packets=2)", "star:3*2", 20, -1, one, full, 7,
     70},
    {"allgather_levels:inner=(allgather_daisy):outer=(allgather_daisy)", "star:2*2", 10, -1, one, full, 2, 40, 0, 40},
    {"scatter_levels:inner=(scatter_tree):outer=(scatter_tree)", "star:2*2", 10, -1, one, full, 2, 30, 0, 20},
    {"gather_levels:inner=(gather_tree):outer=(gather_tree)", "star:2*2", 10, -1, one, full, 2, 30, 0, 20},
    {"alltoall_levels:inner=(alltoall_pairwise):outer=(alltoall_pairwise)", "star:2*2", 10, -1, one, full, 2, 60, 0,
     60},
    {"sendrecv_direct", "crossbar:5", 40, 3, one, full, 1, 40},
    {"sendrecv_pipelined:packets=6", "ring:8", 120, 3, all, half, 8, 160},
    {"sendrecv_multipath:packets=5", "ring:8", 240, 2, all, half, 10, 240},
    {"sendrecv_balanced:packet_bytes=5", "ring:8", 200, 2, all, half, 23, 115},
    {"sendrecv_unsynchronised:bytes=35,25:packets=5,3", "ring:8", 60, 3, all, half, 7, 61},  // 5 rounds of 9, 2 of 8
    {"bcast_binomial", "hypercube:3", 50, -1, one, half, 3, 150},
    {"bcast_pipelined:packets=6", "hypercube:3", 60, -1, all, half, 8, 80},
    {"bcast_chain:packets=6", "ring:8", 120, -1, all, half, 12, 240},
    {"bcast_bintree:packets=5", "crossbar:4", 60, -1, one, full, 10, 120},
    {"bcast_esbt:packets=4", "hypercube:3", 72, -1, all, full, 7, 42},
    {"bcast_axes:packets=16,16", "torus:8x8", 1024, -1, all, half, 38, 2432},
    {"bcast_catchup:packets=2", "torus:8x8", 64, -1, all, half, 9, 144},
    {"bcast_late:packets=16", "torus:8x8", 1024, -1, all, half, 28, 896},
    {"bcast_two_trees:packets=10", "torus:6x6", 240, -1, all, full, 15, 180},
    {"bcast_two_edst:packets=10", "torus:5x5", 240, -1, all, half, 16, 192},
    // Four parts of 16, 2 packets of 8 each, down trees of depth 8 + 4; half duplex every round but the ends in two.
    {"bcast_adst:packets=2", "torus:8x8", 64, -1, all, full, 13, 104},
    {"bcast_adst:packets=2", "torus:8x8", 64, -1, all, half, 24, 192},
    {"bcast_halving", "mesh:3x5", 10, -1, one, half, 5, 50},  // 2 + 3 rounds
    // Sends that end at 3, 4, 5, 6 and 7, and at 6 and 7 those of the first to get it: seven ranks on two levels.
    {"bcast_logp:delay=3", "crossbar:8", 10, -1, all, full, 2, 20},
    // A half to either side, and in the second round each from there to the last rank and from the root to the other.
    {"bcast_earliest:parts=2:size=0", "ring:4", 10, -1, all, full, 2, 10},
    // 1 gets two blocks and hands one to 2.
    {"scatter_earliest:size=0", "ring:4", 10, -1, all, full, 2, 30, 10},
    {"gather_earliest:size=0", "ring:4", 10, -1, all, full, 2, 30, 10},
    {"bcast_lin", "fly:2^3", 10, -1, one, full, 3, 30},  // exchanges with the rank 4, 2 and 1 places on never meet
    {"allgather_sequential:packets=3", "hypercube:3", 12, -1, all, half, 40, 160},
    {"allgather_daisy", "ring:8", 16, -1, all, half, 7, 112},
    {"allgather_daisy", "ring:7", 16, -1, one, half, 14, 224},                // 42 messages, three at a time
    {"allgather_twoway:ways=2", "ring:8", 16, -1, all, full, 4, 56, 0, 192},  // 3 rounds of 16 either way, one of 8
    {"allgather_flood", "mesh:3x5", 4, -1, all, full, 6, 56},  // 4 rounds of a block, then 2 of a row of 5
    {"allgather_flood", "mesh:5", 4, -1, all, half, 7, 28},    // the last of 4 rounds only from ranks 1 and 3
    {"allgather_doubling", "crossbar:11", 4, -1, one, full, 4, 40, 0, 36},
    {"allgather_adea", "hypercube:3", 16, -1, one, half, 6, 224},
    {"allgather_adea_rotated", "hypercube:3", 12, -1, all, full, 3, 28, 0, 144},
    {"allgather_tea1", "hypercube:4", 5, -1, all, half, 8, 80, 0, 240},
    {"allgather_tea1_grouped", "hypercube:4", 5, -1, all, half, 5, 80, 0, 280},
    {"allgather_tea2", "hypercube:5", 3, -1, all, full, 5, 21, 0, 120},
    {"allgather_tea2_grouped", "hypercube:5", 3, -1, all, half, 6, 42, 0, 156},
    {"scatter_tree", "hypercube:4", 5, -1, one, half, 4, 75, 5},
    {"gather_tree", "crossbar:11", 4, -1, one, full, 4, 40, 4},
    {"scatter_rotated", "hypercube:4", 8, -1, all, half, 4, 30, 6, 112},
    {"gather_rotated", "hypercube:4", 8, -1, all, half, 4, 30, 6, 112},
    {"scatter_twoway", "ring:9", 7, -1, all, half, 4, 28},
    {"gather_twoway", "ring:13", 4, -1, all, half, 6, 24},
    {"scatter_twoway:ways=2", "ring:8", 4, -1, all, half, 4, 14, 0, 24},
    {"scatter_axes_rotated:ways=2", "torus:4x4", 8, -1, all, half, 4, 30, 4, 112},
    {"scatter_chain", "ring:5", 4, -1, all, full, 4, 16},  // four blocks leave the root, the farthest first
    {"gather_chain", "ring:5", 4, -1, all, full, 4, 16},
    {"bcast_exchange:packets=4", "hypercube:3", 72, -1, one, full, 6, 108},
    {"bcast_exchange:packets=4", "bifly:2^2", 72, -1, one, full, 6, 108},  // a cube in another numbering
    {"bcast_circulant:packets=6", "crossbar:11", 36, -1, one, full, 9, 54},
    {"bcast_scatter_allgather", "crossbar:8", 80, -1, one, full, 6, 140, 0, 120},  // 40+20+10 and back, and 40+20 twice
    {"bcast_memory:packets=1", "memory:8", 128, -1, one, half, 8, 1024},
    {"allgather_memory", "memory:8", 16, -1, one, half, 16, 1024, 0, 672},  // six of eight ranks leave a gap
    {"scatter_halving", "mesh:3x5", 4, -1, one, half, 5, 56, 4},  // a row of 5 and another, 2 + 1 + 1 along the rows
    {"gather_halving", "mesh:3x5", 4, -1, one, half, 5, 56, 4},
    {"allgather_lin:lines=1", "mesh:1x4", 10, -1, one, full, 2, 40, 0,
     40},  // two over the middle, then two blocks each
    {"scatter_direct", "bus:8", 16, -1, one, half, 7, 112},
    {"gather_direct", "bus:8", 16, -1, one, half, 7, 112},
    {"scatter_star", "bus:8", 16, -1, one, half, 1, 112},
    {"gather_linear", "mesh:3x4", 5, -1, all, full, 3, 40},  // to the corner 2 of 3 rows of 4 up its column; 11 over 4
    {"allgather_linear", "torus:3x5", 4, -1, all, full, 4, 36},  // 1 + 2 along a row of 5, to 3 rows; 14 over 4 links
    {"alltoall_linear", "ring:8", 4, -1, all, full, 4, 40},      // 1 + 2 + 3 + 4 clockwise; 7 over 2 links
    {"bcast_relayed:packets=3", "crossbar:5", 48, -1, all, full, 4, 16},  // 3 packets of 4, and a round more
    {"scatter_memory", "memory:8", 16, -1, one, half, 8, 224},
    {"gather_memory", "memory:8", 16, -1, one, half, 8, 224},
    {"alltoall_scatters", "bus:8", 4, -1, one, half, 8, 224},
    {"alltoall_tournament", "bus:5", 3, -1, one, half, 20, 60},
    {"alltoall_memory", "memory:8", 4, -1, one, half, 16, 448, 0, 336},
    {"multibcast_sequential", "bus:4", 6, -1, one, half, 3, 11, 0, 0, "0:6,2:3,3:2"},
    // Parts of 2 bytes and 1; then ranks 2 and 3 swap one of each, packed and unpacked.
    {"multibcast_relayed:packets=1", "crossbar:4", 6, -1, all, full, 2, 5, 0, 6, "0:6,1:3"},
    // Packets of 3 and 3 bytes, and of 2 and 1. In the last round 0 to 2 has packets of both, 3 + 2 bytes.
    {"multibcast_circulant:packets=2", "crossbar:4", 6, -1, one, full, 3, 11, 0, 5, "0:6,1:3"},
    // 0 to 2 has 3 + 2 bytes, then 2 to 3, which has 3 + 1 for it: 5 are packed, then 9.
    {"multibcast_exchange:packets=2", "hypercube:2", 6, -1, one, full, 3, 13, 0, 14, "0:6,1:3"},
    {"multibcast_memory", "memory:4", 6, -1, one, half, 7, 44, 0, 8, "0:6,2:3,3:2"},  // 11 written, 5 + 11 + 8 + 9 read
    {"transpose_swap", "bus:9", 5, -1, one, half, 6, 30},
    {"transpose_memory", "memory:4", 5, -1, one, half, 4, 20},
    {"alltoall_mtadea", "hypercube:3", 4, -1, one, half, 6, 96, 0, 96},
    {"alltoall_mtadea_rotated", "hypercube:3", 12, -1, all, full, 3, 48, 0, 288},
    {"alltoall_gathers", "hypercube:3", 4, -1, one, half, 24, 224, 32},
    {"alltoall_direct", "hypercube:5", 1, -1, one, full, 31, 31},
    {"alltoall_standard", "hypercube:6", 1, -1, one, full, 6, 192, 384},
    {"alltoall_mce:phases=2,3", "hypercube:5", 1, -1, one, full, 10, 52, 64},
    {"alltoall_pairwise", "crossbar:8", 4, -1, one, full, 7, 28},
    {"alltoall_bruck:radix=2", "crossbar:6", 5, -1, one, full, 3, 35, 0, 70},
    // Forward 3 blocks over 1 link and 3 over 3, back 2 and 2; with all ports both at once. All are packed and
    // unpacked, but what arrives from 3 places on and back lies side by side, at most for one of the two round the end
    // of `out`.
    {"alltoall_signed:radix=3", "ring:8", 5, -1, one, full, 4, 100, 0, 100},
    {"alltoall_signed:radix=3", "ring:8", 5, -1, all, full, 2, 60, 0, 90},
    // 8 blocks each time: past no rank, then two messages on a link; so along either side.
    {"alltoall_halves", "torus:4x4", 3, -1, one, full, 4, 144, 192},
    {"alltoall_phases", "torus:4x4", 3, -1, one, full, 16, 48},
    {"alltoall_phases", "ring:8", 3, -1, one, full, 10, 30},
    {"alltoall_phases", "torus:2x2", 3, -1, one, full, 3, 9},
    {"alltoall_rotate", "ring:7", 3, -1, all, half, 6, 63, 15, 18},
    {"alltoall_bidir", "ring:8", 4, -1, all, half, 7, 64, 20, 28},
    {"alltoall_cycle", "mesh:2x4", 4, -1, all, half, 7, 64, 20, 28},  // as on ring:8
    {"alltoall_bidir:first=1:ways=1", "torus:3x5", 2, -1, all, half, 6, 56, 8, 44},
    {"alltoall_bidir_rotated", "torus:4x4", 2, -1, all, half, 6, 32, 14, 64},
    {"allgather_axes:first=0", "torus:3x4", 5, -1, all, half, 5, 55, 0, 90},
    {"allgather_axes_rotated", "torus:3x3", 4, -1, all, half, 4, 16, 0, 48},
    {"allgather_axes_rotated:ways=2", "torus:3x3", 4, -1, all, full, 4, 8, 0, 48},
    {"allgather_axes_rotated:both=1", "torus:3x3", 4, -1, all, full, 2, 8, 0, 48},
    {"scatter_axes:first=1", "torus:5x5", 6, -1, all, half, 4, 72, 6, 120},
    {"scatter_axes_rotated:ways=1", "torus:5x5", 6, -1, all, half, 4, 36, 3, 120},
    {"gather_axes:first=1", "torus:6x4", 5, -1, all, half, 5, 75, 5, 90},
    {"gather_axes_rotated:ways=1", "torus:5x5", 6, -1, all, half, 4, 36, 3, 120},
    {"transpose_diagonal", "torus:4x4", 8, -1, all, half, 4, 32},
    {"transpose_direct", "crossbar:9", 5, -1, one, full, 1, 5},
    // A part to each of the others, two by way of the two on the diagonal: six parts, and twelve of two packets.
    {"transpose_relayed:packets=1", "crossbar:4", 6, -1, all, full, 3, 3},
    {"transpose_relayed:packets=2", "crossbar:9", 24, -1, all, full, 5, 5},
    {"multibcast_lin:row_major=0:odd_last=0", "mesh:1x7", 10, -1, one, full, 3, 70, 0, 20, "DR(3)"},
    {"multibcast_xy_source", "mesh:2x2", 10, -1, one, full, 2, 20, 0, 0, "0,1"},
    {"multibcast_xy_dim:literal=0", "mesh:2x2", 10, -1, one, full, 2, 30, 0, 0, "0,1"},
    {"multibcast_xor", "mesh:2x2", 10, -1, one, full, 3, 30, 0, 0, "0,1"},
    {"multibcast_twostep:row_major=0", "mesh:2x2", 10, -1, one, full, 3, 60, 0, 0, "1,3"},
    {"multibcast_repos", "mesh:2x2", 10, -1, one, full, 3, 30, 0, 0, "0,3"},
    {"multibcast_repos_lin:row_major=0", "mesh:2x2", 10, -1, one, full, 3, 30, 0, 0, "0,1"},
    {"multibcast_repos_xy_dim", "mesh:2x2", 10, -1, one, full, 3, 30, 0, 0, "0,1"},
    {"multibcast_part_lin:row_major=0", "mesh:2x2", 10, -1, one, full, 3, 30, 0, 0, "0,1"},
    {"multibcast_part_xy_source", "mesh:2x2", 10, -1, one, full, 3, 30, 0, 0, "0,3"},
    {"allgather_cycles:ways=2", "torus:3x4", 4, -1, all, full, 11, 11},   // four parts of 1
    {"allgather_radix:radix=4", "crossbar:16", 5, -1, all, full, 2, 25},  // a block, then four
    // In lines of four 1 + 2 messages clockwise over a link, then four blocks to either other rank of three.
    {"allgather_lines", "torus:3x4", 4, -1, all, full, 2, 28},
    // Two messages of three blocks each for either digit, all of them packed and unpacked.
    {"alltoall_radix:radix=3", "crossbar:9", 2, -1, all, full, 2, 12, 0, 48},
    {"reduce_scatter_ring", "ring:4", 6, -1, all, full, 3, 18},
    {"reduce_scatter_twoway:ways=1", "ring:8", 6, -1, all, full, 4, 24},
    {"reduce_scatter_circulant", "crossbar:3", 5, -1, one, full, 2, 10},
    {"reduce_scatter_doubling", "crossbar:3", 5, -1, one, full, 2, 10},
    {"reduce_scatter_pairwise", "crossbar:6", 5, -1, one, full, 5, 25},
    {"reduce_scatter_halving:far=0", "crossbar:2", 6, -1, one, full, 1, 6},
    {"reduce_scatter_halving_rotated", "hypercube:1", 6, -1, all, full, 1, 6},
    {"reduce_scatter_axes_rotated:ways=2", "torus:3x3", 12, -1, all, full, 4, 24},
    {"reduce_scatter_axes_rotated:both=1", "torus:3x3", 12, -1, all, full, 2, 24},
    {"reduce_scatter_axes:first=0", "torus:4x6", 3, -1, all, full, 8, 69},
    {"reduce_scatter_cycles:ways=1", "torus:3x4", 4, -1, all, half, 11, 22},
    {"reduce_scatter_flood", "mesh:2", 4, -1, all, full, 1, 4},
    {"reduce_scatter_linear", "crossbar:6", 4, -1, all, full, 1, 4},
    {"reduce_scatter_radix:radix=3", "crossbar:3", 4, -1, all, full, 1, 4},
    {"reduce_scatter_lines", "torus:3x4", 4, -1, all, full, 2, 28},
    {"reduce_scatter_bus", "bus:5", 4, -1, one, half, 5, 80},
    {"reduce_scatter_memory", "memory:2", 3, -1, one, half, 4, 12},  // two write and two read, one after the other
    {"allreduce_ring", "ring:5", 20, -1, all, full, 8, 32},
    {"allreduce_twoway:ways=1", "ring:8", 32, -1, all, full, 8, 32},
    {"allreduce_circulant", "crossbar:3", 12, -1, one, full, 4, 16},
    {"allreduce_doubling_blocks", "crossbar:3", 12, -1, one, full, 4, 16},
    {"allreduce_halving:far=1", "hypercube:4", 64, -1, all, full, 8, 120},
    {"allreduce_halving_rotated", "hypercube:1", 12, -1, all, full, 2, 12},
    {"allreduce_axes_rotated:ways=2", "torus:3x3", 72, -1, all, full, 8, 32},
    {"allreduce_axes_rotated:both=1", "torus:3x3", 72, -1, all, full, 4, 32},
    {"allreduce_axes:first=0", "torus:3x4", 36, -1, all, full, 10, 66},
    {"allreduce_cycles:ways=2", "torus:3x5", 60, -1, all, full, 28, 28},
    {"allreduce_flood", "mesh:2", 8, -1, all, full, 2, 8},
    {"allreduce_linear", "crossbar:6", 24, -1, all, full, 2, 8},
    {"allreduce_radix:radix=2", "crossbar:2", 8, -1, all, full, 2, 8},
    {"allreduce_lines", "torus:3x4", 48, -1, all, full, 4, 56},
    {"allreduce_esbt:packets=3", "hypercube:3", 36, -1, all, full, 12, 48},
    {"allreduce_adst:packets=3", "torus:4x4", 48, -1, all, full, 16, 64},
    {"allreduce_doubling", "crossbar:8", 24, -1, one, full, 3, 72},
    {"allreduce_fold", "crossbar:12", 24, -1, one, full, 5, 120},
    {"allreduce_census", "crossbar:2", 24, -1, one, full, 1, 24},
    {"allreduce_dual_root:packets=4", "crossbar:5", 48, -1, one, full, 14, 168},
    {"allreduce_double_tree:packets=4", "crossbar:8", 64, -1, one, full, 24, 192},
    {"allreduce_swing:ways=1", "ring:2", 8, -1, all, full, 2, 8},
    {"allreduce_swing_latency:far=1", "ring:8", 24, -1, all, full, 3, 96},  // over links with 1, 1 and 2 vectors
    {"allreduce_hierarchical:cores=2", "crossbar:4", 16, -1, one, full, 4, 24, 0, 0},
    {"allreduce_bus", "bus:5", 20, -1, one, half, 5, 100},
    {"allreduce_interval", "crossbar:5", 20, -1, one, full, 6, 120},
    {"allreduce_mixed:halvings=1", "hypercube:3", 24, -1, all, full, 4, 48},  // half a vector in each of four rounds
    {"barrier_axes", "torus:3x4", 1, -1, one, full, 5, 5},
    {"barrier_binomial", "crossbar:5", 1, -1, one, full, 6, 6},
    {"barrier_bus", "bus:5", 1, -1, one, half, 5, 5},
    {"barrier_chain", "ring:4", 1, -1, one, full, 6, 6},
    {"barrier_dissemination", "crossbar:5", 1, -1, one, full, 3, 3},
    {"barrier_doubling", "hypercube:3", 1, -1, one, full, 3, 3},
    {"barrier_flood", "mesh:3x4", 1, -1, all, full, 5, 5},
    {"barrier_halving", "mesh:3x5", 1, -1, one, full, 10, 10},     // 3 + 2 rounds up, and as many down
    {"barrier_lin", "fly:2^3", 1, -1, one, full, 6, 6},            // as reduce_lin, and as many rounds down again
    {"barrier_memory", "memory:3", 1, -1, one, half, 6, 7, 0, 2},  // 2 write, one reads 2, writes, and 2 read
    {"barrier_routed:inner=(barrier_flood)", "path:3", 1, -1, all, full, 2, 2},
    {"barrier_tree", "ring:5", 1, -1, all, full, 4, 4},
    // Over the middle link of a path go 2 x 2 blocks each way, and no round passes without one.
    {"alltoall_ways:chunks=1", "mesh:4", 10, -1, all, full, 4, 40},
    // Both ends send two blocks to the middle at once, which takes them apart, and passes on one each.
    {"alltoall_flow:chunks=1:pieces=1", "mesh:3", 10, -1, all, full, 2, 30, 0, 40},
    // The middle takes two blocks apart, and passes on one.
    {"scatter_flow:chunks=1:pieces=1", "mesh:3", 10, -1, all, full, 2, 30, 0, 20},
    // It sends its own block while the last one's comes to it.
    {"gather_flow:chunks=1:pieces=1", "mesh:3", 10, -1, all, full, 2, 20},
    // A third straight, and one by each of the others.
    {"transpose_flow:chunks=3:pieces=1", "full:4", 9, -1, all, full, 2, 6},
    // Three links carry the blocks of three ranks each, those of the two farther ones first, which go on in the next
    // round.
    {"scatter_ways:chunks=1", "petersen", 10, -1, all, full, 3, 30},
    {"gather_ways:chunks=1", "petersen", 10, -1, all, full, 3, 30},
    // Two of four ranks have something for each other, and a link for it.
    {"transpose_ways:chunks=1", "full:4", 10, -1, all, full, 1, 10},
    {"alltoallv_linear", "crossbar:3", 20, -1, all, full, 1, 20, 0, 0, "0-1:10,0-2,1-2:10"},
    // The message of 20 first; then rank 0 sends to 1, and 1 to 2.
    {"alltoallv_pairwise", "crossbar:3", 20, -1, one, full, 2, 30, 0, 0, "0-1:10,0-2,1-2:10"},
    {"alltoallv_pairwise", "bus:3", 20, -1, one, half, 2, 40, 0, 0,
     "0-1:10,0-2,1-2:10"},  // what 0 has, then what 1 has
    // Rank 0 sends 10 to rank 1, which sends them on with its own 20, gathered from two places.
    {"alltoallv_bruck", "crossbar:4", 20, -1, one, full, 2, 40, 0, 30, "0-3:10,1-3"},
    // Over the first link 20 and then 10; over the second 10 and then 20.
    {"alltoallv_ways:chunks=1", "mesh:1x3", 20, -1, all, full, 2, 40, 0, 0, "0-1:10,0-2,1-2:10"},
    // Both messages of the end go to the middle at once, which takes them apart and passes on the longer one.
    {"alltoallv_flow:chunks=1:pieces=1", "mesh:1x3", 20, -1, all, full, 2, 50, 0, 30, "0-1:10,0-2,1-2:10"},
    {"alltoallv_memory", "memory:3", 20, -1, one, half, 4, 80, 0, 0,
     "0-1:10,0-2,1-2:10"},  // 30, 10 written; 10, 30 read
    // The farthest rank is two links away, and there is one way of that length.
    {"sendrecv_ways:chunks=1", "petersen", 10, -1, all, full, 2, 20},
    // As many rounds as it takes over two links: 4 blocks, or 6 halves of blocks; one way, 3 links and a part more.
    {"allgather_rarest:chunks=1", "ring:5", 6, -1, all, full, 2, 12},
    {"bcast_rarest:chunks=2", "mesh:4", 10, -1, all, full, 4, 20},
    // Two trees, once round each way: 5 packets of a byte and 3 more rounds until the last comes to the last rank.
    {"bcast_packed:packet_bytes=1", "ring:5", 10, -1, all, full, 8, 8},
    {"allgather_forest:trees=1:pieces=1", "ring:5", 6, -1, all, full, 2, 12},
    {"bcast_forest:trees=2:pieces=5", "ring:5", 10, -1, all, full, 8, 8},
    {"multibcast_forest:trees=2:pieces=1", "mesh:1x4", 10, -1, all, full, 4, 20, 0, 0, "0"},
    {"reduce_scatter_forest:trees=1:pieces=1", "ring:5", 6, -1, all, full, 2, 12},
    {"allreduce_forest:trees=1:pieces=1", "ring:5", 20, -1, all, full, 4, 16},
    // A path, rooted in its middle: two links up and two down.
    {"allreduce_spanning:trees=1:pieces=1", "ring:5", 20, -1, all, full, 4, 80},
    // Four pieces of 5 bytes; each goes down in the round after it came up, while the next comes up.
    {"allreduce_spanning:trees=1:pieces=4", "mesh:3", 20, -1, all, full, 5, 25},
    {"multibcast_rarest:chunks=2", "mesh:1x4", 10, -1, all, full, 4, 20, 0, 0, "0"},
    {"reduce_scatter_rarest:chunks=1", "ring:5", 6, -1, all, full, 2, 12},
    {"allreduce_rarest:chunks=1", "ring:5", 20, -1, all, full, 4, 16},
    // Blocks of rank 0 for 1 and 2 leave over one link, in rounds 0 and 1; the second goes on in round 2.
    {"alltoall_routed:inner=(alltoall_linear)", "mesh:3", 10, -1, all, full, 3, 30},
    {"allgather_routed:inner=(allgather_linear)", "mesh:3", 10, -1, all, full, 3, 30},
    {"allreduce_memory", "memory:2", 6, -1, one, half, 8, 24},
};

}  // namespace quadrille::facts_test
