// What was joined while switches are split off, played again with the switches that it passes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "flow/splitting.hpp"

namespace quadrille::flow {

/// `amount` of u -> w -> t became u -> t.
struct Joined {
  std::int32_t from, by, to;
  std::int64_t amount;
};

/// Arcs, and what passes which switches of each.
class JoinedWays {
 public:
  explicit JoinedWays(const Network& network) {
    for (const Arc& arc : network.arcs()) lists_[{arc.from, arc.to}].push_back({arc.capacity, {}});
  }
  void join(const Joined& j) {
    std::vector<Through> first = take({j.from, j.by}, j.amount), second = take({j.by, j.to}, j.amount);
    for (std::size_t a = 0, b = 0; a < first.size();) {
      const std::int64_t amount = std::min(first[a].amount, second[b].amount);
      Through way{amount, first[a].switches};
      way.switches.push_back(j.by);
      way.switches.insert(way.switches.end(), second[b].switches.begin(), second[b].switches.end());
      add({j.from, j.to}, std::move(way));
      if ((first[a].amount -= amount) == 0) ++a;
      if ((second[b].amount -= amount) == 0) ++b;
    }
  }
  const std::map<std::pair<Vertex, Vertex>, std::vector<Through>>& lists() const { return lists_; }

 private:
  using Ends = std::pair<Vertex, Vertex>;
  std::vector<Through> take(const Ends& ends, std::int64_t amount) {
    std::vector<Through>& list = lists_[ends];
    std::vector<Through> taken;
    while (amount > 0) {
      if (list.empty()) throw Error(Error::Kind::internal, "more was joined than there was");
      Through& last = list.back();
      const std::int64_t some = std::min(amount, last.amount);
      taken.push_back({some, last.switches});
      amount -= some;
      if ((last.amount -= some) == 0) list.pop_back();
    }
    return taken;
  }
  void add(const Ends& ends, Through way) {
    std::vector<Through>& list = lists_[ends];
    for (Through& other : list)
      if (other.switches == way.switches) {
        other.amount += way.amount;
        return;
      }
    list.push_back(std::move(way));
  }
  std::map<Ends, std::vector<Through>> lists_;
};

}  // namespace quadrille::flow
