// The messages of Foster's examples, counted on networks, and the closed forms for the same.
#include <fmt/format.h>

#include <cmath>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "papers/foster.hpp"

namespace quadrille::papers::foster {

Constants constants(const Machine& machine) { return {machine.alpha, machine.beta * word_bytes}; }

namespace {

template <class Target>
Pattern to_targets(Rank ranks, const Target& target) {
  Pattern messages;
  for (Rank r = 0; r < ranks; ++r)
    if (target(r) != r) messages.push_back({r, target(r), 1});
  return messages;
}

int bits_of(Rank ranks) {
  if (!base::is_power_of_two(ranks))
    throw Error(Error::Kind::argument, fmt::format("{} ranks: expected a power of 2", ranks));
  return base::log2_floor(ranks);
}

}  // namespace

Pattern butterfly(Rank ranks, int step) {
  return to_targets(ranks, [step](Rank r) { return r ^ base::bit(step); });
}

std::vector<Pattern> butterflies(Rank ranks) {
  std::vector<Pattern> rounds;
  for (int i = 0; i < bits_of(ranks); ++i) rounds.push_back(butterfly(ranks, i));
  return rounds;
}

Pattern shift(Rank ranks, Rank by) {
  return to_targets(ranks, [=](Rank r) { return base::wrap(r + by, ranks); });
}

std::vector<Pattern> exchanges(Rank ranks) {
  if (ranks % 2 != 0) throw Error(Error::Kind::argument, fmt::format("{} ranks: expected an even number", ranks));
  return {to_targets(ranks, [](Rank r) { return r ^ 1; }),
          to_targets(ranks, [=](Rank r) { return base::wrap(r + (r % 2 == 0 ? -1 : 1), ranks); })};
}

Pattern bit_reversal(Rank ranks) {
  const int n = bits_of(ranks);
  return to_targets(ranks, [n](Rank r) {
    Rank to = 0;
    for (int i = 0; i < n; ++i) to |= (r >> i & 1) << (n - 1 - i);
    return to;
  });
}

Pattern transpose(Rank ranks) {
  const int n = bits_of(ranks);
  if (n % 2 != 0) throw Error(Error::Kind::argument, fmt::format("{} ranks: expected a power of 4", ranks));
  return to_targets(ranks, [n](Rank r) { return base::rotate_left(r, n / 2, n); });
}

Pattern together(const Pattern& a, const Pattern& b) {
  Pattern both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

namespace {

/// The whole number whose `power`-th power is `value`, or 0.
Rank root_of(Rank value, int power) {
  const auto root = static_cast<Rank>(std::llround(std::pow(static_cast<double>(value), 1.0 / power)));
  Rank back = 1;
  for (int i = 0; i < power && back <= value; ++i) back *= root;
  return back == value ? root : 0;
}

int log_of(Rank value, Rank base) {
  int n = 0;
  for (; value > 1 && value % base == 0; value /= base) ++n;
  return value == 1 ? n : 0;
}

/// "mesh2" with 16 ranks: "mesh:4x4"; "fly_k2": "fly:2^4". Empty when there is none.
std::string network_text(const std::string& kind, Rank ranks) {
  for (const std::string family : {"mesh", "torus"})
    if (kind.starts_with(family)) {
      const int axes =
          kind == family ? 1 : static_cast<int>(base::parse_integer(kind.substr(family.size()), 1, 16, kind));
      const Rank side = root_of(ranks, axes);
      return side == 0
                 ? ""
                 : family + ":" + base::join(std::vector<std::int64_t>(static_cast<std::size_t>(axes), side), "x");
    }
  for (const std::string family : {"fly", "bifly"})
    if (kind.starts_with(family + "_k")) {
      const Rank k = base::parse_integer(kind.substr(family.size() + 2), 2, 1 << 30, kind);
      const int n = log_of(family == "fly" ? ranks : ranks / 2, k);
      return n == 0 ? "" : fmt::format("{}:{}^{}", family, k, n);
    }
  if (kind == "hypercube" || kind == "omega")
    return base::is_power_of_two(ranks) ? fmt::format("{}:{}", kind, base::log2_floor(ranks)) : "";
  return fmt::format("{}:{}", kind, ranks);
}

}  // namespace

TopologyPtr network(const std::string& kind, Rank ranks) {
  const std::string text = network_text(kind, ranks);
  if (text.empty()) throw Error(Error::Kind::argument, fmt::format("no {} has {} ranks", kind, ranks));
  return parse_topology(text);
}

std::int64_t competition(const Topology& topology, const Pattern& pattern, const Counting& counting) {
  return contention(topology, pattern, counting).s(counting.who);
}

std::int64_t hops(const Topology& topology, const std::vector<Pattern>& rounds) {
  std::int64_t all = 0;
  for (const Pattern& round : rounds)
    for (const Envelope& m : round) all += topology.distance(m.from, m.to);
  return all;
}

double rounds_time(const Topology& topology, const std::vector<Pattern>& rounds, double words, const Constants& c,
                   const Counting& counting) {
  double time = 0;
  for (const Pattern& round : rounds)
    time += c.t_s + c.t_w * static_cast<double>(competition(topology, round, counting)) * words;
  return time;
}

double Difference::bus(Rank p, const Constants& c) const {
  return 2 * c.t_s + c.t_w * words() * static_cast<double>(p);
}
double Difference::occupancy(Rank p, const Constants& c) const { return 2 * c.t_w * words() * static_cast<double>(p); }
double Difference::best_ranks(double t_c, const Constants& c) const {
  return std::sqrt(t_c * n * n * z / (c.t_w * words()));
}
double Difference::speed_up(Rank p, double t_c, double communication) const {
  const double work = t_c * n * n * z;
  return work / (work / static_cast<double>(p) + communication);
}

namespace {
double steps(Rank p) { return std::log2(static_cast<double>(p)); }
}  // namespace

double Butterfly::ideal(Rank p, const Constants& c) const { return steps(p) * (c.t_s + c.t_w * words(p)); }
double Butterfly::bus(Rank p, const Constants& c) const { return steps(p) * (c.t_s + c.t_w * n / 2); }
double Butterfly::mesh_bound(Rank p, const Constants& c) const { return steps(p) * c.t_s + c.t_w * n / 2; }
double Butterfly::mesh_dependent(Rank p, const Constants& c) const {
  return mesh_bound(p, c) + (steps(p) - 1) * c.t_w * words(p);
}
double Butterfly::mesh_rounds(Rank p, const Constants& c) const {
  return steps(p) * c.t_s + c.t_w * words(p) * static_cast<double>(p - 1);
}

}  // namespace quadrille::papers::foster
