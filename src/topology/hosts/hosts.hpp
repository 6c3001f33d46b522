// The hosts that ranks run on, and the network that they make.
#pragma once

#include <string>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::topology {

/// Which ranks share a host. Hosts are numbered in the order of their lowest ranks.
class Hosts {
 public:
  Hosts() = default;
  /// Of ranks 0, 1, ...: any numbers, equal where they share a host.
  explicit Hosts(const std::vector<std::int64_t>& host_of_rank);

  Rank ranks() const { return static_cast<Rank>(host_of_rank_.size()); }
  Rank count() const { return static_cast<Rank>(ranks_of_host_.size()); }
  Rank host(Rank rank) const { return host_of_rank_[static_cast<std::size_t>(rank)]; }
  /// The ranks of a host, the lowest first.
  const std::vector<Rank>& ranks_of(Rank host) const { return ranks_of_host_[static_cast<std::size_t>(host)]; }
  Rank fewest() const;  ///< ranks of a host; 0 where there is none
  Rank most() const;
  /// Whether there are several hosts, and several ranks on one of them.
  bool shared() const { return count() > 1 && most() > 1; }
  /// Of some of the ranks, which are ranks 0, 1, ... then.
  Hosts of(const std::vector<int>& ranks) const;

  std::string words() const;  ///< "4 hosts x 2 ranks", "3 hosts with 1 to 2 ranks"
  /// Of hosts around one switch, as nobody has said more: "star:4*2" where they are equal; of unequal ones
  /// "star:2*2@0-2", a network for as many ranks a host as the fullest has, and the places that are taken.
  std::string star() const;
  /// The node of each rank there, host by host, so that neighbours in rings and subtrees share a host; empty where
  /// ranks follow each other so.
  std::vector<Rank> nodes() const;
  /// What parse_placement takes: star(), and behind it nodes(), "star:2*2@0,2,1,3"; a crossbar where no two ranks of
  /// different hosts share one.
  std::string network() const;

 private:
  std::vector<Rank> host_of_rank_;
  std::vector<std::vector<Rank>> ranks_of_host_;
};

}  // namespace quadrille::topology
