// What a text may do that nobody meant to be read, and what is a finding.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "quadrille/base.hpp"

namespace quadrille::fuzz {

/// Thrown for what must not happen: not a quadrille::Error, so that nobody takes it for a refusal.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

inline bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 32 && c < 127; });
}

/// True when `parse` accepted; a refusal must be a message that can be shown.
template <class Parse>
bool accepted(const Parse& parse) {
  try {
    parse();
    return true;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.size() < 16384, "a message of " + std::to_string(message.size()) + " bytes");
    require(printable(message), "an unprintable message: " + base::quoted(message, 500));
    require(error.kind() != Error::Kind::internal, "blames itself: " + std::string(message));
    return false;
  }
}

}  // namespace quadrille::fuzz
