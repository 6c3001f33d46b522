// Which operations of a rank touched which slots last, and so what the next ones have to wait for.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::interchange {

/// Operations are known by labels. What a round notes counts from the next round on: in a round all reads precede all
/// writes, and no slot is both read and written.
template <class Label>
class SlotUses {
 public:
  /// Adds to `before` what must be over before a slot is read, or written.
  void wait_for(Buffer buffer, Slot slot, bool writes, std::set<Label>& before) const {
    const auto found = uses_.find({buffer, slot});
    if (found == uses_.end()) return;
    before.insert(found->second.writes.begin(), found->second.writes.end());
    if (writes) before.insert(found->second.reads.begin(), found->second.reads.end());
  }
  void note(Buffer buffer, Slot slot, bool writes, const Label& label) {
    Uses& uses = pending_[{buffer, slot}];
    (writes ? uses.writes : uses.reads).push_back(label);
  }
  /// The one that has written the slot in this round, if any: several combine into it one after the other.
  const Label* written_now(Buffer buffer, Slot slot) const {
    const auto found = pending_.find({buffer, slot});
    return found == pending_.end() || found->second.writes.empty() ? nullptr : &found->second.writes.back();
  }
  void end_round() {
    for (auto& [place, uses] : pending_) {
      Uses& known = uses_[place];
      if (!uses.writes.empty()) known = {};
      known.writes.insert(known.writes.end(), uses.writes.begin(), uses.writes.end());
      known.reads.insert(known.reads.end(), uses.reads.begin(), uses.reads.end());
    }
    pending_.clear();
  }

 private:
  struct Uses {
    std::vector<Label> reads, writes;
  };
  std::map<std::pair<Buffer, Slot>, Uses> uses_, pending_;
};

/// Calls visit(buffer, slot, whether it is written) for what transfers that are chosen touch at their rank.
template <class Chosen, class Visit>
void for_each_use(const std::vector<Transfer>& all, const Chosen& chosen, const Visit& visit) {
  for (const Transfer& x : all) {
    if (!chosen(x)) continue;
    for_each_slot(x.slots, [&](Slot s) { visit(x.buffer, s, x.kind == Kind::recv); });
    if (x.combine.combines()) for_each_slot(x.operand(), [&](Slot s) { visit(x.combine.buffer, s, false); });
  }
}

}  // namespace quadrille::interchange
