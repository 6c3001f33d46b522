// A line of a wisdom file, word by word.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "quadrille/base.hpp"

namespace quadrille::planner {

/// A name without blanks, for people.
inline std::string one_word(std::string_view name) {
  std::string text(name.substr(0, 60));
  for (char& c : text)
    if (c <= 32 || c > 126) c = '_';
  return text.empty() ? "unnamed" : text;
}

/// The words of a line, one after the other. Throws Error(format) for what is not there.
class Words {
 public:
  explicit Words(std::string_view line) : words_(base::split(line, ' ')) {}
  std::string_view next(std::string_view what) {
    if (at_ == words_.size() || words_[at_].empty())
      throw Error(Error::Kind::format, fmt::format("ends where {} is expected", what));
    return words_[at_++];
  }
  bool has(std::string_view key) const { return at_ < words_.size() && words_[at_].starts_with(key); }
  /// The rest of a word that starts with `key`, such as "bytes=".
  std::string_view value(std::string_view key) {
    const std::string_view found = next(key);
    if (!found.starts_with(key))
      throw Error(Error::Kind::format, fmt::format("has {} where {} is expected", base::quoted(found), key));
    return found.substr(key.size());
  }
  void finish() const {
    if (at_ != words_.size())
      throw Error(Error::Kind::format, fmt::format("goes on with {} after its end", base::quoted(words_[at_])));
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

}  // namespace quadrille::planner
