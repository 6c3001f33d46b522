// reduce_scatter_lin, then allgather_lin, on butterflies. Ways back may be others than the ways there, so what meets on
// wires is counted.
#include <fmt/format.h>

#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_lin {

namespace {

Algorithm on_any_line() {
  return kit::dual_of<allgather_lin::describe, kit::combined_counted, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_lin",
       .summary = "halves of a line are reduced each by itself, then ranks half a line apart hand over what is the "
                  "other's; and back, with results",
       .source = "extra: allgather_lin run backwards, then forwards",
       .closed_form = {.where = "at most 2 ceil(log2(R)) + 2 ceil(log2(C)) start-ups; counted"}});
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  static const Algorithm any = on_any_line();
  if (kit::is_butterfly(spec)) return any.illegal(spec, machine, params);
  return fmt::format("is for butterflies, and {} is none: other networks have faster all-reduces; nearest: fly:2^{}",
                     spec.topology->text(), std::max(1, base::log2_floor(spec.ranks())));
}

}  // namespace

Algorithm describe() {
  Algorithm both = on_any_line();
  both.illegal = illegal;
  both.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return both;
}

}  // namespace quadrille::algorithm::allreduce_lin
