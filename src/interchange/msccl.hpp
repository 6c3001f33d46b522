// The words of MSCCL's XML, shared by who writes and who reads it.
#pragma once

#include <array>
#include <string_view>

#include "interchange/schedule_file.hpp"
#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

struct MscclCollective {
  std::string_view name;  ///< "reducescatter"
  Collective collective;
  bool per_rank;  ///< a user's buffer has a block for each rank
};
constexpr std::array<MscclCollective, 8> msccl_collectives{{{"allgather", Collective::allgather, true},
                                                            {"allreduce", Collective::allreduce, false},
                                                            {"reducescatter", Collective::reduce_scatter, true},
                                                            {"alltoall", Collective::alltoall, true},
                                                            {"broadcast", Collective::bcast, false},
                                                            {"reduce", Collective::reduce, false},
                                                            {"gather", Collective::gather, true},
                                                            {"scatter", Collective::scatter, true}}};

/// Limits of its executor.
constexpr std::int64_t msccl_steps = 64, msccl_count = 71, msccl_blocks = 32, msccl_channels = 32;

std::int64_t write_msccl(const Written& written, const TextSink& sink);
ScheduleFile read_msccl(const std::string& text, const std::string& name);

}  // namespace quadrille::interchange
