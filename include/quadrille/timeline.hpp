// Who watches a simulation: told what happens while it happens, so that nothing is kept that nobody wants.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille {

/// Where time goes.
struct TimeParts {
  Seconds start_up = 0;  ///< alpha
  Seconds overhead = 0;  ///< of the processors of sender and receiver, and waiting for them
  Seconds hops = 0;      ///< per_hop
  Seconds wire = 0;      ///< bytes, at the speed of the slowest link on the way
  Seconds port = 0;      ///< queued for a port of the sender or the receiver
  Seconds link = 0;      ///< queued for links, or shared them
  Seconds peer = 0;      ///< until its receiver was ready for it, too: model W, and machines with overheads
  Seconds copy = 0;      ///< permuted and packed
  Seconds barrier = 0;
  Seconds skew = 0;     ///< began late
  Seconds combine = 0;  ///< the operator of a reduction
  Seconds contention() const { return port + link; }
  Seconds total() const {
    return start_up + overhead + hops + wire + port + link + peer + copy + barrier + skew + combine;
  }
  TimeParts& operator+=(const TimeParts& o) {
    start_up += o.start_up, overhead += o.overhead, hops += o.hops, wire += o.wire, port += o.port, link += o.link;
    peer += o.peer, copy += o.copy, barrier += o.barrier, skew += o.skew, combine += o.combine;
    return *this;
  }
};

/// A message, from its sender's wish to its arrival. All times since the start.
struct Passage {
  std::uint32_t id = 0;  ///< among the messages under way; used again after its arrival
  Rank from = 0, to = 0;
  Round round = 0;
  Bytes bytes = 0;
  std::int64_t links = 0;  ///< crossed
  Seconds asked = 0;       ///< its sender was ready to send it
  Seconds began = 0;       ///< began to leave, start-up included: its sender's port was free
  Seconds came = 0;        ///< began to enter its receiver; fluid: as late as it could have alone
  Seconds left = 0;        ///< its sender was done with it
  Seconds arrived = 0;
  TimeParts until_left = {}, until_arrived = {};  ///< of left - asked, of arrived - asked
};

/// A message on a link.
struct Occupation {
  Link link = 0;  ///< -1: the medium that all share
  Seconds came = 0, begin = 0, end = 0;
  Seconds queued() const { return begin - came; }
};

/// A rank in one round, told when it goes on.
struct Stay {
  enum class Why : std::uint8_t {
    sent,     ///< its last message had left
    arrived,  ///< the last message for it had arrived
    copied,   ///< what it permutes and packs was in place
    barrier,  ///< the last rank had come, and the barrier was done
    round,    ///< lockstep: the round was over for all
    skew,     ///< it began late
    combined  ///< what came was combined
  };
  Rank rank = 0;
  Round round = 0;
  Why why = Why::sent;
  Seconds begin = 0;                 ///< it began to wait, or came to the barrier
  Seconds sent = 0;                  ///< its own messages had left: from here on it only waited
  Seconds end = 0;                   ///< it went on
  const Passage* message = nullptr;  ///< that it waited for last; round: of all ranks, null if there was none
  Rank last = 0;                     ///< barrier: who came last
  bool all = false;                  ///< all ranks go on together
};

/// In the order in which the simulation goes through events: `arrived` by arrived, `stayed` by end.
class Observer {
 public:
  virtual ~Observer() = default;
  /// id, from, to, round, bytes and asked are known.
  virtual void asked(const Passage&) {}
  /// As soon as it is known, which may be before it begins: networks that serve in order know at once.
  virtual void occupied(const Occupation&, const Passage&) {}
  /// `left` and until_left are known, which may be before that time. Before `arrived`.
  virtual void left(const Passage&) {}
  virtual void arrived(const Passage&) {}
  virtual void stayed(const Stay&) {}
  virtual void ended(Seconds /*makespan*/) {}
};

/// Tells several.
class Observers final : public Observer {
 public:
  void add(Observer& observer) { all_.push_back(&observer); }
  void asked(const Passage& m) override {
    each([&](Observer& o) { o.asked(m); });
  }
  void occupied(const Occupation& x, const Passage& m) override {
    each([&](Observer& o) { o.occupied(x, m); });
  }
  void left(const Passage& m) override {
    each([&](Observer& o) { o.left(m); });
  }
  void arrived(const Passage& m) override {
    each([&](Observer& o) { o.arrived(m); });
  }
  void stayed(const Stay& s) override {
    each([&](Observer& o) { o.stayed(s); });
  }
  void ended(Seconds makespan) override {
    each([&](Observer& o) { o.ended(makespan); });
  }

 private:
  template <class Tell>
  void each(Tell tell) {
    for (Observer* o : all_) tell(*o);
  }
  std::vector<Observer*> all_;
};

}  // namespace quadrille
