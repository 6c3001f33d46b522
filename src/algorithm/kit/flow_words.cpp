#include "algorithm/kit/flow_words.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "algorithm/kit/support.hpp"
#include "schedule/rounds.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Which parts of ways leave in which piece.
class Turns {
 public:
  Turns(const FlowPlan& plan, std::int64_t pieces)
      : plan_(plan),
        pieces_(pieces),
        rounds_(static_cast<std::size_t>(pieces + plan.longest)),
        parts_(plan.capacity.size() * rounds_, 0) {}
  /// Parts of the way before each piece, and at last all.
  std::vector<std::int64_t> next(std::size_t way) {
    const std::int64_t all = plan_.ways[way].parts, each = all / pieces_;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(pieces_), each);
    std::vector<std::pair<double, std::int64_t>> busy;
    for (std::int64_t piece = 0; piece < pieces_; ++piece) busy.emplace_back(busiest(way, piece), piece);
    const auto more = busy.begin() + (all - each * pieces_);
    std::nth_element(busy.begin(), more, busy.end());
    for (auto it = busy.begin(); it != more; ++it) ++counts[static_cast<std::size_t>(it->second)];
    std::vector<std::int64_t> before{0};
    for (std::int64_t piece = 0; piece < pieces_; ++piece) {
      const std::int64_t count = counts[static_cast<std::size_t>(piece)];
      for (const Crossing& c : plan_.crossed[way]) at(c, piece) += static_cast<double>(count) * c.share;
      before.push_back(before.back() + count);
    }
    return before;
  }

  /// Parts on the busiest link of each round over its capacity, of all rounds together.
  double busiest_rounds() const {
    double sum = 0;
    for (std::size_t round = 0; round < rounds_; ++round) {
      double most = 0;
      for (std::size_t link = 0; link < plan_.capacity.size(); ++link)
        most = std::max(most, parts_[link * rounds_ + round] / static_cast<double>(plan_.capacity[link]));
      sum += most;
    }
    return sum;
  }

 private:
  double& at(const Crossing& c, std::int64_t piece) {
    return parts_[static_cast<std::size_t>(c.link) * rounds_ + static_cast<std::size_t>(piece + c.message)];
  }
  /// How busy the way's links are when the piece crosses them.
  double busiest(std::size_t way, std::int64_t piece) {
    double most = 0;
    for (const Crossing& c : plan_.crossed[way])
      most = std::max(most, at(c, piece) / static_cast<double>(plan_.capacity[static_cast<std::size_t>(c.link)]));
    return most;
  }

  const FlowPlan& plan_;
  std::int64_t pieces_;
  std::size_t rounds_;
  std::vector<double> parts_;  ///< of every link in every round
};

}  // namespace

SchedulePtr words_played(const Spec& spec, const FlowPlan& plan, Slot words, std::int64_t pieces) {
  const Demands& demands = *spec.demands;
  std::vector<schedule::Handover> handovers;
  std::vector<Slot> kept(static_cast<std::size_t>(spec.ranks()), 0);  // words that wait at each rank
  Turns turns(plan, pieces);
  for (std::size_t w = 0; w < plan.ways.size(); ++w) {
    const schedule::PartsWay& way = plan.ways[w];
    const std::size_t pair = demands.find(way.ranks.front(), way.ranks.back());
    const Slot first = way.first * words,
               count = std::min((way.first + way.parts) * words, demands.words(pair)) - first;
    const std::vector<std::int64_t> before = turns.next(w);
    Slot here = demands.leaves(pair) + first;
    Buffer source = Buffer::in;
    for (std::size_t hop = 0; hop + 1 < way.ranks.size(); ++hop) {
      const bool last = hop + 2 == way.ranks.size();
      Slot& waits = kept[static_cast<std::size_t>(way.ranks[hop + 1])];
      const Slot there = last ? demands.arrives[pair] + first : waits;
      if (!last) waits += count;
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const auto at = static_cast<std::size_t>(piece);
        const Slot begin = before[at] * words, end = std::min(before[at + 1] * words, count);
        if (begin < end)
          handovers.push_back({.round = static_cast<std::int32_t>(piece + static_cast<std::int64_t>(hop)),
                               .from = way.ranks[hop],
                               .to = way.ranks[hop + 1],
                               .slot = static_cast<std::int32_t>(here + begin),
                               .target = static_cast<std::int32_t>(there + begin),
                               .source = source,
                               .arrival = last ? Buffer::out : Buffer::tmp,
                               .slots = static_cast<std::int32_t>(end - begin)});
      }
      here = there, source = Buffer::tmp;
    }
  }
  Shape shape = shape_of_words(spec);
  shape.tmp = *std::max_element(kept.begin(), kept.end());
  return schedule::of_handovers(shape, handovers);
}

std::int64_t best_word_pieces(const FlowPlan& plan, Seconds startup, Seconds part, std::int64_t most) {
  std::int64_t best = 1;
  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (std::int64_t pieces = 1; pieces <= most; pieces *= 2) {
    Turns turns(plan, pieces);
    for (std::size_t w = 0; w < plan.ways.size(); ++w) turns.next(w);
    const Seconds time = static_cast<double>(pieces + plan.longest - 1) * startup + turns.busiest_rounds() * part;
    if (time < least) least = time, best = pieces;
  }
  return best;
}

}  // namespace quadrille::algorithm::kit
