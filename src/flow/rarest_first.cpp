#include "flow/rarest_first.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <numeric>
#include <utility>

#include "base/integer.hpp"

namespace quadrille::flow {

namespace {

/// Sets of chunks, one for each rank.
class Holdings {
 public:
  Holdings(Rank ranks, std::size_t chunks)
      : words_((chunks + 63) / 64), bits_(static_cast<std::size_t>(ranks) * words_, 0) {}
  std::size_t words() const { return words_; }
  const std::uint64_t* of(std::int32_t rank) const { return bits_.data() + static_cast<std::size_t>(rank) * words_; }
  void add(std::int32_t rank, std::int32_t chunk) {
    bits_[static_cast<std::size_t>(rank) * words_ + static_cast<std::size_t>(chunk) / 64] |= std::uint64_t{1}
                                                                                             << (chunk % 64);
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

class Rounds {
 public:
  /// `turned`: of chunks that equally many have, ranks prefer different ones.
  Rounds(const Spreading& spreading, bool turned)
      : s_(spreading),
        turned_(turned),
        before_(s_.ranks, s_.owners.size()),
        now_(s_.ranks, s_.owners.size()),
        holders_(s_.owners.size(), 1),
        entering_(static_cast<std::size_t>(s_.ranks)) {
    for (std::size_t c = 0; c < s_.owners.size(); ++c)
      before_.add(static_cast<std::int32_t>(s_.owners[c]), static_cast<std::int32_t>(c));
    now_ = before_;
    for (std::size_t i = 0; i < s_.channels.size(); ++i)
      entering_[static_cast<std::size_t>(s_.channels[i].to)].push_back(static_cast<std::int32_t>(i));
    left_ = static_cast<std::int64_t>(s_.owners.size()) * (s_.ranks - 1);
    plan_.arrivals.reserve(static_cast<std::size_t>(left_));
    std::int32_t wires = 0;
    for (const Channel& c : s_.channels) wires = std::max(wires, c.wire + 1);
    wire_used_.resize(static_cast<std::size_t>(wires));
    sends_.resize(static_cast<std::size_t>(s_.ranks));
    takes_.resize(static_cast<std::size_t>(s_.ranks));
  }

  RoundPlan run() {
    for (; left_ > 0; ++plan_.rounds) {
      const std::int64_t left_before = left_;
      std::fill(wire_used_.begin(), wire_used_.end(), 0);
      link_left_ = s_.link_chunks;
      std::fill(sends_.begin(), sends_.end(), 0);
      std::fill(takes_.begin(), takes_.end(), 0);
      const auto ranks = static_cast<std::int32_t>(s_.ranks);
      for (std::int32_t i = 0; i < ranks; ++i) take(plan_.rounds % 2 == 0 ? i : ranks - 1 - i);
      if (left_ == left_before)
        throw Error(Error::Kind::argument, "no links lead to some rank; all must be reachable from all");
      for (std::size_t i = plan_.arrivals.size() - static_cast<std::size_t>(left_before - left_);
           i < plan_.arrivals.size(); ++i)
        before_.add(s_.channels[static_cast<std::size_t>(plan_.arrivals[i].channel)].to, plan_.arrivals[i].chunk);
    }
    return std::move(plan_);
  }

 private:
  bool allowed(const Channel& c) const {
    const auto from = static_cast<std::size_t>(c.from), to = static_cast<std::size_t>(c.to);
    if (s_.one_port && (sends_[from] || takes_[to])) return false;
    if (s_.one_way && c.links.empty() && wire_used_[static_cast<std::size_t>(c.wire)]) return false;
    if (std::any_of(c.links.begin(), c.links.end(),
                    [&](std::int32_t link) { return link_left_[static_cast<std::size_t>(link)] == 0; }))
      return false;
    return !s_.one_task || (!takes_[from] && !sends_[to]);
  }
  /// What decides which channels are looked at first: lowest numbers.
  struct Turn {
    std::int32_t narrow, second, third, channel;
    auto operator<=>(const Turn&) const = default;
  };
  /// Of links by themselves those with the fewest chunks to choose from: what they bring nobody else may; but where a
  /// rank takes from one only, those with the most. Of channels that meet: those over the narrowest links, then those
  /// that bring the rarest chunk, from different ranks to different ranks.
  Turn turn_of(const Channel& c, std::int32_t channel, std::int32_t offered) const {
    if (c.links.empty()) return {0, s_.one_port ? -offered : offered, s_.one_port ? -channel : channel, channel};
    std::int32_t narrow = s_.link_chunks[static_cast<std::size_t>(c.links.front())];
    for (const std::int32_t link : c.links) narrow = std::min(narrow, s_.link_chunks[static_cast<std::size_t>(link)]);
    const std::int32_t ranks = static_cast<std::int32_t>(s_.ranks), away = (c.from - c.to + ranks) % ranks;
    return {narrow, holders_[static_cast<std::size_t>(rarest(c))], away, channel};
  }
  void take(std::int32_t rank) {
    order_.clear();
    for (const std::int32_t i : entering_[static_cast<std::size_t>(rank)]) {
      const Channel& c = s_.channels[static_cast<std::size_t>(i)];
      if (!allowed(c)) continue;
      if (const int offered = count(c); offered > 0) order_.push_back(turn_of(c, i, offered));
    }
    std::sort(order_.begin(), order_.end());
    for (const Turn& turn : order_) take_by(turn.channel);
    // One more of each channel that shares its links, as long as these carry more.
    for (bool more = !order_.empty() && !s_.channels[static_cast<std::size_t>(order_.front().channel)].links.empty();
         more;) {
      more = false;
      for (const Turn& turn : order_) more = take_by(turn.channel) || more;
    }
  }
  bool take_by(std::int32_t channel) {
    const Channel& c = s_.channels[static_cast<std::size_t>(channel)];
    std::int32_t chunks = 0;
    for (; chunks < c.chunks && allowed(c); ++chunks) {
      const std::int32_t chunk = rarest(c);
      if (chunk < 0) break;
      for (const std::int32_t link : c.links) --link_left_[static_cast<std::size_t>(link)];
      now_.add(c.to, chunk);
      ++holders_[static_cast<std::size_t>(chunk)];
      plan_.arrivals.push_back({plan_.rounds, channel, chunk});
      --left_;
    }
    if (chunks == 0) return false;
    sends_[static_cast<std::size_t>(c.from)] = takes_[static_cast<std::size_t>(c.to)] = 1;
    wire_used_[static_cast<std::size_t>(c.wire)] = 1;
    return true;
  }
  int count(const Channel& c) const {
    const std::uint64_t *from = before_.of(c.from), *to = now_.of(c.to);
    int sum = 0;
    for (std::size_t w = 0; w < before_.words(); ++w) sum += std::popcount(from[w] & ~to[w]);
    return sum;
  }
  std::int32_t rarest(const Channel& c) const {
    const std::uint64_t *from = before_.of(c.from), *to = now_.of(c.to);
    const auto chunks = static_cast<std::int32_t>(s_.owners.size());
    std::int32_t best = -1, fewest = 0, place = 0;
    for (std::size_t w = 0; w < before_.words(); ++w)
      for (std::uint64_t rest = from[w] & ~to[w]; rest != 0; rest &= rest - 1) {
        const auto chunk = static_cast<std::int32_t>(w * 64) + std::countr_zero(rest);
        const std::int32_t here = holders_[static_cast<std::size_t>(chunk)];
        if (best >= 0 && here > fewest) continue;
        const std::int32_t turn = turned_ ? (chunk + c.to) % chunks : chunk;
        if (best < 0 || here < fewest || turn < place) best = chunk, fewest = here, place = turn;
      }
    return best;
  }

  const Spreading& s_;
  bool turned_;
  Holdings before_, now_;
  std::vector<std::int32_t> holders_;
  std::vector<std::vector<std::int32_t>> entering_;  ///< channels to each rank
  std::int64_t left_ = 0;
  RoundPlan plan_;
  std::vector<Turn> order_;
  std::vector<char> wire_used_, sends_, takes_;
  std::vector<std::int32_t> link_left_;
};

/// Of every rank, how many chunks are owned so many channels away. Where that takes too long to find out, 1 stands for
/// all distances.
std::vector<std::vector<std::int64_t>> by_distance(const Spreading& s) {
  constexpr std::int64_t most_visits = std::int64_t{1} << 22;
  std::vector<std::int64_t> owned(static_cast<std::size_t>(s.ranks), 0);
  for (const Rank owner : s.owners) ++owned[static_cast<std::size_t>(owner)];
  std::vector<std::vector<std::int64_t>> chunks(owned.size());
  const std::int64_t owners = std::count_if(owned.begin(), owned.end(), [](std::int64_t n) { return n > 0; });
  if (owners * std::ssize(s.channels) > most_visits) {
    for (std::size_t r = 0; r < owned.size(); ++r) chunks[r] = {owned[r], std::ssize(s.owners) - owned[r]};
    return chunks;
  }
  std::vector<std::vector<std::int32_t>> next(owned.size());
  for (const Channel& c : s.channels) next[static_cast<std::size_t>(c.from)].push_back(c.to);
  std::vector<std::int32_t> queue;
  std::vector<std::size_t> far(owned.size());
  for (std::size_t owner = 0; owner < owned.size(); ++owner) {
    if (owned[owner] == 0) continue;
    std::fill(far.begin(), far.end(), owned.size());
    far[owner] = 0;
    queue.assign(1, static_cast<std::int32_t>(owner));
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto here = static_cast<std::size_t>(queue[i]);
      if (chunks[here].size() <= far[here]) chunks[here].resize(far[here] + 1, 0);
      chunks[here][far[here]] += owned[owner];
      for (const std::int32_t to : next[here])
        if (far[static_cast<std::size_t>(to)] == owned.size())
          far[static_cast<std::size_t>(to)] = far[here] + 1, queue.push_back(to);
    }
  }
  return chunks;
}

/// Every rank must get every chunk, over wires that are used one way at a time.
std::int64_t crossings_by_wires(const Spreading& s) {
  std::vector<std::int64_t> carried;
  for (const Channel& c : s.channels) {
    carried.resize(std::max(carried.size(), static_cast<std::size_t>(c.wire) + 1), 0);
    std::int64_t& here = carried[static_cast<std::size_t>(c.wire)];
    here = std::max<std::int64_t>(here, c.chunks);
  }
  const std::int64_t all = std::accumulate(carried.begin(), carried.end(), std::int64_t{0});
  return all == 0 ? 0 : base::ceil_div(std::ssize(s.owners) * (s.ranks - 1), all);
}

}  // namespace

std::int64_t least_rounds(const Spreading& s) {
  std::vector<std::int64_t> brings(static_cast<std::size_t>(s.ranks), 0);
  std::vector<char> counted(s.link_chunks.size(), 0);  // links by which channels arrive
  for (const Channel& c : s.channels) {
    std::int64_t& here = brings[static_cast<std::size_t>(c.to)];
    std::int64_t more = c.chunks;
    if (!c.links.empty()) {
      const auto last = static_cast<std::size_t>(c.links.back());
      more = std::exchange(counted[last], 1) ? 0 : s.link_chunks[last];
    }
    here = s.one_port ? std::max<std::int64_t>(here, c.chunks) : here + more;
  }
  const std::vector<std::vector<std::int64_t>> chunks = by_distance(s);
  std::int64_t least = 0;
  for (std::size_t r = 0; r < chunks.size(); ++r) {
    std::int64_t beyond = 0;  // none of these is here before the round of its distance
    for (std::size_t d = chunks[r].size(); d-- > 1;)
      if ((beyond += chunks[r][d]) > 0 && brings[r] > 0)
        least = std::max(least, static_cast<std::int64_t>(d) - 1 + base::ceil_div(beyond, brings[r]));
  }
  return s.one_way ? std::max(least, crossings_by_wires(s)) : least;
}

RoundPlan rarest_first(const Spreading& spreading) {
  constexpr std::int64_t near = 100;  // a hundredth above what no plan is below: no second attempt
  RoundPlan plan = Rounds(spreading, false).run();
  const std::int64_t least = least_rounds(spreading);
  if (plan.rounds <= least + least / near) return plan;
  RoundPlan turned = Rounds(spreading, true).run();
  return turned.rounds < plan.rounds ? turned : plan;
}

}  // namespace quadrille::flow
