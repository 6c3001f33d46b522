#include "flow/exchange_weights.hpp"

#include <algorithm>
#include <cmath>

#include "flow/shortest_trees.hpp"

namespace quadrille::flow {

namespace {

class Weights {
 public:
  Weights(const Network& network, const Wants& wants, double scale)
      : network_(network), trees_(network, wants), scale_(scale), lengths_(network.arcs().size()) {
    for (std::size_t i = 0; i < lengths_.size(); ++i) lengths_[i] = 1 / static_cast<double>(network.arcs()[i].capacity);
    forget();
  }
  /// Every source sends once; arcs become longer by what they carry.
  void phase(double step) {
    for (Rank r = 0; r < network_.ranks(); ++r) {
      trees_.grow(r, lengths_);
      for (const ShortestTrees::Load& load : trees_.loads()) {
        const auto i = static_cast<std::size_t>(load.arc);
        carried_[i] += load.words;
        lengths_[i] *=
            1 + step * static_cast<double>(load.words) / (static_cast<double>(network_.arcs()[i].capacity) * scale_);
      }
    }
    ++phases_;
    const double longest = *std::max_element(lengths_.begin(), lengths_.end());
    for (double& length : lengths_) length /= longest;
  }
  /// The time of all phases since forget(), each taking an equal share of every word.
  Ratio time() const {
    std::size_t busiest = 0;
    const auto load = [&](std::size_t i) {
      return static_cast<double>(carried_[i]) / static_cast<double>(network_.arcs()[i].capacity);
    };
    for (std::size_t i = 1; i < carried_.size(); ++i)
      if (load(i) > load(busiest)) busiest = i;
    Ratio most = 0;  // doubles tell apart what differs by more than their rounding
    for (std::size_t i = 0; i < carried_.size(); ++i)
      if (load(i) > load(busiest) * (1 - 1e-12))
        most = std::max(most, Ratio(carried_[i], multiply(network_.arcs()[i].capacity, phases_)));
    return most;
  }
  void forget() {
    carried_.assign(lengths_.size(), 0);
    phases_ = 0;
  }
  void scale(double time) { scale_ = time; }
  const std::vector<double>& lengths() const { return lengths_; }

 private:
  const Network& network_;
  ShortestTrees trees_;
  double scale_;
  std::vector<double> lengths_;
  std::vector<std::int64_t> carried_;
  std::int64_t phases_ = 0;
};

double gap_of(const ExchangeBracket& bracket) { return bracket.upper.value() / bracket.lower.value() - 1; }

}  // namespace

Lengths whole_lengths(const std::vector<double>& lengths) {
  constexpr double most = 1 << 26;
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  Lengths whole;
  for (const double length : lengths) whole.push_back(longest > 0 ? std::llround(length / longest * most) : 0);
  return whole;
}

void narrow_by_weights(const Network& network, const ExchangeEffort& effort, ExchangeBracket& bracket,
                       const Wants& wants) {
  if (bracket.exact() || bracket.lower == Ratio(0)) return;
  constexpr int phases_a_look = 10, looks_a_step = 6;
  const auto arcs = static_cast<std::int64_t>(network.arcs().size());
  const std::int64_t look = (phases_a_look + 1) * network.ranks() * arcs;
  Weights weights(network, wants, bracket.lower.value());
  double step = 0.4, gap_before = gap_of(bracket);
  int looks = 0;
  for (std::int64_t left = effort.visits; left >= look && gap_of(bracket) > effort.gap; left -= look) {
    for (int i = 0; i < phases_a_look; ++i) weights.phase(step);
    bracket.upper = std::min(bracket.upper, weights.time());
    const Lengths lengths = whole_lengths(weights.lengths());
    if (const Ratio lower = exchange_bound(network, lengths, wants); lower > bracket.lower) {
      bracket.lower = lower, bracket.lengths = lengths, bracket.from = "weights of links by what they carry";
      weights.scale(lower.value());
    }
    if (++looks % looks_a_step != 0) continue;
    if (gap_of(bracket) > 0.8 * gap_before) step /= 2, weights.forget();
    gap_before = gap_of(bracket);
  }
}

}  // namespace quadrille::flow
