// What is worth knowing beside a plan: which candidates were left out and why that is safe, what the price leaves out.
#pragma once

#include <string>
#include <vector>

#include "quadrille/plan.hpp"

namespace quadrille::cli {

/// Sentences, each true of this plan; most important first. Quick: without what takes long to find out.
std::vector<std::string> facts(const Plan& plan, bool quick);

}  // namespace quadrille::cli
