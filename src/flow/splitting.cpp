// Arcs into a switch are joined with arcs out of it, pair by pair: in shares that are alike first, then what is left.
// Cuts that had too little left after that are remembered, and the next attempt spares them. Where attempts do not end,
// fewer switches are taken at once, and for a switch alone every pair is joined only as far as flows allow.
#include "flow/splitting.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "flow/joined_ways.hpp"
#include "flow/requirement.hpp"

namespace quadrille::flow {

namespace {

using Amounts = std::vector<std::int64_t>;

/// A cut that must keep as much room as trees from outside need.
struct Guard {
  Side side;
  std::int64_t room = 0;
};

class Splitting {
 public:
  Splitting(const Network& network, const Words& trees, const SplitEffort& effort)
      : network_(network), size_(network.vertices()), left_(effort.flows), rooted_(at(size_), 0) {
    for (Rank r = 0; r < network.ranks(); ++r) rooted_[at(network.host(r))] = trees[at(r)];
    all_ = std::accumulate(rooted_.begin(), rooted_.end(), std::int64_t{0});
    capacity_.assign(at(size_ * size_), 0);
    for (const Arc& arc : network.arcs()) cap(arc.from, arc.to) = arc.capacity;
    for (Vertex v = 0; v < size_; ++v)
      if (!network.is_host(v)) open_.push_back(v);
  }

  bool run() {
    std::size_t batch = open_.size();
    constexpr int most_attempts = 6;
    for (int attempts = 0; !open_.empty();) {
      const Amounts before = capacity_;
      const std::size_t log_before = log_.size();
      const std::vector<Vertex> open_before = open_;
      const bool exactly = batch == 1 && attempts >= 8 * most_attempts;
      for (std::size_t i = 0; i < batch && !open_.empty(); ++i) split(take_switch(), exactly);
      if (exactly || fits()) {
        batch = std::max<std::size_t>(1, std::min(batch, open_.size())), attempts = 0;
        continue;
      }
      if (left_ <= 0) return false;  // what was joined last stays: too little, and yet the most that was found
      capacity_ = before, open_ = open_before;
      log_.resize(log_before);
      renew_guards();
      if (++attempts >= most_attempts && batch > 1) batch = (batch + 1) / 2, attempts = 0;
    }
    return guards_.empty() || fits();
  }

  const std::vector<Joined>& log() const { return log_; }

 private:
  std::int64_t& cap(Vertex from, Vertex to) { return capacity_[at(from * size_ + to)]; }

  /// The switch with the fewest neighbours, of which there is the least choice.
  Vertex take_switch() {
    std::size_t best = 0;
    std::int64_t fewest = size_ * 3;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      std::int64_t neighbours = 0;
      for (Vertex v = 0; v < size_; ++v) neighbours += (cap(v, open_[i]) > 0) + (cap(open_[i], v) > 0);
      if (neighbours < fewest) fewest = neighbours, best = i;
    }
    const Vertex found = open_[best];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(best));
    return found;
  }

  void split(Vertex w, bool exactly) {
    std::vector<Vertex> near;
    for (Vertex v = 0; v < size_; ++v)
      if (cap(v, w) > 0 || cap(w, v) > 0) near.push_back(v);
    const std::size_t first = log_.size();
    const std::int64_t count = std::ssize(near);
    if (exactly) renew_guards();
    for (const bool fair : {true, false}) {
      Amounts in(near.size()), out(near.size());
      for (std::size_t i = 0; i < near.size(); ++i) in[i] = cap(near[i], w), out[i] = cap(w, near[i]);
      const std::int64_t all = std::accumulate(out.begin(), out.end(), std::int64_t{0});
      if (all == 0) break;
      for (std::int64_t step = 1; step < count; ++step)
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t j = (i + step) % count;
          const Vertex u = near[at(i)], t = near[at(j)];
          std::int64_t amount = std::min(cap(u, w), cap(w, t));
          if (fair && all > out[at(i)])
            amount = std::min(amount, narrow(multiply(in[at(i)], out[at(j)]) / (all - out[at(i)])));
          if (amount > 0) join(u, w, t, exactly ? most_exactly(u, w, t, amount) : amount);
        }
    }
    if (!exactly) untie(w, near, first);
    for (const Vertex v : near) drop(v, w), drop(w, v);  // a rest would have to go back where it came from
  }

  /// Joins as much as guarded cuts allow.
  std::int64_t join(Vertex u, Vertex w, Vertex t, std::int64_t amount) {
    for (const Guard& g : guards_)
      if (touches(g, u, w, t)) amount = std::min(amount, g.room);
    if (amount <= 0) return 0;
    for (Guard& g : guards_)
      if (touches(g, u, w, t)) g.room -= amount;
    cap(u, w) -= amount, cap(w, t) -= amount, cap(u, t) += amount;
    log_.push_back({static_cast<std::int32_t>(u), static_cast<std::int32_t>(w), static_cast<std::int32_t>(t), amount});
    return amount;
  }
  static bool touches(const Guard& g, Vertex u, Vertex w, Vertex t) {
    return g.side[at(u)] == g.side[at(t)] && g.side[at(w)] != g.side[at(u)];
  }
  void drop(Vertex from, Vertex to) {
    const std::int64_t amount = std::exchange(cap(from, to), 0);
    for (Guard& g : guards_)
      if (amount > 0 && !g.side[at(from)] && g.side[at(to)]) g.room -= amount;
  }
  void part(Joined& j, std::int64_t amount) {
    for (Guard& g : guards_)
      if (touches(g, j.from, j.by, j.to)) g.room += amount;
    cap(j.from, j.by) += amount, cap(j.by, j.to) += amount, cap(j.from, j.to) -= amount;
    j.amount -= amount;
  }

  /// What could only go back to the neighbour it came from changes ends with what others joined.
  void untie(Vertex w, const std::vector<Vertex>& near, std::size_t first) {
    const std::size_t end = log_.size();
    for (const Vertex u : near)
      for (std::size_t i = first; i < end && std::min(cap(u, w), cap(w, u)) > 0; ++i) {
        const Vertex a = log_[i].from, b = log_[i].to;
        if (a == u || b == u) continue;
        const std::int64_t amount = std::min({log_[i].amount, cap(u, w), cap(w, u)});
        if (amount == 0) continue;
        part(log_[i], amount);
        const std::int64_t there = join(u, w, b, amount);
        const std::int64_t back = join(a, w, u, there);
        const std::int64_t rest = amount - back;
        if (there > back) part(log_[log_.size() - (back > 0 ? 2 : 1)], there - back);
        join(a, w, b, rest);
      }
  }

  std::vector<Arc> arcs_left() const {
    std::vector<Arc> arcs;
    for (Vertex u = 0; u < size_; ++u)
      for (Vertex v = 0; v < size_; ++v)
        if (const std::int64_t c = capacity_[at(u * size_ + v)]; c > 0) arcs.push_back({u, v, c});
    return arcs;
  }

  /// Whether trees still fit; otherwise guards the cuts that have too little room.
  bool fits() {
    left_ -= network_.ranks();
    const std::vector<Side> crowded = crowded_cuts(size_, arcs_left(), rooted_, network_.hosts(), 64);
    for (const Side& side : crowded)
      if (std::none_of(guards_.begin(), guards_.end(), [&](const Guard& g) { return g.side == side; }))
        guards_.push_back({side, 0});
    return crowded.empty();
  }

  void renew_guards() {
    for (Guard& g : guards_) {
      g.room = -all_;
      for (Vertex v = 0; v < size_; ++v)
        if (g.side[at(v)]) g.room += rooted_[at(v)];
      for (Vertex u = 0; u < size_; ++u)
        for (Vertex v = 0; v < size_ && !g.side[at(u)]; ++v)
          if (g.side[at(v)]) g.room += capacity_[at(u * size_ + v)];
    }
  }

  /// The most that can be joined while every rank still takes in all trees: doubling, as cuts are found, never ends
  /// late.
  std::int64_t most_exactly(Vertex u, Vertex w, Vertex t, std::int64_t amount) {
    while (amount > 0) {
      for (const Guard& g : guards_)
        if (touches(g, u, w, t)) amount = std::min(amount, g.room);
      if (amount <= 0) return 0;
      cap(u, w) -= amount, cap(w, t) -= amount, cap(u, t) += amount;
      const bool fit = fits();
      cap(u, w) += amount, cap(w, t) += amount, cap(u, t) -= amount;
      if (fit) return amount;
      renew_guards();
    }
    return 0;
  }

  const Network& network_;
  std::int64_t size_, left_, all_ = 0;
  Amounts rooted_, capacity_;  ///< capacity_: from each vertex to each
  std::vector<Vertex> open_;   ///< switches that are still there
  std::vector<Guard> guards_;
  std::vector<Joined> log_;
};

}  // namespace

LogicalNetwork split_off(const Network& network, const Words& trees, const SplitEffort& effort) {
  Splitting splitting(network, trees, effort);
  const bool complete = splitting.run();
  JoinedWays ways(network);
  for (const Joined& j : splitting.log())
    if (j.amount > 0) ways.join(j);
  std::vector<Vertex> ranks(at(network.ranks()));
  std::iota(ranks.begin(), ranks.end(), Vertex{0});
  std::vector<Arc> arcs;
  std::map<std::pair<Vertex, Vertex>, std::vector<Through>> by_ranks;
  for (const auto& [ends, list] : ways.lists()) {
    const Rank from = network.rank(ends.first), to = network.rank(ends.second);
    if (from < 0 || to < 0 || list.empty()) continue;
    Arc& arc = arcs.emplace_back(Arc{from, to, 0});
    for (const Through& way : list) arc.capacity += way.amount;
    by_ranks[{from, to}] = list;
  }
  LogicalNetwork result{Network(network.ranks(), ranks, std::move(arcs)), {}, complete};
  for (const Arc& arc : result.network.arcs()) result.ways.push_back(by_ranks[{arc.from, arc.to}]);
  check_ways(network, result);
  return result;
}

void check_ways(const Network& network, const LogicalNetwork& logical) {
  std::vector<Wide> carried(network.arcs().size(), 0);
  for (std::size_t a = 0; a < logical.ways.size(); ++a) {
    const Arc& arc = logical.network.arcs()[a];
    Wide all = 0;
    for (const Through& way : logical.ways[a]) {
      Vertex here = network.host(arc.from);
      const auto go = [&](Vertex next) {
        const std::int64_t place = network.find(here, next);
        if (place < 0) throw Error(Error::Kind::internal, "a way through switches takes an arc that is not there");
        carried[at(place)] = add(carried[at(place)], way.amount);
        here = next;
      };
      for (const Vertex v : way.switches) go(v);
      go(network.host(arc.to));
      all = add(all, way.amount);
    }
    if (all != arc.capacity) throw Error(Error::Kind::internal, "ways carry another amount than their arc");
  }
  for (std::size_t a = 0; a < carried.size(); ++a)
    if (carried[a] > network.arcs()[a].capacity)
      throw Error(Error::Kind::internal, "ways through switches carry more than an arc does");
}

}  // namespace quadrille::flow
