// Prefixes by doubling: in round t every rank sends the rank 2^t on what it has combined, of itself and the 2^t - 1
// ranks before it. Two places take turns, because a rank sends its value while it computes the next one.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_doubling {

namespace {

/// Where rank r has its value after `combines` of its combines, the last of which ends in `out`.
Buffer place(Rank r, int combines) {
  const int all = r == 0 ? 0 : base::log2_floor(r) + 1;
  return combines == 0 ? Buffer::in : (all - combines) % 2 == 0 ? Buffer::out : Buffer::tmp;
}

void step(Rank ranks, Round t, Rank r, Steps& out) {
  const int round = static_cast<int>(t), done = r == 0 ? 0 : std::min(round, base::log2_floor(r) + 1);
  const Rank distance = base::bit(round);
  if (r + distance < ranks) out.send(r + distance, place(r, done), kit::at(0));
  if (r >= distance)
    out.combine(r - distance, place(r, done + 1), kit::at(0), kit::onto(r, r - distance, place(r, done)));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = kit::needs_switch(spec); !reason.empty()) return reason;
  return kit::needs_both_ways(spec, machine, "scan_butterfly");
}

}  // namespace

Algorithm describe() {
  return {.name = "scan_doubling",
          .collective = Collective::scan,
          .summary = "every rank sends on what it has combined, 1, 2, 4 ... ranks on",
          .source = "Hillis & Steele 1986; extra",
          .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "switch"},
          .parameters = {},
          .claims = kit::in_rank_order,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                const int rounds = base::log2_ceil(s.ranks());
                return kit::whole_vectors(s, rounds, rounds);
              },
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                return kit::vector_schedule(s, base::log2_ceil(s.ranks()), 1,
                                            {[p = s.ranks()](Round t, Rank r, Steps& out) { step(p, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::scan_doubling
