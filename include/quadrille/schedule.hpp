// The one description of a collective that is verified, priced, run and drawn: who sends which slots to whom, when.
//
// A schedule is a function, not a table: step(t, r) lists what rank r sends and receives in round t. Nothing has
// size ranks x rounds. Within a round all reads precede all writes, and verify refuses a schedule in which a rank
// writes a slot that it (or a message of the round) also reads: so no executor ever needs a hidden copy.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "quadrille/base.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

enum class Buffer : std::uint8_t { in, out, tmp };
enum class Kind : std::uint8_t { send, recv };
std::string_view to_string(Buffer buffer);

/// Element i is slot first + (i / run) * stride + i % run, for 0 <= i < size.
struct Slots {
  Slot first = 0, run = 1, stride = 1, size = 1;
  Slot operator[](Slot i) const { return first + (i / run) * stride + i % run; }
  /// Also the largest, for stride >= run. Most are one run, or single slots: no division for them.
  Slot last() const {
    return size <= run ? first + size - 1 : run == 1 ? first + (size - 1) * stride : (*this)[size - 1];
  }
  bool operator==(const Slots&) const = default;
};
/// Calls visit(slot) for every slot in order, without a division each.
template <class Visit>
void for_each_slot(const Slots& s, Visit visit) {
  Slot base = s.first;
  for (Slot left = s.size; left > 0; base += s.stride)
    for (Slot i = 0; i < s.run && left > 0; ++i, --left) visit(base + i);
}
/// `size` consecutive slots from `first`.
constexpr Slots contiguous(Slot first, Slot size) { return {first, size > 0 ? size : 1, size > 0 ? size : 1, size}; }

/// What a receive does with a value that comes in: slots[k] = incoming, incoming (.) with[k] or with[k] (.) incoming.
/// The operand is read as the round begins; it may be the slot itself, or any slot that the round does not write. Where
/// several receives of a round combine into one slot, they do so in the order in which the rank lists their messages,
/// and all but the first take the slot itself as operand. [decision 26]
struct Combine {
  enum class Incoming : std::uint8_t { stored, left, right };
  Incoming incoming = Incoming::stored;  ///< left: it is the left operand
  bool again = false;                    ///< takes the same incoming slots as the segment listed before it
  Buffer buffer = Buffer::in;            ///< of the operand
  Slot with = 0;                         ///< first slot of the operand, which has the rhythm of the segment's slots
  bool combines() const { return incoming != Incoming::stored; }
  bool operator==(const Combine&) const = default;
};

/// One segment of a message. All segments of one kind between two ranks in one round are ONE message, in list order;
/// the k-th slot sent meets the k-th slot received. A message to oneself is a local permutation, or combines.
struct Transfer {
  Kind kind;
  Buffer buffer;
  Rank peer;
  Slots slots;
  Combine combine = {};  ///< of a receive
  Slots operand() const { return {combine.with, slots.run, slots.stride, slots.size}; }
  bool operator==(const Transfer&) const = default;
};

/// What a schedule's step() writes to. A consumer that wants only one message says so, and a generator with long
/// lists asks wants() first; others may ignore it.
class Steps {
 public:
  virtual ~Steps() = default;
  virtual bool wants(Kind kind, Rank peer) const = 0;
  /// The one peer that it wants messages of, if it knows: a generator that can tells of others nothing at all.
  virtual std::optional<Rank> only_peer() const { return std::nullopt; }
  virtual void add(const Transfer& transfer) = 0;  ///< ignores empty and unwanted segments
  /// Told by schedules whose work is not in proportion to what they list, before they do it. In visits of about ten
  /// nanoseconds.
  virtual void pay(std::int64_t /*visits*/) {}

  void send(Rank peer, Buffer buffer, const Slots& slots) { add({Kind::send, buffer, peer, slots, {}}); }
  void recv(Rank peer, Buffer buffer, const Slots& slots) { add({Kind::recv, buffer, peer, slots, {}}); }
  void combine(Rank peer, Buffer buffer, const Slots& slots, const Combine& how) {
    add({Kind::recv, buffer, peer, slots, how});
  }
  /// A local permutation: what `from` names goes to `to`, element by element.
  void move(Rank self, Buffer from_buffer, const Slots& from, Buffer to_buffer, const Slots& to) {
    send(self, from_buffer, from);
    recv(self, to_buffer, to);
  }
};

class Schedule;

/// The Steps that keeps what it is told, reused from call to call.
class Collected final : public Steps {
 public:
  /// Every segment of (t, r).
  const std::vector<Transfer>& all(const Schedule& schedule, Round t, Rank r);
  /// The segments of one message, in order.
  const std::vector<Transfer>& one(const Schedule& schedule, Round t, Rank r, Kind kind, Rank peer);

  bool wants(Kind kind, Rank peer) const override { return everything_ || (kind == kind_ && peer == peer_); }
  std::optional<Rank> only_peer() const override { return everything_ ? std::nullopt : std::optional(peer_); }
  void add(const Transfer& x) override {
    if (x.slots.size > 0 && wants(x.kind, x.peer)) transfers_.push_back(x);
  }

 private:
  bool everything_ = true;
  Kind kind_ = Kind::send;
  Rank peer_ = 0;
  std::vector<Transfer> transfers_;
};

/// The messages of (t, r) in short, without their segments.
class Summary final : public Steps {
 public:
  struct Message {
    Kind kind;
    Rank peer;
    Slot slots;
    Bytes bytes;
    Slot runs;       ///< stretches of memory it consists of
    Bytes combined;  ///< bytes of results that a receive computes from it
    Transfer last;   ///< its latest segment
  };
  const std::vector<Message>& of(const Schedule& schedule, Round t, Rank r);

  bool wants(Kind, Rank) const override { return true; }
  void add(const Transfer& transfer) override;

 private:
  Message* find(Kind kind, Rank peer);

  const Schedule* schedule_ = nullptr;
  std::vector<Message> messages_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< in messages_, by peer and kind, where they are many
};

/// How a block of `bytes` is cut in pieces: `parts` nearly equal parts (larger ones first), each in `packets` nearly
/// equal packets (larger ones first); or packets of `packet_bytes`, the last one shorter. Piece = part*packets +
/// packet. Or anywhere else.
struct Cut {
  Bytes bytes = 0;
  Slot parts = 1, packets = 1;
  Bytes packet_bytes = 0;  ///< > 0: uniform packets, parts and packets unused
  Bytes unit = 1;          ///< an element, which no cut divides: all sizes are multiples of it
  /// Where every piece starts, and at last where the last one ends; when set, of the above only bytes is used.
  std::shared_ptr<const std::vector<Bytes>> edges = {};

  Slot pieces() const;
  Bytes offset(Slot piece) const;  ///< first byte of the piece; offset(pieces()) == bytes
  Bytes size(Slot piece) const { return offset(piece + 1) - offset(piece); }
};

/// Sizes in blocks; a buffer of b blocks has b * cut.pieces() slots, numbered piece * b + label.
struct Shape {
  Rank ranks = 0;
  Round rounds = 0;
  Slot in = 0, out = 0, tmp = 0;  ///< blocks per buffer; the most any rank has, tmp: any node
  Cut cut;
  /// Where out's blocks start when they differ in length, and at last where they end; each is cut in as many pieces as
  /// `cut` says. So do in's and tmp's if they have as many. Empty: all have cut.bytes.
  std::shared_ptr<const std::vector<Bytes>> offsets = {};
  bool uneven(Buffer b) const { return offsets && blocks(b) == out; }
  /// Bytes before a label, and before a piece of it, in a buffer whose blocks are whole in memory.
  Bytes block_offset(Buffer b, Slot label) const;
  Bytes piece_offset(Buffer b, Slot label, Slot piece) const;
  Slot blocks(Buffer b) const { return b == Buffer::in ? in : b == Buffer::out ? out : tmp; }
  Slot slots(Buffer b) const { return blocks(b) * cut.pieces(); }
};

/// A claim that the tests check: seen from rank g(r), the schedule is the schedule seen from r with every rank, block
/// and slot renamed by g, for all g of the group.
struct Symmetry {
  Group group = Group::none;
  bool pieces_alike = false;  ///< all pieces move as piece 0 does, under another numbering of ranks and blocks
};

class Schedule {
 public:
  /// Rounds from `first` on and before `end`.
  struct Rounds {
    Round first = 0, end = 0;
    bool contains(Round t) const { return t >= first && t < end; }
    bool operator==(const Rounds&) const = default;
  };

  virtual ~Schedule() = default;
  virtual const Shape& shape() const = 0;
  /// What rank r does in round t. Pure; costs time in proportion to what it appends.
  virtual void step(Round t, Rank r, Steps& out) const = 0;
  /// A claim that the tests check: in rounds outside these, step(t, r) lists nothing. Who goes through a pipeline thus
  /// need not ask every rank about every round. Within 0 .. rounds. Default: all rounds.
  virtual Rounds active(Rank) const { return {0, shape().rounds}; }
  /// A claim that the tests check: rounds around t in which the same ranks send each other messages as long, in as many
  /// stretches of memory, and combine as much. Who counts needs to count one of them. Default: t alone.
  virtual Rounds alike(Round t) const { return {t, t + 1}; }
  /// Whether all ranks wait for each other before round t.
  virtual bool barrier(Round) const { return false; }
  virtual Symmetry symmetry() const { return {}; }
  /// For counting on nodes of Structure::per_node ranks, where a rank's own links are all alike and its node's links
  /// are shared: how many ranks send and receive what r does in round t, r itself included. Messages of the others are
  /// as long, in as many runs, between the same nodes or each inside its own. 0: another rank stands for r.
  virtual Rank stands_for(Round, Rank) const { return 1; }
  /// How renaming ranks by `by` renames slots near `first` (a segment's first slot) in round t: to slot xor twist for
  /// the xor groups; to label + twist modulo blocks for rotate. Default: in and out are labelled by ranks, tmp is not.
  virtual Slot twist(Round t, Buffer buffer, Slot first, Rank by) const;
  /// Which block of the collective a label of an in or out buffer means, in a given piece. Default: the label itself.
  virtual Slot block(Buffer, Slot label, Slot /*piece*/) const { return label; }

  /// The network on which its messages take ways that they say themselves [Topology::with_ways()]; null: they take the
  /// routes of the network that it is for.
  virtual TopologyPtr network() const { return nullptr; }

  /// For a HALF-SPLIT: the schedule whose every round it plays in two halves. It moves the same data, because no slot
  /// is read and written in one of those rounds. Otherwise null.
  virtual const Schedule* unsplit() const { return nullptr; }

  Slot piece(Buffer buffer, Slot slot) const { return slot / shape().blocks(buffer); }
  /// Bytes of a segment; 0 for slots that do not exist.
  Bytes bytes(Buffer buffer, const Slots& slots) const;
};

using SchedulePtr = std::shared_ptr<const Schedule>;

}  // namespace quadrille
