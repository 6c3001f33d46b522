#include "simulator/watch/chains.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::simulator {

Chains::Chains(std::size_t most) : most_(most) {
  add_block();
  (*this)[0] = {};
}

/// Puts one more on the list of those to be used.
void Chains::make_room() {
  if (kept_ && count_ > most_) {
    give_up();
    if (free_ != 0) return;
  }
  if (count_ % block == 0) add_block();
  free_ = count_++;
  (*this)[free_].before = 0;
}

/// All steps are in use now: otherwise there would be room.
void Chains::give_up() {
  std::vector<std::uint32_t> way;
  constexpr std::uint32_t summed = 1;  // in the place of a rank that is not needed any more
  for (std::uint32_t i = 1; i < count_; ++i) (*this)[i].rank = 0;
  (*this)[0].rank = summed;
  for (std::uint32_t i = 1; i < count_; ++i) {
    for (std::uint32_t at = i; (*this)[at].rank != summed; at = (*this)[at].before) way.push_back(at);
    for (; !way.empty(); way.pop_back()) {
      Link& step = (*this)[way.back()];
      TimeParts sum = (*this)[step.before].parts;
      sum += step.parts;
      step.parts = sum, step.rank = summed;
    }
  }
  for (std::uint32_t i = 1; i < count_; ++i)
    if (const std::uint32_t before = std::exchange((*this)[i].before, 0); before != 0) --(*this)[before].users;
  kept_ = false;
  for (std::uint32_t i = 1; i < count_; ++i)
    if (Link& step = (*this)[i]; step.users == 0) step.before = free_, free_ = i;
}

std::vector<Audit::Step> Chains::to(std::uint32_t i) const {
  std::vector<Audit::Step> path;
  const auto rank = [](std::uint32_t r) { return r == none ? Rank{-1} : Rank{r}; };
  for (; kept_ && i != 0; i = (*this)[i].before) {
    const Link& s = (*this)[i];
    path.push_back({.why = s.why,
                    .rank = s.rank,
                    .from = rank(s.from),
                    .to = rank(s.to),
                    .round = s.round,
                    .bytes = s.bytes,
                    .begin = (*this)[s.before].end,
                    .end = s.end,
                    .parts = s.parts});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

TimeParts Chains::parts(std::uint32_t i) const {
  if (!kept_) return (*this)[i].parts;
  TimeParts all;
  for (const Audit::Step& step : to(i)) all += step.parts;
  return all;
}

}  // namespace quadrille::simulator
