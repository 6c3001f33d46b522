// Rows of facts for reductions: start-ups, bytes sent, combined and packed in a small case, worked out apart from the
// code. facts_test.cpp holds algorithms to them.
#pragma once

#include "facts.hpp"

namespace quadrille::facts_test {

struct ReductionFact {
  const char* algorithm;
  const char* topology;
  Bytes bytes;
  Rank root;
  Ports ports;
  std::int64_t startups;
  Bytes wire_bytes, combined, packed = 0;
};

/// On full-duplex links. Where no reason is given, from the executions in tests/reference/reference-reductions.json.
constexpr ReductionFact reduction_facts[] = {
    // Two nodes of two ranks. Between nodes two ranks share a link; inside each takes two blocks, which lie apart.
    {"reduce_levels:inner=(reduce_binomial):outer=(reduce_binomial)", "star:2*2", 10, 0, one, 2, 20, 20},
    {"allreduce_levels:before=(reduce_scatter_ring):inner=(allgather_daisy):outer=(allreduce_doubling)", "star:2*2", 20,
     0, one, 3, 40, 20},
    {"reduce_scatter_levels:inner=(reduce_scatter_ring):outer=(reduce_scatter_ring)", "star:2*2", 10, 0, one, 2, 40, 30,
     40},
    // Inside, between, back inside, and the ranks of the second node put what came before what they have.
    {"scan_levels:after=(bcast_binomial):inner=(scan_doubling):outer=(exscan_shift)", "star:2*2", 10, 0, one, 3, 30,
     20},
    {"exscan_levels:after=(bcast_binomial):inner=(exscan_shift):outer=(exscan_shift)", "star:2*2", 10, 0, one, 3, 30,
     20},
    {"barrier_levels:before=(reduce_binomial):inner=(bcast_binomial):outer=(barrier_dissemination)", "star:2*2", 1, 0,
     one, 3, 3, 2},
    {"reduce_binomial", "crossbar:7", 10, 0, one, 3, 30, 30},
    {"reduce_rarest:chunks=2", "mesh:4", 10, 0, all, 4, 20, 20},  // 2 parts of 5 over 3 links to the root
    // Some rank takes from both sides in all rounds but the first, in which sums of the farthest ranks leave.
    // 2 sends to 1, then 1 and 3 send to 0.
    {"reduce_earliest:parts=1:size=0", "ring:4", 10, 0, all, 2, 20, 30},
    // From 1 and 2 before a rank, two combined; then from 3 before it. Without its own: from 1 before it, which is kept
    // and combined with the own, which goes to 2 and 4 after it; each of these is combined with what was kept.
    {"scan_radix:radix=3", "crossbar:5", 10, 0, all, 2, 20, 30},
    {"exscan_radix:radix=3", "crossbar:5", 10, 0, all, 2, 20, 30},
    {"reduce_packed:packet_bytes=1", "ring:5", 10, 0, all, 8, 8, 15},
    {"reduce_forest:trees=2:pieces=5", "ring:5", 10, 0, all, 8, 8, 15},
    {"allreduce_packed:packet_bytes=1", "ring:5", 10, 0, all, 16, 16, 15},
    {"reduce_interval", "crossbar:13", 7, 5, one, 4, 28, 28},
    {"reduce_chain:packets=7", "crossbar:9", 40, 0, one, 14, 82, 82},
    {"reduce_lin", "fly:2^3", 10, 0, one, 3, 30, 30},  // one hands its sum on in each of three rounds
    {"reduce_pipelined:packets=6", "ring:9", 36, 0, all, 9, 54, 90},
    {"reduce_two_trees:packets=6", "ring:9", 48, 0, all, 13, 52, 92},
    {"reduce_esbt:packets=2", "hypercube:3", 48, 0, all, 5, 40, 120},
    {"reduce_adst:packets=2", "torus:4x4", 48, 0, all, 7, 42, 150},
    {"reduce_circulant:packets=6", "crossbar:13", 36, 0, one, 9, 54, 54},
    {"reduce_linear", "crossbar:5", 20, 0, all, 2, 8, 16},
    // Halves of 24; at most 1, 2, 2, 2 and at last 4 children hand theirs to one rank.
    {"reduce_two_edst:packets=1", "torus:4x4", 48, 0, all, 5, 120, 264},
    {"reduce_relayed:packets=3", "crossbar:5", 48, 0, all, 4, 16, 60},
    {"reduce_scatter_gather", "crossbar:6", 24, 0, one, 6, 40, 20, 12},  // 3 blocks of 4 go round the end at some rank
    // Either other rank is the child of the root in one tree and of the other rank in the second; 2 packets of 2 over
    // each of the 4 edges, which begin in rounds 0 to 3.
    {"reduce_exchange:packets=4", "hypercube:3", 72, 0, one, 6, 108, 108},
    {"reduce_exchange:packets=4", "bifly:2^2", 72, 0, one, 6, 108, 108},
    {"reduce_double_tree:packets=2", "crossbar:3", 8, 0, one, 6, 12, 12},
    {"reduce_bus", "bus:5", 20, 2, one, 4, 80, 80},
    {"reduce_bus_pairs", "bus:8", 12, 0, one, 7, 84, 84},         // 4 + 2 + 1 pairs, one after the other
    {"reduce_memory", "memory:6", 20, 0, one, 6, 200, 100, 100},  // 5 writes, then 5 vectors are read
    // 4 ranks write and read 3 blocks of 2 in turn, 3 results are written, and read; two ranks leave a gap as they
    // write.
    {"reduce_memory_split", "memory:4", 8, 0, one, 12, 60, 24, 36},
    {"scan_doubling", "crossbar:13", 24, 0, one, 4, 96, 96},
    {"scan_butterfly", "crossbar:6", 24, 0, one, 3, 72, 120},
    {"scan_chain:packets=4", "crossbar:6", 24, 0, one, 8, 48, 48},
    {"scan_tree:packets=2", "crossbar:3", 24, 0, one, 4, 48, 48},    // rank 0 to rank 1, which adds up for rank 2
    {"exscan_tree:packets=2", "crossbar:3", 24, 0, one, 4, 48, 24},  // rank 1 alone combines
    {"scan_axes:packets=4", "mesh:3x4", 24, 0, all, 11, 66, 84},
    {"exscan_axes:packets=4", "mesh:3x4", 24, 0, all, 11, 66, 102},
    // In round 2, rank 7 puts what comes from rank 3 before its result and before what it sends back to rank 6.
    {"scan_axes:packets=1", "mesh:2x2x2", 10, 0, all, 5, 50, 60},
    // The same, and rank 3 combines twice in round 1, for itself and for rank 7; in round 4 rank 4 stores what comes.
    {"exscan_axes:packets=1", "hypercube:3", 10, 0, all, 5, 50, 60},
    {"scan_bus", "bus:5", 20, 0, one, 4, 80, 80},
    {"scan_memory", "memory:4", 6, 0, one, 6, 54, 36, 30},    // 3 writes, then 3, 2 and 1 vectors are read
    {"exscan_memory", "memory:4", 6, 0, one, 8, 54, 18, 12},  // 3 writes, 3 reads of one, then 2 and 1 vectors are read
    {"exscan_123", "crossbar:8", 24, 0, one, 4, 96, 96},
    {"exscan_shift", "crossbar:9", 24, 0, one, 4, 96, 72},
    {"exscan_butterfly", "crossbar:9", 24, 0, one, 4, 96, 120},
    {"exscan_chain:packets=4", "crossbar:6", 24, 0, one, 8, 48, 42},
    {"exscan_bus", "bus:5", 20, 0, one, 4, 80, 60},
    {"allreduce_pipelined:packets=6", "ring:9", 36, 0, all, 18, 108, 90},  // reduce_pipelined, and as much again
    // Rank 2's message comes to rank 1 while rank 1's own goes to rank 0, and follows it. The result goes to rank 1,
    // and then to
    // rank 2 over it.
    {"reduce_routed:inner=(reduce_interval)", "path:3", 10, 0, one, 2, 20, 20},
    {"allreduce_routed:inner=(allreduce_interval)", "path:3", 10, 0, one, 5, 50, 20},
    // Rank 1 combines blocks of both others, which it passes on, and then its own from both.
    {"reduce_scatter_routed:inner=(reduce_scatter_flood)", "path:3", 10, 0, all, 2, 20, 40},
    {"scan_routed:inner=(scan_chain:packets=1)", "path:3", 10, 0, one, 2, 20, 20},
    {"exscan_routed:inner=(exscan_chain:packets=1)", "path:3", 10, 0, one, 2, 20, 10},
    // Rank 1 sends blocks 0 and 2 to rank 0, which sends it block 1; then rank 2 and they exchange a block.
    {"reduce_scatter_lin:lines=1", "fly:2^2", 10, 0, one, 2, 30, 30, 40},  // every second block, in two runs; then one
    {"allreduce_lin:lines=1", "fly:2^2", 40, 0, one, 4, 60, 30, 80},       // the same, and back
    {"allreduce_multiplying:radices=3,2", "crossbar:6", 24, 0, all, 2, 48, 72},  // two vectors, then one
    {"reduce_scatter_splits", "crossbar:3", 10, 0, all, 2, 30, 30, 20},
    {"allreduce_splits", "crossbar:3", 30, 0, all, 4, 60, 30, 40},
};

}  // namespace quadrille::facts_test
