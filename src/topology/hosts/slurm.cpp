#include "topology/hosts/slurm.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "topology/hosts/node_list.hpp"

namespace quadrille::topology {

namespace {

constexpr const char *nodes_name = "SLURM_JOB_NODELIST", *counts_name = "SLURM_TASKS_PER_NODE",
                     *ranks_name = "SLURM_NTASKS";
constexpr std::size_t most_digits = 9;

[[noreturn]] void refuse_variable(const char* name, std::string_view value, std::string_view expected) {
  throw Error(Error::Kind::argument, fmt::format("{}={}: expected {}", name, base::quoted(value, 100), expected));
}

}  // namespace

SlurmJob slurm_job(const Variable& variable) {
  return {variable(nodes_name), variable(counts_name), variable(ranks_name)};
}

std::vector<std::string> slurm_nodes(std::string_view list) {
  return node_list(list, [&](const std::string& expected) { refuse_variable(nodes_name, list, expected); });
}

std::vector<Rank> slurm_counts(std::string_view counts) {
  constexpr std::string_view expected = "ranks of each node such as 8(x3),4";
  std::vector<Rank> all;
  for (const std::string_view entry : base::split(counts, ',')) {
    const auto times = entry.find("(x");
    if (times != std::string_view::npos && !entry.ends_with(')')) refuse_variable(counts_name, counts, expected);
    const auto number = [&](std::string_view digits, std::int64_t most) {
      if (digits.empty() || digits.size() > most_digits || digits.find_first_not_of("0123456789") != digits.npos)
        refuse_variable(counts_name, counts, expected);
      const std::int64_t value = base::parse_integer(digits, 0, std::numeric_limits<std::int64_t>::max(), counts_name);
      if (value < 1 || value > most)
        refuse_variable(counts_name, counts,
                        fmt::format("1 to {} ranks on each of {} nodes at most", most_slurm_ranks, most_slurm_nodes));
      return value;
    };
    const Rank here = number(entry.substr(0, times), most_slurm_ranks);
    const std::int64_t nodes = times == std::string_view::npos
                                   ? 1
                                   : number(entry.substr(times + 2, entry.size() - times - 3), most_slurm_nodes);
    if (std::ssize(all) + nodes > most_slurm_nodes)
      refuse_variable(counts_name, counts, fmt::format("{} nodes at most", most_slurm_nodes));
    all.insert(all.end(), static_cast<std::size_t>(nodes), here);
  }
  return all;
}

Hosts slurm_hosts(const SlurmJob& job) {
  if (job.nodes.empty() || job.ranks_a_node.empty())
    throw Error(Error::Kind::argument,
                fmt::format("network slurm: {} is not set; expected to be started in a job of SLURM, by sbatch, salloc "
                            "or srun",
                            job.nodes.empty() ? nodes_name : counts_name));
  const std::vector<std::string> nodes = slurm_nodes(job.nodes);
  const std::vector<Rank> counts = slurm_counts(job.ranks_a_node);
  if (nodes.size() != counts.size())
    refuse_variable(
        counts_name, job.ranks_a_node,
        fmt::format("ranks of {} nodes, as {} names, and not of {}", nodes.size(), nodes_name, counts.size()));
  const Rank ranks = std::accumulate(counts.begin(), counts.end(), Rank{0});
  if (ranks > most_slurm_ranks)
    refuse_variable(counts_name, job.ranks_a_node, fmt::format("{} ranks at most", most_slurm_ranks));
  if (!job.ranks.empty() && job.ranks != fmt::format("{}", ranks))
    refuse_variable(ranks_name, job.ranks,
                    fmt::format("{}, as many as {}={} has", ranks, counts_name, job.ranks_a_node));
  std::vector<std::int64_t> node_of_rank;
  for (std::size_t node = 0; node < counts.size(); ++node)
    node_of_rank.insert(node_of_rank.end(), static_cast<std::size_t>(counts[node]), static_cast<std::int64_t>(node));
  return Hosts(node_of_rank);
}

}  // namespace quadrille::topology
