#include "simulator/watch/ledger.hpp"

namespace quadrille::simulator {

Ledger::Ledger(const Spec& spec, const Machine& machine, const Schedule& schedule, std::size_t records)
    : topology_(*spec.topology),
      router_(topology_),
      one_port_(machine.ports == Ports::one),
      half_(machine.duplex != Duplex::full),
      chains_(records) {
  constexpr Round most_spans = 4096;
  const Round rounds = schedule.shape().rounds;
  span_ = (rounds + most_spans - 1) / most_spans;
  const auto nodes = static_cast<std::size_t>(topology_.nodes());
  ranks_.resize(nodes);
  waiting_.resize(nodes, 0);
  if (rounds > 0) spans_.resize(static_cast<std::size_t>((rounds + span_ - 1) / span_));
}

Chains::Link Ledger::alone(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds begin, Seconds end) {
  Chains::Link step{.parts = {},
                    .end = end,
                    .bytes = 0,
                    .rank = r,
                    .from = Chains::none,
                    .to = Chains::none,
                    .round = round,
                    .before = 0,
                    .users = 0,
                    .why = why};
  (why == Stay::Why::barrier    ? step.parts.barrier
   : why == Stay::Why::copied   ? step.parts.copy
   : why == Stay::Why::combined ? step.parts.combine
                                : step.parts.skew) = end - begin;
  return step;
}

Chains::Link Ledger::by(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds end, const Named& m) {
  return {.parts = m.parts,
          .end = end,
          .bytes = m.bytes,
          .rank = r,
          .from = m.from,
          .to = m.to,
          .round = round,
          .before = 0,
          .users = 0,
          .why = why};
}

void Ledger::goes_on(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds end, const Named& m, bool all) {
  // Eager, a message that left may be of an earlier round: then its sender was not yet where it is now.
  const bool own = why == Stay::Why::sent && ranks_[r].end == m.asked;
  const bool hand_over = m.last_time && why == Stay::Why::arrived;
  const std::uint32_t before = own ? ranks_[r].step : states_[m.id];
  if (hand_over) states_[m.id] = 0;
  add(r, by(why, r, round, end, m), before, hand_over, all);
}

void Ledger::goes_on(Stay::Why why, std::uint32_t r, std::uint32_t round, Seconds end, std::uint32_t after, bool all) {
  add(r, alone(why, r, round, ranks_[after].end, end), ranks_[after].step, false, all);
}

/// What releases all ranks at once is one step of all their chains.
void Ledger::add(std::uint32_t r, const Chains::Link& step, std::uint32_t before, bool hand_over, bool all) {
  if (!all) return put(ranks_[r], chains_.add(step, before, hand_over), step);
  if (shared_why_ != step.why || shared_round_ != step.round || shared_end_ != step.end) share(step, before);
  chains_.use(shared_);
  put(ranks_[r], shared_, step);
}

void Ledger::share(const Chains::Link& step, std::uint32_t before) {
  const std::uint32_t added = chains_.add(step, before, false);
  chains_.drop(std::exchange(shared_, added));
  shared_why_ = step.why, shared_round_ = step.round, shared_end_ = step.end;
}

void Ledger::all_go_on(Stay::Why why, std::uint32_t round, Seconds end) {
  share(alone(why, 0, round, shared_end_, end), shared_);
}

void Ledger::all_go_on(std::uint32_t round, Seconds end, const Named& m) {
  share(by(Stay::Why::round, 0, round, end, m), shared_);
}

void Ledger::ended(Seconds makespan) {
  audit_.makespan = makespan;
  // Sender and receiver may be done at one time: then the message has arrived rather than left.
  const auto last = std::max_element(ranks_.begin(), ranks_.end(), [](const Book& a, const Book& b) {
    return std::pair(a.end, a.came) < std::pair(b.end, b.came);
  });
  if (last != ranks_.end()) {
    const std::uint32_t step = together_ ? shared_ : last->step;
    audit_.critical = chains_.parts(step);
    audit_.path_kept = chains_.kept();
    audit_.path = chains_.to(step);
  }
  for (std::size_t r = 0; r < ranks_.size(); ++r)
    audit_.ranks.push_back({waiting_[r], ranks_[r].sending, ranks_[r].receiving});
  for (const Audit::RoundSpan& s : spans_)
    if (s.messages > 0) audit_.rounds.push_back(s);
  sort_links();
  find_busiest();
}

void Ledger::sort_links() {
  if (lanes_.empty()) return;
  audit_.links.reserve(lanes_.size() + 1);
  for (Link link = 0; link < std::ssize(lanes_); ++link) audit_.links.push_back(lanes_[router_.lane(link)]);
  audit_.links.emplace_back();  // no medium
  lanes_ = {};
}

void Ledger::find_busiest() {
  for (std::size_t i = 0; i < audit_.links.size(); ++i) {
    Seconds busy = audit_.links[i].busy;
    if (audit_.links[i].messages == 0) continue;  // at a mesh's edge there is no such link, and none back
    const auto link = static_cast<Link>(i);
    if (half_ && link < topology_.links() && topology_.reverse(link) != link)
      busy += audit_.links[static_cast<std::size_t>(topology_.reverse(link))].busy;
    if (busy > audit_.busiest_link_time) audit_.busiest_link_time = busy, audit_.busiest = link;
  }
  if (!one_port_) return;
  for (std::size_t r = 0; r < audit_.ranks.size(); ++r) {
    const Audit::RankLoad& load = audit_.ranks[r];
    // Fluid, a port may send and receive at once, which takes longer than either alone.
    const Seconds busy =
        half_ ? std::min(audit_.makespan, load.sending + load.receiving) : std::max(load.sending, load.receiving);
    if (busy > audit_.busiest_port_time) audit_.busiest_port_time = busy, audit_.busiest_port = static_cast<Rank>(r);
  }
}

}  // namespace quadrille::simulator
