// Which algorithms run inside nodes and between them: as asked, or the best on crossbars of as many ranks.
#include "algorithm/kit/levels_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/routed.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"
#include "base/recent.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Whether scratch has a place: that of a vector is a vector, or as many of them as the level has blocks.
std::string unplaced(const Level& level, const Schedule& schedule) {
  const Shape& shape = schedule.shape();
  if (!level.vector || shape.tmp == 0) return {};
  if (!combines(level.asked)) return "keeps data of others in scratch on their way";
  return shape.tmp == shape.out || shape.out == 1 ? "" : "has scratch of another form than its results";
}

/// A crossbar's routes are wires: there an algorithm does by itself what it does on routes.
bool needs_no_routes(const Algorithm& a, const Level& level, const Machine& machine, const Params& params) {
  const bool routed = std::any_of(a.parameters.begin(), a.parameters.end(),
                                  [](const Parameter& p) { return p.name == routed_meet.name; });
  if (!routed || params.choice(routed_inner.name).empty()) return false;
  const Choice inner = parse_choice(params.choice(routed_inner.name));
  return inner.algorithm->illegal(level.asked, machine, inner.params).empty();
}

/// The best parameters of an algorithm for ranks that have one link each, which a crossbar with one port is like. What
/// runs with all ports only sends all messages of a round over that link.
PricedChoice best_of(const Algorithm& a, const Level& level, const Machine& machine) {
  Machine one_link = slowed(machine, level);
  one_link.ports = Ports::one;
  const bool serial = a.illegal(level.asked, one_link, {}).empty();
  if (!serial) one_link.ports = machine.ports;
  PricedChoice best{};
  for (const Params& variant : a.variants(level.asked, one_link)) {
    Params params = with_few_packets(variant, level.asked.ranks());
    if (a.other_name != nullptr && !a.other_name(level.asked, params).empty()) continue;
    if (needs_no_routes(a, level, machine, params) || !a.illegal(level.asked, machine, params).empty()) continue;
    Cost cost = a.cost(level.asked, one_link, params);
    if (!serial && cost.startups > 0) cost.bytes += base::ceil_div(cost.bytes * cost.further, cost.startups);
    const Seconds time = seconds(cost, one_link, *level.asked.topology);
    if (best.choice.algorithm == nullptr || time < best.time) best = {{&a, std::move(params)}, time};
  }
  return best;
}

std::vector<PricedChoice> found_by_time(const Level& level, const Machine& machine) {
  std::vector<PricedChoice> all;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != level.asked.collective || !a.illegal(level.asked, machine, {}).empty()) continue;
    if (PricedChoice best = best_of(a, level, machine); best.choice.algorithm != nullptr)
      all.push_back(std::move(best));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const PricedChoice& a, const PricedChoice& b) { return a.time < b.time; });
  return all;
}

/// Every algorithm that runs there, the fastest first. Forms have levels in common, and legality, variants and builds
/// ask for the same ones.
std::shared_ptr<const std::vector<PricedChoice>> by_time(const Level& level, const Machine& machine) {
  static base::Recent<std::string, std::vector<PricedChoice>> known(64);
  return known.get(
      fmt::format("{} {} {} {}", question_text(level.asked, machine), level.times, level.sharing, level.links),
      [&] { return found_by_time(level, machine); });
}

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

Choice choice_of(const Level& level, const Machine& machine, const Params& params) {
  if (const std::string_view given = params.choice(level.parameter); !given.empty()) return parse_choice(given);
  if (std::vector<PricedChoice> best = picked(level, machine, 1); !best.empty()) return std::move(best.front().choice);
  refuse(fmt::format("no {} runs on crossbar:{} with this machine; try --set {}", to_string(level.asked.collective),
                     level.asked.ranks(), machine.duplex == Duplex::full ? "ports=all" : "duplex=full"));
}

Built built_level(const Level& level, const Machine& machine, const Choice& choice) {
  Built built = build(level.asked, machine, choice);
  if (const std::string reason = unplaced(level, *built.schedule); !reason.empty())
    refuse(fmt::format("{} {}; take another {}", choice.algorithm->name, reason, to_string(level.asked.collective)));
  return built;
}

bool is_between(const Level& level) { return level.parameter == outer_level.name; }

/// The pieces of a pipeline: every level inside runs on each of them.
class Pieces {
 public:
  Pieces(Forms forms, const Spec& spec, const Machine& machine, const Params& params, std::size_t form)
      : forms_(forms), spec_(spec), machine_(machine), params_(params), form_(form) {}

  void append(Composed& whole, std::int64_t pieces) {
    const std::size_t between = static_cast<std::size_t>(
        std::find_if(whole.form.levels.begin(), whole.form.levels.end(), is_between) - whole.form.levels.begin());
    const Level& level = whole.form.levels[between];
    const Built outer = built_level(level, machine_, choice_of(level, machine_, params_));
    for (const Range& range : ranges_of(spec_, level, outer, pieces)) {
      OnNodes on = whole.on;
      on.piece = range;
      PieceLevels piece{range, forms_(spec_, on)[form_], {}};
      for (std::size_t i = 0; i < piece.form.levels.size(); ++i)
        piece.levels.push_back(i == between ? outer : of(piece.form.levels[i], i, range.length));
      whole.pieces.push_back(std::move(piece));
    }
    whole.levels = whole.pieces.front().levels;
  }

 private:
  /// Pieces are of few lengths, and the first of them says what is chosen.
  Built of(const Level& level, std::size_t number, Bytes length) {
    const auto known = built_.find({number, length});
    if (known != built_.end()) return known->second;
    auto choice = chosen_.find(number);
    if (choice == chosen_.end()) choice = chosen_.emplace(number, choice_of(level, machine_, params_)).first;
    return built_.emplace(std::pair(number, length), built_level(level, machine_, choice->second)).first->second;
  }

  Forms forms_;
  const Spec& spec_;
  const Machine& machine_;
  const Params& params_;
  std::size_t form_;
  std::map<std::size_t, Choice> chosen_;
  std::map<std::pair<std::size_t, Bytes>, Built> built_;
};

/// Neither too large to build, nor with blocks that ranks of the level have no places for.
bool can_be_built(const Level& level, const Machine& machine, const Choice& choice) {
  try {
    return unplaced(level, *choice.algorithm->build(level.asked, machine, choice.params)).empty();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return false;
  }
}

}  // namespace

void refuse(const std::string& reason) { throw Error(Error::Kind::illegal, reason); }

Machine slowed(Machine machine, const Level& level) {
  const double factor = static_cast<double>(level.times);
  machine.beta *= factor * static_cast<double>(level.sharing), machine.rho *= factor, machine.gamma *= factor;
  machine.per_hop *= level.links;
  return machine;
}

std::vector<PricedChoice> picked(const Level& level, const Machine& machine, std::size_t most) {
  std::vector<PricedChoice> all;
  if (level.asked.bytes == 0) return all;
  const auto known = by_time(level, machine);
  for (const PricedChoice& p : *known) {
    const Algorithm& a = *p.choice.algorithm;
    if (!unfit(level.asked, a.claims(level.asked, machine, p.choice.params)).empty()) continue;
    if (!can_be_built(level, machine, p.choice)) continue;
    all.push_back(p);
    if (all.size() == most) break;
  }
  return all;
}

Composed composed(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  Composed whole{.on = on_nodes(spec, params), .form = {}, .levels = {}};
  std::vector<Form> known = forms(spec, whole.on);
  const auto form = std::find_if(known.begin(), known.end(), [&](const Form& f) { return fits(f, params); });
  if (form == known.end()) refuse(fmt::format("its levels make no whole; they are {}", describe_forms(known)));
  whole.form = *form;
  const std::int64_t pieces = params.get(level_pieces.name, 1);
  if (pieces > 1 && !form->phases) refuse("levels of this form do not work on pieces; try pieces=1");
  if (pieces > 1 && pattern::one_way(machine))
    refuse(
        "ranks send some pieces while they receive others, and those of this machine do one or the other; try pieces=1 "
        "or --set duplex=full");
  if (pieces > 1)
    Pieces(forms, spec, machine, params, static_cast<std::size_t>(form - known.begin())).append(whole, pieces);
  else
    for (const Level& level : whole.form.levels)
      whole.levels.push_back(built_level(level, machine, choice_of(level, machine, params)));
  return whole;
}

}  // namespace quadrille::algorithm::kit
