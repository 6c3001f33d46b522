#include "verifier/prover.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/traits.hpp"

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
      contents_(spec, schedule, group, one_piece),
      reads_(first_mark(Buffer::tmp) + tracked_slots(Buffer::tmp)),
      writes_(reads_),
      names_(static_cast<Name>(collective::traits(spec).names(spec).count * pieces_)) {
  constexpr Name few = Name{1} << 28;
  if (names_ <= few / static_cast<Name>(representatives_))
    received_.resize(names_ * static_cast<Name>(representatives_), false);
  else
    receipts_.resize(static_cast<std::size_t>(representatives_));
}

std::string Prover::block_text(Slot symbol, Slot piece) const {
  const std::string block = describe_block(spec_, symbol);
  return shape_.cut.pieces() > 1 && symbol != no_block ? fmt::format("piece {} of {}", piece, block) : block;
}

std::optional<Counterexample> Prover::run(const std::function<void(Round)>& progress) {
  for (Round t = 0; t < shape_.rounds; ++t) {
    if (auto wrong = round(t)) return wrong;
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
                        r, m.peer, t)};
    }
  return Counterexample{What::symmetry, t, 0,
                        fmt::format("sends and receives of round {} do not balance over the ranks", t)};
}

Prover::Found Prover::final_state() const {
  const Slot pieces = one_piece_ ? std::min<Slot>(1, shape_.cut.pieces()) : shape_.cut.pieces();
  for (Rank r = 0; r < representatives_; ++r) {
    if (blocks(spec_, Buffer::out, r) == 0) continue;
    for (Slot s = 0; s < shape_.out * pieces; ++s) {
      const Slot piece = s / shape_.out;
      const Slot index = schedule_.block(Buffer::out, s % shape_.out, piece);
      const Slot wanted = wanted_after(spec_, r, index), held = contents_.held(r, Buffer::out, s);
      if (held == wanted) continue;
      return Counterexample{What::delivery, -1, r,
                            fmt::format("rank {} ends with {} at index {} of out and must have {}", r,
                                        block_text(held, piece), index, block_text(wanted, piece))};
    }
  }
  return {};
}

namespace {

/// The names that occur more than once, each as often as it occurs after the first time. Two passes over bit maps leave
/// only a few names to sort: sorting ten million of them would take longer than the whole proof.
std::vector<std::uint64_t> repeated(const std::deque<std::uint64_t>& names) {
  const std::uint64_t mask = std::bit_ceil(std::max<std::uint64_t>(64, 8 * names.size())) - 1;
  std::vector<bool> seen(mask + 1, false), again(mask + 1, false);
  const auto hash = [mask](std::uint64_t x) {
    x *= 0x9E3779B97F4A7C15ULL;
    return (x ^ (x >> 29)) & mask;
  };
  for (const std::uint64_t name : names) {
    const std::uint64_t h = hash(name);
    if (seen[h])
      again[h] = true;
    else
      seen[h] = true;
  }
  std::vector<std::uint64_t> suspects, result;
  for (const std::uint64_t name : names)
    if (again[hash(name)]) suspects.push_back(name);
  std::sort(suspects.begin(), suspects.end());
  for (std::size_t i = 1; i < suspects.size(); ++i)
    if (suspects[i] == suspects[i - 1]) result.push_back(suspects[i]);
  return result;
}

}  // namespace

void Prover::note_receipt(Round t, Rank r, Name name) {
  if (watched_ == std::pair(r, name)) watched_rounds_.push_back(t);
  if (received_.empty()) {
    receipts_[static_cast<std::size_t>(r)].push_back(name);
    return;
  }
  auto bit = received_[static_cast<Name>(r) * names_ + name];
  if (bit) {
    ++duplicates_;
    if (!first_twin_) first_twin_ = {r, name};
  }
  bit = true;
}

std::int64_t Prover::duplicates() {
  for (std::size_t r = 0; r < receipts_.size(); ++r) {
    const std::vector<Name> twins = repeated(receipts_[r]);
    duplicates_ += static_cast<std::int64_t>(twins.size());
    if (!first_twin_ && !twins.empty()) first_twin_ = {static_cast<Rank>(r), twins.front()};
  }
  return duplicates_;
}

std::vector<Round> Prover::rounds_of(Rank r, Name name) const {
  Prover again(spec_, schedule_, group_, one_piece_, meter_);
  again.watched_ = {r, name};
  again.run();
  return again.watched_rounds_;
}

Counterexample Prover::first_duplicate() const {
  const auto [r, name] = *first_twin_;
  const std::vector<Round> rounds = rounds_of(r, name);
  const auto name_of = static_cast<Slot>(name);
  return {What::duplicate, rounds.at(1), r,
          fmt::format("rank {} receives {} in round {} and again in round {}", r,
                      block_text(name_of / pieces_, name_of % pieces_), rounds[0], rounds[1])};
}

}  // namespace quadrille::verifier
