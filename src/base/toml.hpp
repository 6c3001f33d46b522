// TOML from outside: bounded, and refused in one line.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace quadrille::base {

constexpr std::size_t most_toml_bytes = std::size_t{1} << 20;

/// `path` is kept as where nodes come from; `file` ("machine file 'a.toml'") opens the message of an Error(format), or
/// of an Error(budget) for more than 1 MiB.
toml::table parse_toml(std::string_view text, std::string_view path, const std::string& file);

}  // namespace quadrille::base
