// A question as one line of text, both ways.
#include <fmt/format.h>

#include "base/text.hpp"
#include "collective/reduction.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/sources.hpp"

namespace quadrille {

namespace {

/// What follows the size.
std::string named_ranks(const Spec& s) {
  const collective::Facts& f = collective::facts(s);
  std::string text;
  if (f.root) text += fmt::format(" root={}", s.root);
  if (f.target) text += fmt::format(" target={}", s.target);
  if (f.sources) text += fmt::format(" sources={}", to_text(*s.sources, s.bytes));
  if (f.demands) text += fmt::format(" demands={}", to_text(*s.demands, s.bytes));
  return text + (f.combines && !f.token ? collective::reduction_words(s) : "");
}

/// One word of a text: "root=3", or a size without a name.
struct Word {
  std::string_view key, value;
};

Word cut(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return {"bytes", word};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

Rank read_rank(const Word& word, const Spec& spec) {
  return base::parse_integer(word.value, 0, spec.ranks() - 1, fmt::format("{} on {}", word.key, spec.topology->text()));
}

/// The keys that a question can have, for a message.
std::vector<std::string> keys_of(const collective::Facts& f) {
  std::vector<std::string> keys;
  if (!f.token) keys.emplace_back("bytes");
  if (f.root) keys.emplace_back("root");
  if (f.target) keys.emplace_back("target");
  if (f.sources) keys.emplace_back("sources");
  if (f.demands) keys.emplace_back("demands");
  for (const std::string_view key : collective::reduction_keys(f)) keys.emplace_back(key);
  return keys;
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(Error::Kind::format,
              fmt::format("question {}: {}; expected COLLECTIVE TOPOLOGY SIZE such as allgather "
                          "torus:8x8 64KiB, and root=RANK, target=RANK, sources=LIST, demands=LIST, "
                          "element=BYTES, operands=ordered, bits=any|canonical or counts=LIST",
                          base::quoted(text), why));
}

/// Every word but the first two, each at most once.
std::vector<Word> read_words(std::string_view text, const std::vector<std::string_view>& words, const Spec& spec) {
  const collective::Facts& f = collective::facts(spec);
  const std::vector<std::string> keys = keys_of(f);
  std::vector<Word> read;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const Word word = cut(words[i]);
    const auto same = [&](const auto& other) { return other.key == word.key; };
    if (std::find(keys.begin(), keys.end(), word.key) == keys.end())
      refuse(text, fmt::format("{} has no {}", f.name, base::quoted(word.key)));
    if (std::find_if(read.begin(), read.end(), same) != read.end())
      refuse(text, fmt::format("{} is there twice", base::quoted(word.key)));
    read.push_back(word);
  }
  return read;
}

}  // namespace

std::string to_text(const Spec& s) {
  const std::string size = collective::facts(s).token ? "" : fmt::format(" bytes={}", s.bytes);
  return fmt::format("{} {}", to_string(s.collective), s.topology->text()) + size + named_ranks(s);
}

std::string text_without_size(const Spec& s) {
  return fmt::format("{} {}", to_string(s.collective), s.topology->text()) + named_ranks(s);
}

Spec parse_spec(std::string_view text) {
  std::vector<std::string_view> words = base::split(text, ' ');
  std::erase(words, "");
  if (words.size() < 2) refuse(text, "too few words");
  const auto found = find_collective(words[0]);
  if (!found) throw Error(Error::Kind::format, collective::unknown(words[0]));
  Spec spec{.collective = *found, .topology = parse_topology(words[1]), .bytes = 1024};
  const std::vector<Word> read = read_words(text, words, spec);
  for (const Word& word : read)
    if (word.key == "bytes") spec.bytes = base::parse_bytes(word.value, "bytes");
  for (const Word& word : read) {
    if (word.key == "root") spec.root = read_rank(word, spec);
    if (word.key == "target") spec.target = read_rank(word, spec);
    if (word.key == "sources") spec.sources = parse_sources(word.value, *spec.topology, spec.bytes);
    if (word.key == "demands") spec.demands = parse_demands(word.value, *spec.topology, spec.bytes);
    collective::read_reduction_word(word.key, word.value, spec);
  }
  const Bytes asked = spec.bytes;
  spec = checked(std::move(spec));
  const auto sized = [](const Word& word) { return word.key == "bytes"; };
  const auto counted = [](const Word& word) { return word.key == "counts"; };
  if (spec.bytes != asked && std::any_of(read.begin(), read.end(), sized) &&
      std::any_of(read.begin(), read.end(), counted))
    refuse(text, fmt::format("the largest of the counts is {} and not {} bytes", spec.bytes, asked));
  return spec;
}

}  // namespace quadrille
