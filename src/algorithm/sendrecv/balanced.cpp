// One message over all paths that share no wire, in packets of one size: each goes where it arrives first, so shorter
// paths carry more and a path too long to help carries none. The sum of the path lengths counts, not the longest.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/sendrecv/shared/path_crowds.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv_balanced {

namespace {

Bytes packet_bytes(const Spec& spec, const Params& params) {
  return params.get("packet_bytes", std::max<Bytes>(1, spec.bytes));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = sendrecv::needs_paths(spec, machine, params); !reason.empty()) return reason;
  const Bytes size = packet_bytes(spec, params), most = std::max<Bytes>(1, spec.bytes);
  if (size >= 1 && size <= most) return {};
  return fmt::format("packet_bytes={} is not in 1 .. {}, the size of the message; try packet_bytes={}", size, most,
                     size < 1 ? 1 : most);
}

std::int64_t further(const sendrecv::PathCrowds& crowds, const kit::Lengths& lengths, std::int64_t packets) {
  return packets == 0 ? 0 : crowds.further(kit::balanced_packets(lengths, packets));
}

std::int64_t best(const Spec& spec, const Machine& machine, const sendrecv::PathSet& paths) {
  const sendrecv::PathCrowds crowds(paths);
  const kit::Lengths lengths = sendrecv::lengths_of(paths);
  const pattern::Further search{[&](std::int64_t packets) { return further(crowds, lengths, packets); },
                                kit::further_time(machine)};
  return kit::best_packet_bytes(lengths, spec.bytes, kit::neighbour_startup(spec, machine), machine.beta, search);
}

Cost cost(const Spec& spec, const Machine&, const Params& params) {
  const sendrecv::PathSet paths = sendrecv::chosen_paths(spec, params, sendrecv::Least::total);
  const kit::Lengths lengths = sendrecv::lengths_of(paths);
  const Bytes size = packet_bytes(spec, params);
  return kit::with_further(kit::balanced_cost(lengths, spec.bytes, size),
                           further(sendrecv::PathCrowds(paths), lengths, base::ceil_div(spec.bytes, size)));
}

SchedulePtr build_balanced(const Spec& spec, const Machine&, const Params& params) {
  const Cut cut{.bytes = spec.bytes, .packet_bytes = packet_bytes(spec, params)};
  sendrecv::PathSet paths = sendrecv::chosen_paths(spec, params, sendrecv::Least::total);
  const kit::Lengths lengths = sendrecv::lengths_of(paths);
  const auto deal = [lengths, pieces = cut.pieces()](std::size_t path, std::int64_t index) {
    const Slot piece = kit::balanced_piece(lengths, path, index);
    return piece < pieces ? piece : Slot{-1};
  };
  return sendrecv::path_schedule(spec, std::move(paths), deal, kit::balanced_rounds(lengths, cut.pieces()), cut);
}

}  // namespace

Algorithm describe() {
  return {.name = "sendrecv_balanced",
          .collective = Collective::sendrecv,
          .summary = "packets of one size over all paths that share no wire, shorter paths carry more",
          .source = "extra: the best uneven split that Saad & Schultz 1986, sec. 3.1 leaves out",
          .closed_form = {.startups = "ceil((m/w + S)/p)",
                          .bytes = "w ceil((m/w + S)/p)",
                          .further = ClosedForm::counted,
                          .where = "ring, packets of w bytes, w divides m"},
          .parameters = {{.name = "packet_bytes", .meaning = "size of a packet; the last one may be shorter"},
                         sendrecv::lengths_parameter()},
          .claims = sendrecv::path_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return sendrecv::path_variants(s, m, "packet_bytes",
                                               [&](const sendrecv::PathSet& paths) { return best(s, m, paths); });
              },
          .cost = cost,
          .build = build_balanced};
}

}  // namespace quadrille::algorithm::sendrecv_balanced
