// Schedules in the forms of other tools.
#pragma once

#include <functional>
#include <string_view>

#include "quadrille/collective.hpp"
#include "quadrille/order.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille {

/// Writes the schedule as a time-independent trace of SimGrid's SMPI, which `smpirun -replay` plays: rank by rank, and
/// each in one of two orders. Order::dataflow: a rank posts the receives and then the sends of a round, and waits for
/// all of them. Order::eager: it posts receives when their places are free, sends what is final, and waits for what it
/// receives, as executors do. The tag of a message is its round. Local copies are left out. Returns the messages
/// written. Throws Error(illegal) where nodes that are no ranks take part (a shared memory): the format has none.
std::int64_t write_smpi_trace(const Spec& spec, const Schedule& schedule,
                              const std::function<void(std::string_view)>& write, Order order = Order::dataflow);

}  // namespace quadrille
