// Which schedules a test has run already: machines differ more often than the schedules that are built for them.
#pragma once

#include <string>
#include <unordered_set>

#include "base/hash.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::testing {

class SeenSchedules {
 public:
  /// Whether `what` was asked about before, with a schedule that says the same of every rank and round. Two schedules
  /// that differ have the same hash once in 10^19 pairs.
  bool seen(const std::string& what, const Schedule& schedule) {
    return !all_.insert(what + ' ' + std::to_string(hash(schedule))).second;
  }

 private:
  class Hash {
   public:
    template <class... Numbers>
    void add(Numbers... numbers) {
      ((value_ = base::combined(value_, static_cast<std::uint64_t>(numbers))), ...);
    }
    std::uint64_t value() const { return base::scrambled(value_); }

   private:
    std::uint64_t value_ = 0;
  };
  static void add(Hash& hash, const Transfer& x) {
    hash.add(x.kind, x.buffer, x.peer, x.slots.first, x.slots.run, x.slots.stride, x.slots.size);
    hash.add(x.combine.incoming, x.combine.again, x.combine.buffer, x.combine.with);
  }
  static void add_shape(Hash& hash, const Schedule& schedule) {
    const Shape& shape = schedule.shape();
    hash.add(shape.in, shape.out, shape.tmp, shape.rounds);
    for (Slot piece = 0; piece <= shape.cut.pieces(); ++piece) hash.add(shape.cut.offset(piece));
    for (const Buffer b : {Buffer::in, Buffer::out})
      for (Slot label = 0; label < shape.blocks(b); ++label)
        for (Slot piece = 0; piece < shape.cut.pieces(); ++piece)
          hash.add(schedule.block(b, label, piece), shape.piece_offset(b, label, piece));
  }
  static std::uint64_t hash(const Schedule& schedule) {
    Hash all;
    add_shape(all, schedule);
    Collected collected;
    for (Round t = 0; t < schedule.shape().rounds; ++t) {
      all.add(schedule.barrier(t));
      for (Rank r = 0; r < schedule.shape().ranks; ++r) {
        all.add(r);
        for (const Transfer& x : collected.all(schedule, t, r)) add(all, x);
      }
    }
    return all.value();
  }

  std::unordered_set<std::string> all_;
};

}  // namespace quadrille::testing
