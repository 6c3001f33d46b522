#include "topology/graph/job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "topology/graph/cut.hpp"
#include "topology/graph/drawing.hpp"
#include "topology/graph/network.hpp"
#include "topology/hosts/node_list.hpp"

namespace quadrille::topology {

namespace {

/// How long runs of hosts are that follow each other and are in one group of the size; 0 where they differ.
Rank run_of(const std::vector<std::int32_t>& hosts, Rank size) {
  Rank run = 0, first = 0;
  const Rank ranks = std::ssize(hosts);
  for (Rank r = 1; r <= ranks; ++r) {
    if (r < ranks && hosts[at(r)] / size == hosts[at(first)] / size) continue;
    if (run != 0 && r - first != run) return 0;
    run = r - first, first = r;
  }
  return run;
}

/// What groups of the whole network are to ranks on these hosts.
std::vector<Rank> groups_left(std::span<const Rank> groups, const std::vector<std::int32_t>& hosts) {
  std::vector<Rank> sizes;
  for (const Rank size : groups)
    if (const Rank run = run_of(hosts, size); run > 0 && (sizes.empty() || run % sizes.back() == 0))
      sizes.push_back(run);
  return groups_of(std::move(sizes), std::ssize(hosts));
}

class Job final : public Routed {
 public:
  Job(TopologyPtr whole, std::vector<std::int32_t> hosts, std::string text);

  std::string_view family() const override { return "graph"; }
  std::string text() const override { return text_; }
  std::string describe() const override { return fmt::format("{} ranks of {}", ranks_, whole_->describe()); }
  Rank ranks() const override { return ranks_; }
  std::int64_t vertices() const override { return std::ssize(there_); }
  Structure structure() const override { return {.routed = true, .groups = sizes_}; }
  Drawing drawing() const override {
    return vertices() > Drawing::most_vertices ? Drawing{} : Drawing{.like = whole_, .places = there_};
  }
  Link links() const override { return whole_->links(); }
  std::int64_t wires() const override { return whole_->wires(); }
  int diameter() const override;
  int distance(Rank from, Rank to) const override { return whole_->distance(there(from), there(to)); }
  int degree() const override { return degree_; }
  int least_degree() const override { return least_degree_; }
  int degree_at(Rank rank) const override { return whole_->degree_at(there(rank)); }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    whole_->route(there(from), there(to), path);
  }
  Link next(Link last, Rank from, Rank to) const override { return whole_->next(last, there(from), there(to)); }
  Rank tail(Link link) const override { return here(whole_->tail(link)); }
  Rank head(Link link) const override { return here(whole_->head(link)); }
  Link reverse(Link link) const override { return whole_->reverse(link); }
  std::string name(Link link) const override { return whole_->name(link); }
  std::vector<std::string> kinds() const override { return whole_->kinds(); }
  LinkFacts facts(Link link) const override { return whole_->facts(link); }
  bool links_alike() const override { return whole_->links_alike(); }
  std::int64_t widest() const override { return whole_->widest(); }
  double rate() const override { return whole_->rate(); }
  std::int64_t bisection() const override;
  Rank bisection_ranks() const override { return ranks_ / 2; }
  std::int64_t total_distance(Rank from) const override;
  std::int64_t sum_of_distances() const override;
  double mean_distance() const override;

  std::string_view routing() const override;
  std::string vertex_name(std::int64_t vertex) const override;
  std::int32_t place(std::int64_t vertex) const override;

 private:
  Rank there(Rank vertex) const { return there_[at(vertex)]; }
  /// -1 for what links of a mesh beyond its edge lead to.
  Rank here(Rank vertex) const { return vertex < 0 ? vertex : here_[at(vertex)]; }
  const Routed* routed() const { return dynamic_cast<const Routed*>(whole_.get()); }

  TopologyPtr whole_;
  std::string text_;
  Rank ranks_;
  std::vector<Rank> sizes_;                 ///< of groups
  std::vector<std::int32_t> there_, here_;  ///< numbers of vertices in the whole network, and of its vertices here
  int degree_ = 0, least_degree_ = 0;
  mutable std::once_flag cut_found_, measured_, summed_;
  mutable std::int64_t cut_ = 0, sum_ = 0;
  mutable int diameter_ = 0;
};

Job::Job(TopologyPtr whole, std::vector<std::int32_t> hosts, std::string text)
    : whole_(std::move(whole)),
      text_(std::move(text)),
      ranks_(std::ssize(hosts)),
      sizes_(groups_left(whole_->structure().groups, hosts)),
      there_(std::move(hosts)),
      here_(at(whole_->vertices()), -1) {
  for (Rank r = 0; r < ranks_; ++r) here_[at(there(r))] = static_cast<std::int32_t>(r);
  for (std::int64_t v = 0; v < whole_->vertices(); ++v) {
    if (here_[at(v)] >= 0) continue;
    here_[at(v)] = static_cast<std::int32_t>(there_.size());
    there_.push_back(static_cast<std::int32_t>(v));
  }
  for (Rank r = 0; r < ranks_; ++r) {
    degree_ = std::max(degree_, degree_at(r));
    least_degree_ = r == 0 ? degree_at(r) : std::min(least_degree_, degree_at(r));
  }
}

int Job::diameter() const {
  std::call_once(measured_, [&] {
    const int most = whole_->diameter();
    for (Rank a = 0; a < ranks_ && diameter_ < most; ++a)
      for (Rank b = 0; b < ranks_ && diameter_ < most; ++b) diameter_ = std::max(diameter_, distance(a, b));
  });
  return diameter_;
}

std::int64_t Job::bisection() const {
  std::call_once(cut_found_, [&] {
    const Network network = network_of(*this);
    cut_ = narrow_cut(network, Arcs(network)).width;
  });
  return cut_;
}

std::int64_t Job::total_distance(Rank from) const {
  std::int64_t total = 0;
  for (Rank to = 0; to < ranks_; ++to) total += distance(from, to);
  return total;
}

std::int64_t Job::sum_of_distances() const {
  std::call_once(summed_, [&] {
    for (Rank from = 0; from < ranks_; ++from) sum_ += total_distance(from);
  });
  return sum_;
}

double Job::mean_distance() const {
  if (ranks_ == 1) return 0;
  return static_cast<double>(sum_of_distances()) / (static_cast<double>(ranks_) * static_cast<double>(ranks_ - 1));
}

std::string_view Job::routing() const { return routed() == nullptr ? "its own" : routed()->routing(); }

std::string Job::vertex_name(std::int64_t vertex) const {
  return routed() == nullptr ? std::to_string(there(vertex)) : routed()->vertex_name(there(vertex));
}

std::int32_t Job::place(std::int64_t vertex) const {
  return routed() == nullptr ? static_cast<std::int32_t>(there(vertex)) : routed()->place(there(vertex));
}

}  // namespace

TopologyPtr make_job(TopologyPtr whole, std::vector<std::int32_t> hosts, std::string text) {
  return std::make_shared<Job>(std::move(whole), std::move(hosts), std::move(text));
}

std::string job_text(const Topology& whole, const std::vector<Rank>& hosts) {
  const auto* const routed = whole.structure().per_node > 0 ? nullptr : dynamic_cast<const Routed*>(&whole);
  std::vector<std::string> names;
  bool numbered = true;
  for (const Rank host : hosts) {
    names.push_back(routed == nullptr ? std::to_string(host) : routed->vertex_name(host));
    numbered = numbered && names.back() == std::to_string(host);
  }
  return fmt::format("{}@{}", whole.text(), numbered ? in_runs(hosts) : base::join(names, ","));
}

}  // namespace quadrille::topology
