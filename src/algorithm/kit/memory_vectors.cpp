#include "algorithm/kit/memory_vectors.hpp"

namespace quadrille::algorithm::kit {

void read_and_combine(Rank self, Rank r, Rank memory, const Reading& from, Buffer sum, Slot own, Slot sum_slot,
                      Steps& out) {
  bool first = true;
  const auto take = [&](Rank s) {
    if (self == memory) return out.send(r, Buffer::tmp, at(from.slot(s)));
    const Combine how = onto(r, s, first ? Buffer::in : sum, first ? own : sum_slot);
    first = false;
    out.combine(memory, sum, at(sum_slot), how);
  };
  for (Rank s = r - 1; s >= from.low; --s) take(s);
  for (Rank s = r + 1; s < from.high; ++s) take(s);
}

}  // namespace quadrille::algorithm::kit
