// Rounds of messages that Python lists, as a table.
#pragma once

#include "bindings.hpp"
#include "schedule/table.hpp"

namespace quadrille::python {

/// An iterable of rounds. A round is an iterable of messages, or an array of integers with a row for each: source,
/// target, slot; or source, target, buffer, slot, buffer, slot. A message is a tuple as quadrille.Message.
schedule::Table table_of_rounds(const Spec& spec, const py::iterable& rounds, Slot pieces, Slot scratch);

}  // namespace quadrille::python
