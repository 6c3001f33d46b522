// Messages go 1, 2, 3, 6, 12 ... ranks on. First every contribution moves one rank on, where it is also combined with
// the own one; these pairs then move two ranks on, so that three contributions are known, and from there on they
// double.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_123 {

namespace {

Rank distance(Round t) { return t < 2 ? t + 1 : 3 * base::bit(static_cast<int>(t - 2)); }

/// A message must go on while somebody does not know all: the last rank needs what is P - 1 ranks before it.
Round rounds(Rank ranks) {
  Round all = ranks < 2 ? 0 : ranks == 2 ? 1 : 2;
  while (ranks > 2 && distance(all) < ranks - 1) ++all;
  return all;
}

/// Before round t, how often rank r has combined; in round 1 and later, where something comes from a rank that has it.
int combines_before(Rank r, Round t) {
  int all = 0;
  for (Round earlier = 1; earlier < t; ++earlier) all += r >= distance(earlier) + (earlier > 1 ? 1 : 0) ? 1 : 0;
  return all;
}

/// The prefix is in `out` in the end, before that by turns there and in the first slot of tmp; the pair in the second.
void step(Rank ranks, Round t, Rank r, Steps& out) {
  const Rank reach = distance(t);
  const int last = combines_before(r, rounds(ranks)), done = combines_before(r, t);
  const auto place = [&](int combined) { return (last - combined) % 2 == 0 ? Buffer::out : Buffer::tmp; };
  if (r + reach < ranks && (t < 2 || r > 0)) {
    const bool pair = t == 1 && r > 0, own = t == 0 || r == 0;
    out.send(r + reach, own ? Buffer::in : pair ? Buffer::tmp : place(done), kit::at(pair ? 1 : 0));
  }
  if (t == 0 && r > 0) {
    out.recv(r - 1, place(0), kit::at(0));
    if (r + 2 < ranks) out.combine(r - 1, Buffer::tmp, kit::at(1), kit::onto_again(r, r - 1, Buffer::in));
  }
  if (t > 0 && r >= reach + (t > 1 ? 1 : 0))
    out.combine(r - reach, place(done + 1), kit::at(0), kit::onto(r, r - reach, place(done)));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = kit::needs_switch(spec); !reason.empty()) return reason;
  return kit::needs_both_ways(spec, machine, "exscan_butterfly");
}

}  // namespace

Algorithm describe() {
  return {
      .name = "exscan_123",
      .collective = Collective::exscan,
      .summary = "messages go 1, 2, 3, 6, 12 ... ranks on, and few rounds combine",
      .source = "Traeff 2025, Communication Round and Computation Efficient Exclusive Prefix-Sums Algorithms",
      .closed_form = {.startups = "ceil(log2((P - 1) 4/3))", .bytes = "ceil(log2((P - 1) 4/3)) m", .where = "switch"},
      .parameters = {},
      .claims = kit::in_rank_order,
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine&, const Params&) {
            const Round all = rounds(s.ranks());
            return kit::whole_vectors(s, all, s.ranks() > 3 ? all : std::max<Round>(all - 1, 0));
          },
      .build =
          [](const Spec& s, const Machine&, const Params&) {
            return kit::vector_schedule(s, rounds(s.ranks()), 2,
                                        {[p = s.ranks()](Round t, Rank r, Steps& out) { step(p, t, r, out); }});
          }};
}

}  // namespace quadrille::algorithm::exscan_123
