#include "quadrille/audit.hpp"

#include <algorithm>
#include <utility>

namespace quadrille {

/// Steps in chains that share their beginnings; a step that no chain needs any more is used again.
class Auditor::Chains {
 public:
  explicit Chains(std::size_t most) : most_(most) { steps_.emplace_back(); }
  bool kept() const { return kept_; }

  /// The step after `before`, which is 0 for none. 0 also when there is no room: then all are gone.
  std::uint32_t add(std::uint32_t before, const Audit::Step& step) {
    if (!kept_) return 0;
    if (free_ == 0 && steps_.size() > most_) {
      kept_ = false;
      steps_ = {};
      return 0;
    }
    std::uint32_t i = free_;
    if (i != 0) {
      free_ = steps_[i].before;
    } else {
      i = static_cast<std::uint32_t>(steps_.size());
      steps_.emplace_back();
    }
    steps_[i] = {step, before, 0};
    use(before);
    return i;
  }
  void use(std::uint32_t i) {
    if (kept_ && i != 0) ++steps_[i].users;
  }
  void drop(std::uint32_t i) {
    while (kept_ && i != 0 && --steps_[i].users == 0) {
      const std::uint32_t before = steps_[i].before;
      steps_[i].before = free_;
      free_ = i;
      i = before;
    }
  }
  std::vector<Audit::Step> to(std::uint32_t i) const {
    std::vector<Audit::Step> path;
    for (; kept_ && i != 0; i = steps_[i].before) path.push_back(steps_[i].step);
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  struct Record {
    Audit::Step step;
    std::uint32_t before = 0, users = 0;
  };
  std::size_t most_;
  bool kept_ = true;
  std::uint32_t free_ = 0;  ///< the first of those to be used again
  std::vector<Record> steps_;
};

Auditor::Auditor(const Spec& spec, const Machine& machine, const Schedule& schedule, std::size_t records)
    : topology_(*spec.topology),
      one_port_(machine.ports == Ports::one),
      half_(machine.duplex != Duplex::full),
      rounds_(schedule.shape().rounds),
      chains_(std::make_unique<Chains>(records)) {
  constexpr Round most_spans = 4096;
  span_ = (rounds_ + most_spans - 1) / most_spans;
  const auto nodes = static_cast<std::size_t>(topology_.nodes());
  ranks_.resize(nodes);
  sent_until_.resize(nodes, 0);
  audit_.ranks.resize(nodes);
  if (rounds_ > 0) spans_.resize(static_cast<std::size_t>((rounds_ + span_ - 1) / span_));
}

Auditor::~Auditor() = default;

Audit::RoundSpan& Auditor::span(Round round) { return spans_[static_cast<std::size_t>(round / span_)]; }

void Auditor::asked(const Passage& m) {
  if (m.id >= messages_.size()) messages_.resize(m.id + 1);
  const State& sender = ranks_[static_cast<std::size_t>(m.from)];
  chains_->use(sender.step);
  chains_->drop(messages_[m.id].step);
  messages_[m.id] = sender;
  Audit::RoundSpan& s = span(m.round);
  if (s.messages++ == 0) s.first = m.round / span_ * span_, s.asked = m.asked;
  s.asked = std::min(s.asked, m.asked);
}

void Auditor::occupied(const Occupation& x, const Passage&) {
  if (audit_.links.empty()) audit_.links.resize(static_cast<std::size_t>(topology_.links() + 1));
  Audit::LinkLoad& load = x.link < 0 ? audit_.links.back() : audit_.links[static_cast<std::size_t>(x.link)];
  load.busy += x.end - x.begin;
  load.queued += x.queued();
  ++load.messages;
}

void Auditor::left(const Passage& m) {
  // Several receivers of one transaction are one use of the port.
  Seconds& until = sent_until_[static_cast<std::size_t>(m.from)];
  audit_.ranks[static_cast<std::size_t>(m.from)].sending += std::max(0.0, m.left - std::max(m.began, until));
  until = std::max(until, m.left);
}

void Auditor::arrived(const Passage& m) {
  audit_.ranks[static_cast<std::size_t>(m.to)].receiving += m.arrived - m.came;
  Audit::RoundSpan& s = span(m.round);
  s.arrived = std::max(s.arrived, m.arrived);
  s.queued += m.until_arrived.contention();
}

void Auditor::stayed(const Stay& s) {
  const auto rank = static_cast<std::size_t>(s.rank);
  if (s.why == Stay::Why::arrived || s.why == Stay::Why::round || s.why == Stay::Why::barrier)
    audit_.ranks[rank].waiting += s.end - s.sent;
  Audit::Step step{.why = s.why, .rank = s.rank, .round = s.round, .end = s.end};
  if (s.message != nullptr) {
    const Passage& m = *s.message;
    step.from = m.from, step.to = m.to, step.bytes = m.bytes;
    const bool sent = s.why == Stay::Why::sent;
    step.parts = sent ? m.until_left : m.until_arrived;
    // Eager, a message that left may be of an earlier round: then its sender was not yet where it is now.
    const bool own = sent && ranks_[rank].end == m.asked;
    return go_on(own ? ranks_[rank] : messages_[m.id], step, s.all);
  }
  if (s.why == Stay::Why::round) return;  // nobody sent anything
  const State from = ranks_[s.why == Stay::Why::barrier ? static_cast<std::size_t>(s.last) : rank];
  (s.why == Stay::Why::barrier  ? step.parts.barrier
   : s.why == Stay::Why::copied ? step.parts.copy
                                : step.parts.skew) = s.end - from.end;
  go_on(from, step, s.all);
}

/// What releases all ranks at once is one step of all their chains.
void Auditor::go_on(const State& from, const Audit::Step& step, bool for_all) {
  State& at = ranks_[static_cast<std::size_t>(step.rank)];
  const bool same = for_all && shared_.why == step.why && shared_.round == step.round && shared_.end == step.end;
  State next;
  if (same) {
    next = after_shared_;
  } else {
    next = from;
    next.parts += step.parts;
    next.end = step.end;
    next.came = step.why == Stay::Why::arrived;
    Audit::Step added = step;
    added.begin = from.end;
    next.step = chains_->add(from.step, added);
  }
  chains_->use(next.step);
  if (for_all && !same) {
    chains_->use(next.step);
    chains_->drop(after_shared_.step);
    shared_ = {.round = step.round, .why = step.why, .end = step.end};
    after_shared_ = next;
  }
  chains_->drop(at.step);
  at = next;
}

void Auditor::ended(Seconds makespan) {
  audit_.makespan = makespan;
  // Sender and receiver may be done at one time: then the message has arrived rather than left.
  const auto last = std::max_element(ranks_.begin(), ranks_.end(), [](const State& a, const State& b) {
    return std::pair(a.end, a.came) < std::pair(b.end, b.came);
  });
  if (last != ranks_.end()) {
    audit_.critical = last->parts;
    audit_.path_kept = chains_->kept();
    audit_.path = chains_->to(last->step);
  }
  for (const Audit::RoundSpan& s : spans_)
    if (s.messages > 0) audit_.rounds.push_back(s);
  find_busiest();
}

void Auditor::find_busiest() {
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
    const Seconds busy = half_ ? load.sending + load.receiving : std::max(load.sending, load.receiving);
    if (busy > audit_.busiest_port_time) audit_.busiest_port_time = busy, audit_.busiest_port = static_cast<Rank>(r);
  }
}

}  // namespace quadrille
