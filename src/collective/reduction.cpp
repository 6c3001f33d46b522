#include "collective/reduction.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille::collective {

void Reduction::check(Spec& spec) const {
  if (spec.element < 1)
    throw Error(Error::Kind::argument, fmt::format("element {}: an element has 1 or more bytes", spec.element));
  if (spec.bytes % spec.element != 0)
    throw Error(Error::Kind::argument,
                fmt::format("bytes {}: expected a multiple of the element, {} bytes; nearest: {}", spec.bytes,
                            spec.element, spec.bytes / spec.element * spec.element));
  if (spec.canonical && by_rank({.topology = spec.topology}))
    throw Error(Error::Kind::argument,
                fmt::format("bits canonical: each rank of {} has another result; expected same or any", facts().name));
}

Spec Reduction::placed(const Spec& spec, const std::function<Rank(Rank)>& node) const {
  for (Rank r = 0; (by_rank(spec) || spec.canonical) && r < spec.ranks(); ++r)
    if (node(r) != r)
      throw Error(Error::Kind::illegal,
                  fmt::format("{}: contributions are taken in the order of ranks, and rank {} is on node {} of {}; "
                              "place ranks in order",
                              facts().name, r, node(r), spec.topology->text()));
  return Traits::placed(spec, node);
}

std::string Reduction::block_text(const Spec& spec, Slot block) const {
  return block == spec.ranks() ? "the result" : fmt::format("the contribution of rank {}", block);
}

Accesses ReductionToAll::accesses(const Spec& spec) const {
  const Rank p = spec.ranks();
  const Bytes own = p > 1 ? spec.bytes : 0;
  return {p,
          p,
          p > 1 ? base::checked_multiply(p, spec.bytes, "bytes through the medium") : 0,
          base::checked_multiply(2, all_others(spec), "bytes through the medium"),
          own,
          own};
}

std::string reduction_words(const Spec& spec) {
  std::string text;
  if (spec.element != 1) text += fmt::format(" element={}", spec.element);
  if (spec.operands == Operands::ordered) text += " operands=ordered";
  if (!spec.identical && facts(spec).same_result) text += " bits=any";
  if (spec.canonical) text += " bits=canonical";
  if (!spec.offsets) return text;
  std::vector<Bytes> counts;
  for (std::size_t i = 1; i < spec.offsets->size(); ++i) counts.push_back((*spec.offsets)[i] - (*spec.offsets)[i - 1]);
  return text + " counts=" + base::join(counts, ",");
}

std::vector<std::string_view> reduction_keys(const Facts& facts) {
  if (!facts.combines || facts.token) return {};
  std::vector<std::string_view> keys{"element", "operands"};
  if (facts.from_all) keys.emplace_back("bits");
  if (!facts.whole) keys.emplace_back("counts");
  return keys;
}

namespace {

constexpr Bytes longest = Bytes{1} << 40;

Bytes read_length(std::string_view text, Bytes least, std::string_view what) {
  const Bytes length = base::parse_bytes(text, what);
  if (length < least || length > longest)
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: expected {} to {} bytes", what, base::quoted(text), least, longest));
  return length;
}

std::shared_ptr<const std::vector<Bytes>> read_counts(std::string_view text) {
  auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
  for (const std::string_view item : base::split(text, ','))
    offsets->push_back(offsets->back() + read_length(item, 0, "counts"));
  return offsets;
}

/// A word's place among those that are accepted.
std::size_t place_of(std::string_view key, std::string_view value, const std::vector<std::string>& accepted) {
  const auto found = std::find(accepted.begin(), accepted.end(), value);
  if (found == accepted.end())
    throw Error(
        Error::Kind::argument,
        fmt::format("{} {}: expected {} or {}", key, base::quoted(value),
                    base::join(std::vector<std::string>(accepted.begin(), accepted.end() - 1), ", "), accepted.back()));
  return static_cast<std::size_t>(found - accepted.begin());
}

}  // namespace

void read_reduction_word(std::string_view key, std::string_view value, Spec& spec) {
  if (key == "element") spec.element = read_length(value, 1, "element");
  if (key == "operands")
    spec.operands = place_of(key, value, {"commutative", "ordered"}) == 1 ? Operands::ordered : Operands::commutative;
  if (key == "bits") {
    const std::vector<std::string> all{"same", "canonical", "any"}, of_one_rank{"same", "canonical"};
    const std::size_t which = place_of(key, value, facts(spec).same_result ? all : of_one_rank);
    spec.identical = which != 2;
    spec.canonical = which == 1;
  }
  if (key == "counts") spec.offsets = read_counts(value);
}

}  // namespace quadrille::collective
