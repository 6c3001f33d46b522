// Collectives through a shared memory: ranks access it in waves, as many at once as it serves. In an access a rank
// writes or reads all it has to, as one message.
#pragma once

#include <functional>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::kit {

/// What an access copies: some slots of a rank's buffer, and as many of the memory's.
using Copied = std::function<void(Buffer, const Slots& own, const Slots& memory)>;

/// Accesses that do not wait for each other. rank(i) is who comes i-th, index(r) where a rank comes; count and above:
/// nowhere.
struct Accesses {
  Rank count = 0;
  std::function<Rank(Rank)> rank, index;
  std::function<void(Rank r, const Copied&)> copy;
};
/// All ranks; all but one, in turn from the next; one.
Accesses by_all(Rank ranks, std::function<void(Rank, const Copied&)> copy);
Accesses by_others(Rank ranks, Rank but, std::function<void(Rank, const Copied&)> copy);
/// Everything but place `own` of `blocks`, which lie at one distance in the memory.
void copy_others(Buffer buffer, Slot own, Slot blocks, Slot memory, Slot stride, const Copied& copied);
/// In how many waves of all ranks somebody copies several runs when each leaves its own of P blocks out.
Rank waves_that_pack(Rank ranks, std::int64_t at_once);

/// All writes, then all reads; `blocks` of scratch.
SchedulePtr waves_schedule(const Spec& spec, const Machine& machine, Slot blocks, Accesses writes, Accesses reads);
/// Waves of `writes` accesses of one size, then of `reads` of another.
Cost waves_cost(const Machine& machine, Rank writes, Bytes written, Rank reads, Bytes read);

/// One rank writes items one after the other, and the readers of an item read it while the next is written: after the
/// first, the accesses follow each other as write 1, reads of item 0, write 2, reads of item 1 ..., and every wave
/// takes the next as many as the memory serves, at most readers + 1. So nobody has two accesses in a wave, and an item
/// is read in a later wave than it is written. Ranks are counted from the writer, which is 0.
struct AccessStream {
  Slot items = 0;
  Rank readers = 0, last_readers = 0;                 ///< of an item; of the last one
  std::function<Rank(Slot item, Rank i)> reader;      ///< 1 .. P-1
  std::function<Rank(Slot item, Rank reader)> place;  ///< i of a reader; readers and above: it does not read the item
  std::function<void(Slot item, const Copied&)> write;
  std::function<void(Slot item, Rank reader, const Copied&)> read;

  std::int64_t at_once(const Machine& machine) const { return std::min(machine.shared, readers + 1); }
  std::int64_t accesses() const { return (items - 1) * (readers + 1) + last_readers; }  ///< after the first
  Round rounds(const Machine& machine) const;
};
SchedulePtr stream_schedule(const Spec& spec, const Machine& machine, AccessStream stream, const Shape& shape);

}  // namespace quadrille::algorithm::kit
