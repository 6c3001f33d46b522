#include "topology/fly.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

void Fly::route(Rank from, Rank to, std::vector<Link>& path) const {
  if (from == to) return;
  for (int level = 0; level <= stages(); ++level)
    path.push_back(level * places() + with_high(from, to, stages() - level));
}

std::string Fly::name(Link link) const { return fmt::format("level {} wire {}", link / places(), tail(link)); }

/// Left ranks meet at their lowest digit that differs, which is set last; right ranks at their highest.
int TwoWayFly::digits_to_turn(Rank from, Rank to) const {
  int i = 0;
  if (left(from)) {
    while (digit(from, i) == digit(to, i)) ++i;
    return stages() - i;
  }
  i = stages() - 1;
  while (digit(from, i) == digit(to, i)) --i;
  return i + 1;
}

int TwoWayFly::distance(Rank from, Rank to) const {
  if (from == to) return 0;
  if (left(from) != left(to)) return stages() + 1;
  return 2 * digits_to_turn(from, to);
}

Rank TwoWayFly::farthest(Rank from) const {
  if (stages() == 1) return from == 0 ? 1 : 0;
  if (left(from)) return digit(from, 0) == 0 ? 1 : 0;
  return places() + (digit(from % places(), stages() - 1) == 0 ? power(stages() - 1) : 0);
}

void TwoWayFly::route(Rank from, Rank to, std::vector<Link>& path) const {
  if (from == to) return;
  const Rank source = from % places(), target = to % places();
  const auto forward = [&](int level, Rank place) { path.push_back(2 * (level * places() + place)); };
  const auto backward = [&](int level, Rank place) { path.push_back(2 * (level * places() + place) + 1); };
  const int across = left(from) == left(to) ? digits_to_turn(from, to) : 0;
  if (left(from)) {
    const int end = left(to) ? across - 1 : stages();
    for (int level = 0; level <= end; ++level) forward(level, with_high(source, target, stages() - level));
    for (int level = across - 1; level >= 0; --level) backward(level, target);
  } else {
    const int end = left(to) ? 0 : stages() - across + 1;
    for (int level = stages(); level >= end; --level) backward(level, with_low(source, target, stages() - level));
    for (int level = stages() - across + 1; level <= stages(); ++level) forward(level, target);
  }
}

std::string TwoWayFly::name(Link link) const {
  return fmt::format("level {} wire {} {}", link / 2 / places(), link / 2 % places(),
                     link % 2 == 0 ? "forward" : "back");
}

/// Of one side, (k - 1) k^(i - 1) ranks are 2 i links away.
std::int64_t TwoWayFly::total_distance(Rank) const {
  std::int64_t total = places() * (stages() + 1);
  for (int i = 1; i <= stages(); ++i) total += 2 * i * (arity() - 1) * power(i - 1);
  return total;
}

namespace {

template <class Family>
TopologyPtr make_fly(std::string_view name, std::string_view text, Rank sides) {
  const std::vector<std::string_view> parts = base::split(text, '^');
  if (parts.size() != 2)
    throw Error(Error::Kind::argument, fmt::format("{} {}: expected the ports of a switch and the stages, as in {}:2^3",
                                                   name, base::quoted(text), name));
  const Rank k = base::parse_integer(parts[0], 2, base::bit(30), fmt::format("{} arity", name));
  const auto n = static_cast<int>(base::parse_integer(parts[1], 1, 30, fmt::format("{} stages", name)));
  Rank ranks = sides;
  for (int i = 0; i < n && ranks <= base::bit(30); ++i) ranks *= k;
  if (ranks > base::bit(30))
    throw Error(Error::Kind::argument, fmt::format("{} {}: more than 2^30 ranks; expected {}K^N of at most 2^30", name,
                                                   base::quoted(text), sides == 1 ? "" : "2*"));
  return std::make_shared<Family>(k, n);
}

}  // namespace

TopologyFamily fly_family() {
  return {"fly", "fly:K^N", "K^N ranks, up to 2^30, through N stages of KxK switches: a K-ary N-fly, one way",
          [](std::string_view text) { return make_fly<Fly>("fly", text, 1); }};
}

TopologyFamily bifly_family() {
  return {"bifly", "bifly:K^N",
          "2*K^N ranks, half of them on each side of N stages of switches with K ports to each side; messages between "
          "ranks of one side turn round half way",
          [](std::string_view text) { return make_fly<TwoWayFly>("bifly", text, 2); }};
}

}  // namespace quadrille::topology
