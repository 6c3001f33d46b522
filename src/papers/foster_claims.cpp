// What Foster says in section 3.7, held against what is counted on the wires.
#include <fmt/format.h>

#include <cmath>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "papers/foster.hpp"

namespace quadrille::papers::foster {

namespace {

using Cell = Reproduction::Cell;
using Claim = Reproduction::Claim;

constexpr double tolerance = 0.1;

std::string ms_text(double time) { return fmt::format("{:.1f} ms", time * 1e3); }

class Claims {
 public:
  /// A time by the book's formula against what is counted in each reading.
  template <class Ours>
  void time(std::string key, std::string text, double paper, const Ours& ours, std::string why) {
    Claim claim{std::move(key), std::move(text), "s", {ms_text(paper), paper}, {}, false, std::move(why)};
    for (const Reading& r : readings) {
      const double value = ours(r.counting);
      const long percent = std::lround(100 * (value / paper - 1));
      claim.ours.push_back({fmt::format("{} ({}{}%)", ms_text(value), percent > 0 ? "+" : "", percent), value});
    }
    claim.holds = std::fabs(*claim.ours.front().value / paper - 1) <= tolerance;
    all_.push_back(std::move(claim));
  }
  /// What is the same in every reading.
  void fact(std::string key, std::string text, std::string paper, std::string ours, std::string why = "") {
    const bool holds = paper == ours;
    fact(std::move(key), std::move(text), std::move(paper), std::move(ours), holds, std::move(why));
  }
  void fact(std::string key, std::string text, std::string paper, std::string ours, bool holds, std::string why) {
    Claim claim{std::move(key), std::move(text), "", {std::move(paper)}, {{std::move(ours)}}, holds, std::move(why)};
    claim.ours.resize(readings.size());
    all_.push_back(std::move(claim));
  }
  std::vector<Claim> take() { return std::move(all_); }

 private:
  std::vector<Claim> all_;
};

std::string most_in(const char* kind, Rank ranks) {
  std::int64_t most = 1;
  for (const Pattern& round : butterflies(ranks)) most = std::max(most, competition(*network(kind, ranks), round));
  return std::to_string(most);
}

void examples(Claims& claims, const Constants& c) {
  const Difference d;
  const Butterfly b;
  for (const Rank p : {2, 8, 16})
    claims.time(
        fmt::format("difference_bus_{}", p), fmt::format("finite difference on a bus of {}: S = P/2, eq. (3.11)", p),
        d.bus(p, c),
        [&](const Counting& counting) { return rounds_time(*network("bus", p), exchanges(p), d.words(), c, counting); },
        fmt::format("a rank is charged for its own sends only: the bus carries 4 N Z P words, {} of transfer, not half "
                    "of that",
                    ms_text(d.occupancy(p, c))));
  constexpr Rank p = 16;
  claims.time(
      "butterfly_bus", "butterfly of 16 ranks on a bus: S = P/2 in every step", b.bus(p, c),
      [&](const Counting& counting) {
        return rounds_time(*network("bus", p), butterflies(p), b.words(p), c, counting);
      },
      "the bus is busy for all N words of a step");
  claims.time(
      "butterfly_line", "butterfly of 16 ranks on a line: t_s log2 P + t_w N/2, a bound", b.mesh_bound(p, c),
      [&](const Counting& counting) {
        return rounds_time(*network("mesh1", p), butterflies(p), b.words(p), c, counting);
      },
      fmt::format(
          "a bound of counted wires. The last step moves half the words over the middle and cannot start before "
          "the others end, so {} is a better one; step by step P - 1 units pass, not P/2",
          ms_text(b.mesh_dependent(p, c))));
  claims.fact("butterfly_units", "butterfly on the line of 16 takes P/2 units, against log2 P on the hypercube",
              "8 against 4",
              fmt::format("{:g} against {:g}", rounds_time(*network("mesh1", p), butterflies(p), 1, {0, 1}),
                          rounds_time(*network("hypercube", p), butterflies(p), 1, {0, 1})),
              "a unit is the transfer of N/P words; start-ups are not counted in it");
}

void competing(Claims& claims) {
  claims.fact("butterfly_cube", "no competition for a butterfly on the hypercube: S = 1 (64 ranks)", "1",
              most_in("hypercube", 64));
  claims.fact("butterfly_crossbar", "nor on a crossbar (64 ranks)", "1", most_in("crossbar", 64));
  claims.fact("butterfly_fly", "nor on a 2-ary fly (64 ranks)", "1", most_in("fly_k2", 64));
  claims.fact("hops", "a butterfly on a line of 16 crosses P(P-1) wires in all", base::format_count(16 * 15),
              base::format_count(hops(*network("mesh1", 16), butterflies(16))),
              "the book calls it what each processor needs for itself; that is P - 1");
  const TopologyPtr line = network("mesh1", 4);
  const auto s = [&](const Pattern& pattern) { return std::to_string(competition(*line, pattern)); };
  claims.fact("figure_3_15", "figure 3.15, a line of 4: S of 0->1 2->3, of 0->2 1->3, of 0->2 3->1", "1, 2, 1",
              s({{0, 1, 1}, {2, 3, 1}}) + ", " + s({{0, 2, 1}, {1, 3, 1}}) + ", " + s({{0, 2, 1}, {3, 1, 1}}));
}

void networks(Claims& claims, const Constants& c) {
  const auto diameters = [](const std::string& side) {
    return fmt::format("{} to {}", parse_topology("mesh:" + side)->diameter(),
                       parse_topology("torus:" + side)->diameter());
  };
  claims.fact("torus_odd", "wrapping round halves the diameter: a line of 9", "8 to 4", diameters("9"));
  claims.fact("torus_even", "wrapping round halves the diameter: a line of 8", "7 to 3.5", diameters("8"),
              "floor(n/2) for n - 1: exactly half only where n is odd");
  claims.fact("mesh_wires", "a square mesh of 64 has 4 sqrt(P) (sqrt(P) - 1) wires", base::format_count(4 * 8 * 7),
              base::format_count(network("mesh2", 64)->wires()), "directed wires: two for each connection");
  claims.fact("cube_wires", "a hypercube of 64 has P log2 P wires", base::format_count(64 * 6),
              base::format_count(network("hypercube", 64)->wires()), "the book gives no count for cubes and tori");
  const TopologyPtr fly = parse_topology("bifly:2^2");
  claims.fact("multistage", "two-way multistage network of 8: 2 hops through 1 switch, 3 through 2", "2 and 3",
              fmt::format("{} and {}", fly->distance(0, 2), fly->distance(0, 4)),
              "one more wire than switches, which is true of indirect networks only");
  claims.fact("mesh_distance", "the distance is the number of switches and one: neighbours on a mesh, 2 switches", "3",
              std::to_string(network("mesh2", 16)->distance(0, 1)),
              "where every rank has its own switch the distance is in wires between ranks");
  const double rate = word_bytes / c.t_w / 1e6;
  claims.fact("ethernet", "Ethernet: up to about 1 Mbyte/s", "1 MB/s", fmt::format("{:.2g} MB/s", rate), rate <= 1,
              "the recalled t_w; protocols take their share of the wire's 1.25 MB/s");
}

}  // namespace

std::vector<Claim> claims(const Machine& machine) {
  const Constants c = constants(machine);
  Claims claims;
  examples(claims, c);
  competing(claims);
  networks(claims, c);
  return claims.take();
}

}  // namespace quadrille::papers::foster
