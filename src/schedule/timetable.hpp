// When links and ranks are busy, and where messages wait, while rounds of a schedule are looked for.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "schedule/routed.hpp"

namespace quadrille::schedule {

struct Hop {
  Rank from, to;
  std::vector<Link> links;  ///< or one number for the pair, where links may be shared
};

/// In which rounds links and ranks are busy.
class Timetable {
 public:
  Timetable(const Topology& network, const Sharing& sharing) : network_(network), sharing_(sharing) {
    const auto ranks = static_cast<std::size_t>(network.nodes());
    sends_.resize(ranks), receives_.resize(ranks);
  }
  std::vector<Hop> way(Rank from, Rank to) const {
    if (from == to) return {};
    if (!sharing_.free_links) return {{from, to, {from * network_.ranks() + to}}};
    std::vector<Link> path;
    network_.route(from, to, path);
    if (!sharing_.hop_by_hop) return {{from, to, std::move(path)}};
    std::vector<Hop> hops;
    for (const Link link : path) hops.push_back({network_.tail(link), network_.head(link), {link}});
    return hops;
  }
  /// Takes the first round from `ready` on in which the message can go.
  Round take(const Hop& hop, Round ready) {
    while (!is_free(hop, ready)) ++ready;
    for (const Link link : hop.links) mark(links_[link], ready);
    mark(sends_[static_cast<std::size_t>(hop.from)], ready);
    mark(receives_[static_cast<std::size_t>(hop.to)], ready);
    return ready;
  }

 private:
  using Busy = std::vector<bool>;
  static bool in(const Busy& busy, Round t) {
    return static_cast<std::size_t>(t) < busy.size() && busy[static_cast<std::size_t>(t)];
  }
  static void mark(Busy& busy, Round t) {
    if (static_cast<std::size_t>(t) >= busy.size()) busy.resize(static_cast<std::size_t>(t) + 1);
    busy[static_cast<std::size_t>(t)] = true;
  }
  bool on_link(Link link, Round t) const {
    const auto found = links_.find(link);
    return found != links_.end() && in(found->second, t);
  }
  bool is_free(const Hop& hop, Round t) const {
    const auto from = static_cast<std::size_t>(hop.from), to = static_cast<std::size_t>(hop.to);
    if (sharing_.one_port && (in(sends_[from], t) || in(receives_[to], t))) return false;
    if (sharing_.one_task && (in(receives_[from], t) || in(sends_[to], t))) return false;
    return std::none_of(hop.links.begin(), hop.links.end(), [&](Link link) {
      return on_link(link, t) || (sharing_.one_way && sharing_.free_links && on_link(network_.reverse(link), t));
    });
  }

  const Topology& network_;
  Sharing sharing_;
  std::unordered_map<Link, Busy> links_;
  std::vector<Busy> sends_, receives_;
};

/// Scratch of ranks that pass messages on: block after block, the first that is free.
class Waiting {
 public:
  explicit Waiting(Slot pieces) : pieces_(pieces) {}
  /// The number of a block in which the piece can be from one round to another.
  Slot place(Rank r, Slot piece, Round first, Round last) {
    for (Slot block = 0;; ++block) {
      auto& taken = taken_[(r << 20 | block) * pieces_ + piece];
      const bool free =
          std::none_of(taken.begin(), taken.end(), [&](const auto& t) { return t.first <= last && first <= t.second; });
      if (!free) continue;
      taken.emplace_back(first, last);
      blocks_ = std::max(blocks_, block + 1);
      return block;
    }
  }
  Slot blocks() const { return blocks_; }

 private:
  Slot pieces_, blocks_ = 0;
  std::unordered_map<std::int64_t, std::vector<std::pair<Round, Round>>> taken_;
};

}  // namespace quadrille::schedule
