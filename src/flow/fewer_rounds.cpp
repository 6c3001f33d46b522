#include "flow/fewer_rounds.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/hash.hpp"

namespace quadrille::flow {

namespace {

class FewerRounds {
 public:
  FewerRounds(const std::vector<Move>& moves, const Network& network, const LinksOfArcs& links, bool one_port)
      : rounds_(moves.empty() ? 0 : moves.back().round + 1),
        lines_(links.count() + (one_port ? 2 * at(network.ranks()) : 0), Line(rounds_)),
        sums_(at(rounds_), 0),
        nobody_(at(rounds_), none),
        looks_left_(std::min(most_looks, std::ssize(moves) * looks_for_move)) {
    std::unordered_map<std::int32_t, std::int32_t> last;
    for (const Move& m : moves) {
      const auto number = static_cast<std::int32_t>(moves_.size());
      Moved& moved = moves_.emplace_back();
      links.each(m.arc, [&](std::size_t link) { moved.lines.push_back(link); });
      const Arc& arc = network.arcs()[at(m.arc)];
      if (one_port) moved.lines.push_back(links.count() + at(network.rank(arc.from)));
      if (one_port) moved.lines.push_back(links.count() + at(network.ranks() + network.rank(arc.to)));
      if (const auto [before, first] = last.try_emplace(m.parcel, number); !first) {
        moved.before = before->second;
        moved.moves_before = of(moved.before).moves_before + 1;
        of(moved.before).after = number;
        before->second = number;
      }
    }
    for (std::int32_t m = count(); m-- > 0;)
      if (of(m).after != none) of(m).moves_after = of(of(m).after).moves_after + 1;
    for (std::int32_t m = 0; m < count(); ++m) put(m, moves[at(m)].round);
  }

  /// The round of every move.
  std::vector<std::int32_t> improved(std::int64_t least) {
    std::vector<std::int32_t> best = all_rounds();
    while (rounds_ > least && without_last()) best = all_rounds();
    return best;
  }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr std::int64_t looks_for_move = 43'000, most_looks = std::int64_t{1} << 30;  ///< about two seconds
  /// Of a link or port: the move that takes it in each round, and what it costs to take that out.
  struct Line {
    explicit Line(std::int32_t rounds) : moves(at(rounds), none), costs(at(rounds), 0) {}
    std::vector<std::int32_t> moves, costs;
  };
  struct Moved {
    std::vector<std::size_t> lines;
    std::int32_t round = none;
    std::int32_t cost = 1;                           ///< how often it had to leave, and 1
    std::int32_t before = none, after = none;        ///< moves of the same parcel
    std::int32_t moves_before = 0, moves_after = 0;  ///< how many
  };

  static std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }
  std::int32_t count() const { return static_cast<std::int32_t>(moves_.size()); }
  Moved& of(std::int32_t move) { return moves_[at(move)]; }
  std::vector<std::int32_t> all_rounds() const {
    std::vector<std::int32_t> all;
    for (const Moved& m : moves_) all.push_back(m.round);
    return all;
  }

  void put(std::int32_t move, std::int32_t round) {
    of(move).round = round;
    set(move, round, move, of(move).cost);
  }
  void take_out(std::int32_t move) {
    set(move, of(move).round, none, 0);
    of(move).round = none;
    homeless_.push_back(move);
  }
  void set(std::int32_t move, std::int32_t round, std::int32_t who, std::int32_t cost) {
    for (const std::size_t line : of(move).lines) {
      lines_[line].moves[at(round)] = who;
      lines_[line].costs[at(round)] = cost;
    }
  }

  void put_in_place_of_others(std::int32_t move, std::int32_t round) {
    const auto leave = [&](std::int32_t other) {
      ++of(other).cost;
      take_out(other);
    };
    for (const std::size_t line : of(move).lines)
      if (const std::int32_t other = lines_[line].moves[at(round)]; other != none) leave(other);
    for (std::int32_t m = of(move).before; m != none; m = of(m).before)
      if (of(m).round >= round) leave(m);
    for (std::int32_t m = of(move).after; m != none; m = of(m).after)
      if (of(m).round != none && of(m).round <= round) leave(m);
    put(move, round);
  }
  void add(std::int32_t first, std::int32_t end, std::int32_t cost) {
    std::int32_t* const sums = sums_.data();
    for (std::int32_t round = first; round < end; ++round) sums[round] += cost;
  }
  /// Where those in its way cost least; who shares links that do not follow each other counts twice. None: there are
  /// fewer rounds than moves of its parcel.
  std::int32_t best_round(std::int32_t move) {
    const std::int32_t first = of(move).moves_before, end = rounds_ - of(move).moves_after;
    if (first >= end) return none;
    looks_left_ -= (end - first) * std::ssize(of(move).lines);
    std::fill(sums_.begin(), sums_.end(), 0);
    std::int32_t* const sums = sums_.data();
    const std::int32_t* before = nobody_.data();
    for (const std::size_t line : of(move).lines) {
      const std::int32_t *costs = lines_[line].costs.data(), *moves = lines_[line].moves.data();
      for (std::int32_t round = first; round < end; ++round)  // without a branch, so that it is done several at a time
        sums[round] += costs[round] & -static_cast<std::int32_t>(moves[round] != before[round]);
      before = moves;
    }
    for (std::int32_t m = of(move).before; m != none; m = of(m).before)
      if (of(m).round != none) add(first, std::min(end, of(m).round + 1), of(m).cost);
    for (std::int32_t m = of(move).after; m != none; m = of(m).after)
      if (of(m).round != none) add(std::max(first, of(m).round), end, of(m).cost);
    const auto begin = sums_.begin() + first, over = sums_.begin() + end;
    const std::int32_t least = *std::min_element(begin, over);
    const auto start = begin + static_cast<std::ptrdiff_t>(next_random() % static_cast<std::uint64_t>(end - first));
    auto found = std::find(start, over, least);
    if (found == over) found = std::find(begin, start, least);
    return static_cast<std::int32_t>(found - sums_.begin());
  }

  bool without_last() {
    --rounds_;
    homeless_.clear();
    for (std::int32_t m = 0; m < count(); ++m)
      if (of(m).round == rounds_) take_out(m);
    while (!homeless_.empty()) {
      const std::int32_t move = homeless_.back();
      homeless_.pop_back();
      const std::int32_t round = looks_left_ > 0 ? best_round(move) : none;
      if (round == none) return false;
      put_in_place_of_others(move, round);
    }
    return true;
  }
  /// The same numbers wherever it runs.
  std::uint64_t next_random() { return base::mixed(draws_++); }

  std::int32_t rounds_;
  std::vector<Line> lines_;
  std::vector<Moved> moves_;
  std::vector<std::int32_t> sums_;      ///< of costs, in each round
  std::vector<std::int32_t> nobody_;    ///< in any round
  std::vector<std::int32_t> homeless_;  ///< those without a round
  std::int64_t looks_left_;
  std::uint64_t draws_ = 0;  ///< random numbers so far
};

}  // namespace

std::int32_t in_fewer_rounds(std::vector<Move>& moves, const Network& network, const LinksOfArcs& links, bool one_port,
                             std::int64_t least) {
  const std::vector<std::int32_t> rounds = FewerRounds(moves, network, links, one_port).improved(least);
  for (std::size_t i = 0; i < moves.size(); ++i) moves[i].round = rounds[i];
  std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.round < b.round; });
  return moves.empty() ? 0 : moves.back().round + 1;
}

}  // namespace quadrille::flow
