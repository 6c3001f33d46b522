// Kautz graphs: words whose neighbouring letters differ, and one-way wires to the words that follow.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"
#include "topology/graph/network.hpp"

namespace quadrille::topology::kautz {

namespace {

/// Words are numbered as they stand in a dictionary: by their first letter, then by the place of each next letter among
/// those that may follow.
TopologyPtr make(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ',');
  if (parts.size() != 2)
    throw Error(Error::Kind::argument, fmt::format("topology kautz:{}: expected kautz:D,K", base::quoted(text)));
  const Rank d = base::parse_integer(parts[0], 2, 4095, "degree of kautz");
  const Rank length = base::parse_integer(parts[1], 1, 19, "letters of a word of kautz");
  Rank words = d + 1;
  for (Rank i = 1; i < length && words <= most_vertices; ++i) words *= d;
  if (words > most_vertices || words * d > most_arcs)
    throw Error(Error::Kind::argument,
                fmt::format("topology kautz:{}: expected at most 2^20 words and 2^24 wires", base::quoted(text)));
  const Rank heads = words / (d + 1);  // words with the same first letter
  Network network{.vertices = words, .ranks = words};
  for (Rank word = 0; word < words; ++word) {
    const Rank first = word / heads, rest = word % heads;
    if (length == 1) {
      for (Rank next = 0; next < words; ++next)
        if (next != word) network.arc(word, next);
      continue;
    }
    const Rank place = rest / (heads / d), second = place + (place >= first);
    for (Rank x = 0; x < d; ++x) network.arc(word, second * heads + rest % (heads / d) * d + x);
  }
  return make_graph(std::move(network), {"kautz", fmt::format("kautz:{},{}", d, length), "a Kautz graph"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {
      {.name = "kautz",
       .form = "kautz:D,K",
       .summary = "(D+1) D^(K-1) ranks: words of K of D+1 letters, no two neighbours alike; D one-way wires leave each",
       .make = make,
       .examples = {"2,3", "3,1"},
       .place = 330}};
}

}  // namespace quadrille::topology::kautz
