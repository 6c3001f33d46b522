#include "topology/ring.hpp"

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

int Ring::distance(Rank from, Rank to) const {
  const Rank clockwise = base::wrap(to - from, p_);
  return static_cast<int>(std::min(clockwise, p_ - clockwise));
}

void Ring::route(Rank from, Rank to, std::vector<Link>& path) const {
  if (p_ == 2) {
    if (from != to) path.push_back(from);
    return;
  }
  const Rank clockwise = base::wrap(to - from, p_);
  if (2 * clockwise <= p_)
    for (Rank i = 0; i < clockwise; ++i) path.push_back(2 * ((from + i) % p_));
  else
    for (Rank i = 0; i < p_ - clockwise; ++i) path.push_back(2 * base::wrap(from - i, p_) + 1);
}

Rank Ring::head(Link link) const {
  if (p_ == 2) return 1 - link;
  return base::wrap(link / 2 + (link % 2 == 0 ? 1 : -1), p_);
}

Link Ring::reverse(Link link) const { return p_ == 2 ? 1 - link : 2 * head(link) + 1 - link % 2; }

std::optional<int> Ring::colour(Rank rank) const {
  if (p_ % 2 != 0) return std::nullopt;
  return static_cast<int>(rank % 2);
}

TopologyFamily ring_family() {
  return {"ring", "ring:P", "P ranks, P = 2..2^30; neighbours are r+1 and r-1; routes go the shorter way round",
          [](std::string_view text) -> TopologyPtr {
            return std::make_shared<Ring>(base::parse_integer(text, 2, base::bit(30), "ring size"));
          }};
}

}  // namespace quadrille::topology
