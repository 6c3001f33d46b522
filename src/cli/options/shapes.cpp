#include "cli/options/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "quadrille/sweep.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cli {

namespace {

/// "6x8" of 48.
std::string nearly_square(Rank ranks) {
  Rank side = 1;
  for (Rank i = 1; i * i <= ranks; ++i)
    if (ranks % i == 0) side = i;
  return side == 1 ? fmt::format("{}", ranks) : fmt::format("{}x{}", side, ranks / side);
}

std::string size_of(std::string_view form, Rank ranks) {
  if (form.find('x') != std::string_view::npos) return nearly_square(ranks);
  const bool of_two = form.ends_with(":D") || form.find('^') != std::string_view::npos;
  if (!of_two) return fmt::format("{}", ranks);
  if (!base::is_power_of_two(ranks)) return {};
  return fmt::format("{}{}", form.ends_with(":D") ? "" : "2^", base::log2_floor(ranks));
}

}  // namespace

std::string shape_of(std::string_view family, Rank ranks) {
  std::vector<std::string> known;
  for (const TopologyFamily& f : topology_families()) {
    known.emplace_back(f.name);
    if (f.name != family) continue;
    const std::string size = size_of(f.form, ranks);
    if (size.empty())
      throw Error(Error::Kind::argument,
                  fmt::format("--ranks {}: {} has a power of two of ranks", ranks, base::quoted(family)));
    const TopologyPtr topology = parse_topology(fmt::format("{}:{}", family, size));
    if (topology->ranks() != ranks)
      throw Error(Error::Kind::argument, fmt::format("--ranks {}: {} has {} ranks; name the networks one by one", ranks,
                                                     topology->text(), topology->ranks()));
    return topology->text();
  }
  base::unknown_name("topology", family, "family", known);
}

std::vector<std::string> shapes(const std::vector<std::string>& typed, const std::string& ranks) {
  constexpr Rank most = Rank{1} << 30;
  std::vector<Rank> counts;
  if (!ranks.empty())
    counts =
        parse_range(ranks, "--ranks", [](std::string_view t) { return base::parse_integer(t, 1, most, "--ranks"); });
  std::vector<std::string> all;
  bool used = counts.empty();
  for (const std::string& text : typed) {
    if (text.find(':') != std::string::npos) {
      all.push_back(parse_topology(text)->text());
      continue;
    }
    if (counts.empty())
      throw Error(Error::Kind::argument,
                  fmt::format("topology {}: a size is missing; add it, or --ranks such as 4..64", base::quoted(text)));
    for (const Rank count : counts) all.push_back(shape_of(text, count));
    used = true;
  }
  if (!used)
    throw Error(Error::Kind::argument, "--ranks: expected a family without a size among the networks, such as ring");
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) !=
        all.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(Error::Kind::argument, fmt::format("topology {} is named twice", base::quoted(all[i])));
  return all;
}

}  // namespace quadrille::cli
