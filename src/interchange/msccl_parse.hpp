// What a file of MSCCL says, before it is a schedule.
#pragma once

#include "interchange/msccl_order.hpp"

namespace quadrille::interchange {

/// Chunks that a gpu declares.
struct GpuChunks {
  Slot in = 0, out = 0, scratch = 0;
};

struct MscclText {
  std::string file;
  MscclCollective kind = msccl_collectives[0];
  Rank ranks = 0, root = 0;
  Slot labels = 1, pieces = 1;  ///< blocks of a whole buffer, and chunks of a block
  bool in_place = false;
  bool says_rounds = false;
  Round rounds = 0;  ///< at least; 0: not said
  std::vector<Round> barriers = {};
  std::vector<GpuChunks> chunks = {};
  bool mixes_pieces = false;  ///< of a vector: some are stored where others have their place
  Slot fresh = 0;             ///< chunks of buffer 't', which holds what is combined only to be sent
  ReadBlocks blocks = {};
};

/// Throws Error(format) with the line for what is no such file.
MscclText parse_msccl(const std::string& text, const std::string& name);

}  // namespace quadrille::interchange
