// One message over all paths that share no wire: a part of nearly equal size on each, all cut in as many packets.
#include "algorithm/paths.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = needs_paths(spec, machine); !reason.empty()) return reason;
  return packets_illegal(params, spec.bytes / static_cast<Bytes>(disjoint_lengths(spec).size()));
}

SchedulePtr build_multipath(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = packets_of(params);
  const auto deal = [=](std::size_t path, std::int64_t index) {
    return index < packets ? static_cast<Slot>(path) * packets + index : Slot{-1};
  };
  std::vector<Path> paths = disjoint_paths(spec);
  const auto count = static_cast<std::int64_t>(paths.size());
  const Round rounds = equal_cost(disjoint_lengths(spec), spec.bytes, packets).startups;
  return path_schedule(spec, std::move(paths), deal, rounds, packet_cut(spec.bytes, packets, count));
}

}  // namespace

Algorithm sendrecv_multipath() {
  return {.name = "sendrecv_multipath",
          .collective = Collective::sendrecv,
          .summary = "equal parts over all paths that share no wire, pipelined side by side",
          .source = "Saad & Schultz 1986, eq. (3.6), (3.11), t_1H; 1985, Prop. 3.2",
          .parameters = {{"packets", "packets of nearly equal size that each path's part is cut in"}},
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{
                    {"packets", {best_equal_packets(disjoint_lengths(s), s.bytes, neighbour_startup(s, m), m.beta)}}}};
              },
          .cost = [](const Spec& s, const Machine&,
                     const Params& p) { return equal_cost(disjoint_lengths(s), s.bytes, packets_of(p)); },
          .build = build_multipath};
}

}  // namespace quadrille
