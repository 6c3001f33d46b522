#include "simulator/fault_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "topology/division.hpp"

namespace quadrille::simulator {

FaultModel::FaultModel(const Topology& topology, const Machine& machine, const Faults& faults)
    : topology_(topology), costs_(machine, topology), jitter_(faults.jitter), skew_(faults.skew), seed_(faults.seed) {
  const auto check = [&](Link link) {
    if (link < 0 || link >= topology.links())
      throw Error(Error::Kind::argument,
                  fmt::format("link {} of {}: expected 0 .. {}", link, topology.text(), topology.links() - 1));
  };
  for (const auto& [link, factor] : faults.slow) {
    check(link);
    if (!(factor >= 1 && factor <= 1e6))
      throw Error(Error::Kind::argument,
                  fmt::format("link {} {} times as slow: expected 1 .. 1e6", topology.name(link), factor));
    links_[link] = factor;
  }
  for (const Link link : faults.failed) {
    check(link);
    links_[link] = failed;
  }
  if (!(jitter_ >= 0 && jitter_ <= 1000))
    throw Error(Error::Kind::argument, fmt::format("a jitter of {}: expected a share of 0 .. 1000", jitter_));
  if (!(skew_ >= 0 && skew_ <= 1e9))
    throw Error(Error::Kind::argument, fmt::format("a skew of {} s: expected 0 .. 1e9", skew_));
}

double FaultModel::slowest(const Flight& message) {
  if (!has_links()) return 1;
  path_.clear();
  topology::add_way(topology_, message.from, message.to, message.way, path_);
  double slowest = 1;
  for (const Link link : path_) slowest = std::max(slowest, factor(link, message.from, message.to, message.round));
  return slowest;
}

const std::vector<Link>& FaultModel::path(const Flight& message) {
  path_.clear();
  if (!costs_.alike()) topology::add_way(topology_, message.from, message.to, message.way, path_);
  return path_;
}

Seconds FaultModel::start_up(const Flight& message) { return costs_.start_up(path(message)); }

Seconds FaultModel::delay(const Flight& message) { return costs_.delay(path(message)); }

double FaultModel::chance(std::uint64_t what, std::uint64_t a, std::uint64_t b) const {
  using base::mixed;
  const std::uint64_t bits = mixed(mixed(mixed(mixed(seed_) ^ what) ^ a) ^ b);
  return std::ldexp(static_cast<double>(bits >> 11), -53);
}

void FaultModel::refuse(Link link, std::uint32_t from, std::uint32_t to, std::uint32_t round) const {
  throw Error(Error::Kind::illegal,
              fmt::format("the message {}->{} of round {} needs link {}, which has failed; try another algorithm, or "
                          "ranks in another order",
                          from, to, round, topology_.name(link)));
}

}  // namespace quadrille::simulator
