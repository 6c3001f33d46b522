#include "program/combining.hpp"

#include <algorithm>

#include "program/cursor.hpp"

namespace quadrille::program {

namespace {

using Incoming = Combine::Incoming;

/// Whether `next` goes on where `last`, a single stretch, ends in all places.
bool goes_on(const Combining& last, Incoming incoming, const Strided<3>& next) {
  if (last.incoming != incoming || last.at.count != 1 || next.count != 1 || last.at.buffer != next.buffer) return false;
  for (std::size_t i = 0; i < 3; ++i)
    if (last.at.offset[i] + last.at.length != next.offset[i]) return false;
  return true;
}

/// Moves `incoming` past the bytes of one use. What the list had before `first` is left alone.
void combine_use(Cursor& incoming, const Use& use, std::span<const Extent> extents, std::size_t first,
                 std::vector<Combining>& list) {
  std::vector<Strided<3>> places;
  StridedBuilder<3> builder(places);
  Cursor result(extents.subspan(use.result, use.operand - use.result));
  Cursor operand(extents.subspan(use.operand, use.end - use.operand));
  const bool stored = use.incoming == Incoming::stored;
  while (!result.done() && !incoming.done() && (stored || !operand.done())) {
    const Cursor& own = stored ? result : operand;
    const Bytes length = std::min({incoming.left(), result.left(), own.left()});
    builder.add({incoming.buffer(), own.buffer(), result.buffer()}, {incoming.offset(), own.offset(), result.offset()},
                length);
    if (!stored) operand.advance(length);
    incoming.advance(length);
    result.advance(length);
  }
  builder.finish();
  for (const Strided<3>& at : places)
    if (list.size() > first && goes_on(list.back(), use.incoming, at))
      list.back().at.length += at.length;
    else
      list.push_back({use.incoming, at});
}

}  // namespace

void combine_up(std::span<const Extent> from, std::span<const Use> uses, std::span<const Extent> extents,
                std::vector<Combining>& list) {
  Cursor begin(from), next(from);
  const Use* last = nullptr;
  const std::size_t first = list.size();
  for (const Use& use : uses) {
    if (last == nullptr || use.at != last->at) begin = next;
    next = begin;
    combine_use(next, use, extents, first, list);
    last = &use;
  }
}

}  // namespace quadrille::program
