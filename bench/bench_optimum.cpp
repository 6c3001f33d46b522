// How long exact times and schedules of any network take to find, beside what others publish. Prints a table: the
// question, the processor's seconds here, what was found, and the peer's figure with its source.
// Usage: bench_optimum [--check]    --check: small networks only, to see that it works.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "cost/network_graph.hpp"
#include "cpu_time.hpp"
#include "flow/cuts.hpp"
#include "flow/exchange_optimum.hpp"
#include "flow/forest.hpp"
#include "flow/splitting.hpp"
#include "flow/trees.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"

namespace {

using namespace quadrille;

flow::Network graph(const std::string& text) { return cost::graph_of(topology::network_of(*parse_topology(text))); }

void row(std::string_view what, const std::string& network, std::string_view peer,
         const std::function<std::string(const std::string&)>& work) {
  const double before = bench::cpu_seconds();
  const std::string found = work(network);
  fmt::print("{:<12} {:<16} {:>8.2f} s  {:<42} {}\n", what, network, bench::cpu_seconds() - before, found, peer);
  std::fflush(stdout);
}

std::string cut(const std::string& network) { return flow::allgather(graph(network)).time().text() + " words"; }

std::string exchange(const std::string& network, double gap) {
  const flow::ExchangeBracket bracket =
      flow::exchange_within(graph(network), {.gap = gap, .visits = std::int64_t{1} << 34});
  return fmt::format("{:.4f} .. {:.4f} words", bracket.lower.value(), bracket.upper.value());
}

/// As many trees of every rank as lose nothing, or a given number; switches are split off.
std::string trees(const std::string& network, std::int64_t count) {
  const flow::Network whole = graph(network);
  const flow::Words rooted(static_cast<std::size_t>(whole.ranks()), count);
  const flow::Ratio factor = flow::factor_for_trees(whole, rooted), least = flow::allgather(whole).time();
  const flow::LogicalNetwork logical = flow::split_off(flow::scaled_down(whole, factor), rooted);
  if (!logical.complete) return "switches are left";
  std::int32_t depth = 0;
  const std::vector<flow::RootedTree> found = flow::forest(logical.network, rooted, {.flows = 1 << 22});
  for (const flow::RootedTree& tree : found) depth = std::max(depth, tree.depth);
  return fmt::format("{} trees, {} deep, {:.4f} of the cut", found.size(), depth,
                     (factor / flow::Ratio(count) / least).value());
}

std::string rounds(const std::string& network) {
  Machine machine = load_machine("cluster");
  const Spec spec = checked({.collective = Collective::allgather, .topology = parse_topology(network), .bytes = 65536});
  const Built built = build(spec, machine, parse_choice("allgather_rarest:chunks=1"));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {});
  if (!proof.holds) throw Error(Error::Kind::internal, "the schedule of a benchmark is wrong");
  return fmt::format("{} rounds, at least {}; proven", built.schedule->shape().rounds,
                     flow::wide_text(flow::allgather(graph(network)).time().ceil()));
}

void run(bool small) {
  fmt::print("{:<12} {:<16} {:>10}  {:<42} {}\n", "what", "network", "processor", "found", "others");
  const auto within = [](double gap) { return [=](const std::string& network) { return exchange(network, gap); }; };
  row("allgather", small ? "torus:8x8" : "torus:32x32", "", cut);
  row("exchange", small ? "torus:4x4!0-1" : "torus:8x8!0-1", "HiGHS interior point: 3.3 s", within(0.01));
  row("rounds", small ? "torus:8x8" : "torus:32x32", "TACOS: 168 .. 207 s, no schedule", rounds);
  const auto rooted = [](std::int64_t count) {
    return [=](const std::string& network) { return trees(network, count); };
  };
  row("trees", "dgx-a100:2", "ForestColl: 14 s", rooted(13));
  if (small) return;
  row("trees", "dgx-a100:4", "ForestColl: 240 s", rooted(1));
  row("trees", "mi250:2", "ForestColl: more than 300 s", rooted(83));
  row("trees", "dgx-h100:16", "", rooted(1));
  row("trees", "dgx-h100:128", "", rooted(1));
  row("trees", "dragonfly:4,2,2", "", rooted(1));
  row("trees", "torus:16x16", "", rooted(1));
  row("allgather", "dgx-a100:128", "", cut);
  row("exchange", "genkautz:64,4", "HiGHS interior point: 2.1 s", within(0.01));
  row("exchange", "genkautz:256,4", "", within(0.01));
  row("exchange", "torus:16x16!0-1", "", within(0.02));
  row("exchange", "genkautz:1024,4", "", within(0.05));
  row("rounds", "torus:32x32!0-1", "", rounds);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 && std::string_view(argv[1]) == "--check");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_optimum: {}\n", error.what());
    return 1;
  }
  return 0;
}
