#include "base/toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace quadrille::base {

// Each dot may nest a table, and the parser's tables are destroyed by recursion: a bound on dots bounds the stack.
static constexpr std::ptrdiff_t most_dots = 2000;

toml::table parse_toml(std::string_view text, std::string_view path, const std::string& file) {
  if (text.size() > most_toml_bytes)
    throw Error(Error::Kind::argument, fmt::format("{}: more than {}, the longest that is read", file,
                                                   format_bytes(static_cast<Bytes>(most_toml_bytes))));
  if (std::count(text.begin(), text.end(), '.') > most_dots)
    throw Error(Error::Kind::argument,
                fmt::format("{}: more than {} dots; expected a few keys, nested once", file, most_dots));
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    std::string reason(error.description());
    std::replace_if(
        reason.begin(), reason.end(), [](char c) { return c < 32 || c > 126; }, '?');
    throw Error(Error::Kind::format,
                fmt::format("{}, line {}, column {}: not TOML: {}", file, error.source().begin.line,
                            error.source().begin.column, reason.substr(0, 500)));
  }
}

}  // namespace quadrille::base
