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
  if (std::string reason = needs_paths(spec, machine); !reason.empty()) return reason;
  const Bytes size = packet_bytes(spec, params), most = std::max<Bytes>(1, spec.bytes);
  if (size >= 1 && size <= most) return {};
  return fmt::format("packet_bytes={} is not in 1 .. {}, the size of the message; try packet_bytes={}", size, most,
                     size < 1 ? 1 : most);
}

SchedulePtr build_balanced(const Spec& spec, const Machine&, const Params& params) {
  const Cut cut{.bytes = spec.bytes, .packet_bytes = packet_bytes(spec, params)};
  const auto deal = [lengths = disjoint_lengths(spec), pieces = cut.pieces()](std::size_t path, std::int64_t index) {
    const Slot piece = balanced_piece(lengths, path, index);
    return piece < pieces ? piece : Slot{-1};
  };
  return path_schedule(spec, disjoint_paths(spec), deal, balanced_rounds(disjoint_lengths(spec), cut.pieces()), cut);
}

}  // namespace

Algorithm sendrecv_balanced() {
  return {
      .name = "sendrecv_balanced",
      .collective = Collective::sendrecv,
      .summary = "packets of one size over all paths that share no wire, shorter paths carry more",
      .source = "extra: the best uneven split that Saad & Schultz 1986, sec. 3.1 leaves out",
      .parameters = {{"packet_bytes", "size of a packet; the last one may be shorter"}},
      .claims = all_claims,
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return std::vector{Params{
                {"packet_bytes", {best_packet_bytes(disjoint_lengths(s), s.bytes, neighbour_startup(s, m), m.beta)}}}};
          },
      .cost = [](const Spec& s, const Machine&,
                 const Params& p) { return balanced_cost(disjoint_lengths(s), s.bytes, packet_bytes(s, p)); },
      .build = build_balanced};
}

}  // namespace quadrille
