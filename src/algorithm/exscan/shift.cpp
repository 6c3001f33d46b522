// Every contribution moves one rank on; of these the ranks from 1 on then make prefixes by doubling. Two places take
// turns, because a rank sends its value while it computes the next one.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_shift {

namespace {

int combines(Rank r) { return r < 2 ? 0 : base::log2_floor(r - 1) + 1; }
/// Where rank r has its value after `done` of its combines, the last of which ends in `out`.
Buffer place(Rank r, int done) { return (combines(r) - done) % 2 == 0 ? Buffer::out : Buffer::tmp; }

void step(Rank ranks, Round t, Rank r, Steps& out) {
  if (t == 0) {
    if (r + 1 < ranks) out.send(r + 1, Buffer::in, kit::at(0));
    if (r > 0) out.recv(r - 1, place(r, 0), kit::at(0));
    return;
  }
  const int round = static_cast<int>(t - 1), done = std::min(round, combines(r));
  const Rank distance = base::bit(round);
  if (r > 0 && r + distance < ranks) out.send(r + distance, place(r, done), kit::at(0));
  if (r > distance)
    out.combine(r - distance, place(r, done + 1), kit::at(0), kit::onto(r, r - distance, place(r, done)));
}

int doublings(const Spec& spec) { return spec.ranks() < 2 ? 0 : base::log2_ceil(spec.ranks() - 1); }
Round rounds(const Spec& spec) { return spec.ranks() < 2 ? 0 : 1 + doublings(spec); }

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = kit::needs_switch(spec); !reason.empty()) return reason;
  return kit::needs_both_ways(spec, machine, "exscan_butterfly");
}

}  // namespace

Algorithm describe() {
  return {.name = "exscan_shift",
          .collective = Collective::exscan,
          .summary = "contributions move one rank on, then prefixes by doubling",
          .source = "extra",
          .closed_form = {.startups = "1 + ceil(log2(P - 1))", .bytes = "(1 + ceil(log2(P - 1))) m", .where = "switch"},
          .parameters = {},
          .claims = kit::in_rank_order,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine&,
                     const Params&) { return kit::whole_vectors(s, rounds(s), doublings(s)); },
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                return kit::vector_schedule(s, rounds(s), 1,
                                            {[p = s.ranks()](Round t, Rank r, Steps& out) { step(p, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::exscan_shift
