#include "collective/reduction.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace quadrille::collective {

void Reduction::check(Spec& spec) const {
  if (spec.element < 1)
    throw Error(Error::Kind::argument, fmt::format("element {}: an element has 1 or more bytes", spec.element));
  if (spec.bytes % spec.element != 0)
    throw Error(Error::Kind::argument,
                fmt::format("bytes {}: expected a multiple of the element, {} bytes; nearest: {}", spec.bytes,
                            spec.element, spec.bytes / spec.element * spec.element));
}

Spec Reduction::placed(const Spec& spec, const std::function<Rank(Rank)>& node) const {
  for (Rank r = 0; by_rank(spec) && r < spec.ranks(); ++r)
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

std::string reduction_words(const Spec& spec) {
  std::string text;
  if (spec.element != 1) text += fmt::format(" element={}", spec.element);
  if (spec.operands == Operands::ordered) text += " operands=ordered";
  if (!spec.identical) text += " bits=any";
  if (!spec.offsets) return text;
  std::vector<Bytes> counts;
  for (std::size_t i = 1; i < spec.offsets->size(); ++i) counts.push_back((*spec.offsets)[i] - (*spec.offsets)[i - 1]);
  return text + " counts=" + base::join(counts, ",");
}

std::vector<std::string_view> reduction_keys(const Facts& facts) {
  if (!facts.combines) return {};
  std::vector<std::string_view> keys{"element", "operands"};
  if (facts.same_result) keys.emplace_back("bits");
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

/// One of two words.
bool is_second(std::string_view key, std::string_view value, std::string_view first, std::string_view second) {
  if (value != first && value != second)
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: expected {} or {}", key, base::quoted(value), first, second));
  return value == second;
}

}  // namespace

void read_reduction_word(std::string_view key, std::string_view value, Spec& spec) {
  if (key == "element") spec.element = read_length(value, 1, "element");
  if (key == "operands")
    spec.operands = is_second(key, value, "commutative", "ordered") ? Operands::ordered : Operands::commutative;
  if (key == "bits") spec.identical = !is_second(key, value, "same", "any");
  if (key == "counts") spec.offsets = read_counts(value);
}

}  // namespace quadrille::collective
