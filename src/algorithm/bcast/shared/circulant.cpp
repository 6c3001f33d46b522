#include "algorithm/bcast/shared/circulant.hpp"

#include <fmt/format.h>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::bcast {

Circulant::Circulant(Rank ranks) : q_(base::log2_ceil(ranks)) {
  skip_[static_cast<std::size_t>(q_)] = ranks;
  for (auto k = static_cast<std::size_t>(q_); k > 0; --k) skip_[k - 1] = (skip_[k] + 1) / 2;
}

/// The kind of the first edge on the shortest way from the root to r with edges of increasing kind: the packet that the
/// root sends in that round is the first of its q to reach r.
int Circulant::base(Rank r) const {
  for (int k = q_ - 1; k >= 0; --k) {
    if (r == skip(k)) return k;
    if (r > skip(k)) r -= skip(k);
  }
  return q_;
}

/// Looks for q ranks, kind by kind, from which r can have its packets: those that lie skip(k+1) to skip(k) before it.
/// Ways from the root are tried depth first with edges of decreasing kind; no kind begins two of the ways that are
/// taken, so that all q packets differ.
class Circulant::Search {
 public:
  Search(const Circulant& graph, Rank r, int base) : graph_(graph), q_(graph.q_), end_(graph.skip(graph.q_) + r) {
    for (int e = 0; e <= q_; ++e) next_[at(e)] = e - 1, previous_[at(e)] = e + 1;
    next_[0] = q_, previous_[at(q_)] = -1, previous_[0] = 0;
    if (base < q_) unlink(base);
    nearest_ = 2 * graph.skip(q_);
    from(0, q_);
  }
  /// The kind that begins the way for kind k; q: a way once round.
  int found(int k) const { return found_[static_cast<std::size_t>(k)]; }

 private:
  static std::size_t at(int e) { return static_cast<std::size_t>(e + 1); }
  void unlink(int e) {
    next_[at(previous_[at(e)])] = next_[at(e)];
    previous_[at(next_[at(e)])] = previous_[at(e)];
  }
  Rank reach(int k) const { return end_ - graph_.skip(std::min(k, q_)); }

  void from(Rank here, int e) {
    for (; e != -1; e = next_[at(e)]) {
      const Rank there = here + graph_.skip(e);
      if (k_ == q_ || there > reach(k_) || there >= nearest_) continue;
      if (there <= reach(k_ + 1)) from(there, e);
      if (k_ == q_ || here > reach(k_ + 1)) return;
      nearest_ = there;
      found_[static_cast<std::size_t>(k_++)] = e;
      unlink(e);
    }
  }

  const Circulant& graph_;
  int q_;
  Rank end_, nearest_;
  int k_ = 0;
  std::array<int, most + 3> next_{}, previous_{};
  std::array<int, most> found_{};
};

Circulant::Received Circulant::received(Rank r) const {
  const int b = base(r);
  const Search search(*this, r, b);
  Received recv{};
  for (int k = 0; k < q_; ++k) recv[static_cast<std::size_t>(k)] = search.found(k) == q_ ? b : search.found(k) - q_;
  return recv;
}

std::vector<std::uint64_t> received_by_any(const Circulant& graph, Rank ranks) {
  const int q = graph.kinds();
  std::vector<std::uint64_t> any(static_cast<std::size_t>(q), 0);
  for (Rank r = 1; r < ranks; ++r) {
    const Circulant::Received recv = graph.received(r);
    for (std::size_t k = 0; k < any.size(); ++k) any[k] |= std::uint64_t{1} << (q + recv[k]);
  }
  return any;
}

std::string needs_shifts(const Spec& spec, const Machine& machine, std::string_view instead) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  const bool swaps = kit::half_duplex(machine) && kit::has_own_wires(spec) && spec.ranks() % 2 == 0;
  if (spec.ranks() > 2 && (pattern::one_way(machine) || swaps))
    return fmt::format(
        "ranks receive one packet while they send another, and those of this machine do one or the other; try {} or "
        "--set duplex=full",
        instead);
  return {};
}

}  // namespace quadrille::algorithm::bcast
