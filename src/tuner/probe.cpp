#include "tuner/probe.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::tuner {

Probe::Probe(Rank ranks, std::vector<Edge> edges, Way way, Round rounds, Bytes bytes)
    : edges_(std::move(edges)),
      way_(way),
      peers_(static_cast<std::size_t>(ranks)),
      shape_{.ranks = ranks, .rounds = rounds, .in = 1, .out = 1, .cut = {bytes}} {
  const auto meet = [&](Rank r, Rank peer) {
    std::vector<Rank>& known = peers_[static_cast<std::size_t>(r)];
    if (std::find(known.begin(), known.end(), peer) == known.end()) known.push_back(peer);
    most_ = std::max<Slot>(most_, std::ssize(known));
  };
  for (const auto& [from, to] : edges_) meet(from, to), meet(to, from);
  shape_.tmp = sets * most_;
}

Slot Probe::place(Rank r, Rank peer, Round t) const {
  const std::vector<Rank>& known = peers_[static_cast<std::size_t>(r)];
  return (t + sets) % sets * most_ + (std::find(known.begin(), known.end(), peer) - known.begin());
}

void Probe::step(Round t, Rank r, Steps& out) const {
  for (const auto& [a, b] : edges_) {
    const bool back = way_ == Way::to_and_fro && t % 2 == 1;
    const Rank from = back ? b : a, to = back ? a : b;
    if (from == r) out.send(to, Buffer::tmp, contiguous(place(r, to, t - 1), 1));
    if (to == r) out.recv(from, Buffer::tmp, contiguous(place(r, from, t), 1));
  }
}

Spec spec_of(const Schedule& probe) {
  const Shape& shape = probe.shape();
  return {.collective = Collective::bcast,
          .topology = parse_topology(fmt::format("crossbar:{}", shape.ranks)),
          .bytes = shape.cut.bytes};
}

}  // namespace quadrille::tuner
