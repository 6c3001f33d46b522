// Demands of an alltoallv in words, and where each rank's begin.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/integer.hpp"
#include "quadrille/collective.hpp"

namespace quadrille {

namespace {

constexpr Bytes most_words = Bytes{1} << 20;  // of all pairs

[[noreturn]] void refuse(const std::string& why) { throw Error(Error::Kind::argument, "demands: " + why); }

std::string name_of(const Demand& pair) { return fmt::format("{}-{}", pair.from, pair.to); }

void check(Rank ranks, const std::vector<Demand>& pairs) {
  if (pairs.size() > Demands::most_pairs)
    refuse(fmt::format("{} pairs; expected at most {}", pairs.size(), Demands::most_pairs));
  for (const Demand& pair : pairs) {
    for (const Rank r : {pair.from, pair.to})
      if (r < 0 || r >= ranks) refuse(fmt::format("pair {}: ranks are 0 .. {}", name_of(pair), ranks - 1));
    if (pair.bytes < 0)
      refuse(fmt::format("pair {}: rank {} cannot send {} bytes", name_of(pair), pair.from, pair.bytes));
  }
}

bool by_sender(const Demand& a, const Demand& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; }

/// The common divisor, or a part of it: the longest message can be cut in about 64 where it has as many words, and in
/// 2048 where words are longer than a flow's chunks are worth. A power of two where the divisor would make too many
/// words.
Bytes word_of(const std::vector<Demand>& pairs) {
  constexpr Bytes few_words = Bytes{1} << 18, few = 64, many = 2048, worth = 1 << 10;
  Bytes common = 0, all = 0, longest = 0;
  for (const Demand& pair : pairs) {
    common = std::gcd(common, pair.bytes), longest = std::max(longest, pair.bytes);
    all = base::checked_add(all, pair.bytes, "bytes of all demands");
  }
  if (common == 0) return 0;
  if (all / common <= most_words) {
    const Bytes each = longest / common, wanted = std::clamp(longest / worth, few, many);
    Bytes parts = std::max<Bytes>(1, std::min(wanted / each, few_words / (all / common)));
    while (common % parts != 0) --parts;
    return common / parts;
  }
  return static_cast<Bytes>(std::bit_ceil(static_cast<std::uint64_t>(base::ceil_div(all, most_words))));
}

void count_words(Demands& d) {
  d.word = word_of(d.pairs);
  d.first.assign(1, 0);
  for (const Demand& pair : d.pairs) d.first.push_back(d.first.back() + base::ceil_div(pair.bytes, d.word));
}

/// Where each rank's pairs begin in the list, and in that by receivers.
void index_by_rank(Rank ranks, Demands& d) {
  d.incoming.resize(d.pairs.size());
  std::iota(d.incoming.begin(), d.incoming.end(), std::size_t{0});
  std::stable_sort(d.incoming.begin(), d.incoming.end(),
                   [&](std::size_t a, std::size_t b) { return d.pairs[a].to < d.pairs[b].to; });
  d.sent.assign(static_cast<std::size_t>(ranks) + 1, 0);
  d.received = d.sent;
  for (const Demand& pair : d.pairs)
    ++d.sent[static_cast<std::size_t>(pair.from) + 1], ++d.received[static_cast<std::size_t>(pair.to) + 1];
  std::partial_sum(d.sent.begin(), d.sent.end(), d.sent.begin());
  std::partial_sum(d.received.begin(), d.received.end(), d.received.begin());
  d.arrives.assign(d.pairs.size(), 0);
  for (Rank r = 0; r < ranks; ++r) {
    Slot before = 0;
    for (std::size_t i = d.received[static_cast<std::size_t>(r)]; i < d.received[static_cast<std::size_t>(r) + 1]; ++i)
      d.arrives[d.incoming[i]] = before, before += d.words(d.incoming[i]);
  }
}

}  // namespace

Slot Demands::sent_words(Rank r) const {
  return first[sent[static_cast<std::size_t>(r) + 1]] - first[sent[static_cast<std::size_t>(r)]];
}

Slot Demands::received_words(Rank r) const {
  const std::size_t begin = received[static_cast<std::size_t>(r)], end = received[static_cast<std::size_t>(r) + 1];
  return begin == end ? 0 : arrives[incoming[end - 1]] + words(incoming[end - 1]);
}

std::size_t Demands::find(Rank from, Rank to) const {
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), Demand{from, to}, by_sender);
  return found != pairs.end() && found->from == from && found->to == to
             ? static_cast<std::size_t>(found - pairs.begin())
             : pairs.size();
}

Slot Demands::most_sent() const {
  Slot most = 0;
  for (Rank r = 0; r + 1 < std::ssize(sent); ++r) most = std::max(most, sent_words(r));
  return most;
}

Slot Demands::most_received() const {
  Slot most = 0;
  for (Rank r = 0; r + 1 < std::ssize(sent); ++r) most = std::max(most, received_words(r));
  return most;
}

DemandsPtr make_demands(Rank ranks, std::vector<Demand> pairs) {
  check(ranks, pairs);
  std::sort(pairs.begin(), pairs.end(), by_sender);
  const auto twice = std::adjacent_find(
      pairs.begin(), pairs.end(), [](const Demand& a, const Demand& b) { return a.from == b.from && a.to == b.to; });
  if (twice != pairs.end()) refuse(fmt::format("pair {} is named twice", name_of(*twice)));
  std::erase_if(pairs, [](const Demand& pair) { return pair.bytes == 0 || pair.from == pair.to; });
  Demands demands{.pairs = std::move(pairs)};
  count_words(demands);
  index_by_rank(ranks, demands);
  return std::make_shared<const Demands>(std::move(demands));
}

}  // namespace quadrille
