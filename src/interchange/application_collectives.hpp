// Collectives in a time-independent trace of SMPI: what their lines say, and the messages that a schedule makes of
// them.
#pragma once

#include <map>
#include <vector>

#include "interchange/smpi_lines.hpp"

namespace quadrille::interchange {

/// The n-th collectives of all ranks are one: it is performed by the schedule that `schedule_of` gives. Throws
/// Error(format) with the line for ranks that do not call alike, and for what a line may not say.
void perform_collectives(const std::map<Rank, std::vector<SmpiAction>>& by_rank, const ScheduleOf& schedule_of,
                         ApplicationBuilder& builder);

}  // namespace quadrille::interchange
