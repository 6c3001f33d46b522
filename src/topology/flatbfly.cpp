// Flattened butterflies: hosts at switches that are joined where one digit differs.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::flatbfly {

namespace {

TopologyPtr make(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ',');
  if (parts.size() != 2)
    throw Error(Error::Kind::argument, fmt::format("topology flatbfly:{}: expected flatbfly:K,N", base::quoted(text)));
  const Rank k = base::parse_integer(parts[0], 2, 1024, "digits of flatbfly");
  const Rank n = base::parse_integer(parts[1], 1, 19, "dimensions of flatbfly");
  Rank routers = 1;
  for (Rank i = 1; i < n && routers <= most_vertices; ++i) routers *= k;
  if (routers * (k + 1) > most_vertices || routers * ((k - 1) * (n - 1) + 2 * k) > most_arcs)
    throw Error(Error::Kind::argument,
                fmt::format("topology flatbfly:{}: expected at most 2^20 hosts and switches, and 2^24 links",
                            base::quoted(text)));
  Network network{.vertices = routers * (k + 1), .ranks = routers * k, .kinds = {"host", "switch"}};
  for (Rank r = 0; r < network.ranks; ++r) network.join(r, network.ranks + r / k);
  for (Rank step = 1; step < routers; step *= k)
    for (Rank r = 0; r < routers; ++r)
      for (Rank digit = r / step % k, other = digit + 1; other < k; ++other)
        network.join(network.ranks + r, network.ranks + r + (other - digit) * step, 1, 1);
  return make_graph(std::move(network), {"flatbfly", fmt::format("flatbfly:{},{}", k, n), "a flattened butterfly"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "flatbfly",
           .form = "flatbfly:K,N",
           .summary = "K^N hosts, K at each of K^(N-1) switches, which are joined where one digit differs; K = 2..1024",
           .make = make,
           .examples = {"2,3", "3,1"},
           .place = 290}};
}

}  // namespace quadrille::topology::flatbfly
