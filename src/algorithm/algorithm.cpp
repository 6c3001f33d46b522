// The registry, parameters, and building a schedule after all checks.
#include "quadrille/algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm/additions.hpp"
#include "algorithm/formula.hpp"
#include "algorithm/from_file.hpp"
#include "algorithm/mpis/own.hpp"
#include "algorithm/one_rank.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille {

bool Params::has(std::string_view name) const { return !list(name).empty() || !choice(name).empty(); }

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

std::string_view Params::choice(std::string_view name) const {
  for (const auto& [key, text] : choices_)
    if (key == name) return text;
  return {};
}

void Params::set_choice(std::string name, std::string text) {
  const auto at = std::lower_bound(choices_.begin(), choices_.end(), name,
                                   [](const auto& entry, const std::string& key) { return entry.first < key; });
  if (at != choices_.end() && at->first == name)
    at->second = std::move(text);
  else
    choices_.insert(at, {std::move(name), std::move(text)});
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

static bool comes_before(const Algorithm& a, const Algorithm& b) {
  return std::pair(a.collective, a.name) < std::pair(b.collective, b.name);
}

static std::vector<Algorithm>& sorted_registry() {
  static std::vector<Algorithm> sorted = [] {
    std::vector<Algorithm> all = algorithm::generated_registry();
    std::sort(all.begin(), all.end(), comes_before);
    return all;
  }();
  return sorted;
}

const std::vector<Algorithm>& algorithms() { return sorted_registry(); }

void algorithm::add_to_registry(Algorithm added) {
  std::vector<Algorithm>& all = sorted_registry();
  all.insert(std::upper_bound(all.begin(), all.end(), added, comes_before), std::move(added));
}

const Algorithm& find_algorithm(std::string_view name) {
  if (algorithm::mpis::is_own(name)) return algorithm::mpis::find(name);
  const std::string_view collective = name.substr(0, name.find('_'));
  std::vector<std::string> alike, known;
  for (const Algorithm& a : algorithms()) {
    if (a.name == name) return a;
    if (to_string(a.collective) == collective) alike.emplace_back(a.name);
  }
  if (!alike.empty()) base::unknown_name("algorithm", name, "name", alike);
  // All names would fill a page; those of the collective that was meant are a line.
  for (const Collective c : collectives()) known.emplace_back(to_string(c));
  base::unknown_name(fmt::format("algorithm {}: its first word", base::quoted(name)), collective, "collective", known);
}

namespace {

/// The given parameters, and for the missing ones the values of the cheapest variant that agrees with them.
Params completed(const Spec& spec, const Machine& machine, const Choice& choice) {
  const Algorithm& a = *choice.algorithm;
  const bool complete = std::all_of(a.parameters.begin(), a.parameters.end(),
                                    [&](const Parameter& p) { return choice.params.has(p.name); });
  if (complete || a.parameters.empty() || !a.illegal(spec, machine, {}).empty()) return choice.params;
  std::vector<Params> agreeing;
  for (const Params& variant : a.variants(spec, machine)) {
    Params mixed = variant;
    for (const auto& [key, values] : choice.params.values()) mixed.set(key, values);
    for (const auto& [key, text] : choice.params.choices()) mixed.set_choice(key, text);
    const bool fresh = std::find(agreeing.begin(), agreeing.end(), mixed) == agreeing.end();
    if (fresh && a.illegal(spec, machine, mixed).empty()) agreeing.push_back(std::move(mixed));
  }
  if (agreeing.size() == 1) return agreeing.front();
  Params best = choice.params;
  Seconds least = HUGE_VAL;
  for (Params& params : agreeing)
    if (const auto time = algorithm::time_below(least, a, spec, machine, params))
      least = *time, best = std::move(params);
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

Built algorithm::build_at(const Spec& spec, const Machine& machine, const Choice& given, const Cost* known) {
  const Choice choice = algorithm::for_collective(given, spec.collective);
  const Algorithm& a = *choice.algorithm;
  if (a.collective != spec.collective)
    throw Error(Error::Kind::illegal, fmt::format("{} performs {}, not {}", to_text(a, choice.params),
                                                  to_string(a.collective), to_string(spec.collective)));
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
          known == nullptr ? algorithm::formula(a, spec, machine, params) : *known};
}

Built build(const Spec& spec, const Machine& machine, const Choice& choice) {
  return algorithm::build_at(spec, machine, choice, nullptr);
}

}  // namespace quadrille
