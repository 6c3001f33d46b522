#include "topology/hosts/hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "topology/graph/job.hpp"
#include "topology/hosts/node_list.hpp"

namespace quadrille::topology {

Hosts::Hosts(const std::vector<std::int64_t>& host_of_rank) {
  std::unordered_map<std::int64_t, Rank> numbers;
  for (const std::int64_t name : host_of_rank) {
    const Rank host = numbers.emplace(name, count()).first->second;
    if (host == count()) ranks_of_host_.emplace_back();
    ranks_of_host_[static_cast<std::size_t>(host)].push_back(ranks());
    host_of_rank_.push_back(host);
  }
}

Rank Hosts::fewest() const {
  Rank found = ranks();
  for (const auto& here : ranks_of_host_) found = std::min(found, static_cast<Rank>(here.size()));
  return found;
}

Rank Hosts::most() const {
  Rank found = 0;
  for (const auto& here : ranks_of_host_) found = std::max(found, static_cast<Rank>(here.size()));
  return found;
}

/// Some of the hosts are a job on what is between all: the others relay.
Hosts Hosts::of(const std::vector<int>& ranks) const {
  std::vector<std::int64_t> theirs;
  for (const int rank : ranks) theirs.push_back(host(rank));
  if (between_.empty()) return Hosts(theirs);
  std::vector<Rank> present(theirs.begin(), theirs.end());
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  Hosts some;
  some.ranks_of_host_.resize(present.size());
  for (const std::int64_t host : theirs) {
    const Rank here = std::lower_bound(present.begin(), present.end(), host) - present.begin();
    some.ranks_of_host_[static_cast<std::size_t>(here)].push_back(some.ranks());
    some.host_of_rank_.push_back(here);
  }
  if (some.count() > 1)
    some.between_ = some.count() == count() ? between_ : job_text(*parse_topology(between_), present);
  return some;
}

std::string Hosts::words() const {
  const auto some = [](Rank n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  std::string text = fewest() == most()
                         ? fmt::format("{} x {}", some(count(), "host"), some(most(), "rank"))
                         : fmt::format("{} with {} to {}", some(count(), "host"), fewest(), some(most(), "rank"));
  if (!between_.empty()) text += fmt::format(", between them {}", between_);
  return text;
}

std::string Hosts::around(const std::string& topology) const {
  const std::string text = fmt::format("{}*{}", topology, most());
  if (fewest() == most()) return text;
  std::vector<Rank> taken;
  for (Rank host = 0; host < count(); ++host)
    for (std::size_t core = 0; core < ranks_of(host).size(); ++core)
      taken.push_back(host * most() + static_cast<Rank>(core));
  return fmt::format("{}@{}", text, in_runs(taken));
}

std::vector<Rank> Hosts::nodes() const {
  std::vector<Rank> found(host_of_rank_.size());
  Rank node = 0;
  for (const auto& here : ranks_of_host_)
    for (const Rank rank : here) found[static_cast<std::size_t>(rank)] = node++;
  if (std::is_sorted(found.begin(), found.end())) found.clear();
  return found;
}

std::string Hosts::network() const {
  if (!shared() && between_.empty()) return fmt::format("crossbar:{}", ranks());
  const std::string text = between_.empty() ? star() : shared() ? around(between_) : between_;
  const std::vector<Rank> theirs = nodes();
  return theirs.empty() ? text : fmt::format("{}@{}", text, base::join(theirs, ","));
}

}  // namespace quadrille::topology
