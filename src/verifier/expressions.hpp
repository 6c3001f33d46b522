// What reductions compute, as expressions over contributions: equal subexpressions are one node, so that results can be
// compared exactly.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/collective.hpp"

namespace quadrille::verifier {

/// The number of an expression in its pool; rank r's contribution is expression r.
using Expression = std::int32_t;
constexpr Expression no_expression = -1;

class Expressions {
 public:
  /// Sets of contributions are kept as bits while they take no more than `set_words` words of 64, and as random sums
  /// beyond that. At most `most` expressions. Idempotent: the same contribution may be in both operands, and sets that
  /// can no longer be kept are too many expressions.
  Expressions(Rank ranks, std::size_t most, std::size_t set_words, bool idempotent = false);

  /// The expression left (.) right; no_expression when there are too many.
  Expression combine(Expression left, Expression right);
  /// Whether the two have a contribution in common. Where sets are random sums only a look at intervals is taken: what
  /// is counted twice then shows in the result.
  bool overlap(Expression a, Expression b) const;
  /// Some rank whose contribution is in both; -1 when it is not known.
  Rank common(Expression a, Expression b) const;
  /// Whether it is made of each of these contributions and of no others; once unless that does not matter.
  bool is(Expression x, Contributions wanted) const;
  /// Whether it takes its contributions in the order of ranks, without a gap.
  bool in_order(Expression x) const { return node(x).in_order; }
  /// Whether it contains no other contributions than these.
  bool within(Expression x, Contributions all) const { return node(x).low >= all.first && node(x).high <= all.end; }
  /// Calls use(first, end) for its contributions, run by run. Only where sets are exact.
  template <class Use>
  void each_run(Expression x, Use use) const;
  int depth(Expression x) const { return node(x).depth; }
  std::int64_t count(Expression x) const { return node(x).count; }
  /// Equal for expressions that differ only in the order of operands.
  Expression unordered(Expression x) const { return node(x).unordered; }
  /// The same for equal shapes in any pool.
  std::uint64_t hash(Expression x) const { return node(x).hash; }
  /// Whether all answers are certain, or wrong with a probability of less than 2^-100.
  bool exact() const { return exact_; }
  /// How many there are.
  std::size_t size() const { return nodes_.size(); }

 private:
  using Sum = std::array<std::uint64_t, 2>;
  struct Node {
    std::int32_t depth = 0;
    Expression unordered = no_expression;
    std::int64_t count = 1;
    Rank low = 0, high = 0;  ///< the least and the greatest of its ranks, and one more
    bool in_order = true;
    std::int64_t set = -1;  ///< where its bits start, or -1
    Sum sum{};
    std::uint64_t hash = 0;
  };
  const Node& node(Expression x) const { return nodes_[static_cast<std::size_t>(x)]; }
  static bool is_interval(const Node& n) { return n.high - n.low == n.count; }
  Sum sum_of(Rank r) const;
  void unite(Node& made, const Node& left, const Node& right);
  bool unite_again(Node& made, const Node& left, const Node& right);
  void add_bits(const Node& n, std::int64_t to);
  bool has(const Node& n, Rank r) const;
  /// The first rank from r on that is in the set, or is not; n.high if there is none.
  Rank next(const Node& n, Rank r, bool in) const;

  Rank ranks_;
  std::size_t most_, set_words_;
  std::int64_t words_;  ///< of a set
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, Expression> made_, unordered_;
  std::vector<std::uint64_t> sets_;
  std::vector<Sum> before_;  ///< sums of all ranks below
  bool exact_ = true, idempotent_;
};

template <class Use>
void Expressions::each_run(Expression x, Use use) const {
  const Node& n = node(x);
  if (n.set < 0) return use(n.low, n.high);
  for (Rank first = n.low; first < n.high;) {
    const Rank end = next(n, first, false);
    use(first, end);
    first = next(n, end, true);
  }
}

}  // namespace quadrille::verifier
