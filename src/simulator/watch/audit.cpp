#include "quadrille/audit.hpp"

#include "simulator/watch/ledger.hpp"

namespace quadrille {

namespace {

constexpr auto number(std::int64_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

Auditor::Auditor(const Spec& spec, const Machine& machine, const Schedule& schedule, std::size_t records)
    : ledger_(std::make_unique<simulator::Ledger>(spec, machine, schedule, records)) {}

Auditor::~Auditor() = default;

const Audit& Auditor::audit() const { return ledger_->audit(); }

Audit Auditor::take() { return ledger_->take(); }

void Auditor::asked(const Passage& m) { ledger_->asked(m.id, number(m.from), number(m.round), m.asked); }

void Auditor::occupied(const Occupation& x, const Passage&) { ledger_->occupied(x.link, x.came, x.begin, x.end); }

void Auditor::left(const Passage& m) { ledger_->left(number(m.from), m.began, m.left); }

void Auditor::arrived(const Passage& m) {
  ledger_->received(number(m.to), number(m.round), m.came, m.arrived);
  ledger_->queued(number(m.round), m.until_arrived.contention());
}

void Auditor::stayed(const Stay& s) {
  const std::uint32_t rank = number(s.rank), round = number(s.round);
  if (s.why == Stay::Why::arrived || s.why == Stay::Why::round || s.why == Stay::Why::barrier)
    ledger_->waited(rank, s.end - s.sent);
  if (s.message != nullptr) {
    const Passage& m = *s.message;
    const TimeParts& parts = s.why == Stay::Why::sent ? m.until_left : m.until_arrived;
    return ledger_->goes_on(s.why, rank, round, s.end,
                            {m.id, number(m.from), number(m.to), m.bytes, m.asked, parts, false}, s.all);
  }
  if (s.why == Stay::Why::round) return;  // nobody sent anything
  ledger_->goes_on(s.why, rank, round, s.end, s.why == Stay::Why::barrier ? number(s.last) : rank, s.all);
}

void Auditor::ended(Seconds makespan) { ledger_->ended(makespan); }

}  // namespace quadrille
