// k-ary n-flies: n stages of switches that each set one digit of the way. One-way, and with wires in both directions.
#include <fmt/format.h>

#include <string>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::fly {

namespace {

/// What both kinds share: k^n places on each of the levels 0 .. n of wires, and n stages of k^(n-1) switches between.
/// Stage j sets digit n-1-j of a place.
class Butterfly : public Topology {
 public:
  std::string text() const override {
    return std::string(family()) + ":" + std::to_string(k_) + "^" + std::to_string(n_);
  }
  std::string describe() const override { return "a butterfly network"; }
  int degree() const override { return 1; }
  bool direct() const override { return false; }
  Structure structure() const override {
    const bool two_sided = ranks() > places();
    return {.stages = Stages{.arity = k_, .stages = n_, .two_sided = two_sided},
            .switches_shifts = !two_sided && base::is_power_of_two(k_)};
  }
  std::optional<int> colour(Rank) const override { return std::nullopt; }

 protected:
  Butterfly(Rank k, int n) : k_(k), n_(n), powers_{1} {
    for (int i = 0; i < n; ++i) powers_.push_back(powers_.back() * k);
  }
  Rank arity() const { return k_; }
  int stages() const { return n_; }
  Rank places() const { return powers_.back(); }
  Rank power(int digit) const { return powers_[static_cast<std::size_t>(digit)]; }
  Rank digit(Rank place, int i) const { return place / power(i) % k_; }
  /// `place` with the digits from `low` up taken from `to`, and with those below `high` taken from it.
  Rank with_high(Rank place, Rank to, int low) const { return place % power(low) + to / power(low) * power(low); }
  Rank with_low(Rank place, Rank to, int high) const { return place / power(high) * power(high) + to % power(high); }

 private:
  Rank k_;
  int n_;
  std::vector<Rank> powers_;  ///< of k, 0 .. n
};

/// k^n ranks, which send into level 0 and receive from level n: every route is n + 1 links. Link level * k^n + place;
/// its tail() and head() are the rank with the number of its place.
class Fly final : public Butterfly {
 public:
  Fly(Rank k, int n) : Butterfly(k, n) {}

  std::string_view family() const override { return "fly"; }
  Rank ranks() const override { return places(); }
  Link links() const override { return (stages() + 1) * places(); }
  int diameter() const override { return stages() + 1; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : stages() + 1; }
  Rank farthest(Rank from) const override { return from == 0 ? 1 : 0; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link % places(); }
  Rank head(Link link) const override { return tail(link); }
  Link reverse(Link link) const override { return link; }
  std::string name(Link link) const override;
  /// The first wires of half the ranks.
  std::int64_t bisection() const override { return ranks() / 2; }
  std::int64_t total_distance(Rank) const override { return (stages() + 1) * (ranks() - 1); }
  /// With digits of whole bits, renaming ranks by exclusive or renames every level's places alike.
  bool invariant(Group group) const override {
    return group == Group::none || (group != Group::rotate && base::is_power_of_two(arity()));
  }
  Link representative(Link link, Group group) const override {
    return group == Group::none ? link : link - tail(link) + representative_rank(tail(link), group);
  }
};

/// Ranks 0 .. k^n - 1 on the left, at level 0, and k^n .. 2 k^n - 1 on the right, at level n. Link
/// 2 * (level * k^n + place) leads from left to right and the next one back; its tail() and head() are the ranks with
/// the number of its place on either side. Two ranks of one side meet in the nearest switch that joins them.
class TwoWayFly final : public Butterfly {
 public:
  TwoWayFly(Rank k, int n) : Butterfly(k, n) {}

  std::string_view family() const override { return "bifly"; }
  Rank ranks() const override { return 2 * places(); }
  Link links() const override { return 2 * (stages() + 1) * places(); }
  int diameter() const override { return 2 * stages(); }
  int distance(Rank from, Rank to) const override;
  Rank farthest(Rank from) const override;
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link / 2 % places() + (link % 2 == 0 ? 0 : places()); }
  Rank head(Link link) const override { return link / 2 % places() + (link % 2 == 0 ? places() : 0); }
  Link reverse(Link link) const override { return link ^ 1; }
  std::string name(Link link) const override;
  /// The wires of one level and direction: left from right.
  std::int64_t bisection() const override { return places(); }
  std::int64_t total_distance(Rank from) const override;
  bool invariant(Group group) const override { return group == Group::none; }
  Link representative(Link link, Group) const override { return link; }

 private:
  bool left(Rank r) const { return r < places(); }
  /// Digits that a route between two ranks of one side passes before it turns, the turning one included.
  int digits_to_turn(Rank from, Rank to) const;
};

/// A wire is named by the high digits of the receiver and the low ones of the sender. Senders that agree in the low
/// ones differ by a multiple of their power, and so do receivers that are so many ranks on: no two agree in the high
/// digits as well. Thus shifts pass without meeting, and so do ranks that all change the same bits, where K is a power
/// of two.
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

/// Of 2x2 switches, so many places.
std::string of_two(Rank places) {
  const std::string stages = stages_of_size(places);
  return stages.empty() ? stages : "2^" + stages;
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "fly",
           .form = "fly:K^N",
           .summary = "K^N ranks, up to 2^30, through N stages of KxK switches: a K-ary N-fly, one way",
           .make = [](std::string_view text) { return make_fly<Fly>("fly", text, 1); },
           .shape = [](Rank ranks) { return of_two(ranks); },
           .examples = {"2^3", "2^1", "3^2", "5^1"},
           .place = 100},
          {.name = "bifly",
           .form = "bifly:K^N",
           .summary = "2*K^N ranks, half of them on each side of N stages of switches with K ports to each side; "
                      "messages between ranks of one side turn round half way",
           .make = [](std::string_view text) { return make_fly<TwoWayFly>("bifly", text, 2); },
           .shape = [](Rank ranks) { return ranks % 2 == 0 ? of_two(ranks / 2) : std::string(); },
           .examples = {"2^3", "2^1", "3^2", "5^1"},
           .place = 110}};
}

}  // namespace quadrille::topology::fly
