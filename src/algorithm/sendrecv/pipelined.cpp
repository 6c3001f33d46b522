// One message in packets along the topology's route: while a relay passes one packet on, it receives the next.
#include "algorithm/sendrecv/shared/paths.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

Pipe pipe(const Spec& spec, const Machine& machine) {
  const std::int64_t depth = spec.topology->distance(spec.root, spec.target);
  // A memory is written and read at once if it serves two.
  const Round interval = as<Memory>(spec) ? (machine.shared > 1 ? 1 : 2) : relay_interval(machine, depth);
  return {depth, spec.bytes, interval};
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  const Topology& t = *spec.topology;
  if (!t.direct())
    return fmt::format("needs ranks on the way that pass packets on, and routes of {} meet none; try sendrecv_direct",
                       t.text());
  return packets_illegal(params, spec.bytes);
}

SchedulePtr build_pipelined(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = packets_of(params);
  const auto deal = [=](std::size_t, std::int64_t index) { return index < packets ? index : Slot{-1}; };
  const Pipe down = pipe(spec, machine);
  return path_schedule(spec, {route_path(spec)}, deal, pipe_cost(down, packets).startups,
                       packet_cut(spec.bytes, packets), down.interval);
}

}  // namespace

Algorithm sendrecv_pipelined() {
  return {.name = "sendrecv_pipelined",
          .collective = Collective::sendrecv,
          .summary =
              "packets that follow each other along the topology's route or through the memory; packets=1 is the plain "
              "relay",
          .source = "Saad & Schultz 1986, eq. (3.2), (3.3), (3.4), (3.7), (3.14)",
          .parameters = {packets_parameter()},
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best_packets(pipe(s, m), s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return pipe_cost(pipe(s, m), packets_of(p)); },
          .build = build_pipelined};
}

}  // namespace quadrille
