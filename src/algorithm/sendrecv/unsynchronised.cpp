// One message over all paths that share no wire, where no path waits for another: each carries its own share in packets
// of its own, so that all end at the same time. In lockstep a round lasts as long as its largest packet, which this
// split does not spare: its counts are those of lockstep, and its parameters are best without it.
#include <algorithm>
#include <numeric>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/sendrecv/shared/path_crowds.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv_unsynchronised {

namespace {

constexpr sendrecv::Least least = sendrecv::Least::total;

/// As the parameters say; without them nearly equal shares in one packet each.
kit::Split split_of(const Spec& spec, const Params& params, std::size_t paths) {
  kit::Split split{params.list("bytes"), params.list("packets")};
  if (split.bytes.empty()) {
    const Cut equal{.bytes = spec.bytes, .parts = static_cast<Slot>(paths)};
    for (Slot j = 0; j < equal.parts; ++j) split.bytes.push_back(equal.size(j));
  }
  if (split.packets.empty()) split.packets.assign(paths, 1);
  return split;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = sendrecv::needs_paths(spec, machine, params); !reason.empty()) return reason;
  if (kit::has_own_wires(spec))
    return "all paths but the direct one are equally long on a crossbar, and shares of their own size gain nothing; "
           "try "
           "sendrecv_balanced";
  const std::size_t paths = sendrecv::chosen_lengths(spec, params, least).size();
  const kit::Split split = split_of(spec, params, paths);
  if (split.bytes.size() != paths || split.packets.size() != paths)
    return fmt::format("bytes and packets need a value for each of the {} paths; try without them", paths);
  const bool negative = *std::min_element(split.bytes.begin(), split.bytes.end()) < 0;
  if (const Bytes sum = std::accumulate(split.bytes.begin(), split.bytes.end(), Bytes{0});
      negative || sum != spec.bytes)
    return fmt::format("bytes={} add up to {}, and the message has {}; try without bytes", fmt::join(split.bytes, ","),
                       sum, spec.bytes);
  for (std::size_t j = 0; j < paths; ++j)
    if (std::string reason = kit::packets_illegal({{"packets", {split.packets[j]}}}, split.bytes[j]); !reason.empty())
      return reason;
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  return sendrecv::path_variants(spec, machine, [&](const sendrecv::PathSet& paths) {
    const kit::Split split =
        kit::best_split(sendrecv::lengths_of(paths), spec.bytes, kit::neighbour_startup(spec, machine), machine.beta);
    return Params{{"bytes", split.bytes}, {"packets", split.packets}};
  });
}

SchedulePtr build_unsynchronised(const Spec& spec, const Machine&, const Params& params) {
  sendrecv::PathSet paths = sendrecv::chosen_paths(spec, params, least);
  const kit::Split split = split_of(spec, params, paths.size());
  kit::check_listed(std::accumulate(split.packets.begin(), split.packets.end(), Slot{0}));
  auto edges = std::make_shared<std::vector<Bytes>>(1, 0);
  std::vector<Slot> first;  // piece of every path
  for (std::size_t j = 0; j < paths.size(); ++j) {
    first.push_back(std::ssize(*edges) - 1);
    const Bytes start = edges->back();
    const Cut share = kit::packet_cut(split.bytes[j], split.packets[j]);
    for (Slot p = 1; p <= share.pieces(); ++p) edges->push_back(start + share.offset(p));
  }
  first.push_back(std::ssize(*edges) - 1);
  const auto deal = [first](std::size_t path, std::int64_t index) {
    return index < first[path + 1] - first[path] ? first[path] + index : Slot{-1};
  };
  const Round rounds = kit::split_cost(sendrecv::lengths_of(paths), split).startups;
  return sendrecv::path_schedule(spec, std::move(paths), deal, rounds,
                                 {.bytes = spec.bytes, .edges = std::move(edges)});
}

}  // namespace

Algorithm describe() {
  return {
      .name = "sendrecv_unsynchronised",
      .collective = Collective::sendrecv,
      .summary = "shares of their own size and packets over all paths that share no wire, best without lockstep",
      .source = "extra: Saad & Schultz 1986, sec. 3.1, without rounds",
      .closed_form = {.where = "the longest of its paths, each as sendrecv_pipelined with its own share"},
      .parameters =
          {{.name = "bytes", .meaning = "what each path carries, the shortest path first", .is_list = true, .low = 0},
           {.name = "packets", .meaning = "packets of nearly equal size that each share is cut in", .is_list = true},
           sendrecv::lengths_parameter()},
      .claims = sendrecv::path_claims,
      .illegal = illegal,
      .variants = variants,
      .cost =
          [](const Spec& s, const Machine&, const Params& p) {
            const sendrecv::PathSet paths = sendrecv::chosen_paths(s, p, least);
            kit::Split split = split_of(s, p, paths.size());
            const Cost cost = kit::split_cost(sendrecv::lengths_of(paths), split);
            for (std::size_t j = 0; j < paths.size(); ++j)
              if (split.bytes[j] == 0) split.packets[j] = 0;
            return kit::with_further(cost, sendrecv::PathCrowds(paths).further(split.packets));
          },
      .build = build_unsynchronised};
}

}  // namespace quadrille::algorithm::sendrecv_unsynchronised
