// One message over all paths that share no wire, in packets of one size: each goes where it arrives first, so shorter
// paths carry more and a path too long to help carries none. The sum of the path lengths counts, not the longest.
#include "algorithm/sendrecv/shared/paths.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

Bytes packet_bytes(const Spec& spec, const Params& params) {
  return params.get("packet_bytes", std::max<Bytes>(1, spec.bytes));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = needs_paths(spec, machine, params); !reason.empty()) return reason;
  const Bytes size = packet_bytes(spec, params), most = std::max<Bytes>(1, spec.bytes);
  if (size >= 1 && size <= most) return {};
  return fmt::format("packet_bytes={} is not in 1 .. {}, the size of the message; try packet_bytes={}", size, most,
                     size < 1 ? 1 : most);
}

std::int64_t further(const PathCrowds& crowds, const Lengths& lengths, std::int64_t packets) {
  return packets == 0 ? 0 : crowds.further(balanced_packets(lengths, packets));
}

std::int64_t best(const Spec& spec, const Machine& machine, const PathSet& paths) {
  const PathCrowds crowds(paths);
  const Lengths lengths = lengths_of(paths);
  const Further search{[&](std::int64_t packets) { return further(crowds, lengths, packets); }, further_time(machine)};
  return best_packet_bytes(lengths, spec.bytes, neighbour_startup(spec, machine), machine.beta, search);
}

Cost cost(const Spec& spec, const Machine&, const Params& params) {
  const PathSet paths = chosen_paths(spec, params, Least::total);
  const Lengths lengths = lengths_of(paths);
  const Bytes size = packet_bytes(spec, params);
  return with_further(balanced_cost(lengths, spec.bytes, size),
                      further(PathCrowds(paths), lengths, ceil_div(spec.bytes, size)));
}

SchedulePtr build_balanced(const Spec& spec, const Machine&, const Params& params) {
  const Cut cut{.bytes = spec.bytes, .packet_bytes = packet_bytes(spec, params)};
  PathSet paths = chosen_paths(spec, params, Least::total);
  const Lengths lengths = lengths_of(paths);
  const auto deal = [lengths, pieces = cut.pieces()](std::size_t path, std::int64_t index) {
    const Slot piece = balanced_piece(lengths, path, index);
    return piece < pieces ? piece : Slot{-1};
  };
  return path_schedule(spec, std::move(paths), deal, balanced_rounds(lengths, cut.pieces()), cut);
}

}  // namespace

Algorithm sendrecv_balanced() {
  return {.name = "sendrecv_balanced",
          .collective = Collective::sendrecv,
          .summary = "packets of one size over all paths that share no wire, shorter paths carry more",
          .source = "extra: the best uneven split that Saad & Schultz 1986, sec. 3.1 leaves out",
          .parameters = {{"packet_bytes", "size of a packet; the last one may be shorter"}, lengths_parameter()},
          .claims = path_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return path_variants(s, m, "packet_bytes", [&](const PathSet& paths) { return best(s, m, paths); });
              },
          .cost = cost,
          .build = build_balanced};
}

}  // namespace quadrille
