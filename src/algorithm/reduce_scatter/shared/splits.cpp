// An all-gather that goes down halves of the ranks: a block is at one rank of every part, and goes from there to the
// rank in the same place of the other half. Run backwards, halves of the ranks are put together in their order.
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/vectors.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

constexpr Rank most_ranks = 1024;  ///< blocks at all ranks are listed for every round

/// Ranks first .. end-1, of which the first half has one more where they are odd.
struct Part {
  Rank first, end;
  Rank size() const { return end - first; }
  Rank middle() const { return first + base::ceil_div(size(), Rank{2}); }
  Part half(Rank r) const { return r < middle() ? Part{first, middle()} : Part{middle(), end}; }
  /// Where in the other half goes what a rank has; the larger half's last two ranks go to one.
  Rank opposite(Rank r) const {
    if (r >= middle()) return first + r - middle();
    return middle() + std::min(r - first, end - middle() - 1);
  }
};

class Splits final : public Schedule {
 public:
  Splits(Rank ranks, Bytes bytes) {
    shape_ = {.ranks = ranks, .rounds = base::log2_ceil(ranks), .out = ranks, .cut = {.bytes = bytes}};
    std::vector<std::vector<Slot>> now(static_cast<std::size_t>(ranks));
    for (Rank r = 0; r < ranks; ++r) now[static_cast<std::size_t>(r)].push_back(r);
    for (Round t = 0; t < shape_.rounds; ++t) {
      held_.push_back(now);
      for (Rank r = 0; r < ranks; ++r) {
        const Part all = part(t, r);
        if (all.size() < 2) continue;
        const std::vector<Slot>& mine = held_.back()[static_cast<std::size_t>(r)];
        std::vector<Slot>& theirs = now[static_cast<std::size_t>(all.opposite(r))];
        theirs.insert(theirs.end(), mine.begin(), mine.end());
      }
      for (std::vector<Slot>& blocks : now) std::sort(blocks.begin(), blocks.end());
    }
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Part all = part(t, r);
    if (all.size() < 2) return;
    const Part other = all.half(all.opposite(r));
    each_run(t, r, [&](const Slots& s) { out.send(all.opposite(r), Buffer::out, s); });
    for (Rank from = other.first; from < other.end; ++from)
      if (all.opposite(from) == r) each_run(t, from, [&](const Slots& s) { out.recv(from, Buffer::out, s); });
  }

 private:
  /// The part of the ranks that is split in round t.
  Part part(Round t, Rank r) const {
    Part all{0, shape_.ranks};
    for (; t > 0 && all.size() > 1; --t) all = all.half(r);
    return all;
  }
  template <class Visit>
  void each_run(Round t, Rank r, Visit visit) const {
    const std::vector<Slot>& blocks = held_[static_cast<std::size_t>(t)][static_cast<std::size_t>(r)];
    for (std::size_t i = 0, next = 0; i < blocks.size(); i = next) {
      while (++next < blocks.size() && blocks[next] == blocks[next - 1] + 1) {
      }
      visit(contiguous(blocks[i], static_cast<Slot>(next - i)));
    }
  }

  Shape shape_;
  std::vector<std::vector<std::vector<Slot>>> held_;  ///< before every round, by every rank
};

std::string splits_illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  if (std::string reason = kit::needs_crossbar(spec); !reason.empty()) return reason;
  if (p > most_ranks)
    return fmt::format("lists the blocks of at most {} ranks; nearest: crossbar:{}", most_ranks, most_ranks);
  if (kit::half_duplex(machine)) return "halves swap what they have; try --set duplex=full";
  return {};
}

}  // namespace

Algorithm splits_base() {
  return {.name = "allgather_splits",
          .collective = Collective::allgather,
          .summary = "every part of the ranks is halved, and what one half has goes to the other",
          .source = "extra: the grouping of reduce_interval, a block at every rank",
          .closed_form = {.where = "crossbar, counted"},
          .parameters = {},
          .claims =
              [](const Spec& s, const Machine& m, const Params&) {
                return Claims{.port_free = m.ports == Ports::all || base::is_power_of_two(s.ranks()),
                              .canonical = true};
              },
          .illegal = splits_illegal,
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return kit::counted_cost(s, m, Splits(s.ranks(), s.bytes)); },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Splits>(s.ranks(), s.bytes);
          }};
}

bool splits_in_order(const Spec&, const Machine&, const Params&) { return true; }

}  // namespace quadrille::algorithm::reduce_scatter
