// Tests a claim of symmetry: what a rank does is what its representative does, renamed.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/integer.hpp"
#include "quadrille/verify.hpp"

namespace quadrille {

namespace {

using Edge = std::pair<int, Slot>;          // buffer and slot
using Head = std::tuple<Kind, Rank, Slot>;  // one message: kind, peer, slots

/// Compares rank by rank, and message by message, so that memory stays with the largest message.
class SymmetryCheck {
 public:
  SymmetryCheck(const Spec& spec, const Schedule& schedule)
      : schedule_(schedule), shape_(schedule.shape()), group_(schedule.symmetry().group), combines_(combines(spec)) {}

  std::optional<Counterexample> check(Round t, Rank r) {
    const Rank zero = representative_rank(r, group_);
    const Rank by = group_ == Group::rotate ? r - zero : r ^ zero;
    const Counterexample differs{Counterexample::Kind::symmetry, t, r,
                                 fmt::format("rank {} does not do in round {} what rank {} does, renamed", r, t, zero)};
    heads(t, zero, by, expected_heads_);
    heads(t, r, 0, found_heads_);
    if (expected_heads_ != found_heads_) return differs;
    for (const Summary::Message& m : std::vector<Summary::Message>(summary_.of(schedule_, t, zero))) {
      edges(t, zero, m.kind, m.peer, by, expected_);
      edges(t, r, m.kind, renamed(m.peer, by), 0, found_);
      if (expected_ != found_) return differs;
    }
    // Ranks may combine what comes in one round in different orders.
    operands(t, zero, by, expected_);
    operands(t, r, 0, found_);
    if (expected_ != found_) return differs;
    return {};
  }
  std::int64_t visited() const { return visited_; }

  /// All pieces are sent and received alike in number.
  std::optional<Counterexample> check_pieces(Round t, Rank r) {
    std::vector<Slot> sent(static_cast<std::size_t>(shape_.cut.pieces()), 0), received = sent;
    for (const Transfer& x : list_.all(schedule_, t, r))
      (x.kind == Kind::send ? sent : received)[static_cast<std::size_t>(x.slots.first / shape_.blocks(x.buffer))] +=
          x.slots.size;
    const auto alike = [](const std::vector<Slot>& v) {
      return std::adjacent_find(v.begin(), v.end(), std::not_equal_to<>()) == v.end();
    };
    if (alike(sent) && alike(received)) return {};
    return Counterexample{Counterexample::Kind::symmetry, t, r,
                          fmt::format("the pieces do not move alike in round {}", t)};
  }

 private:
  Rank renamed(Rank r, Rank by) const { return group_ == Group::rotate ? base::wrap(r + by, shape_.ranks) : r ^ by; }

  void heads(Round t, Rank r, Rank by, std::vector<Head>& out) {
    out.clear();
    for (const Summary::Message& m : summary_.of(schedule_, t, r))
      out.emplace_back(m.kind, renamed(m.peer, by), m.slots);
    std::sort(out.begin(), out.end());
    visited_ += static_cast<std::int64_t>(out.size()) + 1;
  }

  void edges(Round t, Rank r, Kind kind, Rank peer, Rank by, std::vector<Edge>& out) {
    out.clear();
    for (const Transfer& x : list_.one(schedule_, t, r, kind, peer)) {
      add_edges(t, x.buffer, x.slots, static_cast<int>(x.buffer), by, out);
    }
    visited_ += static_cast<std::int64_t>(out.size());
    std::sort(out.begin(), out.end());
  }

  /// The operands of all that a rank combines in a round. Their sides are not compared: symmetric proofs are of
  /// commutative operators.
  void operands(Round t, Rank r, Rank by, std::vector<Edge>& out) {
    out.clear();
    if (!combines_) return;
    for (const Transfer& x : list_.all(schedule_, t, r))
      if (x.combine.combines()) {
        add_edges(t, x.buffer, x.slots, static_cast<int>(x.buffer), by, out);
        add_edges(t, x.combine.buffer, x.operand(), 8 + static_cast<int>(x.combine.buffer), by, out);
      }
    visited_ += static_cast<std::int64_t>(out.size());
    std::sort(out.begin(), out.end());
  }

  void add_edges(Round t, Buffer buffer, const Slots& slots, int mark, Rank by, std::vector<Edge>& out) const {
    const Slot blocks = shape_.blocks(buffer);
    const Slot twist = by == 0 ? 0 : schedule_.twist(t, buffer, slots.first, by);
    for_each_slot(slots, [&](Slot s) {
      const bool turns = group_ == Group::rotate;
      out.emplace_back(mark, turns ? s - s % blocks + base::wrap(s % blocks + twist, blocks) : s ^ twist);
    });
  }

  const Schedule& schedule_;
  const Shape& shape_;
  Group group_;
  bool combines_;
  Collected list_;
  Summary summary_;
  std::vector<Head> expected_heads_, found_heads_;
  std::vector<Edge> expected_, found_;
  std::int64_t visited_ = 0;
};

}  // namespace

std::optional<Counterexample> check_symmetry(const Spec& spec, const Schedule& schedule, std::int64_t work) {
  const Symmetry symmetry = schedule.symmetry();
  if (symmetry.group == Group::none) return {};
  const Shape& shape = schedule.shape();
  if (shape.ranks == 0 || shape.rounds == 0) return {};
  SymmetryCheck check(spec, schedule);
  // A stride that shares no factor with the ranks visits them in a scattered order, all of them when work allows.
  const auto scattered = [](std::int64_t i, std::int64_t n) { return (i * 7919 + i / n) % n; };
  const std::int64_t pairs = std::min(work, shape.ranks) * std::min(work, shape.rounds);
  const bool everything = shape.ranks <= work && shape.rounds <= work && pairs <= work / 8;
  for (std::int64_t i = 0; check.visited() < work; ++i) {
    if (everything && i >= shape.ranks * shape.rounds) break;
    if (!everything && i >= 4096) break;
    const Round t = everything ? i / shape.ranks : scattered(i, shape.rounds);
    const Rank r = everything ? i % shape.ranks : scattered(i * 31 + 1, shape.ranks);
    if (auto wrong = check.check(t, r)) return wrong;
    if (symmetry.pieces_alike)
      if (auto wrong = check.check_pieces(t, r)) return wrong;
  }
  return {};
}

}  // namespace quadrille
