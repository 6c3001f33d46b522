// Measures the ranks at hand: pairs first, which say what the network is, then what its constants are fitted to.
#include "quadrille/tune.hpp"

#include <fmt/format.h>

#include <chrono>
#include <span>

#include "tuner/bench.hpp"
#include "tuner/probe.hpp"
#include "tuner/survey.hpp"

namespace quadrille {

namespace {

class Tuner {
 public:
  Tuner(const TuneOptions& options, Tuned& tuned)
      : options_(options), tuned_(tuned), bench_(options, tuned.hurried), survey_(options, bench_, tuned) {}

  void all() {
    using tuner::Probe;
    Samples& s = tuned_.samples;
    const Rank near = survey_.neighbours(0).front(), far = survey_.farthest();
    s.fan_out = static_cast<int>(survey_.neighbours(0).size());
    s.far_hops = 1 + survey_.distance_to(far) - survey_.distance_to(near);
    for (const Bytes bytes : {tuner::small_size, tuner::middle_size, tuner::large_size})
      s.one_way.push_back(bench_.measured("one way between neighbours", {{0, near}}, Probe::Way::to_and_fro, bytes));
    s.far = bench_.measured("one way across the network", {{0, far}}, Probe::Way::to_and_fro, tuner::small_size);
    for (const Bytes bytes : {tuner::small_size, tuner::short_size, tuner::middle_size, tuner::large_size})
      s.all_ways.push_back(bench_.measured("all neighbours at once", survey_.all_edges(), Probe::Way::on, bytes));
    s.two_way = bench_.measured("both ways at once", {{0, near}, {near, 0}}, Probe::Way::on, tuner::large_size);
    std::vector<tuner::Edge> fan;
    for (const Rank peer : survey_.neighbours(0)) fan.emplace_back(0, peer);
    s.fan = bench_.measured("one rank to all its neighbours", fan, Probe::Way::to_and_fro, tuner::middle_size);
    if (survey_.hosts().shared()) measure_nodes();
    measure_overheads();
    measure_local();
  }

 private:
  /// Rank 0 sends to, or receives from, so many of the crowd in every round, and waits for no answer: its processor is
  /// what a further message keeps busy.
  void measure_overheads() {
    const std::vector<Rank> others = survey_.crowd();
    if (others.size() < 2) return;
    const auto round = [&](std::size_t count, bool sends) {
      std::vector<tuner::Edge> edges;
      for (const Rank other : std::span(others).first(count))
        edges.push_back(sends ? tuner::Edge{0, other} : tuner::Edge{other, 0});
      return bench_.measured(sends ? "one rank sends to many" : "many send to one rank", edges, tuner::Probe::Way::on,
                             tuner::small_size);
    };
    for (const bool sends : {true, false}) {
      Samples::Crowd& seen = sends ? tuned_.samples.sent : tuned_.samples.received;
      seen.many = static_cast<int>(others.size()), seen.few = seen.many / 2;
      seen.of_few = round(others.size() / 2, sends);
      seen.of_many = round(others.size(), sends);
    }
  }

  /// What a node's memory takes, what its links carry at once, and what happens where several nodes send to one.
  void measure_nodes() {
    using tuner::Probe;
    Samples& s = tuned_.samples;
    for (const Bytes bytes : {tuner::small_size, tuner::middle_size, tuner::large_size})
      s.within.push_back(bench_.measured("one way within a node", {survey_.within()}, Probe::Way::to_and_fro, bytes));
    const std::vector<tuner::Edge> leaving = survey_.leaving(), incast = survey_.incast();
    s.alone = bench_.measured("one rank out of a node", {leaving.front()}, Probe::Way::on, tuner::middle_size);
    s.leaving_ranks = static_cast<int>(leaving.size());
    s.leaving = bench_.measured("all ranks out of a node", leaving, Probe::Way::on, tuner::middle_size);
    s.incast_senders = static_cast<int>(incast.size());
    s.incast = bench_.measured("all nodes to one", incast, Probe::Way::on, tuner::middle_size);
    if (!options_.topology && rails(s) > 1 && survey_.hosts().fewest() == survey_.hosts().most())
      tuned_.topology = parse_topology(fmt::format("{}/{}", tuned_.topology->text(), rails(s)));
  }

  void measure_local() {
    constexpr Slot side = 64;
    constexpr Bytes piece = 256;
    constexpr int barriers = 16;
    Samples& s = tuned_.samples;
    bench_.begin("local permutation");
    s.permute = bench_.repeated(tuner::Permutation(options_.ranks, side, piece), side * side * piece, 1);
    bench_.begin("barriers");
    s.barrier = bench_.repeated(tuner::Barriers(options_.ranks, barriers), 0, barriers);
    s.barrier_ranks = options_.ranks;
    bench_.begin("reduction");
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
  tuner::Bench bench_;
  tuner::Survey survey_;
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
