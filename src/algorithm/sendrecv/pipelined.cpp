// One message in packets along the topology's route: while a relay passes one packet on, it receives the next.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv_pipelined {

namespace {

kit::Pipe pipe(const Spec& spec, const Machine& machine) {
  const std::int64_t depth = spec.topology->distance(spec.root, spec.target);
  // A memory is written and read at once if it serves two.
  const Round interval = kit::is_memory(spec) ? (machine.shared > 1 ? 1 : 2) : kit::relay_interval(machine, depth);
  return {depth, spec.bytes, interval};
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  const Topology& t = *spec.topology;
  if (!t.direct())
    return fmt::format("needs ranks on the way that pass packets on, and routes of {} meet none; try sendrecv_direct",
                       t.text());
  return kit::packets_illegal(params, spec.bytes);
}

SchedulePtr build_pipelined(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  const auto deal = [=](std::size_t, std::int64_t index) { return index < packets ? index : Slot{-1}; };
  const kit::Pipe down = pipe(spec, machine);
  return sendrecv::path_schedule(spec, {sendrecv::route_path(spec)}, deal, kit::pipe_cost(down, packets).startups,
                                 kit::packet_cut(spec.bytes, packets), down.interval);
}

}  // namespace

Algorithm describe() {
  return {.name = "sendrecv_pipelined",
          .collective = Collective::sendrecv,
          .summary =
              "packets that follow each other along the topology's route or through the memory; packets=1 is the plain "
              "relay",
          .source = "Saad & Schultz 1986, eq. (3.2), (3.3), (3.4), (3.7), (3.14)",
          .closed_form = {.startups = "nu + D - 1", .bytes = "m + (D - 1) ceil(m/nu)", .where = "ring"},
          .parameters = {kit::packets_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {kit::best_packets(pipe(s, m), s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return kit::pipe_cost(pipe(s, m), kit::packets_of(p)); },
          .build = build_pipelined};
}

}  // namespace quadrille::algorithm::sendrecv_pipelined
