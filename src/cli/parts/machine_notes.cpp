#include "cli/parts/machine_notes.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/parts/topology_facts.hpp"
#include "console/words.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::cli {

namespace {

/// Larger questions are not asked twice to find out what their algorithms would pay.
constexpr Rank most_ranks = 4096;

/// What algorithms are charged for, or what there is to find out of that.
struct Charges {
  bool copies = false, barriers = false, hops = false, further = false;
  void add(const Cost& cost) {
    copies = copies || cost.permuted + cost.packed > 0;
    barriers = barriers || cost.barriers > 0;
    hops = hops || cost.hops > 0;
    further = further || cost.further > 0;
  }
  /// Of what is asked, what is not true yet.
  Charges lacks(const Charges& asked) const {
    return {asked.copies && !copies, asked.barriers && !barriers, asked.hops && !hops, asked.further && !further};
  }
  bool any() const { return copies || barriers || hops || further; }
  bool but_barriers() const { return copies || hops || further; }
};

/// The variants of which one is the cheapest: one that the plan has priced, and those that it has not.
struct Cheapest {
  const Candidate* priced = nullptr;
  std::vector<Params> others;
};
bool can_answer(const Task& task, const Algorithm& a, const Params& params) {
  return a.illegal(task.spec, task.machine, params).empty() &&
         unfit(task.spec, a.claims(task.spec, task.machine, params)).empty();
}
Cheapest cheapest(const Task& task, const Algorithm& a) {
  Cheapest found;
  std::vector<Params> unknown;
  for (Params& variant : a.parameters.empty() ? std::vector<Params>{{}} : a.variants(task.spec, task.machine)) {
    const std::vector<Candidate>& all = task.plan->candidates;
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Candidate& c) { return c.algorithm == &a && c.params == variant; });
    if (known == all.end())
      unknown.push_back(std::move(variant));
    else if (found.priced == nullptr || known->time < found.priced->time)
      found.priced = &*known;
  }
  for (Params& variant : unknown) {
    const bool dearer =
        found.priced != nullptr && a.least != nullptr && a.least(task.spec, task.machine, variant) > found.priced->time;
    if (!dearer && can_answer(task, a, variant)) found.others.push_back(std::move(variant));
  }
  return found;
}

/// Of a schedule whose messages are counted: its rounds say so themselves.
bool has_barriers(const Task& task, const Algorithm& a, const Params& params) {
  const SchedulePtr schedule = a.build(by_routes(task.spec), task.machine, params);
  for (Round t = 0; t < schedule->shape().rounds; ++t)
    if (schedule->barrier(t)) return true;
  return false;
}

/// Adds what the algorithm is charged for, with these parameters if any, if it is anything that is lacking.
void add_charges(const Task& task, const Choice& choice, const Charges& lacking, Charges& all) {
  const Algorithm& a = *choice.algorithm;
  if (task.plan != nullptr && task.spec.bytes > 0) {
    const Cheapest found = cheapest(task, a);
    if (found.others.empty()) {
      if (found.priced != nullptr) all.add(found.priced->cost);
      return;
    }
    const bool none = (found.priced == nullptr || found.priced->cost.barriers == 0) && a.least != nullptr &&
                      !lacking.but_barriers() &&
                      std::none_of(found.others.begin(), found.others.end(),
                                   [&](const Params& variant) { return has_barriers(task, a, variant); });
    if (none) return;
  }
  try {
    all.add(build(by_routes(task.spec), task.machine, choice).formula);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::illegal) return;  // it cannot answer, and is charged for nothing
    if (error.kind() != Error::Kind::budget) throw;
    all = {true, true, true, true};  // as of larger questions
  }
}

/// Of what is asked, what the algorithms that can run here are charged for.
Charges charges(const Task& task, const Charges& asked) {
  Charges all;
  if (task.spec.ranks() > most_ranks) return {true, true, true, true};
  const Choice given = task.algorithm.empty() ? Choice{} : parse_choice(task.algorithm);
  const Algorithm* const one = given.algorithm;
  for (const Algorithm& a : algorithms()) {
    const Charges lacking = all.lacks(asked);
    if (!lacking.any()) break;
    if (one ? &a != one : a.collective != task.spec.collective || a.searched) continue;
    if (a.collective != task.spec.collective || !a.illegal(task.spec, task.machine, given.params).empty()) continue;
    add_charges(task, {&a, given.params}, lacking, all);
  }
  return all;
}

bool is_preset(const std::string& name) {
  const std::vector<std::string> presets = machine_presets();
  return std::find(presets.begin(), presets.end(), name) != presets.end();
}

/// "rho not given: copying is free" and the like, of what is charged here.
std::string left_out(const Task& task) {
  const MachineFile& file = task.file;
  const Machine& m = task.machine;
  if (file.given.empty() || console::in_units(m)) return {};
  const auto missing = [&](std::string_view key) { return !file.is_given(key); };
  const bool barrier = missing("barrier") && missing("barrier_log2"), hop = missing("per_hop"), copy = missing("rho");
  // Machines of papers have no overheads by their papers' meaning.
  const bool overhead = m.ports == Ports::all && !m.has_overhead() && missing("overhead_send") && !is_preset(m.name);
  if (!barrier && !hop && !copy && !overhead) return {};
  const Charges charged = charges(task, {copy, barrier, hop && m.switching != Switching::store_and_forward, overhead});
  std::vector<std::string> all;
  if (copy && charged.copies) all.emplace_back("rho not given: copying is free");
  if (barrier && charged.barriers) all.emplace_back("barrier not given: barriers are free");
  if (hop && charged.hops && m.switching != Switching::store_and_forward)
    all.emplace_back("per_hop not given: distance is free");
  if (overhead && charged.further) all.emplace_back("overhead not given: a rank begins many messages as fast as one");
  return base::join(all, "; ");
}

}  // namespace

std::vector<std::string> notes(const MachineFile& file, const UsedOn& use, bool by_default) {
  std::vector<std::string> all;
  if (std::string elsewhere = used_elsewhere(file, use); !elsewhere.empty())
    all.push_back(elsewhere + (by_default ? "; --machine names another" : ""));
  for (std::string& sentence : implausible(file.machine)) all.push_back(std::move(sentence));
  return all;
}

std::vector<std::string> notes(const Task& task) {
  UsedOn use = task.use;
  use.topology = task.spec.topology->text();
  use.ranks = task.spec.ranks();
  std::vector<std::string> all = notes(task.file, use, task.by_default);
  if (std::string text = left_out(task); !text.empty()) all.push_back(std::move(text));
  if (takes_lowest_of_several(*task.spec.topology))
    all.emplace_back(
        "routes take the lowest of several ways that are as short; ':routes=balanced' behind the network spreads them");
  return all;
}

}  // namespace quadrille::cli
