#include "planner/placed_demands.hpp"

#include <algorithm>

namespace quadrille::planner {

namespace {

/// For each node what its buffer has, piece by piece: where that begins there, and where at its rank.
struct Stretch {
  Slot at_node, at_rank, words;
};
using Stretches = std::vector<std::vector<Stretch>>;

class InOrderOfRanks final : public Schedule {
 public:
  InOrderOfRanks(SchedulePtr base, Stretches in, Stretches out)
      : base_(std::move(base)), in_(std::move(in)), out_(std::move(out)) {}
  const Shape& shape() const override { return base_->shape(); }
  Rounds active(Rank r) const override { return base_->active(r); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  void step(Round t, Rank r, Steps& out) const override {
    Translated translated(out, in_[static_cast<std::size_t>(r)], out_[static_cast<std::size_t>(r)]);
    base_->step(t, r, translated);
  }

 private:
  class Translated final : public Steps {
   public:
    Translated(Steps& to, const std::vector<Stretch>& in, const std::vector<Stretch>& out)
        : to_(to), in_(in), out_(out) {}
    bool wants(Kind kind, Rank peer) const override { return to_.wants(kind, peer); }
    std::optional<Rank> only_peer() const override { return to_.only_peer(); }
    void add(const Transfer& x) override {
      if (x.buffer == Buffer::tmp) return to_.add(x);
      const Slots& s = x.slots;
      for (Slot done = 0; done < s.size; done += s.run) add_run(x, s[done], std::min(s.run, s.size - done));
    }

   private:
    /// Neighbours at a node, which need not be neighbours at the rank.
    void add_run(const Transfer& x, Slot first, Slot size) {
      const std::vector<Stretch>& stretches = x.buffer == Buffer::in ? in_ : out_;
      auto stretch = std::upper_bound(stretches.begin(), stretches.end(), first,
                                      [](Slot slot, const Stretch& s) { return slot < s.at_node; });
      if (stretch != stretches.begin()) --stretch;
      while (size > 0 && stretch != stretches.end()) {
        const Slot begin = first - stretch->at_node, here = std::min(size, stretch->words - begin);
        to_.add({x.kind, x.buffer, x.peer, contiguous(stretch->at_rank + begin, here), x.combine});
        first += here, size -= here, ++stretch;
      }
    }

    Steps& to_;
    const std::vector<Stretch>&in_, &out_;
  };

  SchedulePtr base_;
  Stretches in_, out_;
};

}  // namespace

SchedulePtr in_order_of_ranks(SchedulePtr schedule, DemandsPtr of_ranks, DemandsPtr on_nodes, std::vector<Rank> nodes) {
  Stretches in(nodes.size()), out(nodes.size());
  for (std::size_t i = 0; i < of_ranks->pairs.size(); ++i) {
    const auto from = static_cast<std::size_t>(of_ranks->pairs[i].from),
               to = static_cast<std::size_t>(of_ranks->pairs[i].to);
    const std::size_t pair = on_nodes->find(nodes[from], nodes[to]);
    in[from].push_back({on_nodes->leaves(pair), of_ranks->leaves(i), of_ranks->words(i)});
    out[to].push_back({on_nodes->arrives[pair], of_ranks->arrives[i], of_ranks->words(i)});
  }
  for (Stretches* const all : {&in, &out})
    for (std::vector<Stretch>& stretches : *all)
      std::sort(stretches.begin(), stretches.end(),
                [](const Stretch& a, const Stretch& b) { return a.at_node < b.at_node; });
  return std::make_shared<InOrderOfRanks>(std::move(schedule), std::move(in), std::move(out));
}

}  // namespace quadrille::planner
