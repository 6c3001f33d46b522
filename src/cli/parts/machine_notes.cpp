#include "cli/parts/machine_notes.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "console/words.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::cli {

namespace {

/// Larger questions are not asked twice to find out what their algorithms would pay.
constexpr Rank most_ranks = 4096;

/// What the algorithms that can run here are charged for.
struct Charges {
  bool copies = false, barriers = false, hops = false, further = false;
  void add(const Cost& cost) {
    copies = copies || cost.permuted + cost.packed > 0;
    barriers = barriers || cost.barriers > 0;
    hops = hops || cost.hops > 0;
    further = further || cost.further > 0;
  }
};

Charges charges(const Task& task) {
  Charges all;
  if (task.spec.ranks() > most_ranks) return {true, true, true, true};
  const Algorithm* const one = task.algorithm.empty() ? nullptr : parse_choice(task.algorithm).algorithm;
  for (const Algorithm& a : algorithms()) {
    if (one ? &a != one : a.collective != task.spec.collective || a.searched) continue;
    if (a.collective != task.spec.collective || !a.illegal(task.spec, task.machine, {}).empty()) continue;
    all.add(build(task.spec, task.machine, {&a, {}}).formula);
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
  const Charges charged = charges(task);
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
  return all;
}

}  // namespace quadrille::cli
