#include "question.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "quadrille/demands.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::laws {

namespace {

/// Beside these, what every family names as an example of itself.
constexpr std::array networks{"hypercube:1",   "hypercube:2", "hypercube:3",     "hypercube:4",   "hypercube:5",
                              "hypercube:6",   "ring:2",      "ring:3",          "ring:5",        "ring:8",
                              "ring:9",        "ring:16",     "ring:31",         "crossbar:2",    "crossbar:3",
                              "crossbar:8",    "crossbar:13", "crossbar:32",     "crossbar:64",   "mesh:2x3",
                              "mesh:3x5",      "mesh:4x4",    "mesh:7x2",        "mesh:3x3x3",    "mesh:6x6",
                              "torus:3x3",     "torus:4x4",   "torus:2x8",       "torus:5x3",     "torus:6x4",
                              "torus:4x4x4",   "torus:3x3x3", "bus:2",           "bus:7",         "bus:16",
                              "ethernet:5",    "ethernet:16", "memory:4",        "memory:16",     "omega:2",
                              "omega:4",       "omega:5",     "fly:2^3",         "fly:3^2",       "bifly:2^3",
                              "bifly:2^4",     "switch:8",    "shared-memory:9", "star:2*4",      "star:5*3",
                              "torus:3x3!0-1", "torus:2x3*2", "dgx-a100:2",      "fattree:4/2*2", "mesh:3x4@0,1,6,7,11",
                              "kautz:2,1"};

template <class Word, std::size_t n>
Word pick(Questions& questions, const std::array<Word, n>& words) {
  return words[static_cast<std::size_t>(questions.below(n))];
}

}  // namespace

/// Powers of ten are as likely as each other.
double Questions::magnitude(double least, double most) {
  return std::exp(std::uniform_real_distribution<>(std::log(least), std::log(most))(random_));
}

TopologyPtr Questions::topology() {
  const std::vector<TopologyFamily>& families = topology_families();
  if (!one_in(4)) return parse_topology(pick(*this, networks));
  const TopologyFamily& family = families[static_cast<std::size_t>(below(std::ssize(families)))];
  if (family.examples.empty()) return topology();
  return family.make(family.examples[static_cast<std::size_t>(below(std::ssize(family.examples)))]);
}

Machine Questions::random_machine() {
  Machine m;
  m.name = "random";
  m.alpha = one_in(6) ? 0 : magnitude(1e-7, 1e-3);
  m.beta = magnitude(1e-11, 1e-5);
  if (one_in(3)) m.overhead_send = magnitude(1e-8, 1e-4);
  if (one_in(3)) m.overhead_receive = one_in(2) ? m.overhead_send : magnitude(1e-8, 1e-4);
  if (one_in(2)) m.per_hop = magnitude(1e-9, 1e-4);
  if (one_in(3)) m.rho = magnitude(1e-11, 1e-7);
  if (one_in(3)) m.barrier = magnitude(1e-6, 1e-3);
  if (one_in(4)) m.burst = magnitude(1e-7, 1e-3);
  if (one_in(3)) m.eager_limit = std::int64_t{1} << below(20);
  m.ports = pick(*this, std::array{Ports::one, Ports::all});
  m.duplex = pick(*this, std::array{Duplex::half, Duplex::full, Duplex::full, Duplex::node_half});
  m.switching = pick(*this, std::array{Switching::store_and_forward, Switching::circuit, Switching::wormhole});
  m.circuit = pick(*this, std::array{CircuitCost::average, CircuitCost::exact});
  m.multicast = one_in(6);
  m.shared = one_in(2) ? 1 : 1 + below(8);
  if (one_in(2))
    for (const char* kind : {"memory", "network", "nvlink", "core", "nic"}) {
      if (!one_in(3)) continue;
      m.links.push_back({.kind = kind});
      if (one_in(2)) m.links.back().alpha = magnitude(1e-7, 1e-3);
      if (one_in(2)) m.links.back().beta = magnitude(1e-11, 1e-5);
      if (one_in(2)) m.links.back().latency = magnitude(1e-9, 1e-4);
    }
  return m;
}

Machine Questions::machine() {
  if (one_in(2)) return random_machine();
  const std::vector<std::string> presets = machine_presets();
  Machine m = load_machine(presets[static_cast<std::size_t>(below(std::ssize(presets)))]);
  if (one_in(4)) m.ports = m.ports == Ports::one ? Ports::all : Ports::one;
  return m;
}

Spec Questions::spec() {
  const std::vector<Collective>& all = collectives();
  Spec spec{.collective = all[static_cast<std::size_t>(below(std::ssize(all)))], .topology = topology()};
  spec.bytes = one_in(20) ? 0 : one_in(2) ? std::int64_t{1} << below(22) : 1 + below(std::int64_t{1} << below(22));
  const Rank ranks = spec.ranks();
  if (has_root(spec.collective) && one_in(2)) spec.root = below(ranks);
  if (spec.collective == Collective::multibcast) {
    std::vector<std::pair<Rank, Bytes>> sources;
    for (Rank r = below(ranks); r < ranks; r += 1 + below(5))
      sources.emplace_back(r, one_in(2) ? spec.bytes : below(spec.bytes + 1));
    spec.sources = make_sources(std::move(sources));
  }
  if (spec.collective == Collective::alltoallv) {
    std::vector<Demand> pairs;
    const bool few = ranks > 1 && one_in(3);
    for (Rank n = 1 + below(3); few && n > 0; --n) {
      const Rank r = below(ranks);
      pairs.push_back({r, (r + 1 + below(ranks - 1)) % ranks, 1 + below(spec.bytes + 1)});
    }
    for (Rank r = 0; r < ranks && !few; ++r)
      for (Rank to = below(ranks); to < ranks; to += 1 + below(ranks / 2 + 1))
        pairs.push_back({r, to, one_in(2) ? spec.bytes : below(spec.bytes + 1)});
    spec.demands = make_demands(ranks, std::move(pairs));
  }
  if (spec.collective == Collective::reduce_scatter && one_in(3)) {
    std::vector<Bytes> offsets(1, 0);
    for (Rank r = 0; r < ranks; ++r)
      offsets.push_back(offsets.back() + (one_in(2) ? 0 : below(spec.bytes / 8 + 1) * 8));
    spec.offsets = std::make_shared<const std::vector<Bytes>>(std::move(offsets));
  }
  return checked(std::move(spec));
}

Question Questions::next() {
  for (;;) try {
      Question q{.spec = spec(), .machine = machine()};
      const std::vector<Network>& models = simulated_networks();
      q.order = pick(*this, std::array{Order::lockstep, Order::dataflow, Order::eager});
      q.network = one_in(3) ? usual_network(q.machine, *q.spec.topology)
                            : models[static_cast<std::size_t>(below(std::ssize(models)))];
      return q;
    } catch (const Error&) {  // a transposition of ranks that are no square, say: another question
    }
}

std::string to_text(const Question& q) {
  std::string text = fmt::format("{} {}", to_string(q.spec.collective), q.spec.topology->text());
  if (!idempotent(q.spec)) text += fmt::format(" --bytes {}", q.spec.bytes);
  if (has_root(q.spec.collective)) text += fmt::format(" --root {}", q.spec.root);
  if (q.spec.sources) {
    text += " --sources ";
    for (Slot i = 0; i < q.spec.sources->count(); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ",", q.spec.sources->ranks[static_cast<std::size_t>(i)]);
  }
  for (std::size_t i = 1; q.spec.offsets && i < q.spec.offsets->size(); ++i)
    text += fmt::format("{}{}", i == 1 ? " --counts " : ",", (*q.spec.offsets)[i] - (*q.spec.offsets)[i - 1]);
  if (q.spec.demands) text += " --demands " + to_text(*q.spec.demands, q.spec.bytes);
  return text +
         fmt::format(" --machine {} --order {} --network {}", q.machine.name, to_string(q.order), to_string(q.network));
}

}  // namespace quadrille::laws
