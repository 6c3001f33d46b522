// Which compositions of levels are worth pricing on the network: those of the fastest parts.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/kit/levels_choice.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Counting the messages of many ranks takes long, so that fewer wholes are worth it. Those on nodes are counted fast:
/// few ranks stand for the others.
constexpr Rank some_ranks = 128, many_ranks = 1024;
constexpr std::size_t worth_pipelining = 2, worth_nesting = 4;
constexpr std::int64_t worth_pieces = 64;
/// Groups so small that each of their ranks soon has a message for every other.
constexpr Rank small_group = 4;

std::size_t wholes_worth_trying(Rank ranks, bool on_nodes) {
  if (on_nodes) return ranks <= many_ranks ? 12 : ranks <= 8192 ? 4 : 2;
  return ranks <= some_ranks ? 8 : ranks <= many_ranks ? 3 : 1;
}
std::size_t worth_trying(const Level& level) {
  return level.parameter == outer_level.name ? 3 : level.parameter == inner_level.name ? 2 : 1;
}

/// The network's groups, and small ones inside the smallest of them.
std::vector<Rank> sizes_worth_trying(const Spec& spec, bool nodes) {
  std::vector<Rank> sizes = group_sizes(spec);
  const bool divides = sizes.front() > small_group && sizes.front() % small_group == 0;
  if (divides && !nodes && spec.ranks() <= some_ranks) sizes.insert(sizes.begin(), small_group);
  return sizes;
}

struct Whole {
  Params params;
  Seconds time = 0;  ///< of its levels on crossbars
};

class Wholes {
 public:
  Wholes(Forms forms, const Spec& spec, const Machine& machine) : forms_(forms), spec_(spec), machine_(machine) {}

  std::vector<Params> worth_pricing() {
    const bool nodes = on_nodes(spec_, {}).share_links, few = spec_.ranks() <= some_ranks;
    const std::vector<Rank> sizes = sizes_worth_trying(spec_, nodes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Params of_size;
      if (sizes.size() > 1) of_size.set(std::string(group_size.name), {sizes[i]});
      std::vector<Rank> larger;  // nodes of groups of groups
      if (i + 1 < sizes.size() && spec_.ranks() <= many_ranks) larger.push_back(sizes[i + 1] / sizes[i]);
      const Rank groups = spec_.ranks() / sizes[i];
      if (few && !nodes && groups > small_group && groups % small_group == 0) larger.push_back(small_group);
      for (const Form& form : forms_(spec_, on_nodes(spec_, of_size))) add(form, of_size, larger);
      if (nodes ? !few : spec_.ranks() > many_ranks) break;
    }
    std::vector<Params> variants;
    append(plain_, wholes_worth_trying(spec_.ranks(), nodes), variants);
    append(pipelined_, few ? worth_pipelining : 0, variants);
    append(nested_, few ? worth_nesting : 1, variants);
    return variants;
  }

 private:
  /// The fastest levels of a form in all combinations, a pipeline of each between nodes, and levels between nodes.
  void add(const Form& form, const Params& of_size, const std::vector<Rank>& larger) {
    std::vector<Whole> all{Whole{of_size}};
    for (const Level& level : form.levels) {
      std::vector<Whole> longer;
      for (const PricedChoice& p : picked(level, machine_, worth_trying(level)))
        for (const Whole& whole : all)
          longer.push_back(with(whole, level, to_text(*p.choice.algorithm, p.choice.params), p.time));
      all = std::move(longer);
    }
    std::stable_sort(all.begin(), all.end(), sooner);
    const auto between = std::find_if(form.levels.begin(), form.levels.end(),
                                      [](const Level& level) { return level.parameter == outer_level.name; });
    if (all.empty()) return;
    for (const Rank nodes_of_group : larger) add_nested(all.front(), *between, nodes_of_group);
    if (form.phases) all = with_pieces(std::move(all), *between);
    std::move(all.begin(), all.end(), std::back_inserter(plain_));
  }

  static Whole with(Whole whole, const Level& level, std::string choice, Seconds time) {
    whole.params.set_choice(std::string(level.parameter), std::move(choice));
    whole.time += time;
    return whole;
  }

  /// Says of those that could work on pieces that they do not, and notes the fastest of each level between nodes that
  /// do.
  std::vector<Whole> with_pieces(std::vector<Whole> all, const Level& between) {
    std::vector<std::pair<std::string, std::int64_t>> known;
    for (Whole& whole : all) {
      const std::string text(whole.params.choice(between.parameter));
      auto seen = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == text; });
      const bool first = seen == known.end();
      if (first) {
        const Choice choice = parse_choice(text);
        const SchedulePtr schedule = choice.algorithm->build(between.asked, machine_, choice.params);
        seen = known.insert(known.end(), {text, pieces_it_cuts(spec_, between, schedule)});
      }
      if (seen->second < 2) continue;
      if (first) {
        pipelined_.push_back(whole);
        pipelined_.back().params.set(std::string(level_pieces.name), {std::min(seen->second, worth_pieces)});
      }
      whole.params.set(std::string(level_pieces.name), {1});
    }
    return all;
  }

  /// Levels among the nodes of a larger group, and between such groups, in place of the one between nodes.
  void add_nested(Whole whole, const Level& between, Rank nodes_of_group) {
    const std::string name = fmt::format("{}_levels", to_string(between.asked.collective));
    const Algorithm& levels = find_algorithm(name);
    Spec groups = between.asked;
    groups.topology = parse_topology(fmt::format("star:{}*{}", between.asked.ranks() / nodes_of_group, nodes_of_group));
    Machine there = machine_;
    there.per_hop *= static_cast<double>(between.links) / groups.topology->diameter();
    Params best = levels.variants(groups, there).front();
    best.set(std::string(group_size.name), {nodes_of_group});
    if (!levels.illegal(between.asked, machine_, best).empty()) return;
    if (!unfit(between.asked, levels.claims(between.asked, machine_, best)).empty()) return;
    whole.params.set_choice(std::string(between.parameter), to_text(levels, best));
    nested_.push_back(std::move(whole));
  }

  void append(std::vector<Whole>& from, std::size_t most, std::vector<Params>& variants) const {
    std::stable_sort(from.begin(), from.end(), sooner);
    std::size_t taken = 0;
    for (Whole& whole : from) {
      if (taken == most) return;
      if (!levels_illegal(forms_, spec_, machine_, whole.params).empty()) continue;
      variants.push_back(std::move(whole.params));
      ++taken;
    }
  }
  static bool sooner(const Whole& a, const Whole& b) { return a.time < b.time; }

  Forms forms_;
  const Spec& spec_;
  const Machine& machine_;
  std::vector<Whole> plain_, pipelined_, nested_;
};

}  // namespace

std::vector<Params> levels_variants(Forms forms, const Spec& spec, const Machine& machine) {
  if (spec.bytes == 0 || group_sizes(spec).empty()) return {Params{}};
  std::vector<Params> variants = Wholes(forms, spec, machine).worth_pricing();
  if (variants.empty()) variants.emplace_back();
  return variants;
}

}  // namespace quadrille::algorithm::kit
