// Where blocks lie that go from a root to leaders of nodes and from there to their ranks, or the other way.
#pragma once

#include "algorithm/kit/levels.hpp"

namespace quadrille::algorithm::scatter {

/// The root has all blocks in `many`, every rank its own in `one`. A leader has those of its node in scratch.
struct NodePlaces {
  Buffer many, one;
  kit::OnNodes on;

  schedule::Place between() const {
    return [*this, k = on.cores, leader = on.root_core](Rank, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
      if (b == many) return lots.push_back({.buffer = b, .label = label * k, .count = k});
      if (b == Buffer::tmp) return lots.push_back({.buffer = b, .label = k + label * k, .count = k});
      lots.push_back({.buffer = Buffer::tmp, .count = leader});
      lots.push_back({.buffer = one});
      lots.push_back({.buffer = Buffer::tmp, .label = leader + 1, .count = k - 1 - leader});
    };
  }
  schedule::Place inside() const {
    return [*this, k = on.cores](Rank r, Buffer b, Slot core, std::vector<schedule::Lot>& lots) {
      if (b == Buffer::tmp) return lots.push_back({.buffer = b, .label = k + core});
      if (b == one) return lots.push_back({.buffer = one});
      if (r / k == on.root_node) return lots.push_back({.buffer = many, .label = r / k * k + core});
      if (core == on.root_core) return lots.push_back({.buffer = one});
      lots.push_back({.buffer = Buffer::tmp, .label = core});
    };
  }
  /// Blocks of scratch for these algorithms between nodes and inside.
  Slot scratch(const Schedule& outer, const Schedule& inner) const {
    return on.cores + std::max(outer.shape().tmp * on.cores, inner.shape().tmp);
  }
};

}  // namespace quadrille::algorithm::scatter
