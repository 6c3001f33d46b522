// When links and ranks are busy, and where messages wait, while rounds of a schedule are looked for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/routed.hpp"

namespace quadrille::schedule {

struct Hop {
  Rank from, to;
  std::vector<Link> links;  ///< or one number for the pair, where links may be shared
};

/// In which rounds one link or rank is busy. Long stretches of free rounds take no memory: where there are many ranks,
/// each is busy in a few rounds, far from one another.
class Busy {
 public:
  static constexpr Round rounds_of_word = 64;

  void mark(Round t) {
    const Round at = t / rounds_of_word;
    if (!words_.empty() && at - words_.back().at <= most_filled)
      while (words_.back().at < at) words_.push_back({words_.back().at + 1, 0});
    auto word = find(at);
    if (word == words_.end() || word->at != at) word = words_.insert(word, {at, 0});
    word->rounds |= std::uint64_t{1} << (t % rounds_of_word);
    while (rounds_of(full_) == ~std::uint64_t{0}) ++full_;
  }
  /// A bit for each round of the word.
  std::uint64_t rounds_of(Round at) const {
    const auto word = find(at);
    return word == words_.end() || word->at != at ? 0 : word->rounds;
  }
  /// The first word in which a round is free.
  Round full() const { return full_; }

 private:
  static constexpr Round most_filled = 16;  ///< free words that are kept: without gaps a word is found by its place

  struct Word {
    Round at;
    std::uint64_t rounds;
  };
  /// The word, or where it belongs.
  std::vector<Word>::const_iterator find(Round at) const {
    if (words_.empty() || at > words_.back().at) return words_.end();
    const Round beside = at - words_.front().at;  // its place, if no word between them is left out
    if (beside >= 0 && beside < static_cast<Round>(words_.size()) && words_[static_cast<std::size_t>(beside)].at == at)
      return words_.begin() + beside;
    return std::lower_bound(words_.begin(), words_.end(), at, [](const Word& w, Round t) { return w.at < t; });
  }
  std::vector<Word>::iterator find(Round at) {
    return words_.begin() + (std::as_const(*this).find(at) - words_.cbegin());
  }

  Round full_ = 0;
  std::vector<Word> words_;
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
    for (const Link link : hop.links) links_[link].mark(round);
    sends_[static_cast<std::size_t>(hop.from)].mark(round);
    receives_[static_cast<std::size_t>(hop.to)].mark(round);
    return round;
  }

 private:
  /// From `ready` on, the first round in which none of them is busy.
  static Round first_free(const std::vector<const Busy*>& all, Round ready) {
    for (const Busy* busy : all) ready = std::max(ready, busy->full() * Busy::rounds_of_word);
    std::uint64_t taken = (std::uint64_t{1} << (ready % Busy::rounds_of_word)) - 1;  // rounds before that one
    for (Round word = ready / Busy::rounds_of_word;; ++word, taken = 0) {
      for (const Busy* busy : all) taken |= busy->rounds_of(word);
      if (~taken != 0) return word * Busy::rounds_of_word + std::countr_one(taken);
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
