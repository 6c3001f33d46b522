// The collectives and algorithms of coll/tuned by their numbers in rules files.
#include "incumbents/openmpi.hpp"

namespace quadrille::incumbents {

const std::vector<Numbered>& numbered() {
  using C = Collective;
  constexpr std::string_view block = "a block times the ranks", vector = "the vector", whole = "the message";
  constexpr std::string_view nothing = "0 always", d = "as built in";
  static const std::vector<Numbered> all{
      {0,
       "allgather",
       C::allgather,
       block,
       true,
       {d, "linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit", "direct-messaging"}},
      {1,
       "allgatherv",
       {},
       "the mean block of all ranks",
       false,
       {d, "default", "bruck", "ring", "neighbor", "two_proc", "sparbit"}},
      {2,
       "allreduce",
       C::allreduce,
       vector,
       false,
       {d, "basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring", "rabenseifner",
        "allgather_reduce"}},
      {3, "alltoall", C::alltoall, block, true, {d, "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
      {4, "alltoallv", {}, nothing, false, {d, "basic_linear", "pairwise"}},
      {5, "alltoallw", {}, nothing, false, {d}},
      {6,
       "barrier",
       {},
       nothing,
       false,
       {d, "linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
      {7,
       "bcast",
       C::bcast,
       whole,
       false,
       {d, "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial",
        "scatter_allgather", "scatter_allgather_ring"}},
      {8, "exscan", {}, "the type's size times the ranks", false, {d, "linear", "recursive_doubling"}},
      {9, "gather", C::gather, block, true, {d, "basic_linear", "binomial", "linear_sync"}},
      {10, "gatherv", {}, nothing, false, {d}},
      {11,
       "reduce",
       C::reduce,
       vector,
       false,
       {d, "linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner", "knomial"}},
      {12,
       "reduce_scatter",
       C::reduce_scatter,
       "all blocks together",
       true,
       {d, "non-overlapping", "recursive_halving", "ring", "butterfly"}},
      {reduce_scatter_block,
       "reduce_scatter_block",
       C::reduce_scatter,
       block,
       true,
       {d, "basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
      {14, "scan", {}, "the type's size times the ranks", false, {d, "linear", "recursive_doubling"}},
      {15, "scatter", C::scatter, block, true, {d, "basic_linear", "binomial", "linear_nb"}},
      {16, "scatterv", {}, nothing, false, {d}},
      {17, "neighbor_allgather", {}, nothing, false, {d}},
      {18, "neighbor_allgatherv", {}, nothing, false, {d}},
      {19, "neighbor_alltoall", {}, nothing, false, {d}},
      {20, "neighbor_alltoallv", {}, nothing, false, {d}},
      {21, "neighbor_alltoallw", {}, nothing, false, {d}}};
  return all;
}

}  // namespace quadrille::incumbents
