// A report: one HTML file that shows a plan to a person and opens from disk, and the data in it as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/plan.hpp"

namespace quadrille {

/// A time that was taken somewhere, to be drawn beside the prices.
struct Measurement {
  double bytes;  ///< of a block
  Seconds time;
  std::string label;        ///< where it comes from; may be empty
  std::string choice = {};  ///< the algorithm with its parameters, to be compared with its price; may be empty
};

/// What a report shows beside the plan.
struct ReportOptions {
  Choice choice = {};              ///< what is shown in motion; without an algorithm the plan's best
  std::vector<std::string> notes;  ///< sentences about the plan
  std::string command;             ///< the line that makes this report
  std::vector<Measurement> measured;
};

/// The plan with its schedule, prices, limits and simulation as a JSON object, described in docs/reference/report.md.
/// Its size is bounded: up to 1024 ranks with every message, beyond that with a matrix of groups of ranks. Throws
/// Error(illegal) when the choice cannot run.
std::string report_document(const Plan& plan, const ReportOptions& options);
/// The page with a document in it. The document may hold any text: nothing in it becomes markup or script.
std::string report_page(std::string_view document);

}  // namespace quadrille
