// Chakra's execution traces, which simulators of machine learning such as ASTRA-sim play: a file for each rank.
#pragma once

#include "interchange/schedule_file.hpp"

namespace quadrille::interchange {

/// In which order ranks go on: nodes wait for the data that they carry and overwrite, or for a rank's whole round
/// before.
enum class ChakraOrder { data, rounds };

constexpr Rank most_chakra_ranks = 1 << 14;

/// One rank's trace: a header and its nodes, each with its length before it. A message is a node at either end, with
/// comm_src, comm_dst, comm_tag (its round) and comm_size in bytes. What a rank combines, or moves within its memory,
/// is a compute node with num_ops, one operation for each element, and tensor_size, the bytes that it reads and writes.
/// Source: schema/protobuf/et_def.proto of mlcommons/chakra. Throws Error(illegal) with what a trace cannot say.
/// Returns the messages that the rank sends.
std::int64_t write_chakra(const Written& written, Rank rank, const TextSink& sink, ChakraOrder order);

}  // namespace quadrille::interchange
