#include "machine/links.hpp"

#include <algorithm>
#include <cmath>

#include "machine/quantity.hpp"

namespace quadrille::machine {

namespace {

const std::vector<std::string> members{"alpha", "beta", "latency"};
constexpr std::size_t most_kinds = 64, longest_kind = 32;

LinkCost& cost_of(Machine& machine, std::string_view kind, std::string_view what) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (kind.empty() || kind.size() > longest_kind || !std::all_of(kind.begin(), kind.end(), allowed))
    throw Error(
        Error::Kind::argument,
        fmt::format("{}: kind of link {}: expected 1 to {} letters a-z, digits and '-', as 'quadrille topology' "
                    "lists kinds",
                    what, base::quoted(kind), longest_kind));
  // In the order of names, as files are read.
  const auto found =
      std::find_if(machine.links.begin(), machine.links.end(), [&](const LinkCost& c) { return c.kind >= kind; });
  if (found != machine.links.end() && found->kind == kind) return *found;
  if (machine.links.size() == most_kinds)
    throw Error(Error::Kind::argument, fmt::format("{}: more than {} kinds of links", what, most_kinds));
  return *machine.links.insert(found, {.kind = std::string(kind)});
}

void set(LinkCost& cost, std::string_view member, std::string_view value, const std::string& what) {
  if (member == "alpha")
    cost.alpha = read_seconds(value, what);
  else if (member == "beta")
    cost.beta = read_seconds_per_byte(value, what);
  else
    cost.latency = read_seconds(value, what);
}

void check_member(std::string_view member, std::string_view what) {
  if (std::find(members.begin(), members.end(), member) == members.end())
    base::unknown_name(std::string(what), member, "name", members);
}

}  // namespace

void read_links(Machine& machine, const toml::node& node, const Place& place) {
  const toml::table* kinds = node.as_table();
  const std::string expected = "expected a table of kinds, such as [link.memory] with alpha, beta, latency";
  if (kinds == nullptr) place.fail(node.source(), fmt::format("link is {}; {}", type_name(node), expected));
  for (const auto& [kind, costs] : *kinds) {
    const toml::table* table = costs.as_table();
    if (table == nullptr)
      place.fail(costs.source(), fmt::format("link.{} is {}; {}", kind.str(), type_name(costs), expected));
    LinkCost& cost = cost_of(machine, kind.str(), place.line(kind.source()));
    for (const auto& [member, value] : *table) {
      const std::string what = fmt::format("{}: link.{}.{}", place.line(value.source()), kind.str(), member.str());
      check_member(member.str(), fmt::format("{}: member of link.{}", place.line(member.source()), kind.str()));
      if (const auto text = value.value_exact<std::string>())
        set(cost, member.str(), *text, what);
      else if (const auto number = value.value<double>(); number && (value.is_integer() || value.is_floating_point()))
        set(cost, member.str(), fmt::format("{}", *number), what);
      else
        place.fail(value.source(), fmt::format("link.{}.{} is {}; expected a time or rate", kind.str(), member.str(),
                                               type_name(value)));
    }
  }
}

void set_link(Machine& machine, std::string_view name, std::string_view value) {
  const std::string what = fmt::format("machine parameter {}", base::quoted(name));
  const auto dot = name.rfind('.');
  if (dot < 5 || !names_link(name))
    throw Error(Error::Kind::argument, fmt::format("{}: expected link.KIND.alpha, .beta or .latency", what));
  check_member(name.substr(dot + 1), what + ": member");
  set(cost_of(machine, name.substr(5, dot - 5), what), name.substr(dot + 1), value, what);
}

std::string links_toml(const Machine& machine) {
  std::string text;
  for (const LinkCost& c : machine.links) {
    std::vector<std::string> given;
    if (c.alpha >= 0) given.push_back(fmt::format("alpha = {}", c.alpha));
    if (c.beta >= 0) given.push_back(fmt::format("beta = {}", c.beta));
    if (c.latency > 0) given.push_back(fmt::format("latency = {}", c.latency));
    text += fmt::format("link.{} = {{ {} }}\n", c.kind, base::join(given, ", "));
  }
  return text;
}

std::string links_word(const Machine& machine) {
  std::vector<std::string> words;
  for (const LinkCost& c : machine.links)
    words.push_back(fmt::format("{}:{}:{}:{}", c.kind, c.alpha, c.beta, c.latency));
  return base::join(words, ",");
}

void read_links_word(Machine& machine, std::string_view word) {
  for (const std::string_view one : base::split(word, ',')) {
    const std::vector<std::string_view> parts = base::split(one, ':');
    if (parts.size() != 4)
      throw Error(Error::Kind::format, fmt::format("links={}: expected kind:alpha:beta:latency", base::quoted(word)));
    LinkCost& cost = cost_of(machine, parts[0], "links");
    cost.alpha = base::parse_number(parts[1], "alpha of a kind of link");
    cost.beta = base::parse_number(parts[2], "beta of a kind of link");
    cost.latency = base::parse_number(parts[3], "latency of a kind of link");
  }
}

void check_links(const Machine& machine) {
  for (const LinkCost& c : machine.links)
    for (const double value : {c.alpha, c.beta, c.latency})
      if (!std::isfinite(value) || value > largest_constant || (value < 0 && value != -1) || c.latency < 0)
        throw Error(Error::Kind::argument,
                    fmt::format("machine {}: link.{} has {}; expected a number of seconds from 0 to {:g}",
                                base::quoted(machine.name), c.kind, value, largest_constant));
}

}  // namespace quadrille::machine
