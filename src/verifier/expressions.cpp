#include "verifier/expressions.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include "base/hash.hpp"

namespace quadrille::verifier {

namespace {

std::uint64_t pair_key(Expression a, Expression b) {
  return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b);
}

}  // namespace

Expressions::Expressions(Rank ranks, std::size_t most, std::size_t set_words, bool idempotent)
    : ranks_(ranks), most_(most), set_words_(set_words), words_((ranks + 63) / 64), idempotent_(idempotent) {
  nodes_.reserve(static_cast<std::size_t>(ranks));
  before_.reserve(static_cast<std::size_t>(ranks) + 1);
  before_.push_back({});
  thread_local std::random_device device;  // opening it takes longer than a small proof
  std::mt19937_64 random(static_cast<std::uint64_t>(device()) << 32 | device());
  for (Rank r = 0; r < ranks; ++r) {
    const Sum own{random(), random()};
    nodes_.push_back({.unordered = static_cast<Expression>(r),
                      .low = r,
                      .high = r + 1,
                      .sum = own,
                      .hash = base::mixed(static_cast<std::uint64_t>(r))});
    before_.push_back({before_.back()[0] + own[0], before_.back()[1] + own[1]});
  }
}

Expression Expressions::combine(Expression left, Expression right) {
  const auto found = made_.find(pair_key(left, right));
  if (found != made_.end()) return found->second;
  if (nodes_.size() >= most_) return no_expression;
  const auto made = static_cast<Expression>(nodes_.size());
  const Node l = node(left), r = node(right);
  const auto [less, more] = std::minmax(l.unordered, r.unordered);
  Node n{.depth = std::max(l.depth, r.depth) + 1,
         .unordered = unordered_.try_emplace(pair_key(less, more), made).first->second,
         .count = l.count + r.count,
         .low = std::min(l.low, r.low),
         .high = std::max(l.high, r.high),
         .in_order = l.in_order && r.in_order && l.high == r.low,
         .sum = {l.sum[0] + r.sum[0], l.sum[1] + r.sum[1]}};
  const auto [small, large] = std::minmax(l.hash, r.hash);
  n.hash = base::hash_of(small, large);
  if (!idempotent_)
    unite(n, l, r);
  else if (!unite_again(n, l, r))
    return no_expression;
  nodes_.push_back(n);
  made_.emplace(pair_key(left, right), made);
  return made;
}

/// An interval without a gap needs no bits: who overlaps it follows from its ends.
void Expressions::unite(Node& made, const Node& left, const Node& right) {
  if (is_interval(made) && is_interval(left) && is_interval(right)) return;
  const auto first = static_cast<std::int64_t>(sets_.size());
  if (sets_.size() + static_cast<std::size_t>(words_) > set_words_) {
    exact_ = false;
    return;
  }
  sets_.resize(sets_.size() + static_cast<std::size_t>(words_), 0);
  add_bits(left, first);
  add_bits(right, first);
  made.set = first;
}

/// The same where the two may have contributions in common, which are then counted. False: there is no room.
bool Expressions::unite_again(Node& made, const Node& left, const Node& right) {
  if (is_interval(left) && is_interval(right) && left.low <= right.high && right.low <= left.high) {
    made.count = made.high - made.low;
    return true;
  }
  const auto first = sets_.size();
  if (first + static_cast<std::size_t>(words_) > set_words_) return false;
  sets_.resize(first + static_cast<std::size_t>(words_), 0);
  add_bits(left, static_cast<std::int64_t>(first));
  add_bits(right, static_cast<std::int64_t>(first));
  made.count = 0;
  for (std::size_t w = first; w < sets_.size(); ++w) made.count += std::popcount(sets_[w]);
  made.set = static_cast<std::int64_t>(first);
  return true;
}

void Expressions::add_bits(const Node& n, std::int64_t to) {
  for (std::int64_t w = 0; n.set >= 0 && w < words_; ++w)
    sets_[static_cast<std::size_t>(to + w)] |= sets_[static_cast<std::size_t>(n.set + w)];
  for (Rank r = n.low; n.set < 0 && r < n.high; ++r)
    sets_[static_cast<std::size_t>(to + r / 64)] |= std::uint64_t{1} << (r % 64);
}

bool Expressions::has(const Node& n, Rank r) const {
  if (r < n.low || r >= n.high) return false;
  return n.set < 0 || (sets_[static_cast<std::size_t>(n.set + r / 64)] >> (r % 64) & 1) != 0;
}

Rank Expressions::next(const Node& n, Rank r, bool in) const {
  while (r < n.high) {
    const std::uint64_t word = sets_[static_cast<std::size_t>(n.set + r / 64)];
    const std::uint64_t left = (in ? word : ~word) >> (r % 64);
    if (left != 0) return std::min(n.high, r + std::countr_zero(left));
    r = (r / 64 + 1) * 64;
  }
  return n.high;
}

bool Expressions::overlap(Expression a, Expression b) const { return !idempotent_ && common(a, b) >= 0; }

Rank Expressions::common(Expression a, Expression b) const {
  const Node &x = node(a), &y = node(b);
  const Rank low = std::max(x.low, y.low), high = std::min(x.high, y.high);
  const auto known = [](const Node& n) { return n.set >= 0 || is_interval(n); };
  if (low >= high || !known(x) || !known(y)) return -1;
  if (x.set < 0 && y.set < 0) return low;
  for (std::int64_t w = low / 64; w <= (high - 1) / 64; ++w) {
    std::uint64_t both = ~std::uint64_t{0};
    for (const Node* n : {&x, &y})
      if (n->set >= 0) both &= sets_[static_cast<std::size_t>(n->set + w)];
    for (Rank r = std::max(low, w * 64); both != 0 && r < std::min(high, (w + 1) * 64); ++r)
      if (has(x, r) && has(y, r)) return r;
  }
  return -1;
}

bool Expressions::is(Expression x, Contributions wanted) const {
  const Node& n = node(x);
  if (n.count != wanted.end - wanted.first || n.low != wanted.first || n.high != wanted.end) return false;
  if (idempotent_) return true;
  const Sum &low = before_[static_cast<std::size_t>(wanted.first)],
            &high = before_[static_cast<std::size_t>(wanted.end)];
  return n.sum[0] == high[0] - low[0] && n.sum[1] == high[1] - low[1];
}

}  // namespace quadrille::verifier
