// When links and ranks are busy, and where messages wait, while rounds of a schedule are looked for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
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
    const Round round = first_free(needed_by(hop), ready);
    for (const Link link : hop.links) mark(links_[link], round);
    mark(sends_[static_cast<std::size_t>(hop.from)], round);
    mark(receives_[static_cast<std::size_t>(hop.to)], round);
    return round;
  }

 private:
  using Busy = std::vector<std::uint64_t>;  ///< a bit for each round
  static constexpr Round rounds_of_word = 64;

  static void mark(Busy& busy, Round t) {
    const auto word = static_cast<std::size_t>(t / rounds_of_word);
    if (word >= busy.size()) busy.resize(word + 1);
    busy[word] |= std::uint64_t{1} << (t % rounds_of_word);
  }
  /// From `ready` on, the first round in which none of them is busy.
  static Round first_free(const std::vector<const Busy*>& all, Round ready) {
    std::uint64_t before =
        (std::uint64_t{1} << (ready % rounds_of_word)) - 1;  // rounds of the first word that are over
    for (auto word = static_cast<std::size_t>(ready / rounds_of_word);; ++word) {
      std::uint64_t taken = before;
      for (const Busy* busy : all)
        if (word < busy->size()) taken |= (*busy)[word];
      if (~taken != 0) return static_cast<Round>(word) * rounds_of_word + std::countr_one(taken);
      before = 0;
    }
  }
  std::vector<const Busy*> needed_by(const Hop& hop) const {
    const auto from = static_cast<std::size_t>(hop.from), to = static_cast<std::size_t>(hop.to);
    std::vector<const Busy*> all;
    if (sharing_.one_port) all.insert(all.end(), {&sends_[from], &receives_[to]});
    if (sharing_.one_task) all.insert(all.end(), {&receives_[from], &sends_[to]});
    const auto add = [&](Link link) {
      if (const auto found = links_.find(link); found != links_.end()) all.push_back(&found->second);
    };
    for (const Link link : hop.links) {
      add(link);
      if (sharing_.one_way && sharing_.free_links) add(network_.reverse(link));
    }
    return all;
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
