// Ranks as threads of one process: a receiver copies straight out of the sender's buffer, and that is the only copy. So
// does one that combines: it computes its results from the sender's bytes in one pass.
//
// Who waits for whom is found out in advance. A sender counts the steps it has done; a receiver knows which count makes
// its message final, which for the blocks a rank starts with is 0: then it need not wait at all. A sender waits only
// for those receivers whose bytes it is about to overwrite. Every rank sleeps in a bed of its own and writes down what
// it waits for, so a rank that finishes something makes a system call only when somebody sleeps for exactly that.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "executor/joint.hpp"
#include "executor/sleep.hpp"
#include "executor/transport.hpp"
#include "operators/kernels.hpp"
#include "program/program.hpp"

namespace quadrille::executor {

class ThreadExchange {
 public:
  /// Pairs every receive with its send; throws Error(transport) naming both ends when one is missing or the lengths
  /// differ. `programs`, one per rank in order, must outlive this. Spinning pays only when every rank has a core.
  /// `op`: of programs that combine.
  ThreadExchange(const std::vector<program::Program>& programs, int cores, const operators::Operator& op = {});

  /// Wakes everybody who waits, now or later, with Cancelled.
  void cancel();
  Bytes memory() const;

  class End;

 private:
  using Counter = std::atomic<std::uint32_t>;
  /// A receive and its send.
  struct Pair {
    Rank from;
    std::size_t send;         ///< of the sender's program
    std::size_t first, last;  ///< copies, or combinings
    bool watched;             ///< the sender may wait for it to be taken
    Joint* joint;             ///< the sender may help; null: it is not worth it
    bool combines;
  };
  /// A send that its sender may help with: receive n of the receiver.
  struct Help {
    Rank receiver;
    std::size_t receive;
  };
  /// What the other ranks see of one.
  struct alignas(64) Place {
    Bed bed;
    std::atomic<std::uint64_t> done{0};  ///< run << 32 | steps done in it
    program::Bases bases{};
    std::unique_ptr<Counter[]> taken;  ///< the last run in which each watched send was taken
    std::uint64_t number = 0;          ///< of its first send, over all ranks
    std::vector<Pair> pairs;           ///< as the receives of the program
    std::vector<program::Copy> copies;
    std::vector<program::Combining> combinings;
    std::deque<Joint> joints;  ///< of the receives
    std::vector<Help> helps;   ///< of the sends, in the receivers' order
  };

  void pair_receives(Place& mine, const program::Program& program, std::vector<std::size_t>& paired);
  template <class Entry>
  Joint* join(Place& mine, std::vector<Entry>& list, std::size_t first, Bytes bytes) const;
  void perform(const Place& receiver, const Pair& pair, std::size_t first, std::size_t last, const program::Bases& from,
               const program::Bases& to) const;
  const program::Message* find_send(const program::Program& sender, const program::Message& receive,
                                    Rank receiver) const;
  Place& place(Rank r) { return places_[static_cast<std::size_t>(r)]; }
  const program::Program& program(Rank r) const { return programs_[static_cast<std::size_t>(r)]; }

  const std::vector<program::Program>& programs_;
  std::vector<Place> places_;
  Gathering gathering_;
  const operators::Operator operator_;
  const operators::Kernel kernel_;
  const bool core_each_;
  const Patience patience_;
  std::atomic<bool> cancelled_{false};
};

/// One rank's end of the exchange, for one thread.
class ThreadExchange::End {
 public:
  End(ThreadExchange& exchange, Rank rank, const program::Bases& bases);
  /// Opens a run. All ranks pass a barrier between two runs, and between the making of all ends and the first run.
  void begin();
  std::uint32_t runs() const { return run_; }
  void offer(std::size_t done);
  void settle(std::size_t sends);
  void receive(std::size_t n);
  void move(std::size_t first, std::size_t last);
  void combine(std::size_t first, std::size_t last);
  void barrier();
  void finish();

 private:
  void take(const Pair& pair, std::uint64_t message);
  template <class Ready>
  void wait(std::uint64_t what, Ready ready);

  ThreadExchange& exchange_;
  const program::Program& program_;
  Place& place_;
  program::Bases bases_;
  std::uint32_t run_ = 0;
  std::size_t settled_ = 0;
};

static_assert(Transport<ThreadExchange::End>);

}  // namespace quadrille::executor
