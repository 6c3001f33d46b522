// Compiles messages that combine: what becomes of the bytes they bring, and when the places are free for it.
#include <fmt/format.h>

#include <algorithm>

#include "program/program.hpp"

namespace quadrille::program {

bool Compiler::Segments::combine() const {
  return std::any_of(list.begin(), list.end(),
                     [](const Transfer& x) { return x.combine.combines() || x.combine.again; });
}

Compiler::Free Compiler::use(Round t, Message& m, const Segments& message) {
  Free all;
  Bytes last = 0;  // where the segment before started
  m.first_use = program_.uses.size();
  for (const Transfer& x : message.list) {
    if (!x.combine.again) last = m.bytes;
    Use made{.at = last, .incoming = x.combine.incoming, .result = program_.extents.size()};
    std::vector<Extent> own;
    StridedBuilder<1> results(program_.extents), operands(own);
    const Free free = use_slots(t, m, x, results, operands);
    made.operand = program_.extents.size();
    program_.extents.insert(program_.extents.end(), own.begin(), own.end());
    made.end = program_.extents.size();
    const auto extents = std::span<const Extent>(program_.extents);
    const Bytes bytes = total_bytes(extents.subspan(made.result, made.operand - made.result));
    if (x.combine.again ? last + bytes != m.bytes
                        : x.combine.combines() && total_bytes(extents.subspan(made.operand)) != bytes)
      refuse(Error::Kind::transport, t,
             fmt::format("uses {} B of what comes from rank {} in another length", bytes, m.peer));
    if (!x.combine.again) m.bytes += bytes;
    if (x.combine.combines()) program_.combined += bytes;
    program_.uses.push_back(made);
    all.after = std::max(all.after, free.after);
    all.settle = std::max(all.settle, free.settle);
  }
  m.last_use = program_.uses.size();
  settle_ = std::max(settle_, all.settle);
  return all;
}

Compiler::Free Compiler::use_slots(Round t, Message& m, const Transfer& x, StridedBuilder<1>& results,
                                   StridedBuilder<1>& operands) {
  Free all;
  const Slots operand = x.operand();
  slots_ += x.slots.size;
  for (Slot i = 0; i < x.slots.size; ++i) {
    const Slot slot = existing(t, x.buffer, x.slots[i]);
    const Slot own = x.combine.combines() ? existing(t, x.combine.buffer, operand[i]) : slot;
    const Free free = combine_into(t, m, x, slot, own);
    all.after = std::max(all.after, free.after);
    all.settle = std::max(all.settle, free.settle);
    add_slot(t, x.buffer, slot, results);
    if (x.combine.combines()) add_slot(t, x.combine.buffer, own, operands);
  }
  results.finish();
  operands.finish();
  return all;
}

/// What must be over before a slot takes its result. Of several results of a round in one slot, all but the first take
/// what is there.
Compiler::Free Compiler::combine_into(Round t, Message& m, const Transfer& x, Slot slot, Slot operand) {
  if (x.buffer == Buffer::in)
    refuse(Error::Kind::internal, t, fmt::format("writes slot {} of in, which is only read", slot));
  const bool combines = x.combine.combines(), in_place = x.combine.buffer == x.buffer && operand == slot;
  Free free;
  if (combines && !in_place) {
    Touched& own = touched(x.combine.buffer, operand);
    if (own.written == step_)
      refuse(Error::Kind::internal, t,
             fmt::format("combines with slot {} of {}, which it also writes in this round", operand,
                         to_string(x.combine.buffer)));
    own.read = step_;
    free.after = own.written;
  }
  Touched& result = touched(x.buffer, slot);
  const bool follows = result.written == step_;
  if (result.read == step_ || (follows && !(combines && in_place)))
    refuse(Error::Kind::internal, t,
           fmt::format("writes slot {} of {}, which it also {} in this round", slot, to_string(x.buffer),
                       follows ? "writes a second time" : "reads"));
  m.in_turn = m.in_turn || follows;
  free.after = std::max<std::size_t>({free.after, result.read, follows ? 0 : result.written});
  free.settle = result.sent;
  result.written = step_;
  return free;
}

}  // namespace quadrille::program
