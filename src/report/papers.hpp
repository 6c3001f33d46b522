// Papers worked again, as one HTML page without script.
#pragma once

#include <string>
#include <vector>

#include "papers/reproduce.hpp"

namespace quadrille::report {

/// Every figure and table, the paper's numbers beside ours claim by claim, and errata beside the figures they concern.
/// Texts may hold anything: they are escaped.
std::string papers_page(const std::vector<papers::Reproduction>& papers);

}  // namespace quadrille::report
