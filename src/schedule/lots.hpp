// Slots of a smaller schedule as slots of the whole one, whose blocks are cut wherever any of the smaller ones cuts.
#pragma once

#include <algorithm>
#include <vector>

#include "schedule/levels.hpp"

namespace quadrille::schedule {

/// Of one phase. A run of its slots lies in one stretch of pieces, of one or more lots of blocks.
class Lots {
 public:
  Lots(const Phase& phase, const Shape& whole);

  /// Where the phase cuts the whole schedule's blocks, which have so many bytes.
  static void append_edges(const Phase& phase, Bytes bytes, std::vector<Bytes>& edges);
  /// Bytes from the beginning of the inner schedule's vector, or blocks, to their end.
  static Bytes extent(const Phase& phase);

  /// What the slots of a segment are: lists of slots in the order of their data.
  struct Part {
    Buffer buffer;
    Slots slots;
  };
  /// `lots` is room for what is worked out meanwhile.
  void append(Rank r, Buffer buffer, const Slots& slots, std::vector<Part>& parts, std::vector<Lot>& lots) const;

  /// Calls visit(begin, end) for the bytes of the inner schedule's vector that the slots are of.
  template <class Visit>
  void each_range(Buffer buffer, const Slots& slots, Visit visit) const {
    each_stretch(buffer, slots, [&](const Stretch& stretch) { visit(stretch.begin, stretch.end); });
  }

 private:
  /// Consecutive pieces of a block.
  struct Stretch {
    Slot label;
    Bytes begin, end;
  };
  /// Slots whose bytes follow each other are one stretch.
  template <class Visit>
  void each_stretch(Buffer buffer, const Slots& slots, Visit visit) const {
    const auto stretch = [&](Slot first, Slot last) { visit(stretch_of(buffer, first, last)); };
    if (is_joined(buffer))
      for (Slot done = 0; done < slots.size; done += slots.run)
        stretch(slots[done], slots[std::min(done + slots.run, slots.size) - 1]);
    else
      for_each_slot(slots, [&](Slot slot) { stretch(slot, slot); });
  }
  /// Whether slots that follow each other do so in memory.
  bool is_joined(Buffer buffer) const;
  Stretch stretch_of(Buffer buffer, Slot first, Slot last) const;
  Slot piece_at(Bytes edge) const;
  void append_lot(const Lot& lot, Slot first, Slot end, std::vector<Part>& parts) const;

  const Phase* phase_;
  Shape inner_, whole_;
  bool named_as_it_is_;
  double pieces_a_byte_ = 0;  ///< of the whole
};

/// Hands on what a rank's segments become. Those that follow each other in memory are one.
class Placed {
 public:
  Placed(const Lots& lots, Rank r, Steps& out) : lots_(lots), r_(r), out_(out) {}
  void add(const Transfer& x, Rank peer);
  void finish();

 private:
  void hand_on(const Transfer& x, bool may_join);
  void flush();
  void divide_alike();
  void rename(const Transfer& x, Rank peer, std::vector<Transfer>& all);

  const Lots& lots_;
  Rank r_;
  Steps& out_;
  std::vector<std::vector<Transfer>> alike_;  ///< a segment and those that take the same again
  std::size_t waiting_ = 0;                   ///< of these; the others are room for later ones
  std::vector<Lots::Part> parts_, operands_;
  std::vector<Lot> named_;
  Transfer last_ = {};
  bool has_last_ = false, joins_ = false;
};

}  // namespace quadrille::schedule
