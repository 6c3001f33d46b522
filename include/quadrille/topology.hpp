// Who is wired to whom, and the way a message takes. One file per family in src/topology/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

namespace topology {
class Grid;
struct Drawing;
}  // namespace topology

/// How a schedule looks alike from every rank; also what a topology can be turned by without changing.
enum class Group {
  none,      ///< no claim
  rotate,    ///< r -> r + by modulo ranks
  xor_all,   ///< r -> r xor by, any by (ranks a power of two)
  xor_even,  ///< r -> r xor by, only for by with an even number of ones: ranks 0 and 1 stand for all
};

/// A network of ranks 0 .. ranks()-1 joined by directed links 0 .. links()-1, with one deterministic route per pair.
class Topology {
 public:
  virtual ~Topology() = default;

  virtual std::string_view family() const = 0;  ///< "hypercube": for people, and for files; programs ask structure()
  virtual std::string text() const = 0;         ///< "hypercube:6"; parse_topology(text()) gives the same network
  virtual std::string describe() const;         ///< "a 6-dimensional hypercube": the object of a sentence
  virtual Rank ranks() const = 0;
  virtual Link links() const = 0;                      ///< directed links
  virtual int diameter() const = 0;                    ///< links on the longest route
  virtual int distance(Rank from, Rank to) const = 0;  ///< links on the route
  /// Some rank that no rank is farther from `from` than; of several the lowest.
  virtual Rank farthest(Rank from) const;
  /// Ranks, and after them the nodes that only relay: a shared memory. Schedules are for nodes.
  virtual Rank nodes() const { return ranks(); }
  /// Directed wires that exist; links() may number some that do not.
  virtual std::int64_t wires() const { return links(); }
  /// Links that leave a rank, or those that enter it where they are more: of the rank with most, and with fewest.
  virtual int degree() const = 0;
  virtual int least_degree() const { return degree(); }
  virtual int degree_at(Rank) const { return degree(); }  ///< of this rank, or more where that is not known
  /// All messages go through one medium, which serves Machine::shared of them at once: a bus, or a shared memory. What
  /// a rank sends in a round is then one transaction, heard by whoever it is for; a relay's messages are one each.
  virtual bool shared_medium() const { return false; }
  /// Every link joins two nodes. False where routes lead through switches or a bus: a message then meets no node on its
  /// way, and tail() and head() say no more than which end of the network a link is at.
  virtual bool direct() const { return true; }
  /// Whether messages of different pairs can meet on a link. Where they cannot, every ordered pair has a link of its
  /// own, which is number from * ranks() + to.
  virtual bool contended() const { return true; }

  /// What sets a link apart. Machines say what a kind costs [cost::LinkCosts]; a link of width w carries w messages in
  /// the time that one of width 1 takes for one of them, or one message w times as fast.
  struct LinkFacts {
    int kind = 0;  ///< place in kinds()
    std::int64_t width = 1;
    Seconds latency = 0;  ///< of the wire itself, where the network says so
    bool operator==(const LinkFacts&) const = default;
  };
  /// Names of the kinds of links, such as "memory" and "network"; of most networks there is one.
  virtual std::vector<std::string> kinds() const { return {"link"}; }
  virtual LinkFacts facts(Link) const { return {}; }
  /// All links have the facts of a default one.
  virtual bool links_alike() const { return true; }
  virtual std::int64_t widest() const { return 1; }  ///< no link is wider
  /// Bytes a second of a link of width 1, where the network itself says so; 0: the machine does.
  virtual double rate() const { return 0; }
  /// What tail() and head() of links can be: nodes, and after them the switches that only relay. More than nodes() only
  /// where Structure::routed.
  virtual std::int64_t vertices() const { return nodes(); }

  /// Stages of switches between levels 0 .. stages of wires. Without a shuffle stage j sets digit stages - 1 - j of a
  /// place, in base `arity`; with one before each stage, wires move to the left by a digit first.
  struct Stages {
    Rank arity = 2;  ///< ports of a switch on either side
    int stages = 1;
    bool shuffled = false;
    bool two_sided = false;  ///< ranks on either side, and wires both ways
    Rank places() const;     ///< wires of a level, or of each direction of it
    std::int64_t switches() const { return stages * (places() / arity); }
  };
  /// What is regular about a network. A topology that sets a member promises what the member says, whatever else it is:
  /// algorithms, simulators, reports and pictures that can use a structure ask for it, and know no families.
  struct Structure {
    const topology::Grid* grid = nullptr;  ///< ranks, numbers of links and routes are those of this mesh or torus
    int cube = 0;                          ///< ... of the hypercube of this dimension
    bool ring = false;                     ///< ... of the ring
    std::optional<Stages> stages = {};     ///< links between switches, from level to level
    /// Any rank is one message away; in a round all ranks can send to r + k, or to r xor k, and none meets another.
    bool switches_shifts = false;
    /// Any rank is one message away, by routes that meet on links as they do: whatever is legal on a crossbar is legal
    /// here, and its messages are counted on their routes. tail() and head() of links are vertices.
    bool routed = false;
    Rank per_node = 0;  ///< ranks r with equal r / per_node share a node; 0: every rank has its own
    /// Sizes of groups of ranks that are nearer to each other than to others, the smallest first: those of a node, at a
    /// switch, in a pod or a box. Ranks r with equal r / size are a group. Each divides the next one, and the ranks.
    std::span<const Rank> groups = {};
  };
  virtual Structure structure() const { return {}; }
  /// How people draw it, where structure() does not say. [topology/graph/drawing.hpp]
  virtual topology::Drawing drawing() const;

  /// Whether a message from one to the other meets no node in between.
  bool adjacent(Rank from, Rank to) const { return !direct() || distance(from, to) == 1; }
  /// Appends the links from `from` to `to` in the order they are crossed; nothing when from == to.
  virtual void route(Rank from, Rank to, std::vector<Link>& path) const = 0;
  /// The link of that route behind `last`, the first one where `last` is -1; -1 behind its end.
  virtual Link next(Link last, Rank from, Rank to) const;
  /// The links that messages between two ranks cross, in order. Where a pair has several ways, each takes so many parts
  /// of every message, of all their parts.
  struct Way {
    Rank from = 0, to = 0;
    std::vector<Link> links;
    std::int32_t parts = 1;  ///< at most most_parts
  };
  static constexpr std::int32_t most_parts = 1 << 20;
  /// Whether a schedule may say such ways. [Schedule::network()] False where they are said already.
  virtual bool chooses_ways() const { return false; }
  /// The same network, on which messages between these pairs take these ways, and others its routes. Throws
  /// Error(argument) where no way can be chosen, for a way without parts, and for one that does not lead through
  /// switches from the one to the other, or that its pair has twice.
  virtual std::shared_ptr<const Topology> with_ways(std::vector<Way> ways) const;
  /// Among which messages of a pair are divided, the way with most parts first: route() is that one. Empty where they
  /// take one way.
  virtual std::span<const Way> divided(Rank /*from*/, Rank /*to*/) const { return {}; }
  /// Whether those of some pair are.
  virtual bool divides() const { return false; }
  /// The network as if no link had failed, where its file says that some have; else nothing.
  virtual std::shared_ptr<const Topology> before_failures() const { return nullptr; }
  virtual Rank tail(Link link) const = 0;     ///< where the link starts
  virtual Rank head(Link link) const = 0;     ///< where it ends
  virtual Link reverse(Link link) const = 0;  ///< the opposite direction of the same wire; itself where there is none
  virtual std::string name(Link link) const;  ///< "3->7"
  /// Directed links from one side to the other in the narrowest nearly even cut the family is known to have, and the
  /// ranks on its smaller side.
  virtual std::int64_t bisection() const = 0;
  virtual Rank bisection_ranks() const { return ranks() / 2; }
  /// Sum of distances from one rank to all others, and that summed over all ranks. Unless given, that sum and the mean
  /// take all ranks for alike: they come from rank 0.
  virtual std::int64_t total_distance(Rank from) const = 0;
  virtual std::int64_t sum_of_distances() const { return ranks() * total_distance(0); }
  /// Links on the mean route between two ranks; 0 where there is one.
  virtual double mean_distance() const {
    return ranks() == 1 ? 0 : static_cast<double>(total_distance(0)) / static_cast<double>(ranks() - 1);
  }
  /// 0 or 1 such that every link joins different colours; empty when the network has an odd cycle.
  virtual std::optional<int> colour(Rank rank) const = 0;
  /// Whether renaming ranks by every element of `group` maps routes to routes.
  virtual bool invariant(Group group) const = 0;
  /// The link that `link` becomes when its tail is renamed to the representative of `group`: equal for links that
  /// the group maps to each other. Only when invariant(group).
  virtual Link representative(Link link, Group group) const = 0;
  /// Of which elements of the group it is enough to count the loads: renaming ranks by multiples of this number maps
  /// routes to routes, so that ranks below it stand for all; 0: it does not for any number. Where invariant(), it is 1.
  virtual Rank alike_by(Group group) const { return invariant(group) ? 1 : 0; }
  /// Renamings by links that they map `link` to: each of these carries so many times what representatives put on its
  /// representative(). Switches' links are fewer than renamings.
  virtual std::int64_t sharing(Link, Group) const { return 1; }
};

using TopologyPtr = std::shared_ptr<const Topology>;

/// "hypercube:6", "ring:12", "crossbar:16". Throws Error(argument) naming the known families or the accepted sizes.
TopologyPtr parse_topology(std::string_view text);

/// What a file of src/topology/ says of a family.
struct TopologyFamily {
  std::string_view name;
  std::string_view form;     ///< "hypercube:D"
  std::string_view summary;  ///< "2^D ranks, D = 1..30; ..."
  TopologyPtr (*make)(std::string_view arguments);
  /// The arguments of a network of so many ranks, with sides as equal as they can be; empty where there is none. Null:
  /// the family has networks by other things than sizes.
  std::string (*shape)(Rank ranks) = nullptr;
  /// Arguments of small networks, the first of eight to sixteen ranks for overviews, the others with what is odd about
  /// the family: tests try everything on these.
  std::vector<std::string_view> examples = {};
  std::vector<std::string_view> also = {};  ///< other names, such as the papers'
  std::string_view like = {};               ///< the family that it is under another name: overviews show one of them
  int place = 1000;                         ///< in lists; of equal ones by name
};
const std::vector<TopologyFamily>& topology_families();
/// By its name or another one, or null.
const TopologyFamily* find_topology_family(std::string_view name);
/// The network of a family with so many ranks, or null.
TopologyPtr topology_of(const TopologyFamily& family, Rank ranks);

inline Rank representative_rank(Rank r, Group group) {
  return group == Group::none       ? r
         : group == Group::xor_even ? __builtin_popcountll(static_cast<unsigned long long>(r)) & 1
                                    : 0;
}

}  // namespace quadrille
