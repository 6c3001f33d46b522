// Packets go from rank to rank in order: what comes is the prefix of the ranks before, and with the own contribution
// behind it what is sent on.
#include "algorithm/scan/shared/chain.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_chain {

namespace {

/// The last rank combines nothing: in the rounds that are left, the packets of a chain that is a rank shorter. Where
/// ranks send and receive by turns, the packets that come to two ranks in turn are those of the longer chain.
std::int64_t combined(const Spec& spec, const Machine& machine, std::int64_t packets) {
  const Rank p = spec.ranks();
  const Round interval = kit::relay_interval(machine, p - 1);
  if (p < 3 || spec.bytes == 0) return 0;
  const kit::Pipe shorter{p - 2, kit::elements(spec), std::min<Round>(interval, p - 2)};
  return base::checked_multiply(kit::pipe_cost(shorter, packets).bytes, spec.element, "bytes combined");
}

}  // namespace

Algorithm describe() {
  return scan::along_a_chain(
      Collective::exscan,
      {.name = "exscan_chain",
       .summary = "packets go from rank to rank, each of which keeps what comes and adds its contribution",
       .source = "extra",
       .closed_form = {.startups = "nu + P - 2", .bytes = "m + (P - 2) ceil(m/nu)", .where = "ring"}},
      [](const Spec& s, const Machine& m, const Params& p) {
        Cost cost = scan::chain_cost(s, m, p);
        cost.combined = combined(s, m, kit::packets_of(p));
        return cost;
      });
}

}  // namespace quadrille::algorithm::exscan_chain
