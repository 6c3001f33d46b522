// What the paper says about its measurements, held against the model: every number here is worked out, not quoted,
// but for the paper's own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm/alltoall/shared/multiphase.hpp"
#include "papers/nicol_bokhari.hpp"

namespace quadrille::papers::nicol_bokhari {

namespace {

using Cell = Reproduction::Cell;
using Claim = Reproduction::Claim;

constexpr double tolerance = 0.1;   // the paper's numbers are read off plots and come with "about"
constexpr double pivot_bytes = 32;  // where the paper compares the three on 64 nodes

struct Unit {
  const char* name;
  std::string (*text)(double);
};

/// The cell for a number and its distance from the paper's.
Cell compared(double value, double paper, const Unit& unit) {
  const long percent = std::lround(100 * (value / paper - 1));
  return {fmt::format("{} ({}{}%)", unit.text(value), percent > 0 ? "+" : "", percent), value};
}

class Claims {
 public:
  explicit Claims(const Machine& machine) : machine_(machine) {}

  MultiphaseModel at(const Reading& reading, int d) const { return model(machine_, reading, d); }

  /// A claim that is a number: it holds when the first reading comes within the tolerance.
  template <class Ours>
  void number(std::string key, std::string text, double paper, const Unit& unit, Ours ours, const std::string& why) {
    Claim claim{std::move(key), std::move(text), unit.name, {"~" + unit.text(paper), paper}, {}, false, why};
    for (const Reading& r : readings) claim.ours.push_back(compared(ours(r), paper, unit));
    claim.holds = std::fabs(*claim.ours.front().value / paper - 1) <= tolerance;
    all_.push_back(std::move(claim));
  }
  /// A claim that is true or false; `ours` returns what is the case, and whether that is what the paper says.
  template <class Ours>
  void fact(std::string key, std::string text, std::string paper, Ours ours, const std::string& why) {
    Claim claim{std::move(key), std::move(text), "", {std::move(paper)}, {}, false, why};
    for (const Reading& r : readings) {
      const std::pair<std::string, bool> got = ours(r);
      if (&r == &readings.front()) claim.holds = got.second;
      claim.ours.push_back({got.first});
    }
    all_.push_back(std::move(claim));
  }
  std::vector<Claim> take() { return std::move(all_); }

 private:
  const Machine& machine_;
  std::vector<Claim> all_;
};

/// Whole numbers, as the paper gives them, without decimals.
bool whole(double x) { return std::fabs(x - std::round(x)) < 1e-9; }
std::string short_bytes(double x) { return whole(x) ? fmt::format("{:.0f} B", x) : bytes_text(x); }
std::string short_ms(double time) { return fmt::format("{:.{}f} ms", time * 1e3, whole(time * 1e3) ? 0 : 2); }
std::string short_ratio(double x) { return fmt::format("{:.{}f}", x, whole(x) ? 0 : 2); }

constexpr Unit in_bytes{"bytes", short_bytes}, in_seconds{"s", short_ms}, in_times{"ratio", short_ratio};

Crossing crossing(const MultiphaseModel& model, const Partition& a, const Partition& b) {
  const std::optional<Crossing> found = crossover(model, a, b);
  if (!found)
    throw Error(Error::Kind::internal,
                fmt::format("{} and {} do not cross on this machine", phases_text(a), phases_text(b)));
  return *found;
}

void thresholds(Claims& claims) {
  const Partition five{2, 3}, six{3, 3};
  const Cost counts = algorithm::alltoall::multiphase_cost(six, 1, false);
  const double links = static_cast<double>(counts.hops) / static_cast<double>(counts.startups);
  const auto limit = [&](const Reading& r, const Partition& p, int d) {
    return crossing(claims.at(r, d), p, direct(d)).bytes;
  };
  claims.number(
      "threshold_5", "32 nodes: (2,3) is best below about 100 B, then (5)", 100, in_bytes,
      [&](const Reading& r) { return limit(r, five, 5); },
      fmt::format("with circuits charged by the links they cross it is {}; only if one phase paid for its permutation, "
                  "which moves "
                  "nothing, would it be {}",
                  bytes_text(limit(readings[1], five, 5)), bytes_text(limit(readings[2], five, 5))));
  claims.number(
      "threshold_6", "64 nodes: (3,3) is best below about 140 B, then (6)", 140, in_bytes,
      [&](const Reading& r) { return limit(r, six, 6); },
      fmt::format("the 140 B are measured; the paper's model charges every message a circuit of 3 links, while "
                  "messages of (3,3) "
                  "cross {:.2f} on average: by the hop it is {}",
                  links, bytes_text(limit(readings[1], six, 6))));
}

void one_byte(Claims& claims) {
  const MultiphaseModel ours = claims.at(readings[0], 5);
  claims.number(
      "direct_5_at_1", "32 nodes: (5) takes about 7 ms for blocks of 1 B", 7e-3, in_seconds,
      [&](const Reading& r) { return partition_line(claims.at(r, 5), direct(5)).at(1); },
      fmt::format("the model gives {} without its barrier, and the paper's program has one: not resolved",
                  short_ms(partition_line(ours, direct(5)).at(1) - ours.barrier)));
}

void pivot(Claims& claims) {
  const Partition six{3, 3};
  const auto time = [&](const Reading& r, const Partition& p) {
    return partition_line(claims.at(r, 6), p).at(pivot_bytes);
  };
  const auto meet = [&](const Reading& r) { return crossing(claims.at(r, 6), direct(6), standard(6)); };
  const double apart = time(readings[0], direct(6)) - time(readings[0], standard(6));
  claims.number(
      "direct_is_standard_6_bytes", "64 nodes: direct and standard exchange cost the same at about 32 B", pivot_bytes,
      in_bytes, [&](const Reading& r) { return meet(r).bytes; },
      fmt::format(
          "at {:.0f} B the two are {} ({:.0f}%) apart in the model: a small difference in time moves the crossing "
          "by {:.1f} B",
          pivot_bytes, short_ms(apart), 100 * apart / time(readings[0], standard(6)),
          meet(readings[0]).bytes - pivot_bytes));
  claims.number(
      "direct_is_standard_6_time", "64 nodes: where direct and standard exchange cost the same, that is about 17 ms",
      17e-3, in_seconds, [&](const Reading& r) { return meet(r).time; }, "");
  claims.number(
      "multiphase_6_at_32", "64 nodes: (3,3) takes about 8 ms at 32 B", 8e-3, in_seconds,
      [&](const Reading& r) { return time(r, six); }, "read off a plot; by the hop the model is closer");
  claims.number(
      "gain_6_at_32", "64 nodes: at 32 B (3,3) is about twice as fast as both", 2, in_times,
      [&](const Reading& r) { return std::min(time(r, direct(6)), time(r, standard(6))) / time(r, six); },
      fmt::format("the smaller of the two gains at {:.0f} B: {:.2f} over standard, {:.2f} over direct exchange",
                  pivot_bytes, time(readings[0], standard(6)) / time(readings[0], six),
                  time(readings[0], direct(6)) / time(readings[0], six)));
}

/// Every partition that is best for some block size, all partitions compared.
std::string ever_best(const MultiphaseModel& model) {
  std::string names;
  for (const ThresholdTable::Entry& e : lower_envelope(model, partitions(model.dimension)).entries)
    names += (names.empty() ? "" : " ") + phases_text(e.phases);
  return names;
}

void winners(Claims& claims) {
  claims.fact(
      "winners_5", "32 nodes: only (2,3) and (5) are ever best", "(2,3) (5)",
      [&](const Reading& r) {
        const std::string names = ever_best(claims.at(r, 5));
        return std::pair(names, names == "(2,3) (5)");
      },
      "");
  const MultiphaseModel six = claims.at(readings[0], 6);
  const Partition three{2, 2, 2}, two{3, 3};
  claims.fact(
      "winners_6", "64 nodes: only (3,3) and (6) are ever best", "(3,3) (6)",
      [&](const Reading& r) {
        const std::string names = ever_best(claims.at(r, 6));
        return std::pair(names, names == "(3,3) (6)");
      },
      fmt::format("in the paper's own model (2,2,2) is best below {}: {} against {} for empty blocks; no measured "
                  "point lies there",
                  bytes_text(crossing(six, three, two).bytes), short_ms(partition_line(six, three).intercept),
                  short_ms(partition_line(six, two).intercept)));
  claims.fact(
      "standard_never", "32 and 64 nodes: standard exchange is never best", "never",
      [&](const Reading& r) {
        bool never = true;
        for (const int d : {5, 6})
          for (const ThresholdTable::Entry& e : lower_envelope(claims.at(r, d), partitions(d)).entries)
            never = never && e.phases != standard(d);
        return std::pair(std::string(never ? "never" : "somewhere"), never);
      },
      "");
}

/// Of blocks of 0 .. 400 B on both cubes, how many have an equipartition among the cheapest of all partitions.
std::pair<std::string, bool> equipartition_suffices(const Claims& claims, const Reading& r) {
  int good = 0, all = 0;
  for (const int d : {5, 6})
    for (Bytes bytes = 0; bytes <= 400; ++bytes, ++all) {
      const MultiphaseModel at = claims.at(r, d);
      const std::vector<Partition> best = best_partitions(at, bytes).phases;
      good += std::find(best.begin(), best.end(), best_equipartition(at, bytes).phases) != best.end();
    }
  return {fmt::format("{} of {}", good, all), good == all};
}

/// The most equipartitions that the paper's window leaves to compare, which are to be at most 2 (sqrt(d) + 1).
std::pair<std::string, bool> comparisons(const Claims& claims, const Reading& r) {
  if (r.circuit == CircuitCost::exact) return {"", true};
  std::size_t most = 0;
  bool good = true;
  for (const int d : {5, 6})
    for (Bytes bytes = 0; bytes <= 400; ++bytes) {
      const SplitLength split = split_length(claims.at(r, d), bytes);
      if (!split.s_star) continue;
      const std::size_t n = window_candidates(d, static_cast<std::int64_t>(std::ceil(*split.s_star))).size();
      most = std::max(most, n);
      good = good && static_cast<double>(n) <= 2 * (std::sqrt(d) + 1);
    }
  return {fmt::format("at most {}", most), good};
}

void theory(Claims& claims) {
  claims.fact(
      "equipartition", "some best partition has nearly equal phases (0 .. 400 B, 32 and 64 nodes)", "always",
      [&](const Reading& r) { return equipartition_suffices(claims, r); }, "");
  claims.fact(
      "comparisons", "at most 2 (sqrt(d) + 1) equipartitions need comparing (0 .. 400 B, 32 and 64 nodes)",
      fmt::format("{:.1f} and {:.1f}", 2 * (std::sqrt(5) + 1), 2 * (std::sqrt(6) + 1)),
      [&](const Reading& r) { return comparisons(claims, r); },
      "the paper's bound, worked out for d = 5 and 6, against the numbers of phases its window leaves; it is about the "
      "average circuit, so by the hop there is none. Where one phase skips its permutation, compare one phase as well");
  const MultiphaseModel five = claims.at(readings[0], 5);
  claims.fact(
      "intercepts", "the time of empty blocks falls as the number of phases grows", "falls",
      [&](const Reading& r) {
        bool falls = true;
        for (const int d : {5, 6})
          for (std::int64_t k = 2; k <= d; ++k)
            falls = falls && partition_line(claims.at(r, d), equipartition(d, k)).intercept <
                                 partition_line(claims.at(r, d), equipartition(d, k - 1)).intercept;
        return std::pair(std::string(falls ? "falls" : "falls, then rises"), falls);
      },
      fmt::format("every phase has a barrier: on 32 nodes {} for 2 phases, {} for 5; so the table of thresholds is a "
                  "lower envelope",
                  ms_text(partition_line(five, equipartition(5, 2)).intercept),
                  ms_text(partition_line(five, equipartition(5, 5)).intercept)));
}

}  // namespace

std::vector<Claim> claims(const Machine& machine) {
  Claims claims(machine);
  thresholds(claims);
  one_byte(claims);
  pivot(claims);
  winners(claims);
  theory(claims);
  return claims.take();
}

}  // namespace quadrille::papers::nicol_bokhari
