// Small and odd networks from any bytes: paths, stars, one-way rings, two nodes, disconnected ones, self loops, huge
// capacities. A question about each is answered by a plan that is proven, or refused in one line.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/entries.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::fuzz {

/// One byte after the other; zeros behind the end.
class Dice {
 public:
  explicit Dice(std::string_view text) : text_(text) {}
  int below(int n) {
    const unsigned char byte = at_ < text_.size() ? static_cast<unsigned char>(text_[at_++]) : 0;
    return byte % n;
  }
  template <class T, std::size_t n>
  T of(const T (&all)[n]) {
    return all[below(static_cast<int>(n))];
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// As a network file: up to eight nodes, most of them joined, and up to seven more links between any two, or at one.
inline std::string network_text(Dice& dice) {
  static constexpr const char* capacities[]{"1", "1", "1", "2", "3", "7", "150", "1000000000000"};
  const int nodes = 1 + dice.below(8);
  std::string text;
  for (int i = 0; i < nodes; ++i) text += fmt::format("{} n{}\n", dice.below(8) == 7 ? "switch" : "host", i);
  const auto link = [&](int a, int b, bool one_way) {
    const char* const capacity = dice.below(32) == 31 ? "0" : dice.of(capacities);
    text += fmt::format("{} n{} n{} {}", one_way ? "arc" : "link", a, b, capacity);
    text += dice.below(8) == 7 ? fmt::format(" x{}\n", 1 + dice.below(4)) : "\n";
  };
  const bool round = dice.below(4) == 3;  // one way
  for (int i = 1; i < nodes; ++i)
    if (dice.below(24) > 0) link(round ? i - 1 : dice.below(i), i, round);
  if (round && nodes > 1) link(nodes - 1, 0, true);
  for (int more = dice.below(8); more > 0; --more) {
    const int a = dice.below(nodes), b = dice.below(nodes);
    link(a, a == b && dice.below(16) > 0 ? (a + 1) % nodes : b, dice.below(3) == 0);
  }
  if (dice.below(8) == 7) text += fmt::format("nic n{} {}\n", dice.below(nodes), dice.of(capacities));
  if (dice.below(8) == 7) text += fmt::format("fail n{}\n", dice.below(nodes));
  return text;
}

inline Machine some_machine(Dice& dice) {
  static constexpr Ports ports[]{Ports::all, Ports::one};
  static constexpr Duplex duplexes[]{Duplex::full, Duplex::half, Duplex::node_half};
  static constexpr Switching ways[]{Switching::store_and_forward, Switching::circuit, Switching::wormhole};
  Machine machine = load_machine(dice.below(2) == 0 ? "unit" : "cluster");
  machine.ports = dice.of(ports), machine.duplex = dice.of(duplexes), machine.switching = dice.of(ways);
  return machine;
}

/// A name of its own for each network, as files have by their hash: what was searched for is known by it.
inline TopologyPtr network_of_text(const std::string& text) {
  topology::Network parsed = topology::parse_network(text, "fuzz.net");
  const std::string name = "graph:fuzz#" + topology::fingerprint(parsed);
  return topology::make_graph(std::move(parsed), {"graph", name, "a network"});
}

/// False where the network or the question is refused, or nothing can run.
inline bool graph(std::string_view bytes) {
  Dice dice(bytes);
  const std::string text = network_text(dice);
  const Machine machine = some_machine(dice);
  static constexpr Bytes lengths[]{0, 1, 7, 97, 4096, 1 << 20, Bytes{1} << 40};
  Spec spec;
  spec.bytes = dice.of(lengths);
  spec.collective = collectives()[static_cast<std::size_t>(dice.below(static_cast<int>(collectives().size())))];
  const int root = dice.below(8);
  bool answered = false;
  const bool asked = accepted([&] {
    spec.topology = network_of_text(text);
    spec.root = root % spec.topology->ranks();
    if (spec.collective == Collective::multibcast) spec.sources = make_sources({{spec.root, spec.bytes}});
    if (spec.collective == Collective::alltoallv) {
      const Rank ranks = spec.topology->ranks();
      std::vector<Demand> pairs;
      for (Rank r = 0; r < ranks; ++r) pairs.push_back({r, (r * 3 + root) % ranks, spec.bytes >> (r % 3)});
      spec.demands = make_demands(ranks, std::move(pairs));
    }
    spec = checked(spec);
    const Plan found = plan(spec, machine);
    const std::string about = fmt::format("{} of {} B on\n{}", to_string(spec.collective), spec.bytes, text);
    require(found.mistakes.empty(), about + (found.mistakes.empty() ? "" : found.mistakes.front().why));
    if (!found.possible()) return require(!found.refused.empty(), "graph: no answer, and no reason: " + about);
    const Candidate& best = found.best();
    require(best.known() >= found.bound.time * (1 - 1e-9), "graph: faster than the limit: " + about);
    const Built built = build(spec, machine, {best.algorithm, best.params});
    const Proof proof = verify(spec, machine, *built.schedule, built.claims);
    require(proof.holds, "graph: " + to_text(*best.algorithm, best.params) + " is wrong: " + about);
    answered = true;
  });
  return asked && answered;
}

}  // namespace quadrille::fuzz
