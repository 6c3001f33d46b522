// What a collective says of itself: one file each in src/collective/kinds/. Whoever must know asks here.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/collective.hpp"

namespace quadrille::collective {

/// Who gives to whom: what bounds on rounds and sentences need to know.
enum class Flow { pairs, one_to_all, some_to_all, all_to_one, all_to_all };

struct Facts {
  std::string_view name;                       ///< MPI's name where it has one
  std::string_view papers;                     ///< the papers' name
  std::string_view line;                       ///< one line for people
  Flow flow;                                   ///< who gives to whom
  bool root = false;                           ///< one rank is named that gives or collects
  bool target = false;                         ///< a second rank is named
  bool sources = false;                        ///< the ranks that give are listed
  bool demands = false;                        ///< who has how much for whom is listed
  bool whole = false;                          ///< its bytes are one message, not a block of each rank
  bool same_result = false;                    ///< an operator makes one result for all ranks
  bool combines = false;                       ///< an operator makes results of what ranks contribute
  bool from_all = false;                       ///< every result is made of what all ranks contribute
  bool token = false;                          ///< its messages say that they have come, and no more: a byte each
  std::vector<std::string_view> calls = {};    ///< the MPI operations that its algorithms can answer
  std::vector<std::string_view> aliases = {};  ///< other names that papers use
};

/// What the numbers of blocks stand for, and how many numbers there are.
enum class BlockKind { pair, owner, plain };
struct BlockNames {
  BlockKind kind;
  Slot count;
};

/// What must pass the ports of one rank, and whose ports those are.
struct PortNeed {
  enum class Whose {
    any,   ///< every rank's, so the rank with the fewest links decides
    best,  ///< some rank's, perhaps the one with the most
    root,
    ends  ///< the root's and the target's
  };
  Bytes in = 0, out = 0;
  Whose whose = Whose::any;
  Bytes together = 0;  ///< in and out of one rank, where that is more than the sum of the least of each
  Bytes both() const { return std::max(together, in + out); }
};

/// What must cross a cut, from the first side and back.
struct CutNeed {
  Bytes there = 0, back = 0;
};

__extension__ using Wide = __int128;  // link crossings of the largest complete exchanges pass 63 bits

/// How often units of `bytes` must cross a link, all together. The unit is a block, or a byte where blocks differ.
struct Crossings {
  Wide count = 0;
  Bytes bytes = 0;
};

/// What ranks must put on a shared medium and, from a memory, take off it again.
struct Accesses {
  Rank writers = 1, readers = 1;
  Bytes written = 0, read = 0;
  Bytes out = 0, in = 0;  ///< of the busiest rank
};

class Traits {
 public:
  explicit Traits(Facts facts) : facts_(std::move(facts)) {}
  Traits(const Traits&) = delete;
  Traits& operator=(const Traits&) = delete;
  virtual ~Traits() = default;
  const Facts& facts() const { return facts_; }
  /// Whether a root and a number of bytes say all there is to ask.
  bool takes_root_and_bytes() const { return !facts_.target && !facts_.sources && !facts_.demands; }

  /// Fills in what has a default; throws Error(argument) for what is missing or makes no sense.
  virtual void check(Spec&) const {}
  /// Fills in what a person would have to name, so that there is an example to show.
  virtual void complete(Spec&) const {}
  /// Blocks at all ranks at the end; throws Error(budget) beyond 63 bits.
  virtual std::int64_t copies(const Spec& spec) const { return spec.ranks(); }
  /// Bytes at all ranks at the end; throws Error(budget) beyond 63 bits.
  virtual Bytes volume(const Spec& spec) const;
  /// The same question where ranks sit on the nodes that `node` says; throws Error(illegal) where it is another one.
  virtual Spec placed(const Spec& spec, const std::function<Rank(Rank)>& node) const;

  // Blocks, as include/quadrille/collective.hpp defines them.
  virtual BlockNames names(const Spec& spec) const = 0;
  virtual Slot blocks(const Spec& spec, Buffer buffer, Rank r) const = 0;
  virtual Slot before(const Spec& spec, Buffer buffer, Rank r, Slot index) const = 0;
  virtual Slot after(const Spec& spec, Rank r, Slot index) const = 0;
  virtual Bytes offset(const Spec& spec, Slot index) const { return index * spec.bytes; }
  /// Bytes of the whole before what the rank has of it in the buffer, and bytes of that.
  virtual Bytes start(const Spec&, Buffer, Rank) const { return 0; }
  virtual Bytes size(const Spec& spec, Buffer buffer, Rank r) const { return offset(spec, blocks(spec, buffer, r)); }
  /// Of a reduction: what rank r must hold at a label of out.
  virtual Contributions wanted(const Spec&, Rank, Slot) const { return {}; }
  /// Of Flow::pairs: what each rank has for another.
  virtual std::vector<Demand> pairs(const Spec&) const { return {}; }
  virtual std::string block_text(const Spec& spec, Slot block) const;

  // What every schedule must move: docs/how-it-works/prices-and-bounds.md.
  virtual int farthest(const Spec& spec) const { return spec.topology->diameter(); }
  virtual PortNeed port(const Spec& spec) const = 0;
  /// Between `first` ranks and the `second` others; nothing where both ends of all may be on one side.
  virtual CutNeed cut(const Spec&, std::int64_t, std::int64_t) const { return {}; }
  virtual Crossings crossings(const Spec& spec) const = 0;
  virtual Accesses accesses(const Spec& spec) const = 0;

  // Sentences for people.
  /// "rank 3 to send the same 4 KiB to all 64 ranks", given the sizes and the number of ranks as text.
  virtual std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const = 0;
  /// " from 3", which follows the name in headings.
  virtual std::string who(const Spec&) const { return ""; }

 private:
  Facts facts_;
};

const Traits& traits(Collective collective);
/// The refusal of a name that is no collective's, with those that are.
std::string unknown(std::string_view name);
inline const Traits& traits(const Spec& spec) { return traits(spec.collective); }
inline const Facts& facts(const Spec& spec) { return traits(spec).facts(); }

/// The shortest and the longest of its blocks, where they differ in length; else both are Spec::bytes.
std::pair<Bytes, Bytes> lengths(const Spec& spec);
/// Bytes of what schedules name as one block, where all are alike: of an alltoallv a word.
inline Bytes block_bytes(const Spec& spec) { return spec.demands ? spec.demands->word : spec.bytes; }

/// (ranks - 1) blocks; throws Error(budget) beyond 63 bits.
Bytes all_others(const Spec& spec);
/// Ranks at which bounds look one by one, at most; leaving out the others keeps a bound a bound.
constexpr Rank many = 1 << 20;
/// The farthest that a rank's data must go.
int reach(const Topology& topology, Rank r);

}  // namespace quadrille::collective
