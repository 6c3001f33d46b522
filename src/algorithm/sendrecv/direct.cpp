// One message over the topology's own route, in one piece and one round.
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv_direct {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (kit::is_memory(spec))
    return fmt::format("on {} all goes through the memory; try sendrecv_pipelined", spec.topology->text());
  if (machine.switching != Switching::store_and_forward || spec.topology->adjacent(spec.root, spec.target)) return {};
  return fmt::format(
      "ranks {} and {} are {} links apart, and this machine stores and forwards; try sendrecv_pipelined or "
      "--set switching=circuit",
      spec.root, spec.target, spec.topology->distance(spec.root, spec.target));
}

SchedulePtr build_direct(const Spec& spec, const Machine&, const Params&) {
  const auto only = [](std::size_t, std::int64_t index) { return index == 0 ? Slot{0} : Slot{-1}; };
  return sendrecv::path_schedule(spec, {sendrecv::path_through({spec.root, spec.target})}, only, 1,
                                 {.bytes = spec.bytes});
}

}  // namespace

Algorithm describe() {
  return {.name = "sendrecv_direct",
          .collective = Collective::sendrecv,
          .summary = "one message over the topology's route",
          .source = "Saad & Schultz 1986, eq. (2.1), T_1S",
          .closed_form = {.startups = "1", .bytes = "m", .where = "crossbar"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                return Cost{.startups = 1, .hops = s.topology->distance(s.root, s.target), .bytes = s.bytes};
              },
          .build = build_direct};
}

}  // namespace quadrille::algorithm::sendrecv_direct
