// One message over all paths that share no wire: a part of nearly equal size on each, all cut in as many packets.
#include "algorithm/sendrecv/shared/paths.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

constexpr Least shortest = Least::longest;

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = needs_paths(spec, machine, params); !reason.empty()) return reason;
  return packets_illegal(params, spec.bytes / std::ssize(chosen_lengths(spec, params, shortest)));
}

std::int64_t best(const Spec& spec, const Machine& machine, const PathSet& paths) {
  const PathCrowds crowds(paths);
  const Further further{[&](std::int64_t packets) { return crowds.further(packets); }, further_time(machine),
                        std::ssize(paths) - 1};
  return best_equal_packets(lengths_of(paths), spec.bytes, neighbour_startup(spec, machine), machine.beta, further);
}

Cost cost(const Spec& spec, const Machine&, const Params& params) {
  const PathSet paths = chosen_paths(spec, params, shortest);
  const std::int64_t packets = packets_of(params);
  return with_further(equal_cost(lengths_of(paths), spec.bytes, packets), PathCrowds(paths).further(packets));
}

SchedulePtr build_multipath(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = packets_of(params);
  const auto deal = [=](std::size_t path, std::int64_t index) {
    return index < packets ? static_cast<Slot>(path) * packets + index : Slot{-1};
  };
  PathSet paths = chosen_paths(spec, params, shortest);
  const Round rounds = equal_cost(lengths_of(paths), spec.bytes, packets).startups;
  const Cut cut = packet_cut(spec.bytes, packets, std::ssize(paths));
  return path_schedule(spec, std::move(paths), deal, rounds, cut);
}

}  // namespace

Algorithm sendrecv_multipath() {
  return {
      .name = "sendrecv_multipath",
      .collective = Collective::sendrecv,
      .summary = "equal parts over all paths that share no wire, pipelined side by side",
      .source = "Saad & Schultz 1986, eq. (3.6), (3.11), t_1H; 1985, Prop. 3.2",
      .parameters = {{"packets", "packets of nearly equal size that each path's part is cut in"}, lengths_parameter()},
      .claims = path_claims,
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return path_variants(s, m, "packets", [&](const PathSet& paths) { return best(s, m, paths); });
          },
      .cost = cost,
      .build = build_multipath};
}

}  // namespace quadrille
