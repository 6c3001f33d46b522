// A call as all ranks see it, and in which terms the planner is asked about it.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "dropin/decide/operation.hpp"

namespace quadrille::dropin {

/// What is to be known of a reduction's operator, and is the same on all ranks.
struct OperatorFacts {
  Bytes element = 1;  ///< of basic values in one element
  Operands operands = Operands::commutative;
  bool user = false;       ///< the program's own: it is called no more often than the program expects
  bool rounds = false;     ///< results may have other bits where operands are grouped otherwise
  bool canonical = false;  ///< they must be those of the canonical expression
  bool operator==(const OperatorFacts&) const = default;
};

/// What is asked for, in facts that MPI guarantees to be the same on all ranks: bytes, never counts and types. Only
/// of_this_rank are bytes this rank's own.
struct Request {
  Operation operation{};
  Bytes bytes = 0;                  ///< as OperationFacts::bytes says
  Rank root = 0;                    ///< 0 where there is none
  std::vector<Bytes> lengths = {};  ///< of_all_blocks: every rank's
  OperatorFacts by = {};            ///< of reductions

  bool operator==(const Request&) const = default;
  std::uint64_t hash() const;
};
struct RequestHash {
  std::size_t operator()(const Request& request) const { return request.hash(); }
};

/// Sizes in one class are answered alike: [2^(n-1), 2^n) bytes are class n.
inline int size_class(Bytes bytes) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))); }
constexpr std::size_t size_classes = 64;

/// The planner's words for it; empty where it has none. Where bytes differ by rank, those of equal blocks.
std::optional<Spec> spec_of(const Request& request, TopologyPtr topology);

}  // namespace quadrille::dropin
