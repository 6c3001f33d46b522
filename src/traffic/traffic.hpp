// What a schedule's rounds put on links and ports: counted once for all ranks, or for the ranks that stand for all.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "cost/link_costs.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"
#include "schedule/metered.hpp"
#include "traffic/bundles.hpp"

namespace quadrille::traffic {

struct LinkLoad {
  std::int64_t messages = 0;
  Bytes bytes = 0;
};

/// Loads by link: an array where link numbers are small, a map where they are not. Remembers what was touched.
class LinkTable {
 public:
  explicit LinkTable(Link links) : dense_(links <= dense_limit), table_(dense_ ? static_cast<std::size_t>(links) : 0) {}
  LinkLoad& at(Link link) {
    LinkLoad& load = dense_ ? table_[static_cast<std::size_t>(link)] : map_[link];
    if (load.messages == 0) touched_.push_back(link);
    return load;
  }
  LinkLoad get(Link link) const;
  const std::vector<Link>& touched() const { return touched_; }
  void clear();
  /// What a link costs to note, in visits: a map takes as long, and as much memory, as many of an array.
  std::int64_t visits() const { return dense_ ? 1 : 32; }

 private:
  static constexpr Link dense_limit = Link{1} << 22;
  bool dense_;
  std::vector<LinkLoad> table_;
  std::unordered_map<Link, LinkLoad> map_;
  std::vector<Link> touched_;
};

/// One round, everything a price or a proof asks of it. Largest values over links, wires and ports. What one rank sends
/// on a shared medium is one message, as long as all its different slots; so is, on a machine with multicast, the same
/// data sent to several ranks, as far as links and the sender's port go. Bytes on links and at ports are those that
/// take as long on a plain link, where links differ.
struct RoundLoads {
  std::int64_t messages = 0;       ///< over all ranks, local permutations not counted
  Bytes largest = 0;               ///< bytes of the largest message
  std::int64_t hops = 0;           ///< longest route
  std::int64_t link_messages = 0;  ///< S
  Link link = -1;                  ///< where S is reached
  Bytes link_bytes = 0;
  std::int64_t wire_messages = 0;  ///< both directions of one wire together
  Link wire = -1;
  Bytes wire_bytes = 0;
  Bytes port_out = 0, port_in = 0, port_both = 0;  ///< one rank
  std::int64_t sends = 0, receives = 0;            ///< messages of one rank
  std::int64_t transactions = 0;                   ///< on a shared medium
  bool heard_by_many = false;                      ///< one of them by several ranks: it then has the medium to itself
  Bytes medium_bytes = 0;
  Bytes permuted = 0, packed = 0;
  Bytes combined = 0, all_combined = 0;  ///< by one rank, by all
  std::int64_t message_hops = 0;
  Bytes byte_hops = 0;
  Seconds delay = 0;  ///< most that a message's links add to its start-up
};

/// Walks through the rounds of a schedule.
class TrafficCounter {
 public:
  /// `meter`, if any, pays for the links that messages cross. Without `totals` a rank may stand for others in one round
  /// [Schedule::stands_for]: the loads of rounds are right then, and sums over them are not kept.
  TrafficCounter(const Spec& spec, const Machine& machine, const Schedule& schedule, bool use_symmetry = true,
                 schedule::Meter* meter = nullptr, bool totals = true);

  /// Counts round t; rounds may be visited in any order, each once if the totals are wanted. `look`, if any, is shown
  /// the messages of each representative; after it returns false the others are left out.
  using Look = std::function<bool(Rank, const std::vector<Summary::Message>&)>;
  RoundLoads round(Round t, const Look& look = {});

  Group group() const { return group_; }
  /// What `meter` has paid for links.
  std::int64_t link_visits() const { return link_visits_; }
  /// Representatives stand for ranks / stride ranks each.
  Rank representatives() const { return representatives_; }
  /// Totals over the visited rounds.
  Bytes busiest_link() const;
  Bytes busiest_wire();
  Bytes busiest_out() const;
  Bytes busiest_in() const;

 private:
  struct Port {
    Bytes out = 0, in = 0;
  };
  /// Renaming turns a run of memory into two where it goes round the end of a buffer, or into many where it puts slots
  /// in falling order, so representatives do not stand for what others pack. Witnesses do: under rotation the ranks at
  /// which a message's last slot is the buffer's first, under xor the complements of the representatives.
  void add_witnesses(Rank r, const std::vector<Summary::Message>& messages);
  void add_packing(Round t, RoundLoads& loads);
  void add_rank(Round t, Rank r, const std::vector<Summary::Message>& messages, RoundLoads& loads);
  void add_bundle(Rank r, std::span<const Rank> peers, Bytes bytes, RoundLoads& loads);
  void add_divided(std::span<const Topology::Way> ways, Bytes bytes, RoundLoads& loads);
  void pay(std::size_t links);
  /// Bytes of a message at the port of its sender, or of its receiver: what they are on its first link, or its last.
  Bytes at_port(Rank from, Rank to, Bytes bytes, bool of_receiver);
  Link last_link(Rank from, Rank to);
  void take_maxima(RoundLoads& loads);
  LinkLoad opposite(const LinkTable& table, Link link);
  /// As which link a message's load is noted, and how many ranks' messages cross it together, of which one is counted.
  struct Role {
    Link link = -1;
    std::int64_t ranks = 1;
  };
  Role role(Link link);
  Link canonical(Link link) { return group_ == Group::none ? link : role(link).link; }

  const Spec& spec_;
  const Machine& machine_;
  const Schedule& schedule_;
  Bundler bundler_;
  const Topology& topology_;
  cost::LinkCosts costs_;
  schedule::Meter* meter_;
  bool totals_;
  Rank by_own_ = 1;  ///< ranks for which the one that is being counted stands
  Group group_;
  Rank stride_;  ///< representatives are renamed by its multiples
  Rank representatives_;
  std::vector<Role> roles_;  ///< of links that a group renames, as they are first crossed
  LinkTable now_, total_;
  std::vector<Port> ports_;
  Summary summary_;
  std::vector<Link> path_;
  std::vector<Bytes> shares_;                    ///< of the ways of a message
  std::vector<std::pair<Link, Bytes>> crossed_;  ///< by them
  std::vector<Rank> witnesses_;
  Bytes medium_bytes_ = 0;
  std::int64_t link_visits_ = 0;
};

/// How many ranks stand for all under `group`.
inline Rank representatives(Group group, Rank ranks) {
  return group == Group::none ? ranks : group == Group::xor_even ? std::min<Rank>(2, ranks) : 1;
}
/// The group under which the messages of a schedule, which claims this one, need to be counted once only.
inline Group counted_group(const Topology& topology, Group claimed) {
  return topology.alike_by(claimed) > 0 ? claimed : Group::none;
}
inline Rank counted_ranks(const Topology& topology, Group claimed) {
  const Group group = counted_group(topology, claimed);
  const Rank stride = topology.alike_by(group);
  return stride > 1 ? stride : representatives(group, topology.nodes());
}

/// Whether a price has one rank stand for others in single rounds, where those of a group do not.
inline bool some_stand_for_others(const Topology& topology, const Schedule& schedule) {
  return topology.structure().per_node > 0 && counted_group(topology, schedule.symmetry().group) == Group::none;
}

}  // namespace quadrille::traffic
