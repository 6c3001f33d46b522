#include "topology/hosts/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/text.hpp"

namespace quadrille::topology {

namespace {

constexpr const char *nodes_name = "SLURM_JOB_NODELIST", *counts_name = "SLURM_TASKS_PER_NODE",
                     *ranks_name = "SLURM_NTASKS";
constexpr std::size_t longest_name = 255, most_digits = 9;

[[noreturn]] void refuse_variable(const char* name, std::string_view value, std::string_view expected) {
  throw Error(Error::Kind::argument, fmt::format("{}={}: expected {}", name, base::quoted(value, 100), expected));
}

/// Commas within brackets separate numbers, those outside nodes.
std::vector<std::string_view> list_entries(std::string_view list) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] == '[') inside = true;
    if (i < list.size() && list[i] == ']') inside = false;
    if (i < list.size() && (list[i] != ',' || inside)) continue;
    found.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return found;
}

class NodeList {
 public:
  explicit NodeList(std::string_view list) : list_(list) {}

  std::vector<std::string> read() const {
    std::vector<std::string> all;
    for (const std::string_view entry : list_entries(list_))
      for (std::string& name : names(entry)) {
        check_name(name);
        all.push_back(std::move(name));
        check_count(all.size());
      }
    return all;
  }

 private:
  [[noreturn]] void refuse() const { refuse_variable(nodes_name, list_, "names of nodes such as n[01-03,07],login1"); }
  void check_count(std::size_t count) const {
    if (count > most_slurm_nodes) refuse_variable(nodes_name, list_, fmt::format("{} nodes at most", most_slurm_nodes));
  }
  void check_name(std::string_view name) const {
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
             c == '.';
    };
    if (name.empty() || name.size() > longest_name || !std::all_of(name.begin(), name.end(), allowed)) refuse();
  }

  /// The names of "n[1-2]r[1-2]": every number of one bracket with every number of the next.
  std::vector<std::string> names(std::string_view entry) const {
    std::vector<std::string> all{""};
    while (!entry.empty()) {
      const auto bracket = std::min(entry.find('['), entry.size());
      for (std::string& name : all) name += entry.substr(0, bracket);
      entry.remove_prefix(bracket);
      if (entry.empty()) break;
      const auto end = entry.find(']');
      if (end == std::string_view::npos) refuse();
      const std::vector<std::string> some = numbers(entry.substr(1, end - 1));
      check_count(all.size() * some.size());
      std::vector<std::string> more;
      for (const std::string& name : all)
        for (const std::string& number : some) more.push_back(name + number);
      all = std::move(more);
      if (all.front().size() > longest_name) refuse();
      entry.remove_prefix(end + 1);
    }
    return all;
  }

  /// "01-03,07" is 01, 02, 03, 07: as wide as they are written.
  std::vector<std::string> numbers(std::string_view runs) const {
    std::vector<std::string> all;
    for (const std::string_view run : base::split(runs, ',')) {
      const auto dash = run.find('-');
      const std::string_view begin = run.substr(0, dash);
      const std::int64_t first = number(begin);
      const std::int64_t last = dash == std::string_view::npos ? first : number(run.substr(dash + 1));
      if (last < first) refuse();
      check_count(all.size() + static_cast<std::size_t>(last - first) + 1);
      for (std::int64_t n = first; n <= last; ++n) all.push_back(fmt::format("{:0{}}", n, begin.size()));
    }
    return all;
  }

  std::int64_t number(std::string_view digits) const {
    if (digits.empty() || digits.size() > most_digits || digits.find_first_not_of("0123456789") != digits.npos)
      refuse();
    return base::parse_integer(digits, 0, std::numeric_limits<std::int64_t>::max(), nodes_name);
  }

  std::string_view list_;
};

}  // namespace

SlurmJob slurm_job(const Variable& variable) {
  return {variable(nodes_name), variable(counts_name), variable(ranks_name)};
}

std::vector<std::string> slurm_nodes(std::string_view list) { return NodeList(list).read(); }

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
