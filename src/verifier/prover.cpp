#include "verifier/prover.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"

namespace quadrille::verifier {

namespace {

using What = Counterexample::Kind;

}  // namespace

Prover::Prover(const Spec& spec, const Schedule& schedule, Group group, bool one_piece, schedule::Meter& meter)
    : spec_(spec),
      schedule_(schedule),
      shape_(schedule.shape()),
      group_(group),
      one_piece_(one_piece),
      pieces_(one_piece ? 1 : std::max<Slot>(1, shape_.cut.pieces())),
      meter_(meter),
      representatives_(traffic::representatives(group, spec.topology->nodes())),
      reads_(first_mark(Buffer::tmp) + tracked_slots(Buffer::tmp)),
      writes_(reads_),
      combined_(quadrille::combines(spec) ? reads_ : SlotMarks(0)) {}

std::optional<Counterexample> Prover::run(const std::function<void(Round)>& progress) {
  for (Round t = 0; t < shape_.rounds; ++t) {
    if (auto wrong = round(t)) {
      if (wrong->content) say_what_must_be(*wrong->content);
      return wrong;
    }
    if (progress) progress(t + 1);
  }
  return final_state();
}

Prover::Found Prover::round(Round t) {
  sent_messages_ = matched_messages_ = 0;
  for (Rank r = 0; r < representatives_; ++r)
    if (auto wrong = check_rank(t, r)) return wrong;
  if (sent_messages_ != matched_messages_) return unmatched_send(t);
  return {};
}

Prover::Found Prover::unmatched_send(Round t) {
  for (Rank r = 0; r < representatives_; ++r)
    for (const Summary::Message& m : std::vector<Summary::Message>(summary_.of(schedule_, t, r))) {
      if (m.kind != Kind::send) continue;
      bool expected = false;
      for (const Summary::Message& o : other_summary_.of(schedule_, t, m.peer))
        expected = expected || (o.kind == Kind::recv && o.peer == r);
      if (!expected)
        return Counterexample{
            What::matching, t, r,
            fmt::format("rank {} sends to rank {}, which does not receive from it in round {}: without "
                        "buffering the sender waits for ever",
                        r, m.peer, t),
            std::pair(r, m.peer)};
    }
  return Counterexample{What::symmetry, t, 0,
                        fmt::format("sends and receives of round {} do not balance over the ranks", t)};
}

Counterexample Prover::another_piece(const Delivery& d, Buffer buffer, Slot slot, Slot piece, Slot landing) const {
  return {
      What::shape,
      d.t,
      d.to,
      fmt::format("slot {} of {} at rank {} is piece {} and lands in slot {} of {} at rank {}, which is another piece",
                  slot, to_string(buffer), d.from, piece, landing, to_string(d.target.transfer().buffer), d.to),
      std::pair(d.from, d.to),
      Counterexample::Content{d.to, d.target.transfer().buffer, landing}};
}

Counterexample Prover::holds_nothing(const Delivery& d, Buffer buffer, Slot slot) const {
  return {What::possession,
          d.t,
          d.from,
          fmt::format("rank {} sends slot {} of {} to rank {} and holds nothing there", d.from, slot, to_string(buffer),
                      d.to),
          std::pair(d.from, d.to),
          Counterexample::Content{d.from, buffer, slot, "nothing"}};
}

}  // namespace quadrille::verifier
