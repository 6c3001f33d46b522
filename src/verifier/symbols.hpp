// What the slots of the representative ranks hold, and how other ranks' slots follow from them.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::verifier {

/// Block names in six bytes each: a proof for a million ranks keeps ten million of them.
class SymbolArray {
 public:
  explicit SymbolArray(Slot size = 0) : bytes_(static_cast<std::size_t>(size) * 6 + 2, 0) {}
  Slot get(Slot i) const {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + i * 6, 6);
    return static_cast<Slot>(word) - 1;  // 0 is nothing, so that a fresh array holds nothing
  }
  void set(Slot i, Slot symbol) {
    const auto word = static_cast<std::uint64_t>(symbol + 1);
    std::memcpy(bytes_.data() + i * 6, &word, 6);
  }

 private:
  std::vector<unsigned char> bytes_;
};

/// Visits the slots of a list of segments one after the other. A segment that takes the same incoming slots again
/// follows the one it repeats.
class SlotCursor {
 public:
  explicit SlotCursor(const std::vector<Transfer>& segments) : segments_(&segments) { enter(); }
  bool done() const { return segment_ == segments_->size(); }
  const Transfer& transfer() const { return (*segments_)[segment_]; }
  /// Calls use(segment) for the segment at hand and for those that take its slots again.
  template <class Use>
  void each_use(Use use) const {
    use(transfer());
    for (std::size_t i = segment_ + 1; i < segments_->size() && (*segments_)[i].combine.again; ++i)
      use((*segments_)[i]);
  }
  Slot index() const { return index_; }  ///< in the segment
  Slot slot() const { return base_ + in_run_; }
  void next() {
    const Slots& s = transfer().slots;
    if (++in_run_ == s.run) in_run_ = 0, base_ += s.stride;
    if (++index_ == s.size) leave();
  }
  /// Passes over at most `most` slots, of this segment only; says how many.
  Slot skip(Slot most) {
    const Slots& s = transfer().slots;
    const Slot count = std::min(most, s.size - index_);
    index_ += count;
    if (index_ == s.size)
      leave();
    else
      in_run_ = index_ % s.run, base_ = s.first + index_ / s.run * s.stride;
    return count;
  }

 private:
  void leave() {
    do ++segment_;
    while (!done() && transfer().combine.again);
    enter();
  }
  void enter() {
    index_ = in_run_ = 0;
    if (!done()) base_ = transfer().slots.first;
  }
  const std::vector<Transfer>* segments_;
  std::size_t segment_ = 0;
  Slot index_ = 0, in_run_ = 0, base_ = 0;
};

/// Contents of all ranks' buffers. Only the representatives' out and tmp are stored; in is what the collective says.
class Contents {
 public:
  Contents(const Spec& spec, const Schedule& schedule, Group group, bool one_piece);

  Slot slots_per_rank() const { return out_slots_ + tmp_slots_; }
  bool tracks(Buffer buffer, Slot slot) const { return !one_piece_ || slot / schedule_.shape().blocks(buffer) == 0; }
  /// How slots near a segment's start are found for rank `owner` in round t; fixed for one segment.
  struct View {
    Rank owner = -1, stored_at = 0, by = 0;
    Buffer buffer = Buffer::in;
    Slot twist = 0, blocks = 1;
    Slot symbol_mask = 0;
    bool turned = false, by_xor = false;
    SymbolArray const* array = nullptr;
  };
  /// Turns `view` to a segment; cheap when it was at one of the same buffer before.
  void look(Round t, Rank owner, const Transfer& segment, View& view) const;
  Slot read(const View& view, Slot slot) const;
  void write(Rank representative, Buffer buffer, Slot slot, Slot symbol) {
    arrays_[index(representative, buffer)].set(slot, symbol);
  }
  Slot held(Rank representative, Buffer buffer, Slot slot) const {
    return arrays_[index(representative, buffer)].get(slot);
  }

 private:
  View view(Rank owner, Buffer buffer) const;
  static std::size_t index(Rank r, Buffer buffer) { return static_cast<std::size_t>(2 * r + (buffer == Buffer::tmp)); }
  const Spec& spec_;
  const Schedule& schedule_;
  Group group_;
  bool one_piece_;
  Slot out_slots_, tmp_slots_;
  std::vector<SymbolArray> arrays_;
};

}  // namespace quadrille::verifier
