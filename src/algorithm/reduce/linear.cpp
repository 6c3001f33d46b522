// Every rank gets its block of all vectors at once and combines it, in the order of ranks; then all send what they have
// combined to the root. Each wire carries hardly more than two vectors, whatever the network.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::gather_linear {
Algorithm describe();
}

namespace quadrille::algorithm::reduce_linear {

namespace {

/// Piece i of the vector is the block of rank i. What ranks below a rank contribute comes before what it has, the
/// nearest first, then what those above it do.
void combine(Rank ranks, Rank r, Buffer sum, Steps& out) {
  Buffer operand = Buffer::in;
  const auto take = [&](Rank peer) {
    out.combine(peer, sum, kit::at(r), kit::onto(r, peer, operand, r));
    operand = sum;
  };
  for (Rank peer = r - 1; peer >= 0; --peer) take(peer);
  for (Rank peer = r + 1; peer < ranks; ++peer) take(peer);
}

void step(const Spec& spec, Round t, Rank r, Steps& out) {
  const Buffer sum = r == spec.root ? Buffer::out : Buffer::tmp;
  for (Rank peer = 0; peer < spec.ranks(); ++peer) {
    if (peer == r) continue;
    if (t == 0) out.send(peer, Buffer::in, kit::at(peer));
    if (t == 1 && peer == spec.root) out.send(peer, sum, kit::at(r));
    if (t == 1 && r == spec.root) out.recv(peer, sum, kit::at(peer));
  }
  if (t == 0) combine(spec.ranks(), r, sum, out);
}

/// The two halves: an all-gather run backwards costs what it costs forwards, and the gather is one.
struct Halves {
  Algorithm first = allgather_linear::describe(), second = gather_linear::describe();
  static Spec question(const Spec& spec, const Algorithm& half) {
    Spec blocks = kit::in_elements(spec, Collective::allgather);
    blocks.collective = half.collective;
    blocks.bytes *= spec.element;
    return blocks;
  }
};
const Halves& halves() {
  static const Halves both;
  return both;
}
Machine without_multicast(Machine machine) {
  machine.multicast = false;
  return machine;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  for (const Algorithm* half : {&halves().first, &halves().second})
    if (std::string reason = half->illegal(Halves::question(spec, *half), without_multicast(machine), params);
        !reason.empty())
      return reason;
  return {};
}

Claims claims(const Spec& spec, const Machine& machine, const Params& params) {
  Claims all{.exact = kit::elements(spec) % spec.ranks() == 0, .in_order = true};
  for (const Algorithm* half : {&halves().first, &halves().second}) {
    const Claims one = half->claims(Halves::question(spec, *half), without_multicast(machine), params);
    all.contention_free = all.contention_free && one.contention_free;
    all.port_free = all.port_free && one.port_free;
    all.exact = all.exact && one.exact;
  }
  return all;
}

Cost formula(const Spec& spec, const Machine& machine, const Params& params) {
  const Spec blocks = Halves::question(spec, halves().first);
  Cost all = halves().first.cost(blocks, without_multicast(machine), params);
  const Cost second = halves().second.cost(Halves::question(spec, halves().second), without_multicast(machine), params);
  all.startups += second.startups;
  all.hops += second.hops;
  all.further += second.further;
  all.bytes = base::checked_add(all.bytes, second.bytes, "bytes");
  all.combined = base::checked_multiply(spec.ranks() - 1, blocks.bytes, "bytes combined");
  return all;
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_linear",
          .collective = Collective::reduce,
          .summary = "every rank combines its block of all vectors at once, and sends it to the root",
          .source = "extra: allgather_linear run backwards, then gather_linear",
          .closed_form = {.startups = "2",
                          .bytes = "2 m/P",
                          .further = "2 (P - 2)",
                          .where = "crossbar, all ports, P divides m"},
          .parameters = {},
          .claims = claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = formula,
          .build = [](const Spec& s, const Machine&, const Params&) {
            return kit::vector_schedule(s, 2, 1, {[s](Round t, Rank r, Steps& out) { step(s, t, r, out); }}, 1,
                                        s.ranks());
          }};
}

}  // namespace quadrille::algorithm::reduce_linear
