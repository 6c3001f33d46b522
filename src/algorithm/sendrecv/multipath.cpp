// One message over all paths that share no wire: a part of nearly equal size on each, all cut in as many packets.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/sendrecv/shared/path_crowds.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv_multipath {

namespace {

constexpr sendrecv::Least shortest = sendrecv::Least::longest;

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = sendrecv::needs_paths(spec, machine, params); !reason.empty()) return reason;
  return kit::packets_illegal(params, spec.bytes, std::ssize(sendrecv::chosen_lengths(spec, params, shortest)));
}

std::int64_t best(const Spec& spec, const Machine& machine, const sendrecv::PathSet& paths) {
  const sendrecv::PathCrowds crowds(paths);
  const pattern::Further further{[&](std::int64_t packets) { return crowds.further(packets); },
                                 kit::further_time(machine), std::ssize(paths) - 1};
  return kit::best_equal_packets(sendrecv::lengths_of(paths), spec.bytes, kit::neighbour_startup(spec, machine),
                                 machine.beta, further);
}

Cost cost(const Spec& spec, const Machine&, const Params& params) {
  const sendrecv::PathSet paths = sendrecv::chosen_paths(spec, params, shortest);
  const std::int64_t packets = kit::packets_of(params);
  return kit::with_further(kit::equal_cost(sendrecv::lengths_of(paths), spec.bytes, packets),
                           sendrecv::PathCrowds(paths).further(packets));
}

SchedulePtr build_multipath(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  const auto deal = [=](std::size_t path, std::int64_t index) {
    return index < packets ? static_cast<Slot>(path) * packets + index : Slot{-1};
  };
  sendrecv::PathSet paths = sendrecv::chosen_paths(spec, params, shortest);
  const Round rounds = kit::equal_cost(sendrecv::lengths_of(paths), spec.bytes, packets).startups;
  const Cut cut = kit::packet_cut(spec.bytes, packets, std::ssize(paths));
  return sendrecv::path_schedule(spec, std::move(paths), deal, rounds, cut);
}

}  // namespace

Algorithm describe() {
  return {.name = "sendrecv_multipath",
          .collective = Collective::sendrecv,
          .summary = "equal parts over all paths that share no wire, pipelined side by side",
          .source = "Saad & Schultz 1986, eq. (3.6), (3.11), t_1H; 1985, Prop. 3.2",
          .closed_form = {.startups = "nu + L - 1",
                          .bytes = "(nu + L - 1) m/(p nu)",
                          .further = "nu + max(0, min(nu + D - L, D - 1))",
                          .where = "ring, p nu divides m"},
          .parameters = {{.name = "packets", .meaning = "packets of nearly equal size that each path's part is cut in"},
                         sendrecv::lengths_parameter()},
          .claims = sendrecv::path_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return sendrecv::path_variants(s, m, "packets",
                                               [&](const sendrecv::PathSet& paths) { return best(s, m, paths); });
              },
          .cost = cost,
          .build = build_multipath};
}

}  // namespace quadrille::algorithm::sendrecv_multipath
