// The lists that own.cpp puts together.
#pragma once

#include "algorithm/mpis/own.hpp"

namespace quadrille::algorithm::mpis {

std::vector<Own> openmpi_moves();
std::vector<Own> openmpi_sums();
std::vector<Own> mpich_list();

/// The schedule of one of our algorithms, on a switch of as many ranks, which allows every message.
SchedulePtr ours(const Spec& spec, std::string_view choice);

constexpr std::int64_t kib = 1024;
inline const std::vector<std::int64_t> usual_segments{8 * kib, 32 * kib, 128 * kib};

constexpr std::string_view even_segments = "its last segment is the shorter one; ours are alike";
constexpr std::string_view fold_powers = "on other numbers than 2^n of ranks some first give theirs to a neighbour";

inline const Parameter segment_parameter{
    .name = "segment", .meaning = "bytes of a segment, rounded so that all are alike; 0: not cut", .low = 0};
inline const Parameter chains_parameter{.name = "fanout", .meaning = "how many chains", .high = 1 << 20};
inline const Parameter radix_parameter{
    .name = "fanout", .meaning = "the base of the tree's digits; a setting of the MPI", .low = 2, .high = 1 << 20};

}  // namespace quadrille::algorithm::mpis
