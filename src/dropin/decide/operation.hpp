// The operations of MPI that are looked at: the list, and what is to be known of each. To plan for one more, add it
// here and give it a file in calls/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "quadrille/collective.hpp"

namespace quadrille::dropin {

enum class Operation : std::uint8_t {
  bcast,
  allgather,
  allgatherv,
  scatter,
  gather,
  alltoall,
  alltoallv,
  alltoallw,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
  reduce,
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exscan,
  barrier
};

/// How a call tells that its data are there.
enum class Ending : std::uint8_t { at_once, persistent, non_blocking };
inline std::string_view to_string(Ending ending) {
  return ending == Ending::at_once ? "" : ending == Ending::persistent ? "persistent" : "non-blocking";
}

/// How many blocks a rank gives or takes.
enum class Blocks : std::uint8_t { none, one, all };
struct BlocksOf {
  Blocks root = Blocks::none, others = Blocks::none;
};

/// What the bytes of a call are, as far as MPI guarantees them to be the same on all ranks.
enum class BytesAre : std::uint8_t {
  of_a_block,     ///< every rank's
  of_a_message,   ///< there is only one
  of_a_vector,    ///< every rank gives one, and results are as long
  of_all_blocks,  ///< which may differ; every rank knows all lengths
  of_this_rank    ///< what it takes; no rank knows what others take
};

/// What MPI_IN_PLACE means, on the ranks that may say it.
enum class InPlace : std::uint8_t {
  never,
  gives,      ///< the block that the rank gives lies where its result will be
  takes,      ///< the block that the rank takes stays where it is
  overwrites  ///< all that the rank gives lies where the result will be: such a call cannot be made twice
};

struct OperationFacts {
  Operation operation{};
  std::string_view name = {};
  /// What the planner calls it when all blocks are equal. Empty: calls are counted and timed only.
  std::optional<Collective> collective = {};
  BytesAre bytes = BytesAre::of_a_block;
  BlocksOf gives = {}, takes = {};
  InPlace in_place = InPlace::never;
  /// Short calls are compared in a row from the second round of a trial on, because every rank waits for all others
  /// with all it has to send (docs/how-it-works/trials.md).
  bool tried_in_a_row = false;
  /// Ranks give to some others alone, whom each knows for itself.
  bool to_neighbours = false;
};

/// A neighbourhood collective.
constexpr OperationFacts neighbourhood(Operation operation, std::string_view name) {
  return {.operation = operation,
          .name = name,
          .collective = Collective::alltoall,
          .bytes = BytesAre::of_this_rank,
          .gives = {Blocks::all, Blocks::all},
          .takes = {Blocks::all, Blocks::all},
          .to_neighbours = true};
}

/// In the order of the enumeration.
inline constexpr std::array operation_facts{OperationFacts{.operation = Operation::bcast,
                                                           .name = "bcast",
                                                           .collective = Collective::bcast,
                                                           .bytes = BytesAre::of_a_message,
                                                           .takes = {Blocks::one, Blocks::one}},
                                            OperationFacts{.operation = Operation::allgather,
                                                           .name = "allgather",
                                                           .collective = Collective::allgather,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::all, Blocks::all},
                                                           .in_place = InPlace::gives},
                                            OperationFacts{.operation = Operation::allgatherv,
                                                           .name = "allgatherv",
                                                           .collective = Collective::allgather,
                                                           .bytes = BytesAre::of_all_blocks,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::all, Blocks::all},
                                                           .in_place = InPlace::gives},
                                            OperationFacts{.operation = Operation::scatter,
                                                           .name = "scatter",
                                                           .collective = Collective::scatter,
                                                           .gives = {Blocks::all, Blocks::none},
                                                           .takes = {Blocks::one, Blocks::one},
                                                           .in_place = InPlace::takes},
                                            OperationFacts{.operation = Operation::gather,
                                                           .name = "gather",
                                                           .collective = Collective::gather,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::all, Blocks::none},
                                                           .in_place = InPlace::gives},
                                            OperationFacts{.operation = Operation::alltoall,
                                                           .name = "alltoall",
                                                           .collective = Collective::alltoall,
                                                           .gives = {Blocks::all, Blocks::all},
                                                           .takes = {Blocks::all, Blocks::all},
                                                           .in_place = InPlace::overwrites,
                                                           .tried_in_a_row = true},
                                            OperationFacts{.operation = Operation::alltoallv,
                                                           .name = "alltoallv",
                                                           .collective = Collective::alltoall,
                                                           .bytes = BytesAre::of_this_rank,
                                                           .gives = {Blocks::all, Blocks::all},
                                                           .takes = {Blocks::all, Blocks::all},
                                                           .in_place = InPlace::overwrites},
                                            OperationFacts{.operation = Operation::alltoallw,
                                                           .name = "alltoallw",
                                                           .collective = Collective::alltoall,
                                                           .bytes = BytesAre::of_this_rank,
                                                           .gives = {Blocks::all, Blocks::all},
                                                           .takes = {Blocks::all, Blocks::all},
                                                           .in_place = InPlace::overwrites},
                                            neighbourhood(Operation::neighbor_allgather, "neighbor_allgather"),
                                            neighbourhood(Operation::neighbor_allgatherv, "neighbor_allgatherv"),
                                            neighbourhood(Operation::neighbor_alltoall, "neighbor_alltoall"),
                                            neighbourhood(Operation::neighbor_alltoallv, "neighbor_alltoallv"),
                                            neighbourhood(Operation::neighbor_alltoallw, "neighbor_alltoallw"),
                                            OperationFacts{.operation = Operation::reduce,
                                                           .name = "reduce",
                                                           .collective = Collective::reduce,
                                                           .bytes = BytesAre::of_a_vector,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::one, Blocks::none},
                                                           .in_place = InPlace::overwrites},
                                            OperationFacts{.operation = Operation::allreduce,
                                                           .name = "allreduce",
                                                           .collective = Collective::allreduce,
                                                           .bytes = BytesAre::of_a_vector,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::one, Blocks::one},
                                                           .in_place = InPlace::overwrites,
                                                           .tried_in_a_row = true},
                                            OperationFacts{.operation = Operation::reduce_scatter_block,
                                                           .name = "reduce_scatter_block",
                                                           .collective = Collective::reduce_scatter,
                                                           .gives = {Blocks::all, Blocks::all},
                                                           .takes = {Blocks::one, Blocks::one},
                                                           .in_place = InPlace::overwrites,
                                                           .tried_in_a_row = true},
                                            OperationFacts{.operation = Operation::reduce_scatter,
                                                           .name = "reduce_scatter",
                                                           .collective = Collective::reduce_scatter,
                                                           .bytes = BytesAre::of_all_blocks,
                                                           .gives = {Blocks::all, Blocks::all},
                                                           .takes = {Blocks::one, Blocks::one},
                                                           .in_place = InPlace::overwrites},
                                            OperationFacts{.operation = Operation::scan,
                                                           .name = "scan",
                                                           .collective = Collective::scan,
                                                           .bytes = BytesAre::of_a_vector,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::one, Blocks::one},
                                                           .in_place = InPlace::overwrites},
                                            OperationFacts{.operation = Operation::exscan,
                                                           .name = "exscan",
                                                           .collective = Collective::exscan,
                                                           .bytes = BytesAre::of_a_vector,
                                                           .gives = {Blocks::one, Blocks::one},
                                                           .takes = {Blocks::none, Blocks::one},  // rank 0 gets nothing
                                                           .in_place = InPlace::overwrites},
                                            OperationFacts{.operation = Operation::barrier,
                                                           .name = "barrier",
                                                           .collective = Collective::barrier,
                                                           .bytes = BytesAre::of_a_message,  // a rank's word
                                                           .tried_in_a_row = true}};

constexpr std::size_t operations = operation_facts.size();

static_assert(
    [] {
      for (std::size_t i = 0; i < operations; ++i)
        if (static_cast<std::size_t>(operation_facts[i].operation) != i) return false;
      return static_cast<std::size_t>(Operation::barrier) + 1 == operations;
    }(),
    "a row of facts for every operation, in the order of the enumeration");

constexpr const OperationFacts& facts_of(Operation operation) {
  return operation_facts[static_cast<std::size_t>(operation)];
}

inline std::string_view to_string(Operation operation) { return facts_of(operation).name; }
std::optional<Operation> find_operation(std::string_view name);

/// Whether the planner has a word for it. The others are counted and timed.
constexpr bool has_plans(Operation operation) { return facts_of(operation).collective.has_value(); }

/// Whether an operator makes results of what ranks give.
constexpr bool combines(Operation operation) {
  return operation >= Operation::reduce && operation <= Operation::exscan;
}

/// Whether ranks take different numbers of bytes in one call, so that nothing can follow from them: an exchange.
constexpr bool differs_by_rank(Operation operation) { return facts_of(operation).bytes == BytesAre::of_this_rank; }

/// Of exchanges, from 0.
constexpr std::size_t exchange_place(Operation operation) {
  return static_cast<std::size_t>(operation) - static_cast<std::size_t>(Operation::alltoallv);
}
constexpr std::size_t exchanges = exchange_place(Operation::neighbor_alltoallw) + 1;
static_assert(
    [] {
      for (const OperationFacts& facts : operation_facts)
        if ((exchange_place(facts.operation) < exchanges) != (facts.bytes == BytesAre::of_this_rank)) return false;
      return true;
    }(),
    "exchanges follow one another");

}  // namespace quadrille::dropin
