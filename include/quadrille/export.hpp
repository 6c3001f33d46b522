// Schedules in the forms of other tools.
#pragma once

#include <functional>
#include <string_view>

#include "quadrille/collective.hpp"
#include "quadrille/order.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille {

/// Writes the schedule as a time-independent trace of SimGrid's SMPI, which `smpirun -replay` plays: rank by rank, and
/// each in one of two orders, as executors do: a rank posts receives when their places are free. Order::eager: it sends
/// what is final, and waits for what it receives. Order::dataflow: it sends what is of a round when all that it sent
/// and received before is over. The tag of a message is its round. Local copies are left out. Returns the messages
/// written. Throws Error(illegal) where nodes that are no ranks take part (a shared memory): the format has none;
/// Error(budget) where a rank's program takes more than 4 GiB.
std::int64_t write_smpi_trace(const Spec& spec, const Schedule& schedule,
                              const std::function<void(std::string_view)>& write, Order order = Order::dataflow);

}  // namespace quadrille
