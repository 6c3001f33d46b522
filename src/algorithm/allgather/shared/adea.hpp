// The alternate direction exchange, shared by its plain and its rotated form.
#pragma once

#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::allgather_adea {

/// All-gather of 2^dimension blocks of `bytes`, full duplex, one port.
SchedulePtr adea_schedule(int dimension, Bytes bytes);

}  // namespace quadrille::algorithm::allgather_adea
