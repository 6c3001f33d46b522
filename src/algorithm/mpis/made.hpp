// How an MPI's algorithm becomes one that can be asked for: it promises no more than the question demands, and its
// price is counted.
#pragma once

#include <fmt/format.h>

#include "algorithm/kit/support.hpp"
#include "algorithm/mpis/own.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::mpis {

using Make = SchedulePtr (*)(const Spec&, const Params&);
/// Which numbers of ranks an algorithm has: on others the MPI does otherwise.
enum class Ranks : std::uint8_t { any, two, even, power_of_two };

template <Ranks ranks>
std::string refusal(const Spec& spec, const Machine&, const Params&) {
  const Rank p = spec.ranks();
  if (spec.topology->nodes() != p)
    return fmt::format(
        "on {} messages go through a memory, and an MPI's algorithms send from rank to rank; nearest: "
        "crossbar:{}",
        spec.topology->text(), p);
  if (spec.offsets) return "blocks differ in length, and it is known for equal ones only";
  if (ranks == Ranks::two && p != 2) return fmt::format("is for two ranks, and there are {}", p);
  if (ranks == Ranks::even && p % 2 != 0) return fmt::format("needs an even number of ranks, and there are {}", p);
  if (ranks == Ranks::power_of_two && !base::is_power_of_two(p))
    return fmt::format("needs 2^n ranks, and there are {}; the MPI does otherwise there", p);
  return {};
}

inline Claims least_claims(const Spec& spec, const Machine&, const Params&) {
  return {.once = false,
          .contention_free = false,
          .exact = true,
          .port_free = false,
          .identical = spec.collective == Collective::allreduce ? Identical::commutatively : Identical::no};
}

template <Make make, Ranks ranks = Ranks::any>
Algorithm made(std::string_view name, Collective collective, std::string_view summary,
               std::vector<Parameter> parameters = {}) {
  return {.name = name,
          .collective = collective,
          .summary = summary,
          .source = "the MPI's own, as its sources have it",
          .closed_form = {.where = "any network: counted"},
          .parameters = std::move(parameters),
          .claims = least_claims,
          .illegal = refusal<ranks>,
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return *traffic::counted(s, m, *make(s, p)); },
          .build = [](const Spec& s, const Machine&, const Params& p) { return make(s, p); },
          .file = "src/algorithm/mpis/"};
}

}  // namespace quadrille::algorithm::mpis
