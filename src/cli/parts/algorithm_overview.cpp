#include "cli/parts/algorithm_overview.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "collective/traits.hpp"
#include "console/table.hpp"

namespace quadrille::cli {

namespace {

/// 64 ranks of every family that is not another one under another name.
std::vector<std::string> shown_networks() {
  std::vector<std::string> all;
  for (const TopologyFamily& family : topology_families())
    if (const TopologyPtr network = topology_of(family, 64); network && family.like.empty())
      all.push_back(network->text());
  return all;
}

OverviewCell cell_of(Collective collective, const std::string& network, const Machine& machine, Bytes bytes,
                     const PlanOptions& options) {
  Spec spec{.collective = collective, .topology = parse_topology(network), .bytes = bytes};
  collective::traits(spec).complete(spec);
  OverviewCell cell{std::string(spec.topology->family()), plan(spec, machine, options), false};
  if (cell.plan.possible()) return cell;
  Machine circuits = machine;
  circuits.switching = Switching::circuit;
  cell.plan = plan(spec, circuits, options);
  cell.circuits = cell.plan.possible();
  return cell;
}

std::string short_name(const Algorithm& a) { return std::string(a.name.substr(to_string(a.collective).size() + 1)); }

}  // namespace

std::vector<const Algorithm*> OverviewCell::algorithms() const {
  std::vector<const Algorithm*> all;
  for (const Candidate& c : plan.candidates)
    if (std::find(all.begin(), all.end(), c.algorithm) == all.end()) all.push_back(c.algorithm);
  return all;
}

Overview overview(const Machine& machine, Bytes bytes, const PlanOptions& options) {
  Overview all{shown_networks(), {}};
  for (const Collective c : collectives())
    for (const std::string& network : all.networks) all.cells.push_back(cell_of(c, network, machine, bytes, options));
  return all;
}

namespace {

/// All collectives would not fit a line.
enum class Kind { to_some, of_pairs, reduction };

Kind kind_of(Collective c) {
  const collective::Facts& facts = collective::traits(c).facts();
  return facts.combines ? Kind::reduction : facts.flow == collective::Flow::pairs ? Kind::of_pairs : Kind::to_some;
}

void print_table(const Overview& overview, Kind kind, console::Context& context) {
  std::vector<console::Table::Column> columns{{"network"}};
  for (const Collective c : collectives())
    if (kind_of(c) == kind) columns.push_back({std::string(to_string(c))});
  console::Table table(columns);
  const std::size_t n = overview.networks.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> names{overview.networks[i]}, counts{""};
    for (std::size_t c = 0; c < collectives().size(); ++c) {
      if (kind_of(collectives()[c]) != kind) continue;
      const OverviewCell& cell = overview.cells[c * n + i];
      const auto all = cell.algorithms();
      names.push_back(all.empty() ? "-" : short_name(*all.front()) + (cell.circuits ? "*" : ""));
      counts.push_back(all.empty() ? "-" : fmt::format("{}, {}", all.size(), base::format_ratio(cell.plan.gap())));
    }
    table.add(std::move(names));
    table.add(std::move(counts));
  }
  table.print(context);
}

}  // namespace

void print_overview(const Overview& overview, const std::string& machine, Bytes bytes, console::Context& context) {
  context.print(
      "The best algorithm on 64 ranks, how many there are, and its price over the lower bound;\n"
      "blocks of {}, machine {}\n\n",
      base::format_bytes(bytes), machine);
  print_table(overview, Kind::to_some, context);
  context.print("\nThe same where pairs have something for each other\n\n");
  print_table(overview, Kind::of_pairs, context);
  context.print("\nThe same for reductions\n\n");
  print_table(overview, Kind::reduction, context);
  context.print(
      "\n* with circuits, --set switching=circuit. Names are short: bcast_... under bcast.\n"
      "Go on with: quadrille algorithm --list, quadrille algorithm NAME, quadrille algorithm --on NETWORK\n");
}

Json overview_json(const Overview& overview) {
  Json list = Json::array();
  for (const OverviewCell& cell : overview.cells) {
    Json names = Json::array();
    for (const Algorithm* a : cell.algorithms()) names.push_back(a->name);
    list.push_back({{"collective", to_string(cell.plan.spec.collective)},
                    {"topology", cell.plan.spec.topology->text()},
                    {"switching", to_string(cell.plan.machine.switching)},
                    {"algorithms", names},
                    {"gap", cell.plan.possible() ? Json(cell.plan.gap()) : Json(nullptr)}});
  }
  return list;
}

}  // namespace quadrille::cli
