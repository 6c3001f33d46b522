#include "topology/crossbar.hpp"

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

Link Crossbar::representative(Link link, Group group) const {
  const Rank from = tail(link), to = head(link), zero = representative_rank(from, group);
  if (group == Group::none) return link;
  return zero * p_ + (group == Group::rotate ? base::wrap(to - from, p_) : to ^ from ^ zero);
}

TopologyFamily crossbar_family() {
  return {"crossbar", "crossbar:P",
          "P ranks, P = 2..2^30; a private wire between any two; every route is one link; also switch:P, which in the "
          "papers has one port a rank (machine switch-1986)",
          [](std::string_view text) -> TopologyPtr {
            return std::make_shared<Crossbar>(base::parse_integer(text, 2, base::bit(30), "crossbar size"));
          }};
}

}  // namespace quadrille::topology
