#include "topology/omega.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

void Omega::route(Rank from, Rank to, std::vector<Link>& path) const {
  if (from == to) return;
  for (int i = 0; i <= n_; ++i)
    path.push_back((Link{i} << n_) + (((from << i) | (to >> (n_ - i))) & (base::bit(n_) - 1)));
}

std::string Omega::name(Link link) const { return fmt::format("level {} wire {}", link >> n_, tail(link)); }

TopologyFamily omega_family() {
  return {"omega", "omega:N",
          "2^N ranks, N = 1..30, through N stages of 2x2 switches with a perfect shuffle before each",
          [](std::string_view text) -> TopologyPtr {
            return std::make_shared<Omega>(static_cast<int>(base::parse_integer(text, 1, 30, "omega stages")));
          }};
}

}  // namespace quadrille::topology
