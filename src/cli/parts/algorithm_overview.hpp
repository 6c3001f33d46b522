// The whole matrix: which algorithms perform which collective on which network, and how near the best comes to the
// bound.
#pragma once

#include "cli/json.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

/// One collective on a network of about 64 ranks of one family.
struct OverviewCell {
  std::string family;
  Plan plan;
  bool circuits = false;  ///< only circuits make anything legal; the machine asked for has none
  std::vector<const Algorithm*> algorithms() const;  ///< legal ones, best first
};
struct Overview {
  std::vector<std::string> networks;
  std::vector<OverviewCell> cells;  ///< by collective, then network
};
Overview overview(const Machine& machine, Bytes bytes, const PlanOptions& options = {});

void print_overview(const Overview& overview, const std::string& machine, Bytes bytes, console::Context& context);
Json overview_json(const Overview& overview);
/// docs/reference/algorithms.md.
void print_markdown(const Overview& overview, const Machine& machine, Bytes bytes, console::Context& context);

}  // namespace quadrille::cli
