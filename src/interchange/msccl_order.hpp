// The order of MSCCL's steps: what the file says of it, and the rounds that follow from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interchange/msccl_layout.hpp"

namespace quadrille::interchange {

/// A step as the file has it. Chunks are of a rank's buffers; a step that receives and sends does both.
struct ReadStep {
  std::size_t block = 0, step = 0;  ///< its place at the rank
  bool receives = false, sends = false, copies = false, combines = false;
  Chunk from = {}, to = {};  ///< of a receive that combines, `from` is the operand
  Slot count = 0;
  Combine::Incoming incoming = Combine::Incoming::right;
  std::int64_t wait_block = -1, wait_step = -1;
  Round round = -1;       ///< of its receive, send or copy; -1: not said
  Round send_round = -1;  ///< of the send of a step that receives, too
  std::int64_t line = 0;

  bool nothing() const { return !receives && !sends && !copies; }
};

struct ReadBlock {
  Rank send = -1, recv = -1;
  std::int64_t channel = 0, line = 0;
  std::vector<ReadStep> steps = {};
};

/// By rank.
using ReadBlocks = std::vector<std::vector<ReadBlock>>;

/// Throws Error(format), with the line, unless steps that touch the same chunk, one of them writing, are in an order
/// that the rank's blocks and waits say, and the file's rounds, if any, agree with it.
void check_order(const ReadBlocks& ranks, std::string_view file);

/// Gives every step the earliest round; messages of a pair and channel meet in order. Throws Error(format) where steps
/// wait for each other in a circle.
void give_rounds(ReadBlocks& ranks, std::string_view file);

}  // namespace quadrille::interchange
