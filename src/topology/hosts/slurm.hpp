// The hosts of a job as SLURM's environment names them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/hosts/hosts.hpp"

namespace quadrille::topology {

/// What SLURM says of a job, as its variables have it; empty where it says nothing.
struct SlurmJob {
  std::string nodes;         ///< SLURM_JOB_NODELIST: "n[01-03,07],login1"
  std::string ranks_a_node;  ///< SLURM_TASKS_PER_NODE: "8(x3),4"
  std::string ranks;         ///< SLURM_NTASKS: "28"
};
/// By the variable's name its value; empty where there is none.
using Variable = std::function<std::string(const char* name)>;
SlurmJob slurm_job(const Variable& variable);

constexpr std::int64_t most_slurm_nodes = std::int64_t{1} << 16, most_slurm_ranks = std::int64_t{1} << 20;

/// "n[01-03,07]" is n01, n02, n03, n07. Throws Error(argument) for what is no such list, or names more than
/// most_slurm_nodes.
std::vector<std::string> slurm_nodes(std::string_view list);
/// "8(x3),4" is 8, 8, 8, 4. Throws Error(argument), also beyond most_slurm_nodes.
std::vector<Rank> slurm_counts(std::string_view counts);
/// Which ranks share a node, taken node by node, whatever SLURM's distribution of ranks is: questions are about nodes.
/// Throws Error(argument) naming the variable and what it would have to say.
Hosts slurm_hosts(const SlurmJob& job);

}  // namespace quadrille::topology
