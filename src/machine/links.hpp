// What a machine says of kinds of links: read, written, and set one by one.
#pragma once

#include <string>
#include <string_view>

#include "machine/place.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::machine {

/// Of every kind of a table [link]: alpha, beta and latency, as many as are given.
void read_links(Machine& machine, const toml::node& node, const Place& place);
/// "link.memory.beta", "8GB/s". Throws Error(argument) naming what is accepted.
void set_link(Machine& machine, std::string_view name, std::string_view value);
inline bool names_link(std::string_view name) { return name.starts_with("link."); }
/// One line for each kind, which read_links takes.
std::string links_toml(const Machine& machine);
/// "memory:3e-07:1e-10:0,global:-1:2e-10:1e-06": kind, alpha, beta, latency; a word, empty where there are none.
std::string links_word(const Machine& machine);
void read_links_word(Machine& machine, std::string_view word);
/// Throws Error(argument) when a cost is not finite or too large.
void check_links(const Machine& machine);

}  // namespace quadrille::machine
