// Who may have something to do in a round, as rounds go by.
#pragma once

#include <algorithm>
#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::simulator {

/// The ranks of a round are those that the schedule says are active: nobody is asked about a round before its first or
/// after its last one. Takes no memory where all are active all the time.
class Turnout {
 public:
  Turnout(const Schedule& schedule, Rank nodes) : nodes_(nodes) {
    const Schedule::Rounds all{0, schedule.shape().rounds};
    for (Rank r = 0; r < nodes_ && everybody_; ++r) everybody_ = schedule.active(r) == all;
    if (everybody_) return;
    for (Rank r = 0; r < nodes_; ++r) coming_.push_back({schedule.active(r), static_cast<std::uint32_t>(r)});
    std::stable_sort(coming_.begin(), coming_.end(),
                     [](const Stay& a, const Stay& b) { return a.rounds.first < b.rounds.first; });
  }

  /// Calls visit(rank) for those of round t, in the order of their numbers. Rounds are visited in order.
  template <class Visit>
  void each(Round t, Visit visit) {
    if (everybody_) {
      for (Rank r = 0; r < nodes_; ++r) visit(r);
      return;
    }
    come(t);
    std::erase_if(here_, [&](const Stay& s) { return t >= s.rounds.end; });
    for (const Stay& s : here_) visit(Rank{s.rank});
  }

 private:
  struct Stay {
    Schedule::Rounds rounds;
    std::uint32_t rank;
  };
  void come(Round t) {
    const auto before = std::ssize(here_);
    for (; next_ < coming_.size() && coming_[next_].rounds.first <= t; ++next_) here_.push_back(coming_[next_]);
    std::inplace_merge(here_.begin(), here_.begin() + before, here_.end(),
                       [](const Stay& a, const Stay& b) { return a.rank < b.rank; });
  }

  Rank nodes_;
  bool everybody_ = true;
  std::vector<Stay> coming_, here_;  ///< by first round; by number
  std::size_t next_ = 0;
};

}  // namespace quadrille::simulator
