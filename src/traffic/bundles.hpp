// Messages of one rank and round that travel as one.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::traffic {

/// Whether a rank sends the same slots to both peers.
bool same_data(const Schedule& schedule, Round t, Rank r, Rank first, Rank second);

/// Bundles what a rank sends in a round: everything on a shared medium, as long as its different slots; the same data
/// to several ranks on a machine with multicast; else every message is by itself.
class Bundler {
 public:
  Bundler(const Spec& spec, const Machine& machine, const Schedule& schedule)
      : schedule_(schedule),
        ranks_(spec.ranks()),
        medium_(spec.topology->shared_medium()),
        multicast_(machine.multicast) {}

  /// False: every message is by itself.
  bool bundles() const { return medium_ || multicast_; }
  /// Calls use(peers, bytes) for every bundle of the messages that Summary gave for (t, r).
  template <class Use>
  void each(Round t, Rank r, const std::vector<Summary::Message>& messages, Use use) {
    if (!bundles()) {
      for (const Summary::Message& m : messages)
        if (m.kind == Kind::send && m.peer != r) use(std::span<const Rank>(&m.peer, 1), m.bytes);
      return;
    }
    bundle(t, r, messages);
    for (const Bundle& b : bundles_) use(std::span<const Rank>(b.peers), b.bytes);
  }

 private:
  struct Bundle {
    std::vector<Rank> peers;
    Bytes bytes;
  };
  void bundle(Round t, Rank r, const std::vector<Summary::Message>& messages);
  Bytes distinct_bytes(Round t, Rank r);

  const Schedule& schedule_;
  Rank ranks_;
  bool medium_, multicast_;
  Collected all_;
  std::vector<Bundle> bundles_;
};

}  // namespace quadrille::traffic
