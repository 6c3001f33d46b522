#include "algorithm/alltoall/shared/ring_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/integer.hpp"

namespace quadrille::algorithm::alltoall {

namespace {

RingClass pause(Rank side) {
  const auto ranks = static_cast<std::size_t>(side);
  return {
      .to = std::vector<Rank>(ranks, -1), .from = std::vector<Rank>(ranks, -1), .group = std::vector<Rank>(ranks, 0)};
}

void send(RingClass& all, Rank from, Rank to) {
  const auto side = static_cast<Rank>(all.to.size());
  const Rank a = base::wrap(from, side), b = base::wrap(to, side), up = base::wrap(to - from, side);
  all.to[static_cast<std::size_t>(a)] = b, all.from[static_cast<std::size_t>(b)] = a;
  all.longest = std::max(all.longest, std::min(up, side - up));
}

/// Upwards: x, x + d, x + side/2, x + side/2 + d, x; or the same ranks downwards. Each link is crossed once.
void send_round(RingClass& all, Rank x, Rank d, bool upwards) {
  const Rank half = static_cast<Rank>(all.to.size()) / 2;
  for (const Rank at : {x, x + half}) {
    if (upwards)
      send(all, at, at + d), send(all, at + d, at + half);
    else
      send(all, at + d, at), send(all, at, at + d - half);
  }
}

void put_in_group(RingClass& all, Rank x, Rank group) {
  const Rank side = static_cast<Rank>(all.to.size());
  all.group[static_cast<std::size_t>(base::wrap(x, side))] = group;
  all.group[static_cast<std::size_t>(base::wrap(x + side / 2, side))] = group;
}

/// Ranks x and x + d, modulo half the side: every second pair of each cycle of such steps, from its `first` on.
std::vector<Rank> pairs_apart(Rank half, Rank d, Rank first) {
  std::vector<Rank> starts;
  const Rank cycles = std::gcd(half, d);
  for (Rank r = 0; r < cycles; ++r)
    for (Rank k = first; k < half / cycles; k += 2) starts.push_back((r + k * d) % half);
  return starts;
}

/// Two pairs are a group: one upwards, one downwards.
RingClass distances(Rank side, Rank d, const std::vector<Rank>& starts, bool first_upwards) {
  RingClass all = pause(side);
  bool upwards = first_upwards;
  for (std::size_t i = 0; i < starts.size(); ++i, upwards = !upwards) {
    send_round(all, starts[i], d, upwards);
    for (const Rank x : {starts[i], starts[i] + d}) put_in_group(all, x, static_cast<Rank>(i / 2));
  }
  return all;
}

/// Half way round all go upwards, so that in a group of eight ranks two swap. Two others keep what they have.
RingClass half_way(Rank side, Rank which) {
  RingClass all = pause(side);
  for (Rank x = 0; x < side / 2; ++x) {
    put_in_group(all, x, x / 4);
    for (const Rank at : {x, x + side / 2}) {
      if (x % 4 == which) send(all, at, at + side / 2);
      if (x % 4 == (which + 1) % 4) send(all, at, at);
    }
  }
  return all;
}

RingPhases of_power_of_two(Rank side) {
  const Rank half = side / 2;
  RingPhases phases{.groups = side / 8, .classes = {}};
  for (Rank d = 1; d <= half / 2; ++d)
    for (const Rank first : {0, 1})
      for (const bool upwards : {true, false})
        if (first == 0 || 2 * d < half)
          phases.classes.push_back(distances(side, d, pairs_apart(half, d, first), upwards));
  for (Rank which = 0; which < 4; ++which) phases.classes.push_back(half_way(side, which));
  return phases;
}

/// Rank x sends to factor * x + c: in each phase to each distance once. Messages of distance e begin at e * start + c'.
RingPhases of_odd(Rank side) {
  const Rank start = side == 7 ? 2 : 1;
  Rank factor = 1;
  while (factor * start % side != 1) ++factor;
  ++factor;
  RingPhases phases;
  for (Rank c = 0; c < side; ++c) {
    phases.classes.push_back(pause(side));
    for (Rank x = 0; x < side; ++x) send(phases.classes.back(), x, factor * x + c);
  }
  return phases;
}

RingPhases of_few(Rank side) {
  RingPhases phases;
  const auto add = [&](const std::vector<Rank>& to) {
    phases.classes.push_back(pause(side));
    for (Rank x = 0; x < side; ++x) send(phases.classes.back(), x, to[static_cast<std::size_t>(x)]);
  };
  if (side == 2)
    add({0, 1}), add({1, 0});
  else
    add({1, 2, 3, 0}), add({3, 0, 1, 2}), add({2, 1, 0, 3}), add({0, 3, 2, 1});
  return phases;
}

}  // namespace

bool has_ring_phases(Rank side) {
  constexpr Rank most = 512;
  return side == 3 || side == 5 || side == 7 || (side > 1 && side <= most && base::is_power_of_two(side));
}

RingPhases ring_phases(Rank side) {
  if (!has_ring_phases(side))
    throw Error(Error::Kind::argument,
                fmt::format("phases of a ring of {}; expected 3, 5, 7 or a power of two up to 512", side));
  if (side % 2 != 0) return of_odd(side);
  return side < 8 ? of_few(side) : of_power_of_two(side);
}

}  // namespace quadrille::algorithm::alltoall
