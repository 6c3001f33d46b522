// Schedules in the forms of other tools.
#pragma once

#include <functional>
#include <string_view>

#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille {

/// Writes the schedule as a time-independent trace of SimGrid's SMPI, which `smpirun -replay` plays: rank by rank, and
/// round by round. A rank posts the receives and then the sends of a round, and waits for all of them; the tag of a
/// message is its round. Local copies are left out. Returns the messages written.
/// Throws Error(illegal) where nodes that are no ranks take part (a shared memory): the format has none.
std::int64_t write_smpi_trace(const Spec& spec, const Schedule& schedule,
                              const std::function<void(std::string_view)>& write);

}  // namespace quadrille
