// The hosts that ranks run on, and the network that they make.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::topology {

/// Which ranks share a host, and what is known of the network between hosts. Hosts are numbered in the order of their
/// lowest ranks.
class Hosts {
 public:
  Hosts() = default;
  /// Of ranks 0, 1, ...: any numbers, equal where they share a host.
  explicit Hosts(const std::vector<std::int64_t>& host_of_rank);

  /// A topology of count() ranks, rank i for host i: "ring:8". Without it, hosts are around one switch.
  void set_between(std::string topology) { between_ = std::move(topology); }
  const std::string& between() const { return between_; }

  Rank ranks() const { return static_cast<Rank>(host_of_rank_.size()); }
  Rank count() const { return static_cast<Rank>(ranks_of_host_.size()); }
  Rank host(Rank rank) const { return host_of_rank_[static_cast<std::size_t>(rank)]; }
  /// The ranks of a host, the lowest first.
  const std::vector<Rank>& ranks_of(Rank host) const { return ranks_of_host_[static_cast<std::size_t>(host)]; }
  Rank fewest() const;  ///< ranks of a host; 0 where there is none
  Rank most() const;
  /// Whether there are several hosts, and several ranks on one of them.
  bool shared() const { return count() > 1 && most() > 1; }
  /// Of some of the ranks, which are ranks 0, 1, ... then. Where it is known what is between hosts, theirs keep their
  /// order and have that between them, some of the hosts as a job: "ring:8@0-3".
  Hosts of(const std::vector<int>& ranks) const;

  std::string words() const;  ///< "4 hosts x 2 ranks", "8 hosts x 1 rank, between them ring:8"
  /// Of hosts around one switch, as nobody has said more: "star:4*2" where they are equal; of unequal ones
  /// "star:2*2@0-2", a network for as many ranks a host as the fullest has, and the places that are taken.
  std::string star() const { return around(fmt::format("star:{}", count())); }
  /// The node of each rank there, host by host, so that neighbours in rings and subtrees share a host; empty where
  /// ranks follow each other so.
  std::vector<Rank> nodes() const;
  /// What parse_placement takes: star(), or the same of what is between(), and behind it nodes(), "star:2*2@0,2,1,3".
  /// Where nothing is known between hosts, and no two of several share one: a crossbar.
  std::string network() const;

 private:
  /// The hosts in the places of a topology of count() ranks.
  std::string around(const std::string& topology) const;

  std::vector<Rank> host_of_rank_;
  std::vector<std::vector<Rank>> ranks_of_host_;
  std::string between_;
};

}  // namespace quadrille::topology
