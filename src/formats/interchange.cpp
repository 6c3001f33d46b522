// Schedules in forms that are also read: the rows of the table for what src/interchange/ writes.
#include "formats/table.hpp"
#include "interchange/chakra.hpp"
#include "interchange/goal.hpp"
#include "interchange/msccl.hpp"
#include "interchange/mscclpp.hpp"
#include "interchange/schedule_file.hpp"

namespace quadrille::formats {

std::int64_t json_schedule(const ScheduleJob& job, const Sink& sink) {
  return interchange::write_schedule_json({job.spec, job.schedule, job.choice}, sink);
}

std::int64_t msccl_schedule(const ScheduleJob& job, const Sink& sink) {
  return interchange::write_msccl({job.spec, job.schedule, job.choice}, sink);
}

std::int64_t mscclpp_schedule(const ScheduleJob& job, const Sink& sink) {
  return interchange::write_mscclpp({job.spec, job.schedule, job.choice}, sink);
}

std::int64_t goal_schedule(const ScheduleJob& job, const Sink& sink) {
  const auto order = job.order == Order::eager ? interchange::GoalOrder::data : interchange::GoalOrder::rounds;
  return interchange::write_goal({job.spec, job.schedule, job.choice}, sink, order);
}

std::int64_t chakra_schedule(const ScheduleJob& job, Rank rank, const Sink& sink) {
  const auto order = job.order == Order::eager ? interchange::ChakraOrder::data : interchange::ChakraOrder::rounds;
  return interchange::write_chakra({job.spec, job.schedule, job.choice}, rank, sink, order);
}

}  // namespace quadrille::formats
