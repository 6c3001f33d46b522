#include "flow/exchange_optimum.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>

#include "base/recent.hpp"
#include "flow/basis.hpp"
#include "flow/shortest_trees.hpp"
#include "flow/simple_fraction.hpp"

namespace quadrille::flow {

namespace {

constexpr double tolerance = 1e-9;
constexpr Wide most_parts = Wide{1} << 44;

Wide common_multiple(Wide a, Wide b) { return multiply(a / greatest_common_divisor(a, b), b); }

/// Rows: what each arc carries, with what is left of it, is what it can carry in the time; the shares of each source's
/// trees are 1 together. The time is the cost.
class Program {
 public:
  Program(const Network& network, const Wants& wants, double time)
      : network_(network),
        arcs_(static_cast<std::int32_t>(network.arcs().size())),
        trees_(network, wants),
        basis_(right_side(time)) {
    begin();
  }

  /// Exchanges columns until none makes the time less: first those that are known, then all. False: that took too long.
  bool solve() {
    constexpr int most_exchanges = 30000, between_refreshes = 600;
    while (improvable()) {
      for (std::optional<Column> better = best_known(); better; better = best_known()) {
        const std::int32_t row = basis_.leaving(*better);
        if (row < 0 || row == time_row_ || ++exchanges_ > most_exchanges) return false;
        basis_.exchange(row, *better);
        price();
        if (exchanges_ % between_refreshes == 0 && !renew(basis_.right_side())) return false;
      }
    }
    return renew(right_side(0));
  }
  const std::vector<double>& lengths() const { return lengths_; }

  std::vector<TreeShare> trees() const {
    std::vector<TreeShare> all;
    for (std::int32_t row = 0; row < basis_.rows(); ++row) {
      const Column& column = basis_.column(row);
      const std::int32_t source = source_of(column);
      if (source < 0 || basis_.value(row) <= tolerance) continue;
      all.push_back({source, basis_.value(row), {}});
      for (const auto& [arc, words] : column)
        if (arc < arcs_) all.back().arcs.push_back(arc);
    }
    return all;
  }

  /// The time when trees have the shares found: as fractions where these are simple, else rounded.
  Ratio exact_time() const {
    Shares shares(static_cast<std::size_t>(network_.ranks()));
    for (std::int32_t row = 0; row < basis_.rows(); ++row)
      if (const std::int32_t source = source_of(basis_.column(row)); source >= 0 && basis_.value(row) > tolerance)
        shares[static_cast<std::size_t>(source)].emplace_back(row, simple_fraction(basis_.value(row)));
    Wide parts = 1;
    bool simple = true;
    for (const auto& list : shares)
      for (const auto& [row, share] : list)
        if (simple && (parts = common_multiple(parts, share.bottom())) > most_parts) simple = false;
    for (const auto& list : shares) simple = simple && sum_of(list) == Ratio(1);
    if (!simple) round(shares, parts = most_parts);
    return time_of(shares, parts);
  }

 private:
  using Shares = std::vector<std::vector<std::pair<std::int32_t, Ratio>>>;
  static Ratio sum_of(const std::vector<std::pair<std::int32_t, Ratio>>& list) {
    Wide parts = 1, sum = 0;
    for (const auto& [row, share] : list) parts = common_multiple(parts, share.bottom());
    for (const auto& [row, share] : list) sum = add(sum, multiply(share.top(), parts / share.bottom()));
    return {sum, parts};
  }
  /// To whole parts, which are 1 together: the largest share takes the rest.
  void round(Shares& shares, Wide parts) const {
    for (auto& list : shares) {
      Wide rest = parts;
      std::size_t largest = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const double exact = std::min(1.0, basis_.value(list[i].first)) * static_cast<double>(parts);
        list[i].second = Ratio(static_cast<std::int64_t>(exact), parts);
        rest -= static_cast<std::int64_t>(exact);
        if (list[largest].second < list[i].second) largest = i;
      }
      list[largest].second = list[largest].second + Ratio(rest, parts);
    }
  }
  Ratio time_of(const Shares& shares, Wide parts) const {
    std::vector<Wide> carried(static_cast<std::size_t>(arcs_), 0);
    for (const auto& list : shares)
      for (const auto& [row, share] : list)
        for (const auto& [arc, words] : basis_.column(row))
          if (arc < arcs_)
            carried[static_cast<std::size_t>(arc)] =
                add(carried[static_cast<std::size_t>(arc)],
                    multiply(static_cast<Wide>(words), multiply(share.top(), parts / share.bottom())));
    Ratio most = 0;
    for (std::size_t i = 0; i < carried.size(); ++i)
      most = std::max(most, Ratio(carried[i], multiply(parts, network_.arcs()[i].capacity)));
    return most;
  }
  /// Zeros in exact terms. A little of each arc's capacity beside, different for all, so that no two columns leave at
  /// the same step: that is what makes the method run in circles.
  std::vector<double> right_side(double time) const {
    std::vector<double> side;
    std::uint64_t random = 0x9e3779b97f4a7c15;
    for (const Arc& arc : network_.arcs()) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      const double part = 1 + static_cast<double>(random >> 40) / (1 << 24);
      side.push_back(1e-7 * time * part * static_cast<double>(arc.capacity));
    }
    side.resize(side.size() + static_cast<std::size_t>(network_.ranks()), 1.0);
    return side;
  }
  Column tree_column(Rank source) const {
    Column column;
    for (const ShortestTrees::Load& load : trees_.loads())
      column.emplace_back(load.arc, static_cast<double>(load.words));
    column.emplace_back(arcs_ + static_cast<std::int32_t>(source), 1.0);
    return column;
  }
  std::int32_t source_of(const Column& column) const {
    return column.back().first >= arcs_ ? column.back().first - arcs_ : -1;
  }
  /// One tree of each source, and the time of the arc that is busiest.
  void begin() {
    std::vector<double> inverse, carried(static_cast<std::size_t>(arcs_), 0);
    for (const Arc& arc : network_.arcs()) inverse.push_back(1 / static_cast<double>(arc.capacity));
    for (Rank r = 0; r < network_.ranks(); ++r) {
      trees_.grow(r, inverse);
      basis_.exchange(arcs_ + static_cast<std::int32_t>(r), tree_column(r));
    }
    Column time;
    double most = 0;
    for (std::int32_t arc = 0; arc < arcs_; ++arc) {
      const auto capacity = static_cast<double>(network_.arcs()[static_cast<std::size_t>(arc)].capacity);
      time.emplace_back(arc, -capacity);
      if (-basis_.value(arc) / capacity > most) most = -basis_.value(arc) / capacity, time_row_ = arc;
    }
    basis_.exchange(time_row_, time);
    price();
  }
  void price() {
    prices_ = basis_.prices(time_row_);
    lengths_.assign(static_cast<std::size_t>(arcs_), 0);
    spare_ = -1;
    double most = tolerance;
    for (std::int32_t arc = 0; arc < arcs_; ++arc) {
      const double price = prices_[static_cast<std::size_t>(arc)];
      lengths_[static_cast<std::size_t>(arc)] = std::max(0.0, -price);
      const double gain = price * static_cast<double>(network_.arcs()[static_cast<std::size_t>(arc)].capacity);
      if (gain > most) most = gain, spare_ = arc;
    }
  }
  /// What an exchange for this column takes from the time, for each part of it.
  double gain(const Column& column) const {
    double sum = 0;
    for (const auto& [row, words] : column) sum += prices_[static_cast<std::size_t>(row)] * words;
    return sum;
  }
  std::optional<Column> best_known() const {
    if (spare_ >= 0) return Column{{spare_, 1.0}};
    const Column* best = nullptr;
    double most = tolerance;
    for (const Column& column : known_)
      if (const double here = gain(column); here > most) most = here, best = &column;
    return best == nullptr ? std::nullopt : std::optional<Column>(*best);
  }
  /// Whether some source has a shorter tree than those known; then it is known.
  bool improvable() {
    bool any = spare_ >= 0 || known_.empty();
    if (known_.empty()) sow();
    for (Rank source = 0; source < network_.ranks(); ++source) {
      trees_.grow(source, lengths_);
      Column tree = tree_column(source);
      if (gain(tree) <= 2 * tolerance) continue;
      known_.push_back(std::move(tree));
      any = true;
    }
    return any;
  }
  /// Trees under lengths that grow with what they carry: the program starts near its end.
  void sow() {
    constexpr int phases = 24;
    constexpr double step = 0.4;
    std::vector<double> lengths;
    for (const Arc& arc : network_.arcs()) lengths.push_back(1 / static_cast<double>(arc.capacity));
    const double time = basis_.value(time_row_);
    for (int phase = 0; phase < phases; ++phase) {
      for (Rank source = 0; source < network_.ranks(); ++source) {
        trees_.grow(source, lengths);
        known_.push_back(tree_column(source));
        for (const ShortestTrees::Load& load : trees_.loads())
          lengths[static_cast<std::size_t>(load.arc)] *=
              1 + step * static_cast<double>(load.words) /
                      (static_cast<double>(network_.arcs()[static_cast<std::size_t>(load.arc)].capacity) * time);
      }
      const double longest = *std::max_element(lengths.begin(), lengths.end());
      for (double& length : lengths) length /= longest;
    }
  }
  /// Rows may change places.
  bool renew(std::vector<double> side) {
    if (!basis_.refresh(std::move(side))) return false;
    for (std::int32_t row = 0; row < basis_.rows(); ++row)
      if (source_of(basis_.column(row)) < 0 && basis_.column(row).front().second < 0) time_row_ = row;
    price();
    return true;
  }

  const Network& network_;
  std::int32_t arcs_, time_row_ = 0, spare_ = -1;
  int exchanges_ = 0;
  ShortestTrees trees_;
  Basis basis_;
  std::vector<double> prices_, lengths_;
  std::vector<Column> known_;
};

/// Lengths as fractions of the longest, over a common denominator; rounded where there is no small one.
Lengths simple_lengths(const std::vector<double>& lengths) {
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  std::vector<Ratio> fractions;
  Wide common = 1;
  for (const double length : lengths) {
    fractions.push_back(simple_fraction(length / longest));
    common = common_multiple(common, fractions.back().bottom());
    if (common > (Wide{1} << 40)) return whole_lengths(lengths);
  }
  Lengths whole;
  for (const Ratio& fraction : fractions) whole.push_back(narrow(fraction.top() * (common / fraction.bottom())));
  return whole;
}

struct Optimum {
  Lengths lengths;
  Ratio time;
  std::vector<TreeShare> trees;  ///< none where the program takes too long
};

/// Of the last questions the answers are kept: what a bound has found, plans play.
std::shared_ptr<const Optimum> optimum(const Network& network, const Wants& wants, const Ratio& lower) {
  static base::Recent<std::tuple<std::vector<Vertex>, std::vector<Arc>, std::vector<std::int64_t>>, Optimum> known;
  return known.get({network.hosts(), network.arcs(), wants.words}, [&]() -> Optimum {
    Program program(network, wants, lower.value());
    if (!program.solve()) return {};
    return {simple_lengths(program.lengths()), program.exact_time(), program.trees()};
  });
}

}  // namespace

bool small_enough_for_optimum(const Network& network) {
  constexpr std::int64_t most_rows = 460;
  return static_cast<std::int64_t>(network.arcs().size()) + network.ranks() <= most_rows;
}

void close_by_trees(const Network& network, ExchangeBracket& bracket, const Wants& wants) {
  if (bracket.exact() || bracket.lower == Ratio(0)) return;
  const std::shared_ptr<const Optimum> best = optimum(network, wants, bracket.lower);
  if (best->trees.empty()) return;
  if (const Ratio lower = exchange_bound(network, best->lengths, wants); lower > bracket.lower)
    bracket.lower = lower, bracket.lengths = best->lengths, bracket.from = "weights of a linear program";
  bracket.upper = std::min(bracket.upper, best->time);
}

std::vector<TreeShare> best_trees(const Network& network, const Wants& wants) {
  const Ratio lower = exchange_bracket(network, wants).lower;
  if (lower == Ratio(0)) return {};
  return optimum(network, wants, lower)->trees;
}

ExchangeBracket exchange_within(const Network& network, const ExchangeEffort& effort, const Wants& wants) {
  ExchangeBracket bracket = exchange_bracket(network, wants);
  if (small_enough_for_optimum(network)) close_by_trees(network, bracket, wants);
  narrow_by_weights(network, effort, bracket, wants);
  if (exchange_bound(network, bracket.lengths, wants) != bracket.lower || bracket.upper < bracket.lower)
    throw Error(Error::Kind::internal, "lengths of an exchange do not say what they claim");
  return bracket;
}

}  // namespace quadrille::flow
