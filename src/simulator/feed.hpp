// What every rank does in a round, as the simulator needs it: to whom it sends how much, and how much it waits for.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::simulator {

/// One rank's part in one round.
struct Part {
  /// Messages that leave as one: the same data to several ranks on a machine with multicast, all that a rank puts on a
  /// shared medium; otherwise one message.
  struct Bundle {
    std::uint32_t first = 0, count = 0;  ///< in peers
    Bytes bytes = 0;
  };
  std::vector<std::uint32_t> peers;
  std::vector<Bundle> bundles;
  std::uint32_t receives = 0;
  Bytes permuted = 0, packed = 0;  ///< copied within the rank
  Bytes combined = 0;              ///< by the operator of a reduction, when all has come

  bool idle() const { return bundles.empty() && receives == 0 && copied() == 0 && combined == 0; }
  Bytes copied() const { return permuted + packed; }
};

/// A part with its peers renamed: as the rank that stands for others does it, seen from one of them.
class Seen {
 public:
  Seen(const Part& part, Group group = Group::none, Rank by = 0, Rank ranks = 0)
      : part_(&part), by_(static_cast<std::uint32_t>(by)), ranks_(group == Group::rotate ? ranks : 0) {}
  const Part& part() const { return *part_; }
  std::uint32_t peer(std::size_t i) const {
    const std::uint32_t known = part_->peers[i];
    if (ranks_ == 0) return known ^ by_;
    const auto turned = static_cast<Rank>(known) + by_;
    return static_cast<std::uint32_t>(turned >= ranks_ ? turned - ranks_ : turned);
  }

 private:
  const Part* part_;
  std::uint32_t by_;
  Rank ranks_;  ///< 0: renamed by xor
};

/// Parts on demand: nothing of size ranks x rounds is kept.
class Feed {
 public:
  virtual ~Feed() = default;
  /// Valid until the next call.
  virtual Seen part(Round t, Rank r) = 0;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// To whom the rank sends first in that round, where that is known without asking the schedule, else none.
  virtual std::uint32_t peer(Round t, Rank r) const = 0;
};

/// Asks the schedule; where it has a symmetry, only for the ranks that stand for all, once a round.
std::unique_ptr<Feed> make_feed(const Spec& spec, const Machine& machine, const Schedule& schedule);

}  // namespace quadrille::simulator
