// What one rank does in a schedule, in bytes: compiled once, performed many times on any transport.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "program/combining.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/order.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::program {

/// One end of a message.
struct Message {
  Rank peer = 0;
  Round round = 0;
  Bytes bytes = 0;
  std::size_t first = 0, last = 0;  ///< its bytes: extents first .. last-1 of the program
  /// Of a receive that combines: what becomes of its bytes, uses first_use .. last_use-1; then it has no extents.
  std::size_t first_use = 0, last_use = 0;
  bool in_turn = false;  ///< some result of it takes what an earlier use of the round has made: no two at a time
  /// A send's bytes are final, and a receive's place is free, once this many steps of its rank are done.
  std::size_t after = 0;
  std::size_t settle = 0;  ///< receives: its place is free only when the first `settle` sends have been taken, too
  bool combines() const { return last_use > first_use; }
};

/// What a rank does in a round in which it does anything: wait, copy within its own buffers, receive.
struct Step {
  Round round = 0;
  bool barrier = false;    ///< all ranks wait for each other first
  std::size_t settle = 0;  ///< before it writes, the first `settle` sends must have been taken: it reuses their bytes
  std::size_t moves = 0, receives = 0;  ///< where its own end in the program; they start where the step before ended
  std::size_t combinings = 0;           ///< of its own bytes, after the moves
  std::size_t sent = 0;  ///< in order of rounds: when it has received, the first `sent` sends must have been taken, too
};

/// Sends are not tied to a step: each is offered as soon as its bytes are final, which for the blocks a rank starts
/// with is at once. Nothing a rank handed out is overwritten before it was taken. In Order::eager that is all the order
/// there is; in Order::dataflow a round's sends are offered when all that its rank sent and received before is over.
struct Program {
  Rank rank = 0;
  std::array<Bytes, 3> size{};  ///< of the rank's buffers, indexed by Buffer; tmp: as far as it is used
  std::vector<Step> steps;
  std::vector<Message> sends;     ///< by round, then by peer as ahead() orders them
  std::vector<Message> receives;  ///< by round, then by peer as ahead() orders them; as listed where some combine
  std::vector<Extent> extents;
  std::vector<Use> uses;
  std::vector<Copy> moves;
  std::vector<Combining> combinings;  ///< of bytes of the rank itself
  std::vector<std::size_t> offers;  ///< sends in the order in which they become final; by rounds: as the schedule lists
  std::size_t watched = 0;          ///< the largest `settle` or `sent`: nobody needs to know when later sends are taken
  Bytes moved = 0, permuted = 0;    ///< bytes sent to others, bytes copied within the rank
  Bytes combined = 0;               ///< bytes of results that the rank computes

  std::span<const Extent> bytes_of(const Message& m) const {
    return std::span(extents).subspan(m.first, m.last - m.first);
  }
  std::span<const Use> uses_of(const Message& m) const {
    return std::span(uses).subspan(m.first_use, m.last_use - m.first_use);
  }
  /// The sends that become final with step `done`-1, or are so from the start for done == 0.
  std::span<const std::size_t> offered(std::size_t done) const;
  /// Of a complete exchange of blocks of one byte: whether each goes straight from `in` to its place in `out`, in a
  /// message of its own. Then its messages may be of any lengths that both ends know.
  bool goes_straight() const;
  Bytes memory() const;  ///< of the program itself
};

/// How far round the circle `peer` comes after `rank`: the order of peers within a round, so that not everybody turns
/// to rank 0 first.
constexpr Rank ahead(Rank rank, Rank peer, Rank ranks) { return peer >= rank ? peer - rank : peer - rank + ranks; }

/// Compiles rank after rank of one schedule. Throws Error(internal) for a slot outside its buffer, a write to `in`, or
/// a slot written and also read (or written again) in one round; Error(transport) when a local permutation does not fit
/// itself or comes too late to combine; Error(budget) when the schedule is too large to be laid out.
class Compiler {
 public:
  Compiler(const Spec& spec, const Schedule& schedule);
  /// `barriers`: whether the schedule's barriers become part of the program. `room`: the most its memory() may be.
  /// `order`: that of data, Order::eager, or that of rounds, Order::dataflow.
  Program compile(Rank rank, bool barriers, Bytes room, Order order = Order::eager);
  Bytes memory() const;                          ///< that the compiler itself takes
  std::int64_t slots() const { return slots_; }  ///< looked at so far: what compiling costs time for

 private:
  /// When a slot was last touched, in steps (and sends) counted from 1; 0: never.
  struct Touched {
    std::uint32_t read = 0, written = 0, sent = 0;
  };
  struct Segments {
    std::span<const Transfer> list;
    Kind kind() const { return list.front().kind; }
    Rank peer() const { return list.front().peer; }
    bool combine() const;
  };

  void compile_round(Round t, bool barrier);
  void send(Round t, const Segments& message);
  void receive(Round t, const Segments& message);
  void move(Round t, const Segments& from, const Segments& to);
  void sort_segments();
  void check_vector() const;
  std::size_t read(Round t, const Segments& message, std::vector<Extent>& extents);
  /// What must be over before the bytes may change: steps done, and sends taken.
  struct Free {
    std::size_t after = 0, settle = 0;
  };
  Free write(Round t, const Segments& message, std::vector<Extent>& extents);
  /// Lays out what becomes of a message that combines.
  Free use(Round t, Message& m, const Segments& message);
  Free use_slots(Round t, Message& m, const Transfer& x, StridedBuilder<1>& results, StridedBuilder<1>& operands);
  Free combine_into(Round t, Message& m, const Transfer& x, Slot slot, Slot operand);
  Slot existing(Round t, Buffer buffer, Slot slot) const;
  void add_slot(Round t, Buffer buffer, Slot slot, StridedBuilder<1>& builder);
  template <class Visit>
  void lay_out(Round t, const Segments& message, std::vector<Extent>& extents, Visit visit);
  /// A slot in its buffer: of which block, which piece of it, where that starts in the block, and how long it is.
  struct Part {
    Slot label = 0, piece = 0;
    Bytes start = 0, length = 0;
  };
  Part part(Buffer buffer, Slot slot) const;
  Bytes place(Round t, Buffer buffer, Slot slot, const Part& part);
  Bytes scratch(const Part& part);
  Touched& touched(Buffer buffer, Slot slot);
  void note_listed();
  void order_offers();
  [[noreturn]] void too_long(Round t) const;
  [[noreturn]] void refuse(Error::Kind kind, Round t, const std::string& what) const;

  const Spec& spec_;
  const Schedule& schedule_;
  const Shape& shape_;
  Collected collected_;
  std::vector<Transfer> transfers_;
  std::vector<Segments> segments_;
  std::vector<Touched> touched_;
  std::unordered_map<Rank, std::size_t> receivers_;  ///< of the round in hand, and where the schedule lists them
  std::vector<std::size_t> listed_;                  ///< of the program's sends; in order of rounds only
  std::unordered_map<Rank, std::size_t> senders_;    ///< of a round that combines, and where the schedule lists them
  std::vector<Extent> from_, to_;
  Program program_;
  std::int64_t slots_ = 0;
  /// What the shape says of a buffer: looked at for every slot.
  struct Layout {
    Slot blocks = 0, slots = 0, first = 0;  ///< first: of its slots in touched_
    bool uneven = false;
  };
  std::array<Layout, 3> layouts_;
  std::vector<Bytes> starts_;  ///< of pieces in a block, and at last its end, where blocks are alike
  const bool combines_;
  const bool whole_vector_;  ///< labels are parts of the vector, not blocks that the collective names
  Bytes before_out_ = 0;     ///< of the vector: the rank's `out` starts there
  Order order_ = Order::eager;
  std::uint32_t step_ = 0;   ///< of the round in hand, counted from 1
  std::size_t settled_ = 0;  ///< sends that earlier steps have waited for
  std::size_t settle_ = 0;   ///< sends that the step in hand must wait for
};

Bytes total_bytes(std::span<const Extent> extents);
constexpr std::size_t index(Buffer b) { return static_cast<std::size_t>(b); }

}  // namespace quadrille::program
