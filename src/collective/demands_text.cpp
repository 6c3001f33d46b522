// Demands of an alltoallv as text: pairs, patterns, matrices.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/integer.hpp"
#include "base/text.hpp"
#include "quadrille/demands.hpp"

namespace quadrille {

namespace {

[[noreturn]] void refuse_demands(const std::string& why) { throw Error(Error::Kind::argument, "demands: " + why); }

[[noreturn]] void refuse_text(std::string_view text) {
  refuse_demands(
      fmt::format("{}: expected pairs such as 0-1,0-2:64KiB, or one of all, shift(K), halo(AxB), random(N), "
                  "random(N,SEED), hot(R), or the name of a file",
                  base::quoted(text, 80)));
}

/// What a pattern is asked for: its name, and the numbers in parentheses.
struct Pattern {
  std::string_view name;
  std::vector<Rank> numbers;
};

Pattern parse_pattern(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos) return {text, {}};
  if (text.back() != ')') refuse_text(text);
  Pattern pattern{text.substr(0, open), {}};
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  for (const std::string_view number : base::split(inside, pattern.name == "halo" ? 'x' : ','))
    pattern.numbers.push_back(
        base::parse_integer(number, 0, Rank{1} << 30, fmt::format("demands {}:", base::quoted(text, 80))));
  return pattern;
}

std::vector<Demand> shifted(Rank ranks, Rank by, Bytes bytes) {
  std::vector<Demand> pairs;
  for (Rank r = 0; r < ranks; ++r) pairs.push_back({r, (r + by) % ranks, bytes});
  return pairs;
}

/// Ranks in a grid, the last axis first. Where an axis has two ranks, both ways lead to the same one.
std::vector<Demand> halo(std::string_view text, Rank ranks, const std::vector<Rank>& sides, Bytes bytes) {
  Rank product = 1;
  for (const Rank side : sides) product = side < 1 || product > ranks ? 0 : product * side;
  if (product != ranks)
    refuse_demands(fmt::format("{}: expected sides whose product is {}", base::quoted(text, 80), ranks));
  std::vector<Demand> pairs;
  for (Rank r = 0; r < ranks; ++r) {
    Rank step = ranks;
    for (const Rank side : sides) {
      step /= side;
      const Rank at = r / step % side;
      const Rank up = r + ((at + 1) % side - at) * step, down = r + (base::wrap(at - 1, side) - at) * step;
      if (side > 1) pairs.push_back({r, up, bytes});
      if (side > 2) pairs.push_back({r, down, bytes});
    }
  }
  return pairs;
}

std::vector<Demand> drawn(std::string_view text, Rank ranks, Rank count, Rank seed, Bytes bytes) {
  if (count >= ranks) refuse_demands(fmt::format("{}: a rank has {} others", base::quoted(text, 80), ranks - 1));
  std::vector<Demand> pairs;
  std::uint64_t draws = 0;
  const auto below = [&](Rank end) {  // looks as if drawn, and is the same everywhere
    return static_cast<Rank>(base::hash_of(seed, ++draws) % static_cast<std::uint64_t>(end));
  };
  std::vector<Rank> others;
  for (Rank r = 0; r < ranks; ++r) {
    others.clear();
    while (std::ssize(others) < count) {
      const Rank to = below(ranks);
      if (to == r || std::find(others.begin(), others.end(), to) != others.end()) continue;
      others.push_back(to);
      pairs.push_back({r, to, base::checked_multiply(bytes, 1 + below(4), "bytes of a demand")});
    }
  }
  return pairs;
}

std::vector<Demand> all_pairs(Rank ranks, Bytes bytes) {
  std::vector<Demand> pairs;
  for (Rank from = 0; from < ranks; ++from)
    for (Rank to = 0; to < ranks; ++to)
      if (from != to) pairs.push_back({from, to, bytes});
  return pairs;
}

/// Patterns are counted before they are made.
void check_count(std::string_view text, Rank ranks, Rank each) {
  if (each > 0 && ranks > static_cast<Rank>(Demands::most_pairs) / each)
    refuse_demands(fmt::format("{}: {} pairs for each of {} ranks; expected at most {} in all", base::quoted(text, 80),
                               each, ranks, Demands::most_pairs));
}

std::vector<Demand> of_pattern(std::string_view text, Rank ranks, Bytes bytes) {
  const Pattern p = parse_pattern(text);
  const std::size_t count = p.numbers.size();
  check_count(text, ranks, p.name == "all" ? ranks : p.name == "random" && count > 0 ? p.numbers[0] : 2);
  if (p.name == "all" && count == 0) return all_pairs(ranks, bytes);
  if (p.name == "shift" && count == 1) return shifted(ranks, p.numbers[0] % ranks, bytes);
  if (p.name == "halo" && count >= 1) return halo(text, ranks, p.numbers, bytes);
  if (p.name == "random" && (count == 1 || count == 2))
    return drawn(text, ranks, p.numbers[0], count == 2 ? p.numbers[1] : 1, bytes);
  if (p.name != "hot" || count != 1) refuse_text(text);
  if (p.numbers[0] >= ranks) refuse_demands(fmt::format("{}: ranks are 0 .. {}", base::quoted(text), ranks - 1));
  std::vector<Demand> pairs;
  for (Rank r = 0; r < ranks; ++r) {
    if (r == p.numbers[0]) continue;
    pairs.push_back({r, p.numbers[0], bytes});
    pairs.push_back({p.numbers[0], r, bytes});
  }
  return pairs;
}

Demand parse_pair(std::string_view text, std::string_view item, const Topology& topology, Bytes bytes) {
  const auto colon = item.find(':');
  const std::string_view ends = item.substr(0, colon);
  const auto dash = ends.find('-');
  if (dash == std::string_view::npos) refuse_text(text);
  const std::string what = fmt::format("rank of pair {} on {}", base::quoted(item, 40), topology.text());
  const Rank from = base::parse_integer(ends.substr(0, dash), 0, topology.ranks() - 1, what);
  const Rank to = base::parse_integer(ends.substr(dash + 1), 0, topology.ranks() - 1, what);
  const bool given = colon != std::string_view::npos;
  return {from, to, given ? base::parse_bytes(item.substr(colon + 1), fmt::format("bytes of pair {}", ends)) : bytes};
}

}  // namespace

DemandsPtr parse_demands(std::string_view text, const Topology& topology, Bytes bytes) {
  const Rank ranks = topology.ranks();
  if (text == "none") return make_demands(ranks, {});
  if (text.find_first_of("0123456789") != 0) return make_demands(ranks, of_pattern(text, ranks, bytes));
  std::vector<Demand> pairs;
  for (const std::string_view item : base::split(text, ',')) pairs.push_back(parse_pair(text, item, topology, bytes));
  return make_demands(ranks, std::move(pairs));
}

DemandsPtr read_demands(std::string_view matrix, Rank ranks) {
  std::vector<Demand> pairs;
  Rank from = 0;
  int line_number = 0;
  for (std::string_view line : base::split(matrix, '\n')) {
    ++line_number;
    Rank to = 0;
    const auto wrong = [&](const std::string& why) {
      throw Error(Error::Kind::format, fmt::format("demands: line {}: {}", line_number, why));
    };
    for (std::size_t at = line.find_first_not_of(" \t,\r"); at != std::string_view::npos;
         at = line.find_first_not_of(" \t,\r")) {
      line.remove_prefix(at);
      const std::string_view size = line.substr(0, line.find_first_of(" \t,\r"));
      line.remove_prefix(size.size());
      if (from == ranks || to == ranks)
        wrong(fmt::format("expected {} lines of {} sizes, one for each rank", ranks, ranks));
      const Bytes bytes = base::parse_bytes(size, fmt::format("demands: line {}: bytes for rank {}", line_number, to));
      if (bytes > 0) pairs.push_back({from, to, bytes});
      ++to;
    }
    if (to == 0) continue;
    if (to < ranks) wrong(fmt::format("{} sizes; expected {}, one for each rank", to, ranks));
    ++from;
  }
  if (from < ranks)
    throw Error(Error::Kind::format, fmt::format("demands: {} lines of sizes; expected {}", from, ranks));
  return make_demands(ranks, std::move(pairs));
}

std::string to_text(const Demands& demands, Bytes bytes) {
  std::string text;
  for (const Demand& pair : demands.pairs) {
    text += fmt::format("{}{}-{}", text.empty() ? "" : ",", pair.from, pair.to);
    if (pair.bytes != bytes) text += fmt::format(":{}", pair.bytes);
  }
  return text.empty() ? "none" : text;
}

}  // namespace quadrille
