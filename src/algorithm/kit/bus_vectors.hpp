// Reductions on a bus to which ranks send their whole vectors, one after the other.
#pragma once

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::kit {

/// P - 1 rounds, in whose busiest ones so many vectors are combined; `combined` and `step` are given the question.
template <std::int64_t (*combined)(const Spec&), void (*step)(const Spec&, Round, Rank, Steps&)>
Algorithm vectors_on_a_bus(Collective collective, std::string_view name, std::string_view summary) {
  return {
      .name = name,
      .collective = collective,
      .summary = summary,
      .source = "extra",
      .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "bus"},
      .parameters = {},
      .claims = in_rank_order,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return needs_bus(s); },
      .variants = one_variant,
      .cost = [](const Spec& s, const Machine&, const Params&) { return whole_vectors(s, s.ranks() - 1, combined(s)); },
      .build =
          [](const Spec& s, const Machine&, const Params&) {
            return vector_schedule(s, s.ranks() - 1, 0, {[s](Round t, Rank r, Steps& out) { step(s, t, r, out); }});
          }};
}

inline std::int64_t all_but_one(const Spec& spec) { return spec.ranks() - 1; }

/// The last rank but one first, every rank tells all ranks above it its contribution, which they put before what they
/// have; without their own, they have nothing at first.
template <bool with_own>
void tell_all_above(const Spec& spec, Round t, Rank r, Steps& out) {
  const Rank sender = spec.ranks() - 2 - t;
  if (r == sender)
    for (Rank higher = r + 1; higher < spec.ranks(); ++higher) out.send(higher, Buffer::in, at(0));
  if (r <= sender) return;
  const bool first = r == sender + 1;
  if (first && !with_own) return out.recv(sender, Buffer::out, at(0));
  out.combine(sender, Buffer::out, at(0), onto(r, sender, first ? Buffer::in : Buffer::out));
}

}  // namespace quadrille::algorithm::kit
