// What an auditor keeps of a run, written message by message: few bytes for each, most of them side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "quadrille/audit.hpp"
#include "quadrille/topology.hpp"
#include "simulator/networks/router.hpp"
#include "simulator/watch/chains.hpp"

namespace quadrille::simulator {

class Ledger {
 public:
  Ledger(const Spec& spec, const Machine& machine, const Schedule& schedule, std::size_t records);

  /// A message that somebody waited for last.
  struct Named {
    std::uint32_t id, from, to;
    Bytes bytes;
    Seconds asked;
    const TimeParts& parts;  ///< from then until it left, or arrived
    bool last_time;          ///< nobody names it after this
  };

  void asked(std::uint32_t id, std::uint32_t from, std::uint32_t round, Seconds now) {
    if (id >= states_.size()) states_.resize(id + std::size_t{1}, 0);
    if (!together_) {
      chains_.use(ranks_[from].step);
      chains_.drop(std::exchange(states_[id], ranks_[from].step));
    }
    Audit::RoundSpan& s = span(round);
    if (s.messages++ == 0) s.first = Round{round} / span_ * span_, s.asked = now;
    s.asked = std::min(s.asked, now);
  }
  void occupied(Link link, Seconds came, Seconds begin, Seconds end) {
    if (audit_.links.empty()) audit_.links.resize(static_cast<std::size_t>(topology_.links() + 1));
    Audit::LinkLoad& load = link < 0 ? audit_.links.back() : audit_.links[static_cast<std::size_t>(link)];
    load.busy += end - begin;
    load.queued += begin - came;
    ++load.messages;
  }
  /// The same by lane: neighbours in a round are then neighbours in memory.
  void crossed(Lane lane, Seconds came, Seconds begin, Seconds end) {
    if (lanes_.empty()) lanes_.resize(static_cast<std::size_t>(topology_.links()));
    Audit::LinkLoad& load = lanes_[lane];
    load.busy += end - begin;
    load.queued += begin - came;
    ++load.messages;
  }
  void left(std::uint32_t from, Seconds began, Seconds left) {
    // Several receivers of one transaction are one use of the port.
    Book& book = ranks_[from];
    book.sending += std::max(0.0, left - std::max(began, book.sent_until));
    book.sent_until = std::max(book.sent_until, left);
  }
  void received(std::uint32_t to, std::uint32_t round, Seconds came, Seconds arrived) {
    ranks_[to].receiving += arrived - came;
    Audit::RoundSpan& s = span(round);
    s.arrived = std::max(s.arrived, arrived);
  }
  /// In the order of arrivals: sums of many times hang on it.
  void queued(std::uint32_t round, Seconds contention) { span(round).queued += contention; }

  /// A rank had to wait for others.
  void waited(std::uint32_t r, Seconds time) { waiting_[r] += time; }
  /// All ranks had, from when their own messages had left, or the round began.
  void all_waited(std::span<const Seconds> sent, Seconds begin, Seconds end) {
    for (std::size_t r = 0; r < waiting_.size(); ++r) waiting_[r] += end - std::max(sent[r], begin);
  }
  /// A rank goes on because a message has left, or arrived. `all`: so do all ranks, one told of after the other.
  void goes_on(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds end, const Named& m, bool all = false);
  /// It goes on after copies, a late start, or a barrier; `after`: itself, or who came to the barrier last.
  void goes_on(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds end, std::uint32_t after, bool all = false);

  /// From now on all ranks always go on together.
  void keep_step() { together_ = true; }
  void all_go_on(Stay::Why why, std::uint32_t round, Seconds end);
  void all_go_on(std::uint32_t round, Seconds end, const Named& m);

  void ended(Seconds makespan);
  const Audit& audit() const { return audit_; }
  Audit take() { return std::move(audit_); }

  /// Fetches what is kept of a rank, then what led it there; and what led to a message.
  [[gnu::always_inline]] void expect_rank(std::uint32_t r) const { __builtin_prefetch(&ranks_[r], 1); }
  [[gnu::always_inline]] void expect_step(std::uint32_t r) const { chains_.expect_end(ranks_[r].step); }
  [[gnu::always_inline]] void expect_message(std::uint32_t id) const { chains_.expect(states_[id]); }

 private:
  struct alignas(64) Book {
    Seconds end = 0;         ///< it went on
    std::uint32_t step = 0;  ///< which led there
    bool came = false;       ///< that was a message that arrived
    Seconds sending = 0, receiving = 0, sent_until = 0;
  };
  Audit::RoundSpan& span(std::uint32_t round) {
    return spans_[static_cast<std::size_t>(span_ == 1 ? Round{round} : Round{round} / span_)];
  }
  void put(Book& at, std::uint32_t number, const Chains::Link& step) {
    chains_.drop(std::exchange(at.step, number));
    at.end = step.end, at.came = step.why == Stay::Why::arrived;
  }
  static Chains::Link alone(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds begin, Seconds end);
  static Chains::Link by(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds end, const Named& m);
  void add(std::uint32_t r, const Chains::Link& step, std::uint32_t before, bool hand_over, bool all);
  void share(const Chains::Link& step, std::uint32_t before);
  void sort_links();
  void find_busiest();

  const Topology& topology_;
  Router router_;
  bool one_port_, half_;
  Round span_;
  Chains chains_;
  base::Table<Book> ranks_;
  base::Table<Seconds> waiting_;             ///< of ranks
  base::Table<std::uint32_t> states_ = {0};  ///< of messages: the step after which they were sent
  std::vector<Audit::RoundSpan> spans_;
  base::Table<Audit::LinkLoad> lanes_;
  bool together_ = false;     ///< all ranks are always at the shared step,
  std::uint32_t shared_ = 0;  ///< the last one that is the same for all ranks,
  Stay::Why shared_why_ = Stay::Why::sent;
  std::uint32_t shared_round_ = 0;
  Seconds shared_end_ = 0;
  Audit audit_;
};

}  // namespace quadrille::simulator
