// One message over all paths that share no wire, in packets of one size: each goes where it arrives first, so shorter
// paths carry more and a path too long to help carries none. The sum of the path lengths counts, not the longest.
#include "algorithm/paths.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"

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
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return path_variants(s, "packet_bytes", [&](const Lengths& lengths) {
                  return best_packet_bytes(lengths, s.bytes, neighbour_startup(s, m), m.beta);
                });
              },
          .cost =
              [](const Spec& s, const Machine&, const Params& p) {
                return balanced_cost(chosen_lengths(s, p, Least::total), s.bytes, packet_bytes(s, p));
              },
          .build = build_balanced};
}

}  // namespace quadrille
