// What of MPI is watched, and in which terms the planner is asked about it.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "quadrille/collective.hpp"

namespace quadrille::dropin {

enum class Operation {
  bcast,
  allgather,
  allgatherv,
  scatter,
  gather,
  alltoall,
  alltoallv,
  reduce,
  allreduce,
  reduce_scatter_block,
  barrier
};
constexpr std::size_t operations = 11;

std::string_view to_string(Operation operation);  ///< "reduce_scatter_block"
std::optional<Operation> find_operation(std::string_view name);

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 33);
}

/// What is asked for, in facts that MPI guarantees to be the same on all ranks: bytes, never counts and types.
struct Request {
  Operation operation{};
  Bytes bytes = 0;  ///< one rank's block; bcast: the message; allgatherv: all blocks; alltoallv: what one rank takes
  Rank root = 0;    ///< bcast, scatter, gather
  std::vector<Bytes> lengths = {};  ///< allgatherv: every rank's block

  bool operator==(const Request&) const = default;
  std::uint64_t hash() const;
};

/// Sizes in one class are answered alike: [2^(n-1), 2^n) bytes are class n.
inline int size_class(Bytes bytes) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))); }
constexpr std::size_t size_classes = 64;

/// The planner's words for it; empty where it has none. For an alltoallv, whose lengths nobody knows, those of an
/// exchange of equal blocks.
std::optional<Spec> spec_of(const Request& request, TopologyPtr topology);
/// Whether the planner has a word for it at all.
bool has_plans(Operation operation);

}  // namespace quadrille::dropin
