// Open MPI's coll/tuned: reduce, allreduce and reduce_scatter.
#include "algorithm/mpis/lists.hpp"
#include "algorithm/mpis/made.hpp"
#include "algorithm/mpis/schedules.hpp"
#include "algorithm/mpis/trees.hpp"

namespace quadrille::algorithm::mpis {

namespace {

/// A tree upwards; for an all-reduce then downwards.
template <ChildrenOf children>
SchedulePtr sum(const Spec& s, const Params& p) {
  return reduced(s, p, Collective::bcast, down_tree<children>);
}
SchedulePtr pipeline_sum(const Spec& s, const Params& p) {
  Params one = p;
  one.set("fanout", {1});
  return sum<chains>(s, one);
}
SchedulePtr doubling(const Spec& s, const Params&) {
  return ours(s, base::is_power_of_two(s.ranks()) ? "allreduce_doubling" : "allreduce_fold");
}
SchedulePtr allreduce_ring(const Spec& s, const Params&) { return ours(s, "allreduce_ring"); }
SchedulePtr rabenseifner(const Spec& s, const Params&) { return ours(s, "allreduce_halving:far=0"); }
SchedulePtr halving(const Spec& s, const Params&) { return ours(s, "reduce_scatter_halving:far=1"); }
SchedulePtr scatter_ring_sum(const Spec& s, const Params&) { return ours(s, "reduce_scatter_ring"); }
SchedulePtr near_halving(const Spec& s, const Params&) { return ours(s, "reduce_scatter_halving:far=0"); }

std::vector<Own> reduces() {
  constexpr Collective c = Collective::reduce;
  return {
      {Mpi::openmpi, 1, "linear", made<sum<star>>("openmpi.reduce_linear", c, "all vectors to the root"), ""},
      {Mpi::openmpi,
       2,
       "chain",
       made<sum<chains>>("openmpi.reduce_chain", c, "segments up several chains",
                         {segment_parameter, chains_parameter}),
       even_segments,
       usual_segments,
       {2, 4, 8}},
      {Mpi::openmpi, 3, "pipeline",
       made<pipeline_sum>("openmpi.reduce_pipeline", c, "segments along a chain", {segment_parameter}), even_segments,
       usual_segments},
      {Mpi::openmpi, 4, "binary",
       made<sum<binary>>("openmpi.reduce_binary", c, "segments up a binary tree", {segment_parameter}), even_segments,
       usual_segments},
      {Mpi::openmpi,
       5,
       "binomial",
       made<sum<binomial_in_order>>("openmpi.reduce_binomial", c, "segments up a binomial tree", {segment_parameter}),
       even_segments,
       {0, 32 * kib}},
      {Mpi::openmpi, 6, "in-order_binary",
       made<sum<binary_in_order>>("openmpi.reduce_in_order_binary", c,
                                  "segments up a binary tree of runs of ranks, for operators with an order",
                                  {segment_parameter}),
       "the tree's root is the last rank, to which the root sends its vector, too", usual_segments},
      {Mpi::openmpi, 7, "rabenseifner",
       made<halving_gather, Ranks::power_of_two>("openmpi.reduce_rabenseifner", c,
                                                 "halves of what is left are combined, and gathered to the root"),
       fold_powers}};
}

std::vector<Own> allreduces() {
  constexpr Collective c = Collective::allreduce;
  return {{Mpi::openmpi, 1, "basic_linear",
           made<sum<star>>("openmpi.allreduce_basic_linear", c, "all vectors to rank 0, which sends the result to all"),
           ""},
          {Mpi::openmpi, 2, "nonoverlapping",
           made<sum<binomial>>("openmpi.allreduce_nonoverlapping", c, "a reduction to rank 0, and a broadcast"),
           "it reduces and broadcasts as its own rules say; here up and down a binomial tree"},
          {Mpi::openmpi, 3, "recursive_doubling",
           made<doubling>("openmpi.allreduce_recursive_doubling", c, "whole vectors to the rank that differs in a bit"),
           ""},
          {Mpi::openmpi, 4, "ring",
           made<allreduce_ring>("openmpi.allreduce_ring", c, "blocks round a ring, combined and then whole"),
           "as recursive_doubling where the vector has less elements than ranks"},
          {Mpi::openmpi, 5, "segmented_ring",
           made<segmented_ring>("openmpi.allreduce_segmented_ring", c,
                                "ring with blocks in usual_segments, one after the other", {segment_parameter}),
           even_segments, usual_segments},
          {Mpi::openmpi, 6, "rabenseifner",
           made<rabenseifner, Ranks::power_of_two>("openmpi.allreduce_rabenseifner", c,
                                                   "halves of what is left are combined, and doubled"),
           fold_powers}};
}

std::vector<Own> scattered() {
  constexpr Collective c = Collective::reduce_scatter;
  return {{Mpi::openmpi, 1, "non-overlapping",
           made<reduce_scatterv>("openmpi.reduce_scatter_non_overlapping", c, "a reduction to rank 0, and a scatter"),
           "it reduces as its own rules say; here up a binomial tree"},
          {Mpi::openmpi, 2, "recursive_halving",
           made<halving, Ranks::power_of_two>("openmpi.reduce_scatter_recursive_halving", c,
                                              "halves of what is left, with the farthest rank first"),
           fold_powers},
          {Mpi::openmpi, 3, "ring",
           made<scatter_ring_sum>("openmpi.reduce_scatter_ring", c, "blocks once round a ring"), ""},
          {Mpi::openmpi, 4, "butterfly",
           made<near_halving, Ranks::power_of_two>("openmpi.reduce_scatter_butterfly", c,
                                                   "halves of what is left, with the nearest rank first"),
           "blocks go to their ranks in a last round, which ours does not need"}};
}

}  // namespace

std::vector<Own> openmpi_sums() {
  std::vector<Own> list = reduces();
  for (const auto part : {allreduces, scattered}) {
    std::vector<Own> some = part();
    std::move(some.begin(), some.end(), std::back_inserter(list));
  }
  return list;
}

}  // namespace quadrille::algorithm::mpis
