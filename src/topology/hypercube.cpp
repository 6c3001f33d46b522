#include "topology/hypercube.hpp"

#include <bit>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

void Hypercube::route(Rank from, Rank to, std::vector<Link>& path) const {
  for (auto rest = static_cast<std::uint64_t>(from ^ to); rest != 0; rest &= rest - 1) {
    const int b = std::countr_zero(rest);
    path.push_back(from * n_ + b);
    from ^= base::bit(b);
  }
}

TopologyFamily hypercube_family() {
  return {
      "hypercube", "hypercube:D", "2^D ranks, D = 1..30; neighbours differ in one bit; e-cube routes, lowest bit first",
      [](std::string_view text) -> TopologyPtr {
        return std::make_shared<Hypercube>(static_cast<int>(base::parse_integer(text, 1, 30, "hypercube dimension")));
      }};
}

}  // namespace quadrille::topology
