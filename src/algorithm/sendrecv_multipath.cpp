// One message over all paths that share no wire: a part of nearly equal size on each, all cut in as many packets.
#include "algorithm/paths.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

constexpr Least shortest = Least::longest;

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = needs_paths(spec, machine, params); !reason.empty()) return reason;
  return packets_illegal(params, spec.bytes / std::ssize(chosen_lengths(spec, params, shortest)));
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
      .claims = all_claims,
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return path_variants(s, "packets", [&](const Lengths& lengths) {
              return best_equal_packets(lengths, s.bytes, neighbour_startup(s, m), m.beta);
            });
          },
      .cost = [](const Spec& s, const Machine&,
                 const Params& p) { return equal_cost(chosen_lengths(s, p, shortest), s.bytes, packets_of(p)); },
      .build = build_multipath};
}

}  // namespace quadrille
