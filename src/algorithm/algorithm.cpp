// The registry, parameters as text, and building a schedule after all checks.
#include "quadrille/algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithm/formula.hpp"
#include "algorithm/one_rank.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille {

bool Params::has(std::string_view name) const { return !list(name).empty(); }

std::int64_t Params::get(std::string_view name, std::int64_t otherwise) const {
  for (const auto& [key, values] : values_)
    if (key == name && !values.empty()) return values.front();
  return otherwise;
}

std::vector<std::int64_t> Params::list(std::string_view name) const {
  for (const auto& [key, values] : values_)
    if (key == name) return values;
  return {};
}

void Params::set(std::string name, std::vector<std::int64_t> values) {
  for (auto& [key, old] : values_)
    if (key == name) {
      old = std::move(values);
      return;
    }
  values_.emplace_back(std::move(name), std::move(values));
}

std::string_view to_string(Identical identical) {
  switch (identical) {
    case Identical::strictly:
      return "strict";
    case Identical::commutatively:
      return "commutative";
    case Identical::no:
      return "no";
  }
  return "no";
}

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> sorted = [] {
    std::vector<Algorithm> all = algorithm::generated_registry();
    std::sort(all.begin(), all.end(), [](const Algorithm& a, const Algorithm& b) {
      return std::pair(a.collective, a.name) < std::pair(b.collective, b.name);
    });
    return all;
  }();
  return sorted;
}

const Algorithm& find_algorithm(std::string_view name) {
  const std::string_view collective = name.substr(0, name.find('_'));
  std::vector<std::string> alike, known;
  for (const Algorithm& a : algorithms()) {
    if (a.name == name) return a;
    if (to_string(a.collective) == collective) alike.emplace_back(a.name);
  }
  if (!alike.empty()) base::unknown_name("algorithm", name, "name", alike);
  // All names would fill a page; those of the collective that was meant are a line.
  for (const Collective c : collectives()) known.emplace_back(to_string(c));
  base::unknown_name(fmt::format("algorithm {}: its collective", base::quoted(name)), collective, "name", known);
}

Choice parse_choice(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ':');
  Choice choice{&find_algorithm(parts[0]), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    const std::string_view key = parts[i].substr(0, equals);
    const auto& known = choice.algorithm->parameters;
    const auto found = std::find_if(known.begin(), known.end(), [&](const Parameter& p) { return p.name == key; });
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const Parameter& p : known) names.emplace_back(p.name);
      if (names.empty())
        throw Error(Error::Kind::argument,
                    fmt::format("algorithm {}: '{}' takes no parameters", base::quoted(text), parts[0]));
      base::unknown_name(fmt::format("parameter of {}", parts[0]), key, "name", names);
    }
    if (equals == std::string_view::npos || choice.params.has(key))
      throw Error(Error::Kind::argument, fmt::format("algorithm {}: expected {}={} once", base::quoted(text), key,
                                                     found->is_list ? "a,b,..." : "a number"));
    std::vector<std::int64_t> values;
    for (const std::string_view item : base::split(parts[i].substr(equals + 1), ','))
      values.push_back(base::parse_integer(item, found->low, found->high, fmt::format("{} of {}", key, parts[0])));
    if (values.size() > (found->is_list ? 64U : 1U))
      throw Error(Error::Kind::argument, fmt::format("algorithm {}: too many values for {}", base::quoted(text), key));
    choice.params.set(std::string(key), std::move(values));
  }
  return choice;
}

std::string to_text(const Algorithm& algorithm, const Params& params) {
  std::string text(algorithm.name);
  for (const auto& [key, values] : params.values()) text += fmt::format(":{}={}", key, base::join(values, ","));
  return text;
}

namespace {

/// The given parameters, and for the missing ones the values of the cheapest variant that agrees with them.
Params completed(const Spec& spec, const Machine& machine, const Choice& choice) {
  const Algorithm& a = *choice.algorithm;
  const bool complete = std::all_of(a.parameters.begin(), a.parameters.end(),
                                    [&](const Parameter& p) { return choice.params.has(p.name); });
  if (complete || a.parameters.empty() || !a.illegal(spec, machine, {}).empty()) return choice.params;
  Params best = choice.params;
  Seconds least = 0;
  bool found = false;
  for (const Params& variant : a.variants(spec, machine)) {
    Params mixed = variant;
    for (const auto& [key, values] : choice.params.values()) mixed.set(key, values);
    if (!a.illegal(spec, machine, mixed).empty()) continue;
    const Seconds time = seconds(algorithm::formula(a, spec, machine, mixed), machine, *spec.topology);
    if (!found || time < least) found = true, least = time, best = std::move(mixed);
  }
  return best;
}

}  // namespace

std::string unfit(const Spec& spec, const Claims& claims) {
  if (!combines(spec)) return {};
  if (spec.operands == Operands::ordered && !claims.in_order)
    return "it does not keep contributions in the order of ranks, and the operator is not commutative";
  if (spec.canonical && !claims.canonical)
    return "it groups the operations of a result otherwise than the canonical expression, which halves the ranks again "
           "and again";
  if (spec.collective == Collective::allreduce && spec.identical && claims.identical == Identical::no)
    return "ranks group the operations of a result differently, so that a rounding operator gives different bits on "
           "different ranks";
  return {};
}

Built build(const Spec& spec, const Machine& machine, const Choice& choice) {
  const Algorithm& a = *choice.algorithm;
  if (a.collective != spec.collective)
    throw Error(Error::Kind::illegal,
                fmt::format("{} performs {}, not {}", a.name, to_string(a.collective), to_string(spec.collective)));
  const Params params = completed(spec, machine, choice);
  if (const std::string reason = a.illegal(spec, machine, params); !reason.empty())
    throw Error(Error::Kind::illegal, fmt::format("{} cannot run on {} with machine {}: {}", to_text(a, params),
                                                  spec.topology->text(), base::quoted(machine.name, 60), reason));
  if (const std::string reason = unfit(spec, a.claims(spec, machine, params)); !reason.empty())
    throw Error(Error::Kind::illegal,
                fmt::format("{} cannot answer {}: {}", to_text(a, params), to_text(spec), reason));
  return {{&a, params},
          spec.bytes == 0 ? algorithm::nothing(spec) : a.build(spec, machine, params),
          a.claims(spec, machine, params),
          algorithm::formula(a, spec, machine, params)};
}

}  // namespace quadrille
