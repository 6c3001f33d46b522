// Which algorithms run inside nodes and between them: as asked, or the best on crossbars of as many ranks.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/kit/levels.hpp"
#include "algorithm/on_routes.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Whether scratch has a place: that of a vector is a vector, or as many of them as the level has blocks.
std::string unplaced(const Level& level, const Schedule& schedule) {
  const Shape& shape = schedule.shape();
  if (!level.vector || shape.tmp == 0) return {};
  if (!combines(level.asked)) return "keeps data of others in scratch on their way";
  return shape.tmp == shape.out || shape.out == 1 ? "" : "has scratch of another form than its results";
}

/// The same machine, where a level moves so many times what it is asked for, and shares links.
Machine slowed(Machine machine, const Level& level) {
  const double factor = static_cast<double>(level.times);
  machine.beta *= factor * static_cast<double>(level.sharing), machine.rho *= factor, machine.gamma *= factor;
  return machine;
}

struct Priced {
  Choice choice;
  Seconds time;
};

/// The best parameters of an algorithm for ranks that have one link each, which a crossbar with one port is like. What
/// runs with all ports only sends over that link what it sends to all.
Priced best_of(const Algorithm& a, const Level& level, const Machine& machine) {
  Machine one_link = slowed(machine, level);
  one_link.ports = Ports::one;
  const bool serial = a.illegal(level.asked, one_link, {}).empty();
  if (!serial) one_link.ports = machine.ports;
  Priced best{};
  for (Params& params : a.variants(level.asked, one_link)) {
    if (a.other_name != nullptr && !a.other_name(level.asked, params).empty()) continue;
    if (!a.illegal(level.asked, machine, params).empty()) continue;
    Cost cost = a.cost(level.asked, one_link, params);
    if (!serial) cost.bytes *= level.asked.ranks() - 1;
    const Seconds time = seconds(cost, one_link, *level.asked.topology);
    if (best.choice.algorithm == nullptr || time < best.time) best = {{&a, std::move(params)}, time};
  }
  return best;
}

/// Every algorithm that runs there, the fastest first.
std::vector<Priced> by_time(const Level& level, const Machine& machine) {
  std::vector<Priced> all;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != level.asked.collective || !a.illegal(level.asked, machine, {}).empty()) continue;
    if (Priced best = best_of(a, level, machine); best.choice.algorithm != nullptr) all.push_back(std::move(best));
  }
  std::stable_sort(all.begin(), all.end(), [](const Priced& a, const Priced& b) { return a.time < b.time; });
  return all;
}

/// So many of the fastest that can be a level.
std::vector<Priced> picked(const Level& level, const Machine& machine, std::size_t most) {
  std::vector<Priced> all;
  if (level.asked.bytes == 0) return all;
  for (Priced& p : by_time(level, machine)) {
    const Algorithm& a = *p.choice.algorithm;
    if (!unfit(level.asked, a.claims(level.asked, machine, p.choice.params)).empty()) continue;
    if (!unplaced(level, *a.build(level.asked, machine, p.choice.params)).empty()) continue;
    all.push_back(std::move(p));
    if (all.size() == most) break;
  }
  return all;
}

std::size_t worth_trying(const Level& level) {
  return level.parameter == "outer" ? 3 : level.parameter == "inner" ? 2 : 1;
}
/// Counting the messages of many ranks takes long, so that fewer wholes are worth it.
std::size_t wholes_worth_trying(Rank ranks) { return ranks <= 1024 ? 12 : ranks <= 8192 ? 4 : 2; }

struct Composed {
  Form form;
  std::vector<Built> levels;
};

/// Whether everything that is given has a level in the form.
bool fits(const Form& form, const Params& params) {
  const auto has_level = [&](const auto& given) {
    const Collective collective = parse_choice(given.second).algorithm->collective;
    return std::any_of(form.levels.begin(), form.levels.end(), [&](const Level& level) {
      return level.parameter == given.first && level.asked.collective == collective;
    });
  };
  return std::all_of(params.choices().begin(), params.choices().end(), has_level);
}

std::string describe_forms(const std::vector<Form>& forms) {
  std::string all;
  for (const Form& form : forms) {
    if (!all.empty()) all += ", or ";
    for (const Level& level : form.levels)
      all += fmt::format("{}{}=({}_...)", &level == &form.levels.front() ? "" : ":", level.parameter,
                         to_string(level.asked.collective));
  }
  return all;
}

[[noreturn]] void refuse(const std::string& reason) { throw Error(Error::Kind::illegal, reason); }

Composed composed(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  std::vector<Form> known = forms(spec, on_nodes(spec));
  const auto form = std::find_if(known.begin(), known.end(), [&](const Form& f) { return fits(f, params); });
  if (form == known.end()) refuse(fmt::format("its levels make no whole; they are {}", describe_forms(known)));
  Composed whole{*form, {}};
  for (const Level& level : whole.form.levels) {
    Choice choice;
    if (const std::string_view given = params.choice(level.parameter); !given.empty())
      choice = parse_choice(given);
    else if (std::vector<Priced> best = picked(level, machine, 1); !best.empty())
      choice = std::move(best.front().choice);
    else
      refuse(fmt::format("no {} runs on crossbar:{} with this machine; try --set {}", to_string(level.asked.collective),
                         level.asked.ranks(), machine.duplex == Duplex::full ? "ports=all" : "duplex=full"));
    whole.levels.push_back(build(level.asked, machine, choice));
    if (const std::string reason = unplaced(level, *whole.levels.back().schedule); !reason.empty())
      refuse(fmt::format("{} {}; take another {}", choice.algorithm->name, reason, to_string(level.asked.collective)));
  }
  return whole;
}

struct Whole {
  Params params;
  Seconds time = 0;
};

/// The fastest levels of a form in all combinations.
std::vector<Whole> wholes(const Form& form, const Machine& machine) {
  std::vector<Whole> all{Whole{}};
  for (const Level& level : form.levels) {
    std::vector<Whole> longer;
    for (const Priced& p : picked(level, machine, worth_trying(level)))
      for (const Whole& whole : all) {
        longer.push_back(whole);
        longer.back().params.set_choice(std::string(level.parameter), to_text(*p.choice.algorithm, p.choice.params));
        longer.back().time += p.time;
      }
    all = std::move(longer);
  }
  return all;
}

bool has_levels(const Spec& spec) {
  const OnNodes on = on_nodes(spec);
  return on.cores > 1 && on.nodes > 1;
}

/// A vector whose parts differ has no bound from them.
bool is_even(const Composed& whole, const Spec& spec) {
  const OnNodes on = on_nodes(spec);
  return on.share * on.cores == spec.bytes ||
         std::none_of(whole.form.levels.begin(), whole.form.levels.end(), [&](const Level& l) {
           return l.vector && l.asked.bytes * unit_of(spec, l.asked.collective) != spec.bytes;
         });
}

}  // namespace

std::string levels_illegal(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  if (!has_levels(spec))
    return fmt::format("needs several nodes with several ranks each, and {} has none; nearest: star:{}*2",
                       spec.topology->text(), std::max<Rank>(2, spec.ranks() / 2));
  if (const std::string reason = routes_illegal(spec, machine); !reason.empty()) return reason;
  if (spec.bytes == 0) return {};
  try {
    const Composed whole = composed(forms, spec, machine, params);
    if (spec.offsets)
      for (const Built& level : whole.levels)
        if (level.schedule->shape().cut.pieces() > 1)
          return fmt::format("blocks of different lengths cannot be cut as {} does", level.choice.algorithm->name);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::vector<Params> levels_variants(Forms forms, const Spec& spec, const Machine& machine) {
  if (spec.bytes == 0 || !has_levels(spec)) return {Params{}};
  std::vector<Whole> all;
  for (const Form& form : forms(spec, on_nodes(spec)))
    for (Whole& whole : wholes(form, machine))
      if (levels_illegal(forms, spec, machine, whole.params).empty()) all.push_back(std::move(whole));
  std::stable_sort(all.begin(), all.end(), [](const Whole& a, const Whole& b) { return a.time < b.time; });
  all.resize(std::min(all.size(), wholes_worth_trying(spec.ranks())));
  std::vector<Params> variants;
  for (Whole& whole : all) variants.push_back(std::move(whole.params));
  if (variants.empty()) variants.emplace_back();
  return variants;
}

Claims levels_claims(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  Claims claims{.contention_free = false, .port_free = false};
  if (spec.bytes == 0 || !has_levels(spec)) return claims;
  const Composed whole = composed(forms, spec, machine, params);
  claims.once = whole.form.once;
  for (const Built& level : whole.levels) {
    claims.once = claims.once && level.claims.once;
    if (level.choice.algorithm->collective == Collective::allreduce) claims.identical = level.claims.identical;
  }
  return claims;
}

Cost levels_cost(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  return cost_on_routes(spec, machine, *levels_build(forms, spec, machine, params));
}

Seconds levels_least(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0 || !has_levels(spec)) return 0;
  const Composed whole = composed(forms, spec, machine, params);
  if (!is_even(whole, spec)) return 0;
  Seconds all = 0;
  for (std::size_t i = 0; i < whole.levels.size(); ++i)
    all += least_on_routes(spec, slowed(machine, whole.form.levels[i]), whole.levels[i].formula);
  return all;
}

SchedulePtr levels_build(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  const Composed whole = composed(forms, spec, machine, params);
  std::vector<SchedulePtr> schedules;
  for (const Built& level : whole.levels) schedules.push_back(level.schedule);
  return whole.form.compose(schedules);
}

}  // namespace quadrille::algorithm::kit
