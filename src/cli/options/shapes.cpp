#include "cli/options/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "quadrille/sweep.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cli {

namespace {

/// What the family has instead.
std::string larger_one(const TopologyFamily& family, Rank ranks) {
  for (Rank more = ranks + 1; family.shape != nullptr && more <= 2 * ranks; ++more)
    if (!family.shape(more).empty()) return fmt::format("the next larger one has {}", more);
  return fmt::format("expected {}", family.form);
}

}  // namespace

std::string shape_of(std::string_view family, Rank ranks) {
  std::vector<std::string> known;
  for (const TopologyFamily& f : topology_families()) {
    known.emplace_back(f.name);
    if (f.name != family) continue;
    const TopologyPtr topology = topology_of(f, ranks);
    if (!topology)
      throw Error(Error::Kind::argument,
                  f.shape == nullptr
                      ? fmt::format("--ranks {}: a {} is not found by its ranks; name the networks, such as {}", ranks,
                                    family, f.form)
                      : fmt::format("--ranks {}: no {} has {} ranks; {}", ranks, family, ranks, larger_one(f, ranks)));
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
