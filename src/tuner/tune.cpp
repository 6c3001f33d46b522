// Measures the ranks at hand: pairs first, which say what the network is, then what its constants are fitted to.
#include "quadrille/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "base/text.hpp"
#include "tuner/probe.hpp"

namespace quadrille {

namespace {

constexpr Bytes small_size = 64, short_size = Bytes{16} << 10, middle_size = Bytes{64} << 10,
                large_size = Bytes{256} << 10;
constexpr int trips = 20;              ///< of short messages, in a row: the first wakes the other rank up
constexpr Seconds long_enough = 2e-3;  ///< for one repetition: below, ranks that begin at different times count
constexpr int least_repetitions = 3, most_repetitions = 40;
constexpr Seconds enough_for_a_pair = 20e-3;  ///< of repetitions: short messages need many, long ones none
constexpr double samples_of_a_tuning = 20;    ///< that share its time, once the pairs are measured
constexpr std::int64_t most_pairs = 120;

/// Pairs of ranks, all or as many as are affordable, evenly chosen.
std::vector<tuner::Edge> chosen_pairs(Rank ranks) {
  const std::int64_t all = ranks * (ranks - 1) / 2, stride = (all + most_pairs - 1) / most_pairs;
  std::vector<tuner::Edge> chosen;
  std::int64_t n = 0;
  for (Rank a = 0; a < ranks; ++a)
    for (Rank b = a + 1; b < ranks; ++b)
      if (n++ % stride == 0) chosen.emplace_back(a, b);
  return chosen;
}

/// Ranks one link away; where every rank is, the two beside.
template <class Distance>
std::vector<Rank> beside(Rank n, Rank r, Distance distance) {
  std::vector<Rank> found;
  for (Rank other = 0; other < n; ++other)
    if (other != r && distance(r, other) == 1) found.push_back(other);
  if (!found.empty() && (n <= 3 || std::ssize(found) < n - 1)) return found;
  return n == 2 ? std::vector<Rank>{1 - r} : std::vector<Rank>{(r + 1) % n, (r + n - 1) % n};
}

/// Of groups of ranks near each other: who stands at the same place in the next group, and in the one before.
std::vector<Rank> across(const std::vector<std::vector<Rank>>& groups, Rank r) {
  const auto count = groups.size();
  for (std::size_t g = 0; g < count; ++g) {
    const auto at = std::find(groups[g].begin(), groups[g].end(), r) - groups[g].begin();
    if (at == std::ssize(groups[g])) continue;
    const auto counterpart = [&](const std::vector<Rank>& other) {
      return other[static_cast<std::size_t>(at) % other.size()];
    };
    std::vector<Rank> found{counterpart(groups[(g + 1) % count])};
    if (count > 2) found.push_back(counterpart(groups[(g + count - 1) % count]));
    return found;
  }
  return {};
}

class Tuner {
 public:
  Tuner(const TuneOptions& options, Tuned& tuned) : options_(options), tuned_(tuned) {}

  void all() {
    choose_topology();
    Samples& s = tuned_.samples;
    const Rank near = neighbours_[0].front(), far = farthest();
    s.fan_out = static_cast<int>(neighbours_[0].size());
    s.far_hops = known() ? 1 + distance(0, far) - distance(0, near) : 1;
    for (const Bytes bytes : {small_size, middle_size, large_size})
      s.one_way.push_back(measured("one way between neighbours", {{0, near}}, tuner::Probe::Way::to_and_fro, bytes));
    s.far = measured("one way across the network", {{0, far}}, tuner::Probe::Way::to_and_fro, small_size);
    for (const Bytes bytes : {small_size, short_size, middle_size, large_size})
      s.all_ways.push_back(measured("all neighbours at once", all_edges(), tuner::Probe::Way::on, bytes));
    s.two_way = measured("both ways at once", {{0, near}, {near, 0}}, tuner::Probe::Way::on, large_size);
    std::vector<tuner::Edge> fan;
    for (const Rank peer : neighbours_[0]) fan.emplace_back(0, peer);
    s.fan = measured("one rank to all its neighbours", fan, tuner::Probe::Way::to_and_fro, middle_size);
    measure_overheads();
    measure_local();
  }

 private:
  void begin(std::string_view what) {
    if (options_.begun) options_.begun(what);
  }
  bool over(double share) {
    const bool is_over = options_.elapsed() > share * options_.seconds;
    tuned_.hurried = tuned_.hurried || is_over;
    return is_over;
  }

  std::vector<Seconds> times(const Schedule& schedule, int repetitions) {
    return options_.perform(tuner::spec_of(schedule), schedule, {.repetitions = repetitions, .check = false}).times;
  }
  /// As many repetitions as an equal share of the time allows.
  Sample repeated(const Schedule& schedule, Bytes bytes, int parts) {
    std::vector<Seconds> found = times(schedule, least_repetitions);
    const Seconds one = std::max(*std::min_element(found.begin(), found.end()), 1e-9);
    const Seconds share = (options_.seconds / 2) / samples_of_a_tuning;
    const int more = static_cast<int>(std::min<double>(share / one, most_repetitions)) - least_repetitions;
    if (more > 0 && !over(1)) {
      const std::vector<Seconds> rest = times(schedule, more);
      found.insert(found.end(), rest.begin(), rest.end());
    }
    return summarised(bytes, std::move(found), parts);
  }

  Sample measured(std::string_view what, const std::vector<tuner::Edge>& edges, tuner::Probe::Way way, Bytes bytes) {
    begin(fmt::format("{}, {}", what, base::format_bytes(bytes)));
    const int rounds = way == tuner::Probe::Way::to_and_fro ? 2 : 1;
    int times_each = trips;
    if (bytes > small_size) {
      const std::vector<Seconds> once = times(tuner::Probe(options_.ranks, edges, way, rounds, bytes), 1);
      times_each = static_cast<int>(std::clamp(long_enough / std::max(once.front(), 1e-9), 1.0, double{trips}));
    }
    const int parts = rounds * times_each;
    return repeated(tuner::Probe(options_.ranks, edges, way, parts, bytes), bytes, parts);
  }

  /// Pair by pair, as many as fit into that share of the time.
  std::vector<PairSample> pairs(std::string_view what, std::span<const tuner::Edge> chosen, double share) {
    const auto one_way = [&](const tuner::Edge& pair, Bytes bytes, int there_and_back) {
      return shortest(tuner::Probe(options_.ranks, {pair}, tuner::Probe::Way::to_and_fro, 2 * there_and_back, bytes)) /
             (2 * there_and_back);
    };
    std::vector<PairSample> measured;
    for (const tuner::Edge& pair : chosen) {
      if (over(share)) break;
      begin(fmt::format("{}, {} of {}", what, measured.size() + 1, chosen.size()));
      measured.push_back(
          {pair.first, pair.second, one_way(pair, small_size, trips / 2), one_way(pair, middle_size, 1)});
    }
    return measured;
  }

  /// Who shares links shows in what takes longer at once, even where distance costs next to nothing.
  void measure_patterns() {
    for (std::vector<Rank>& to : patterns(options_.ranks)) {
      if (over(0.6)) break;
      begin(fmt::format("patterns, {}", tuned_.patterns.size() + 1));
      std::vector<tuner::Edge> edges;
      for (Rank r = 0; r < options_.ranks; ++r)
        if (const Rank peer = to[static_cast<std::size_t>(r)]; peer != r) edges.emplace_back(r, peer);
      tuned_.patterns.push_back(
          {std::move(to), shortest(tuner::Probe(options_.ranks, edges, tuner::Probe::Way::on, 1, middle_size))});
    }
  }
  /// The least of one repetition, or of as many as take little time.
  Seconds shortest(const Schedule& schedule) {
    std::vector<Seconds> found = times(schedule, 1);
    const double more = std::min<double>(enough_for_a_pair / std::max(found.front(), 1e-9), most_repetitions);
    if (more >= 1) {
      const std::vector<Seconds> rest = times(schedule, static_cast<int>(more));
      found.insert(found.end(), rest.begin(), rest.end());
    }
    return *std::min_element(found.begin(), found.end());
  }

  /// Twice, one pass after the other: what is seen once only is a busy moment's doing.
  void choose_topology() {
    const std::vector<tuner::Edge> chosen = chosen_pairs(options_.ranks);
    const std::vector<PairSample> first = pairs("pairs", chosen, 0.25);
    const std::vector<PairSample> second = pairs("pairs again", std::span(chosen).first(first.size()), 0.5);
    tuned_.pairs = least(first, second);
    tuned_.network = revealed(options_.ranks, first, second);
    measure_patterns();
    if (const Revealed shared = revealed_at_once(options_.ranks, tuned_.patterns);
        tuned_.network.groups.empty() && shared.explained > 0)
      tuned_.network = shared;
    tuned_.topology = options_.topology ? options_.topology : parse_topology(tuned_.network.topology);
    for (Rank r = 0; r < options_.ranks; ++r)
      neighbours_.push_back(known() ? beside(options_.ranks, r, [this](Rank a, Rank b) { return distance(a, b); })
                                    : across(tuned_.network.groups, r));
  }
  /// Distances are told or revealed; else all that is known is who is near whom.
  bool known() const { return options_.topology || tuned_.network.groups.empty(); }
  int distance(Rank a, Rank b) const {
    const auto node = [&](Rank r) { return options_.nodes.empty() ? r : options_.nodes[static_cast<std::size_t>(r)]; };
    return tuned_.topology->distance(node(a), node(b));
  }
  Rank farthest() const {
    Rank far = neighbours_[0].front();
    for (Rank r = 1; known() && r < options_.ranks; ++r)
      if (distance(0, r) > distance(0, far)) far = r;
    return far;
  }
  /// Ranks that rank 0 talks to without sharing a link with more of its messages than it must; at most 8.
  std::vector<Rank> crowd() const {
    constexpr std::size_t most = 8;
    std::vector<Rank> found;
    for (Rank r = 1; known() && r < options_.ranks && found.size() < most; ++r)
      if (distance(0, r) == 1) found.push_back(r);
    return found.size() > neighbours_[0].size() ? found : neighbours_[0];
  }
  /// Rank 0 sends to, or receives from, so many of the crowd in every round, and waits for no answer: its processor is
  /// what a further message keeps busy.
  void measure_overheads() {
    const std::vector<Rank> others = crowd();
    if (others.size() < 2) return;
    const auto round = [&](std::size_t count, bool sends) {
      std::vector<tuner::Edge> edges;
      for (const Rank other : std::span(others).first(count))
        edges.push_back(sends ? tuner::Edge{0, other} : tuner::Edge{other, 0});
      return measured(sends ? "one rank sends to many" : "many send to one rank", edges, tuner::Probe::Way::on,
                      small_size);
    };
    for (const bool sends : {true, false}) {
      Samples::Crowd& seen = sends ? tuned_.samples.sent : tuned_.samples.received;
      seen.many = static_cast<int>(others.size()), seen.few = seen.many / 2;
      seen.of_few = round(others.size() / 2, sends);
      seen.of_many = round(others.size(), sends);
    }
  }
  /// Both directions of everybody's links.
  std::vector<tuner::Edge> all_edges() const {
    std::vector<tuner::Edge> edges;
    for (Rank r = 0; r < options_.ranks; ++r)
      for (const Rank peer : neighbours_[static_cast<std::size_t>(r)])
        for (const tuner::Edge& edge : {tuner::Edge{r, peer}, tuner::Edge{peer, r}})
          if (std::find(edges.begin(), edges.end(), edge) == edges.end()) edges.push_back(edge);
    return edges;
  }

  void measure_local() {
    constexpr Slot side = 64;
    constexpr Bytes piece = 256;
    constexpr int barriers = 16;
    Samples& s = tuned_.samples;
    begin("local permutation");
    s.permute = repeated(tuner::Permutation(options_.ranks, side, piece), side * side * piece, 1);
    begin("barriers");
    s.barrier = repeated(tuner::Barriers(options_.ranks, barriers), 0, barriers);
    s.barrier_ranks = options_.ranks;
    begin("reduction");
    s.reduce = reduction();
  }

  static Sample reduction() {
    constexpr std::size_t count = std::size_t{1} << 17;
    std::vector<double> sum(count, 1.0);
    const std::vector<double> other(count, 1e-3);
    std::vector<Seconds> found;
    for (int i = 0; i < 15; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      for (std::size_t k = 0; k < count; ++k) sum[k] += other[k];
      found.push_back(std::chrono::duration<Seconds>(std::chrono::steady_clock::now() - begin).count());
      [[maybe_unused]] volatile double kept = sum[count / 2];  // or the compiler adds nothing up
    }
    return summarised(static_cast<Bytes>(count * sizeof(double)), std::move(found));
  }

  const TuneOptions& options_;
  Tuned& tuned_;
  std::vector<std::vector<Rank>> neighbours_;
};

void require(const TuneOptions& o) {
  if (o.ranks < 2)
    throw Error(Error::Kind::argument,
                fmt::format("{} rank has no network to measure; start 2 or more, such as mpirun -n 4", o.ranks));
  if (!o.topology || (o.topology->ranks() == o.ranks && o.topology->nodes() == o.ranks)) return;
  throw Error(Error::Kind::argument,
              o.topology->nodes() == o.topology->ranks()
                  ? fmt::format("{} has {} ranks, and there are {}; start as many, or name another topology",
                                o.topology->text(), o.topology->ranks(), o.ranks)
                  : fmt::format("{} has a node that is no rank and sends nothing of its own; measure on crossbar:{}",
                                o.topology->text(), o.ranks));
}

}  // namespace

Tuned tune(const TuneOptions& options, const std::string& where) {
  require(options);
  Tuned tuned;
  Tuner(options, tuned).all();
  tuned.machine = fit(tuned.samples, fmt::format("{} with {}", tuned.topology->text(), where));
  tuned.machine.name = "tuned";
  return tuned;
}

}  // namespace quadrille
