// What is worth knowing beside a plan: which candidates were left out and why that is safe, what the price leaves out.
#pragma once

#include <string>
#include <vector>

#include "quadrille/plan.hpp"

namespace quadrille::cli {

/// Sentences, each true of this plan; most important first.
std::vector<std::string> facts(const Plan& plan);

}  // namespace quadrille::cli
