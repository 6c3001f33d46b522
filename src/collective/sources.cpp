// Sources as text: lists and distributions.
#include "quadrille/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "topology/grid.hpp"

namespace quadrille {

namespace {

using Shapes = Distribution::Kind;
constexpr std::array<std::string_view, 7> distribution_names{"R", "C", "DR", "DL", "E", "Cr", "B"};
constexpr Rank largest = Rank{1} << 30;

[[noreturn]] void refuse(std::string_view text) {
  throw Error(Error::Kind::argument,
              fmt::format("sources {}: expected ranks such as 0,3,17 or 0:100,5:2KiB, or one of R(s), R(s,balanced), "
                          "C(s), C(s,balanced), DR(s), DL(s), E(s), E(every=i), Cr(s), B(s), B(HxW), B(HxW@ROW,COLUMN)",
                          base::quoted(text)));
}

Rank number(std::string_view part, Rank low, std::string_view text) {
  return base::parse_integer(part, low, largest, fmt::format("sources {}:", base::quoted(text)));
}

void parse_block(Distribution& d, std::string_view inside, std::string_view text) {
  const std::vector<std::string_view> at = base::split(inside, '@');
  if (at.size() > 2) refuse(text);
  const std::vector<std::string_view> sides = base::split(at[0], 'x');
  if (sides.size() > 2) refuse(text);
  if (sides.size() == 1)
    d.count = number(sides[0], 1, text);
  else
    d.height = number(sides[0], 1, text), d.width = number(sides[1], 1, text);
  if (at.size() == 1) return;
  const std::vector<std::string_view> corner = base::split(at[1], ',');
  if (corner.size() != 2) refuse(text);
  d.top = number(corner[0], 0, text), d.left = number(corner[1], 0, text);
}

/// Whether the text does not start like a list of ranks.
bool names_pattern(std::string_view text) { return text.find_first_of("0123456789") != 0; }

}  // namespace

Rectangle rectangle_of(const Topology& topology) {
  const auto* grid = topology.structure().grid;
  if (grid == nullptr || grid->sides().size() != 2) return {1, topology.ranks()};
  return {grid->sides()[0], grid->sides()[1]};
}

Distribution parse_distribution(std::string_view text) {
  const auto open = text.find('(');
  const auto name = std::find(distribution_names.begin(), distribution_names.end(), text.substr(0, open));
  if (open == std::string_view::npos || name == distribution_names.end() || text.back() != ')') refuse(text);
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  Distribution d{.kind = static_cast<Shapes>(name - distribution_names.begin())};
  if (d.kind == Shapes::block) return parse_block(d, inside, text), d;
  if (d.kind == Shapes::equal && inside.starts_with("every=")) return d.every = number(inside.substr(6), 1, text), d;
  const std::vector<std::string_view> parts = base::split(inside, ',');
  d.count = number(parts[0], 1, text);
  if (parts.size() == 1) return d;
  if (parts.size() > 2 || parts[1] != "balanced" || (d.kind != Shapes::rows && d.kind != Shapes::columns)) refuse(text);
  d.balanced = true;
  return d;
}

std::string to_text(const Distribution& d) {
  const std::string_view name = distribution_names[static_cast<std::size_t>(d.kind)];
  if (d.every > 0) return fmt::format("{}(every={})", name, d.every);
  const std::string sides = d.height > 0 ? fmt::format("{}x{}", d.height, d.width) : std::to_string(d.count);
  if (d.kind == Shapes::block && (d.top > 0 || d.left > 0))
    return fmt::format("{}({}@{},{})", name, sides, d.top, d.left);
  return fmt::format("{}({}{})", name, sides, d.balanced ? ",balanced" : "");
}

SourcesPtr parse_sources(std::string_view text, const Topology& topology, Bytes bytes) {
  std::vector<std::pair<Rank, Bytes>> list;
  if (names_pattern(text)) {
    for (const Rank r : places(parse_distribution(text), rectangle_of(topology))) list.emplace_back(r, bytes);
    return make_sources(std::move(list));
  }
  for (const std::string_view item : base::split(text, ',')) {
    const auto colon = item.find(':');
    const Rank rank = base::parse_integer(item.substr(0, colon), 0, topology.ranks() - 1,
                                          fmt::format("source on {}", topology.text()));
    const bool given = colon != std::string_view::npos;
    list.emplace_back(
        rank, given ? base::parse_bytes(item.substr(colon + 1), fmt::format("bytes of source {}", rank)) : bytes);
  }
  return make_sources(std::move(list));
}

std::string to_text(const Sources& sources, Bytes bytes) {
  std::string text;
  for (Slot i = 0; i < sources.count(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ",", sources.ranks[static_cast<std::size_t>(i)]);
    if (sources.bytes(i) != bytes) text += fmt::format(":{}", sources.bytes(i));
  }
  return text;
}

}  // namespace quadrille
