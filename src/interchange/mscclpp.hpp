// The words and limits of MSCCL++'s execution plans.
#pragma once

#include <array>
#include <string_view>

#include "interchange/json_parts.hpp"
#include "interchange/schedule_file.hpp"

namespace quadrille::interchange {

struct PlanCollective {
  std::string_view name;  ///< "reducescatter"
  Collective collective;
  bool in_place;  ///< own blocks are in the output from the start
};
constexpr std::array<PlanCollective, 5> plan_collectives{{{"allgather", Collective::allgather, true},
                                                          {"allreduce", Collective::allreduce, false},
                                                          {"reducescatter", Collective::reduce_scatter, false},
                                                          {"alltoall", Collective::alltoall, false},
                                                          {"broadcast", Collective::bcast, true}}};

/// Limits of its executor, of a thread block unless it is said: src/core/include/execution_common.hpp of MSCCL++.
constexpr std::size_t plan_operations = 64, plan_channels = 16, plan_buffers = 16;
constexpr std::size_t plan_channels_at_once = 8;            ///< of an operation
constexpr std::size_t plan_semaphores = 16;                 ///< of a GPU
constexpr Bytes plan_alignment = 16;                        ///< bytes of which chunks are multiples
constexpr Bytes plan_buffer_bytes = (Bytes{1} << 32) - 16;  ///< offsets have 32 bits

/// Writes a plan: puts, signals and waits of every GPU, and the reductions of what came in. Throws Error(illegal) with
/// what plans cannot say.
std::int64_t write_mscclpp(const Written& written, const TextSink& sink);

/// Whether JSON is a plan, and not a schedule as `export json` writes it.
bool is_mscclpp(const Json& json);
/// Reads a plan, also of others. With what write_mscclpp() adds it is the schedule that was written; without it moves
/// are in the earliest rounds, and who has the root of a broadcast is not known. Throws Error(format) naming the
/// operation.
ScheduleFile read_mscclpp(const Json& json, const std::string& name);

}  // namespace quadrille::interchange
