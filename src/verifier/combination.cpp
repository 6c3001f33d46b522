#include "verifier/combination.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::verifier {

namespace {

using What = Counterexample::Kind;

constexpr std::size_t most_expressions = std::size_t{1} << 23, most_set_words = std::size_t{1} << 26;

}  // namespace

std::int64_t kept_values(const Spec& spec, const Shape& shape) {
  const Slot blocks = base::checked_add(shape.out, shape.tmp, "slots");
  return base::checked_multiply(base::checked_multiply(blocks, std::max<Slot>(1, shape.cut.pieces()), "slots"),
                                spec.topology->nodes(), "slots");
}

Combination::Combination(const Spec& spec, const Schedule& schedule, schedule::Meter& meter)
    : Prover(spec, schedule, Group::none, false, meter),
      expressions_(spec.ranks(), most_expressions, most_set_words, idempotent(spec)),
      out_slots_(shape_.slots(Buffer::out)),
      slots_(out_slots_ + shape_.slots(Buffer::tmp)),
      values_(static_cast<std::size_t>(kept_values(spec, shape_))) {}

Combination::Value& Combination::place(Rank r, Buffer buffer, Slot slot) {
  return values_[static_cast<std::size_t>(r * slots_ + (buffer == Buffer::tmp ? out_slots_ : 0) + slot)];
}

Combination::Value Combination::held(Rank r, Buffer buffer, Slot slot) const {
  if (buffer != Buffer::in) return const_cast<Combination*>(this)->place(r, buffer, slot);
  const Slot blocks = shape_.in;
  return {static_cast<Expression>(r), static_cast<std::int32_t>(slot / blocks),
          schedule_.block(Buffer::in, slot % blocks, slot / blocks)};
}

void Combination::land(Delivery& d, const Transfer& x) {
  bool good = true;
  for_each_slot(x.slots, [&](Slot slot) { good = good && !d.target.done() && land_slot(d, x.buffer, slot); });
}

bool Combination::land_slot(Delivery& d, Buffer buffer, Slot slot) {
  const Value value = held(d.from, buffer, slot);
  if (value.expression == no_expression) {
    d.wrong = holds_nothing(d, buffer, slot);
    return false;
  }
  bool good = true;
  const Slot index = d.target.index();
  d.target.each_use([&](const Transfer& target) {
    good = good && use(d, value, target, target.slots[index], target.operand()[index]);
  });
  d.target.next();
  if (d.from != d.to) ++deliveries_;
  return good;
}

bool Combination::use(Delivery& d, const Value& value, const Transfer& target, Slot landing, Slot operand) {
  const Slot blocks = shape_.blocks(target.buffer);
  if (pieces_ > 1 && landing / blocks != value.piece) {
    d.wrong = another_piece(d, target.buffer, landing, value.piece, landing);
    return false;
  }
  Value& to = place(d.to, target.buffer, landing);
  if (!target.combine.combines()) return to = value, true;
  const Value own = held(d.to, target.combine.buffer, operand);
  if (own.expression == no_expression) {
    d.wrong =
        Counterexample{What::possession,
                       d.t,
                       d.to,
                       fmt::format("rank {} combines what comes from rank {} with slot {} of {} and holds nothing "
                                   "there",
                                   d.to, d.from, operand, to_string(target.combine.buffer)),
                       std::pair(d.from, d.to),
                       Counterexample::Content{d.to, target.combine.buffer, operand, "nothing"}};
    return false;
  }
  if (own.block != value.block || own.piece != value.piece) {
    d.wrong = Counterexample{What::shape,
                             d.t,
                             d.to,
                             fmt::format("rank {} combines {} from rank {} with {}: other parts of the vector", d.to,
                                         text(value), d.from, text(own)),
                             std::pair(d.from, d.to),
                             Counterexample::Content{d.to, target.combine.buffer, operand, text(own), text(value)}};
    return false;
  }
  if (expressions_.overlap(own.expression, value.expression)) return d.wrong = doubled(d, value, own), false;
  const bool left = target.combine.incoming == Combine::Incoming::left;
  const Expression made = left ? expressions_.combine(value.expression, own.expression)
                               : expressions_.combine(own.expression, value.expression);
  if (made == no_expression) {
    too_many_ = true;
    d.wrong = Counterexample{What::shape, d.t, d.to, "too many expressions"};
    return false;
  }
  to = {made, value.piece, value.block};
  return true;
}

Counterexample Combination::doubled(const Delivery& d, const Value& incoming, const Value& own) const {
  return {What::doubled, d.t, d.to,
          fmt::format("rank {} combines {} from rank {} with {}, and both contain the contribution of rank {}", d.to,
                      text(incoming), d.from, text(own), expressions_.common(own.expression, incoming.expression)),
          std::pair(d.from, d.to)};
}

std::string Combination::text(const Value& v) const {
  if (v.expression == no_expression) return "nothing";
  const std::int64_t count = expressions_.count(v.expression);
  const std::string part = shape_.out * pieces_ > 1 ? fmt::format(" to block {}, piece {}", v.block, v.piece) : "";
  if (count == 1) return fmt::format("the contribution of rank {}{}", v.expression, part);
  return fmt::format("{} contributions{}", count, part);
}

/// Calls use(rank, slot, value, contributions) for every result.
template <class Use>
void Combination::each_result(Use use) const {
  for (Rank r = 0; r < spec_.ranks(); ++r) {
    if (blocks(spec_, Buffer::out, r) == 0) continue;
    for (Slot s = 0; s < out_slots_; ++s) {
      const Slot label = s % shape_.out, piece = s / shape_.out;
      const Contributions wanted = wanted_contributions(spec_, r, schedule_.block(Buffer::out, label, piece));
      if (wanted.none() || schedule_.bytes(Buffer::out, contiguous(s, 1)) == 0) continue;
      const Value own{static_cast<Expression>(r), static_cast<std::int32_t>(piece),
                      schedule_.block(Buffer::out, label, piece)};
      // One contribution is the result where there is no other: then nothing has to be sent or computed.
      const Value value = wanted == Contributions{r, r + 1} ? own : held(r, Buffer::out, s);
      if (!use(r, s, value, wanted)) return;
    }
  }
}

Prover::Found Combination::final_state() const {
  Found wrong;
  each_result([&](Rank r, Slot slot, const Value& value, Contributions wanted) {
    wrong = wrong_result(r, slot, value, wanted);
    return !wrong;
  });
  return wrong;
}

Prover::Found Combination::wrong_result(Rank r, Slot slot, const Value& v, Contributions wanted) const {
  const Slot label = slot % shape_.out, piece = slot / shape_.out;
  const bool right = v.expression != no_expression && v.block == schedule_.block(Buffer::out, label, piece) &&
                     v.piece == piece && expressions_.is(v.expression, wanted);
  if (!right)
    return Counterexample{
        What::delivery,
        -1,
        r,
        fmt::format("rank {} ends with {} in slot {} of out and must have the contributions of ranks "
                    "{} .. {}",
                    r, text(v), slot, wanted.first, wanted.end - 1),
        std::nullopt,
        Counterexample::Content{r, Buffer::out, slot, text(v),
                                fmt::format("the contributions of ranks {} .. {}", wanted.first, wanted.end - 1)}};
  if (spec_.operands == Operands::ordered && !expressions_.in_order(v.expression))
    return Counterexample{What::order, -1, r,
                          fmt::format("slot {} of out at rank {} takes its contributions in another order than that of "
                                      "ranks, and the operator is not commutative",
                                      slot, r)};
  return {};
}

/// The canonical expression: halves of the ranks, the first of which has one more if they are odd.
Expression Combination::canonical(Rank first, Rank end) {
  if (end - first == 1) return static_cast<Expression>(first);
  const Rank middle = first + (end - first + 1) / 2;
  const Expression low = canonical(first, middle), high = canonical(middle, end);
  return low == no_expression || high == no_expression ? no_expression : expressions_.combine(low, high);
}

Findings Combination::results() {
  Findings all{.exact = expressions_.exact()};
  std::vector<Expression> first(static_cast<std::size_t>(out_slots_), no_expression);
  Rank shown = -1;
  const Expression named = canonical(0, spec_.ranks());
  Contributions same{};  // a result that other contributions are made of may be computed otherwise
  each_result([&](Rank r, Slot slot, const Value& v, Contributions wanted) {
    if (wanted != same) std::fill(first.begin(), first.end(), no_expression);
    same = wanted;
    all.in_order = all.in_order && expressions_.in_order(v.expression);
    all.depth = std::max(all.depth, expressions_.depth(v.expression));
    Expression& other = first[static_cast<std::size_t>(slot)];
    if (other == no_expression) other = v.expression;
    if (other != v.expression) all.identical = std::max(all.identical, Identical::commutatively);
    if (expressions_.unordered(other) != expressions_.unordered(v.expression)) all.identical = Identical::no;
    all.canonical = all.canonical && named != no_expression &&
                    expressions_.unordered(named) == expressions_.unordered(v.expression);
    if (shown < 0) shown = r;
    return true;
  });
  // The vector of one rank, part by part in the order of memory; neighbours with equal trees are one.
  if (collective::facts(spec_).flow == collective::Flow::all_to_all && !collective::facts(spec_).whole) return all;
  std::vector<std::pair<Bytes, Slot>> order;
  for (Slot s = 0; shown >= 0 && s < out_slots_; ++s)
    if (schedule_.bytes(Buffer::out, contiguous(s, 1)) > 0)
      order.emplace_back(shape_.block_offset(Buffer::out, s % shape_.out) +
                             shape_.piece_offset(Buffer::out, s % shape_.out, s / shape_.out),
                         s);
  std::sort(order.begin(), order.end());
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expression e = first[static_cast<std::size_t>(order[i].second)];
    if (e == no_expression || expressions_.hash(e) == last) continue;
    last = expressions_.hash(e);
    all.tree = base::hash_of(all.tree, last, i == 0 ? 0 : order[i].first);
  }
  return all;
}

}  // namespace quadrille::verifier
