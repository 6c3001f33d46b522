#include "algorithm/kit/routed_choices.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "base/recent.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr double worth_crossings = 3 << 17, worth_crossings_beside_all = 1 << 16;
constexpr double worth_more_crossings = 1 << 15;  ///< of what is tried although it is not among the fastest elsewhere
constexpr double worth_slots = 1 << 23;           ///< of all ranks: their rounds are noted in a second or two

/// Ranks of a network that has algorithms of its own. Exchanges and all-gathers have many blocks, each with a place at
/// every rank on its way where it is stored there.
Rank most_ranks_besides_own(const Spec& spec, const Machine& machine) {
  if (combines(spec)) return 1024;
  return machine.switching == Switching::store_and_forward ? 64 : 256;
}

/// Links that its messages cross, about.
double crossings(const InnerQuestion& q, const Spec& spec, const Cost& cost) {
  const double ranks = static_cast<double>(spec.ranks());
  const bool line = q.machine.ports == Ports::all && q.spec.topology->structure().grid != nullptr;
  const double length =
      line ? (spec.topology->structure().ring ? 1 : 2) : std::max(1.0, spec.topology->mean_distance());
  return static_cast<double>(cost.startups + cost.further) * ranks * length;
}

struct Inner {
  Choice choice;
  Seconds time;
  double crossings;
};
bool is_faster(const Inner& a, const Inner& b) { return a.time < b.time; }

/// Of an algorithm the two best that can answer, the best first.
void add_best(const Algorithm& a, const InnerQuestion& q, const Spec& spec, std::vector<Inner>& best,
              std::vector<Inner>& second) {
  std::vector<Inner> all;
  for (const Params& variant : a.variants(q.spec, q.machine)) {
    Params params = with_few_packets(variant, spec.ranks());
    if (a.other_name != nullptr && !a.other_name(q.spec, params).empty()) continue;
    if (!unfit(q.spec, a.claims(q.spec, q.machine, params)).empty()) continue;
    const Cost cost = a.cost(q.spec, q.machine, params);
    const double crossed = crossings(q, spec, cost);
    if (crossed <= most_crossings)
      all.push_back({{&a, std::move(params)}, seconds(cost, q.machine, *q.spec.topology), crossed});
  }
  std::stable_sort(all.begin(), all.end(), is_faster);
  if (!all.empty()) best.push_back(std::move(all[0]));
  if (all.size() > 1) second.push_back(std::move(all[1]));
}

/// Whether rounds of all its slots are noted in a second or two.
bool may_note(const Choice& inner, const Spec& spec, const Machine& machine) {
  const std::optional<InnerQuestion> q = question_to(inner, spec, machine);
  if (!q) return false;
  try {
    return slots_of(*inner.algorithm->build(q->spec, q->machine, inner.params)) <= worth_slots;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return false;
  }
}

bool has(const std::vector<Inner>& all, const Inner& inner) {
  const auto same = [&](const Inner& i) {
    return i.choice.algorithm == inner.choice.algorithm && i.choice.params == inner.choice.params;
  };
  return std::any_of(all.begin(), all.end(), same);
}

/// Routes that share links may turn the order round: others, too, as long as they cost little.
void add_others(std::vector<Inner> others, std::vector<Inner>& worth) {
  constexpr std::size_t most = 24;
  std::stable_sort(others.begin(), others.end(), is_faster);
  double crossed = 0;
  for (Inner& other : others) {
    if (worth.size() == most) return;
    if (crossed + other.crossings > worth_more_crossings || has(worth, other)) continue;
    crossed += other.crossings;
    worth.push_back(std::move(other));
  }
}

std::vector<Choice> found_worth_routing(const Spec& spec, const Machine& machine) {
  // Rings, meshes and tori have algorithms for lines of their own, which are also the better ones of many messages.
  const bool has_own = is_beside_own(spec);
  if (has_own && spec.ranks() > most_ranks_besides_own(spec, machine)) return {};
  std::vector<Inner> worth, others;
  for (const auto& [family, most] : {std::pair{"mesh", 2}, std::pair{"crossbar", 3}}) {
    if (has_own && family == std::string_view("mesh")) continue;
    const InnerQuestion q = asked_inside(spec, machine, family);
    std::vector<Inner> best;
    for (const Algorithm& a : algorithms())
      if (may_be_inner(a, spec) && a.illegal(q.spec, q.machine, {}).empty()) add_best(a, q, spec, best, others);
    std::stable_sort(best.begin(), best.end(), is_faster);
    int taken = 0;
    for (Inner& inner : best) {
      const bool known = std::any_of(worth.begin(), worth.end(),
                                     [&](const Inner& w) { return w.choice.algorithm == inner.choice.algorithm; });
      if (known || taken == most)
        others.push_back(std::move(inner));
      else
        worth.push_back(std::move(inner)), ++taken;
    }
  }
  // Where all algorithms of a crossbar run by themselves, few messages are what others win with.
  const double most_beside = has_own ? worth_crossings : worth_crossings_beside_all;
  if (has_own || has_own_wires(spec) || spec.topology->structure().routed)
    std::erase_if(worth, [&](const Inner& i) { return i.crossings > most_beside; });
  const auto may_not = [&](const Inner& i) { return !may_note(i.choice, spec, machine); };
  std::erase_if(worth, may_not);
  const auto cheap = [](const Inner& a, const Inner& b) { return a.crossings < b.crossings; };
  std::stable_sort(worth.begin(), worth.end(), cheap);
  while (worth.size() > 1 && worth.back().crossings > worth_crossings) worth.pop_back();
  const std::size_t fastest = worth.size();
  add_others(std::move(others), worth);
  worth.erase(std::remove_if(worth.begin() + static_cast<std::ptrdiff_t>(fastest), worth.end(), may_not), worth.end());
  std::vector<Choice> choices;
  for (Inner& inner : worth) choices.push_back(std::move(inner.choice));
  return choices;
}

}  // namespace

InnerQuestion asked_inside(const Spec& spec, Machine machine, std::string_view family) {
  InnerQuestion q{spec, std::move(machine)};
  q.spec.topology = parse_topology(fmt::format("{}:{}", family, spec.ranks()));
  q.machine.multicast = false;
  q.machine.duplex = Duplex::full;
  if (family == "mesh") q.machine.ports = Ports::all;
  return q;
}

bool combines_in_any_order(const Spec& spec) {
  const bool prefixes = spec.collective == Collective::scan || spec.collective == Collective::exscan;
  return spec.operands == Operands::commutative && !spec.canonical && !prefixes;
}

bool is_beside_own(const Spec& spec) {
  const Topology::Structure s = spec.topology->structure();
  return (combines_in_any_order(spec) || !combines(spec)) && (s.grid != nullptr || s.cube > 0 || s.ring);
}

bool may_be_inner(const Algorithm& a, const Spec& spec) { return a.collective == spec.collective && !a.asks_for_nodes; }

std::optional<InnerQuestion> question_to(const Choice& inner, const Spec& spec, const Machine& machine) {
  // Lines have algorithms of the same names on rings, meshes and tori.
  const auto families = is_beside_own(spec) ? std::array{"crossbar", "mesh"} : std::array{"mesh", "crossbar"};
  for (const std::string_view family : families) {
    InnerQuestion q = asked_inside(spec, machine, family);
    if (inner.algorithm->illegal(q.spec, q.machine, inner.params).empty()) return q;
  }
  return std::nullopt;
}

double slots_of(const Schedule& schedule) {
  const Shape& shape = schedule.shape();
  return static_cast<double>(shape.slots(Buffer::in) + shape.slots(Buffer::out) + shape.slots(Buffer::tmp)) *
         static_cast<double>(shape.ranks);
}

std::vector<Choice> worth_routing(const Spec& spec, const Machine& machine) {
  static base::Recent<std::string, std::vector<Choice>> known(64);
  return *known.get(question_text(spec, machine), [&] { return found_worth_routing(spec, machine); });
}

}  // namespace quadrille::algorithm::kit
