// MPICH 4: what its selection can name for communicators without levels of nodes.
#include "algorithm/mpis/lists.hpp"
#include "algorithm/mpis/made.hpp"
#include "algorithm/mpis/schedules.hpp"
#include "algorithm/mpis/trees.hpp"

namespace quadrille::algorithm::mpis {

namespace {

/// Of one of ours; `name` is a character array, as a template's arguments must be.
template <const char* name>
SchedulePtr as(const Spec& s, const Params&) {
  return ours(s, name);
}
constexpr char binomial_bcast[] = "bcast_binomial", scattered_bcast[] = "bcast_scatter_allgather";
constexpr char bruck_gather[] = "allgather_doubling", ring_gather[] = "allgather_daisy";
constexpr char bruck_exchange[] = "alltoall_bruck:radix=2", shifts[] = "alltoall_pairwise";
constexpr char tree_gather[] = "gather_tree", tree_scatter[] = "scatter_tree", tree_sum[] = "reduce_binomial";
constexpr char halved[] = "allreduce_halving:far=0", far_halves[] = "reduce_scatter_halving:far=1";
constexpr char near_halves[] = "reduce_scatter_halving:far=0", shifted_sums[] = "reduce_scatter_pairwise";

SchedulePtr pairs(const Spec& s, const Params& p) {
  return base::is_power_of_two(s.ranks()) ? xor_pairs(s, p) : ours(s, shifts);
}
SchedulePtr doubled(const Spec& s, const Params&) {
  return ours(s, base::is_power_of_two(s.ranks()) ? "allreduce_doubling" : "allreduce_fold");
}
SchedulePtr throttled(const Spec& s, const Params& p) {
  Params batch = p;
  batch.set("batch", {p.get("batch", 32)});
  return batches(s, batch);
}

std::vector<Own> moves() {
  using C = Collective;
  return {
      {Mpi::mpich, 0, "binomial", made<as<binomial_bcast>>("mpich.bcast_binomial", C::bcast, "down a binomial tree"),
       ""},
      {Mpi::mpich, 0, "scatter_recursive_doubling_allgather",
       made<as<scattered_bcast>, Ranks::power_of_two>("mpich.bcast_scatter_recursive_doubling_allgather", C::bcast,
                                                      "a piece for each rank, scattered and then doubled"),
       "on other numbers than 2^n of ranks it takes more rounds"},
      {Mpi::mpich, 0, "scatter_ring_allgather",
       made<scatter_ring>("mpich.bcast_scatter_ring_allgather", C::bcast,
                          "a piece for each rank, scattered and then passed round a ring"),
       ""},
      {Mpi::mpich, 0, "brucks",
       made<as<bruck_gather>>("mpich.allgather_brucks", C::allgather,
                              "all that a rank holds, over distances that double"),
       "every rank's data is turned in its memory at the end"},
      {Mpi::mpich, 0, "recursive_doubling",
       made<bit_doubling, Ranks::power_of_two>("mpich.allgather_recursive_doubling", C::allgather,
                                               "all that a rank holds to the one that differs in a bit"),
       "on other numbers than 2^n of ranks it takes more rounds"},
      {Mpi::mpich, 0, "ring",
       made<as<ring_gather>>("mpich.allgather_ring", C::allgather, "round a ring, a block a message"), ""},
      {Mpi::mpich, 0, "brucks",
       made<as<bruck_exchange>>("mpich.alltoall_brucks", C::alltoall, "bit by bit of the distance"),
       "every rank's data is turned in its memory before and after"},
      {Mpi::mpich, 0, "pairwise",
       made<pairs>("mpich.alltoall_pairwise", C::alltoall, "one pair after the other; by xor on 2^n ranks"), ""},
      {Mpi::mpich, 0, "scattered",
       made<throttled>("mpich.alltoall_scattered", C::alltoall, "so many blocks at once",
                       {{.name = "batch", .meaning = "how many, MPIR_CVAR_ALLTOALL_THROTTLE; default 32"}}),
       ""},
      {Mpi::mpich, 0, "binomial", made<as<tree_gather>>("mpich.gather_binomial", C::gather, "up a binomial tree"), ""},
      {Mpi::mpich, 0, "binomial", made<as<tree_scatter>>("mpich.scatter_binomial", C::scatter, "down a binomial tree"),
       ""}};
}

std::vector<Own> sums() {
  using C = Collective;
  return {{Mpi::mpich, 0, "binomial", made<as<tree_sum>>("mpich.reduce_binomial", C::reduce, "up a binomial tree"), ""},
          {Mpi::mpich, 0, "reduce_scatter_gather",
           made<halving_gather, Ranks::power_of_two>("mpich.reduce_reduce_scatter_gather", C::reduce,
                                                     "halves of what is left are combined, and gathered to the root"),
           fold_powers},
          {Mpi::mpich, 0, "recursive_doubling",
           made<doubled>("mpich.allreduce_recursive_doubling", C::allreduce,
                         "whole vectors to the rank that differs in a bit"),
           ""},
          {Mpi::mpich, 0, "reduce_scatter_allgather",
           made<as<halved>, Ranks::power_of_two>("mpich.allreduce_reduce_scatter_allgather", C::allreduce,
                                                 "halves of what is left are combined, and doubled"),
           fold_powers},
          {Mpi::mpich,
           0,
           "noncommutative",
           made<as<near_halves>, Ranks::power_of_two>("mpich.reduce_scatter_noncommutative", C::reduce_scatter,
                                                      "halves of what is left, with the nearest rank first"),
           "blocks are turned in memory first",
           {},
           {},
           true},
          {Mpi::mpich, 0, "pairwise",
           made<as<shifted_sums>>("mpich.reduce_scatter_pairwise", C::reduce_scatter,
                                  "a block straight to its rank, by turns"),
           ""},
          {Mpi::mpich, 0, "recursive_doubling",
           made<doubling_scatter, Ranks::power_of_two>("mpich.reduce_scatter_recursive_doubling", C::reduce_scatter,
                                                       "all blocks but those that are combined already, bit by bit"),
           "on other numbers than 2^n of ranks it takes more rounds"},
          {Mpi::mpich, 0, "recursive_halving",
           made<as<far_halves>, Ranks::power_of_two>("mpich.reduce_scatter_recursive_halving", C::reduce_scatter,
                                                     "halves of what is left, with the farthest rank first"),
           fold_powers}};
}

}  // namespace

std::vector<Own> mpich_list() {
  std::vector<Own> list = moves(), more = sums();
  std::move(more.begin(), more.end(), std::back_inserter(list));
  return list;
}

}  // namespace quadrille::algorithm::mpis
