// Open MPI's coll/tuned: bcast, allgather, alltoall, gather and scatter. Numbers are those of its rules files.
#include "algorithm/mpis/lists.hpp"
#include "algorithm/mpis/made.hpp"
#include "algorithm/mpis/schedules.hpp"
#include "algorithm/mpis/trees.hpp"

namespace quadrille::algorithm::mpis {

namespace {

SchedulePtr pipeline(const Spec& s, const Params& p) {
  Params one = p;
  one.set("fanout", {1});
  return down(s, one, chains);
}
SchedulePtr scatter_allgather(const Spec& s, const Params&) { return ours(s, "bcast_scatter_allgather"); }
SchedulePtr bruck(const Spec& s, const Params&) { return ours(s, "allgather_doubling"); }
SchedulePtr ring(const Spec& s, const Params&) { return ours(s, "allgather_daisy"); }
SchedulePtr modified_bruck(const Spec& s, const Params&) { return ours(s, "alltoall_bruck:radix=2"); }
SchedulePtr pairwise(const Spec& s, const Params&) { return ours(s, "alltoall_pairwise"); }
SchedulePtr gather_linear(const Spec& s, const Params&) { return ours(s, "gather_linear"); }
SchedulePtr gather_binomial(const Spec& s, const Params&) { return ours(s, "gather_tree"); }
SchedulePtr gather_direct(const Spec& s, const Params&) { return ours(s, "gather_direct"); }
SchedulePtr scatter_direct(const Spec& s, const Params&) { return ours(s, "scatter_direct"); }
SchedulePtr scatter_binomial(const Spec& s, const Params&) { return ours(s, "scatter_tree"); }
SchedulePtr scatter_star(const Spec& s, const Params&) { return ours(s, "scatter_star"); }

std::vector<Own> bcasts() {
  constexpr Collective c = Collective::bcast;
  return {
      {Mpi::openmpi, 1, "basic_linear",
       made<down_tree<star>>("openmpi.bcast_basic_linear", c, "the root sends to all ranks"), ""},
      {Mpi::openmpi,
       2,
       "chain",
       made<down_tree<chains>>("openmpi.bcast_chain", c, "segments down several chains",
                               {segment_parameter, chains_parameter}),
       even_segments,
       usual_segments,
       {2, 4, 8}},
      {Mpi::openmpi, 3, "pipeline",
       made<pipeline>("openmpi.bcast_pipeline", c, "segments along one chain", {segment_parameter}), even_segments,
       usual_segments},
      {Mpi::openmpi, 4, "split_binary_tree",
       made<split_binary>("openmpi.bcast_split_binary_tree", c,
                          "halves in segments down two sides of a binary tree, which then swap", {segment_parameter}),
       even_segments, usual_segments},
      {Mpi::openmpi, 5, "binary_tree",
       made<down_tree<binary>>("openmpi.bcast_binary_tree", c, "segments down a binary tree", {segment_parameter}),
       even_segments, usual_segments},
      {Mpi::openmpi,
       6,
       "binomial",
       made<down_tree<binomial>>("openmpi.bcast_binomial", c, "segments down a binomial tree", {segment_parameter}),
       even_segments,
       {0, 32 * kib}},
      {Mpi::openmpi,
       7,
       "knomial",
       made<down_tree<knomial>>("openmpi.bcast_knomial", c, "segments down a tree by the digits of ranks",
                                {segment_parameter, radix_parameter}),
       "the base is a setting, coll_tuned_bcast_algorithm_knomial_radix, that no rules file has",
       {0, 32 * kib},
       {4}},
      {Mpi::openmpi, 8, "scatter_allgather",
       made<scatter_allgather, Ranks::power_of_two>("openmpi.bcast_scatter_allgather", c,
                                                    "a piece for each rank, scattered and then doubled"),
       "on other numbers than 2^n of ranks it takes more rounds"},
      {Mpi::openmpi, 9, "scatter_allgather_ring",
       made<scatter_ring>("openmpi.bcast_scatter_allgather_ring", c,
                          "a piece for each rank, scattered and then passed round a ring"),
       ""}};
}

std::vector<Own> exchanges() {
  constexpr Collective g = Collective::allgather, x = Collective::alltoall;
  return {
      {Mpi::openmpi, 1, "linear",
       made<gather_bcast>("openmpi.allgather_linear", g, "a gather to rank 0, and a broadcast"),
       "it gathers and broadcasts as its own rules say; here linearly, and down a binomial tree"},
      {Mpi::openmpi, 2, "bruck",
       made<bruck>("openmpi.allgather_bruck", g, "all that a rank holds, over distances that double"),
       "every rank's data is turned in its memory at the end"},
      {Mpi::openmpi, 3, "recursive_doubling",
       made<bit_doubling, Ranks::power_of_two>("openmpi.allgather_recursive_doubling", g,
                                               "all that a rank holds to the one that differs in a bit"),
       "on other numbers than 2^n of ranks it does as bruck"},
      {Mpi::openmpi, 4, "ring", made<ring>("openmpi.allgather_ring", g, "round a ring, a block a message"), ""},
      {Mpi::openmpi, 5, "neighbor",
       made<neighbor_exchange, Ranks::even>("openmpi.allgather_neighbor", g,
                                            "two blocks a message to the left and the right by turns"),
       "on an odd number of ranks it does as ring"},
      {Mpi::openmpi,
       6,
       "two_proc",
       made<ring, Ranks::two>("openmpi.allgather_two_proc", g, "two ranks swap"),
       "",
       {},
       {},
       true},
      {Mpi::openmpi, 1, "linear", made<batches>("openmpi.alltoall_linear", x, "all blocks at once"), ""},
      {Mpi::openmpi, 2, "pairwise", made<pairwise>("openmpi.alltoall_pairwise", x, "one distance after the other"), ""},
      {Mpi::openmpi, 3, "modified_bruck",
       made<modified_bruck>("openmpi.alltoall_modified_bruck", x, "bit by bit of the distance"),
       "every rank's data is turned in its memory before and after"},
      {Mpi::openmpi, 4, "linear_sync",
       made<batches>("openmpi.alltoall_linear_sync", x, "so many blocks at once",
                     {{.name = "batch", .meaning = "how many; 0: all", .low = 0}}),
       "the next block goes as soon as one is through; the number is a setting, coll_tuned_alltoall_max_requests, all "
       "by default"},
      {Mpi::openmpi,
       5,
       "two_proc",
       made<pairwise, Ranks::two>("openmpi.alltoall_two_proc", x, "two ranks swap"),
       "",
       {},
       {},
       true}};
}

std::vector<Own> rooted() {
  constexpr Collective g = Collective::gather, s = Collective::scatter;
  return {
      {Mpi::openmpi, 1, "basic_linear",
       made<gather_linear>("openmpi.gather_basic_linear", g, "all send to the root at once"), ""},
      {Mpi::openmpi, 2, "binomial", made<gather_binomial>("openmpi.gather_binomial", g, "up a binomial tree"), ""},
      {Mpi::openmpi, 3, "linear_sync",
       made<gather_direct>("openmpi.gather_linear_sync", g, "one after the other sends to the root"),
       "the root asks each by an empty message, for a first segment and then the rest"},
      {Mpi::openmpi, 1, "basic_linear",
       made<scatter_direct>("openmpi.scatter_basic_linear", s, "the root sends one by one"), ""},
      {Mpi::openmpi, 2, "binomial", made<scatter_binomial>("openmpi.scatter_binomial", s, "down a binomial tree"), ""},
      {Mpi::openmpi, 3, "linear_nb", made<scatter_star>("openmpi.scatter_linear_nb", s, "the root sends all at once"),
       "so many at once as a setting says, all by default"}};
}

}  // namespace

SchedulePtr ours(const Spec& spec, std::string_view choice) {
  Spec anywhere = spec;
  anywhere.topology = parse_topology(fmt::format("crossbar:{}", spec.ranks()));
  Machine allowing;
  allowing.switching = Switching::wormhole;
  allowing.ports = Ports::one;
  allowing.duplex = Duplex::full;
  Choice chosen = parse_choice(choice);
  if (chosen.algorithm->name.ends_with("_linear") || chosen.algorithm->name.ends_with("_star"))
    allowing.ports = Ports::all;
  return build(anywhere, allowing, chosen).schedule;
}

std::vector<Own> openmpi_moves() {
  std::vector<Own> list = bcasts();
  for (const auto part : {exchanges, rooted}) {
    std::vector<Own> some = part();
    std::move(some.begin(), some.end(), std::back_inserter(list));
  }
  return list;
}

}  // namespace quadrille::algorithm::mpis
