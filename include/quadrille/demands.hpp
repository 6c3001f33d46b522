// Who has how much for whom: lists, matrices and patterns of an alltoallv.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/collective.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// A list such as "0-1:64KiB,3-2", where pairs without a length have `bytes`; or a pattern of so many bytes a message:
/// - all: every pair
/// - shift(K): rank r to rank r + K, modulo the ranks
/// - halo(AxB..): ranks in a grid, row by row, each to its two neighbours on every axis, around the ends
/// - random(N), random(N,SEED): every rank to N others, with one to four times `bytes`
/// - hot(R): rank R has `bytes` for every other, and every other for it
/// Throws Error(argument) for what does not parse, does not fit the ranks, or names a pair twice.
DemandsPtr parse_demands(std::string_view text, const Topology& topology, Bytes bytes);
/// A matrix of sizes as text: line r has what rank r has for each rank, between spaces, tabs or commas. Throws
/// Error(format) with the line.
DemandsPtr read_demands(std::string_view matrix, Rank ranks);
/// The list that parse_demands reads back, with lengths where they are not `bytes`.
std::string to_text(const Demands& demands, Bytes bytes);

}  // namespace quadrille
