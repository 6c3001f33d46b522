// Slim Flies: networks of diameter 2 that are nearly as large as can be [McKay, Miller & Siran 1998].
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::slimfly {

namespace {

constexpr Rank largest = 173;

bool right(Rank q) {
  for (Rank i = 2; i * i <= q; ++i)
    if (q % i == 0) return false;
  return q % 4 == 1 && q > 1;
}

/// Which differences are even powers of the smallest primitive root; the others are odd ones.
std::vector<bool> even_powers(Rank q) {
  for (Rank root = 2;; ++root) {
    std::vector<bool> even(static_cast<std::size_t>(q), false);
    Rank power = 1, order = 0;
    do {
      if (order % 2 == 0) even[static_cast<std::size_t>(power)] = true;
      power = power * root % q, ++order;
    } while (power != 1);
    if (order == q - 1) return even;
  }
}

TopologyPtr make(std::string_view text) {
  const auto slash = text.find('/');
  const Rank q = base::parse_integer(text.substr(0, slash), 5, largest, "order of slimfly");
  if (!right(q))
    throw Error(
        Error::Kind::argument,
        fmt::format("order of slimfly '{}': expected a prime that leaves 1 when divided by 4: 5, 13, 17, 29, 37 .. 173",
                    q));
  const Rank p = slash == std::string_view::npos
                     ? 0
                     : base::parse_integer(text.substr(slash + 1), 1, 16, "hosts of a router of slimfly");
  const Rank routers = 2 * q * q, hosts = routers * p;
  Network network{.vertices = hosts + routers, .ranks = p == 0 ? routers : hosts};
  if (p > 0) network.kinds = {"host", "router"};
  for (Rank r = 0; r < hosts; ++r) network.join(r, hosts + r / p);
  const int kind = p > 0;
  const std::vector<bool> even = even_powers(q);
  for (Rank x = 0; x < q; ++x)
    for (Rank y = 0; y < q; ++y) {
      for (Rank other = y + 1; other < q; ++other) {
        const Rank part = even[static_cast<std::size_t>(other - y)] ? 0 : q * q;
        network.join(hosts + part + x * q + y, hosts + part + x * q + other, 1, kind);
      }
      for (Rank m = 0; m < q; ++m)
        network.join(hosts + x * q + y, hosts + q * q + m * q + base::wrap(y - m * x, q), 1, kind);
    }
  return make_graph(
      std::move(network),
      {"slimfly", p == 0 ? fmt::format("slimfly:{}", q) : fmt::format("slimfly:{}/{}", q, p), "a Slim Fly"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "slimfly",
           .form = "slimfly:Q",
           .summary =
               "2 Q^2 ranks, two links from each other, Q = 5, 13, 17, 29 .. 173; slimfly:Q/P: P hosts at each of "
               "so many routers",
           .make = make,
           .place = 300}};
}

}  // namespace quadrille::topology::slimfly
