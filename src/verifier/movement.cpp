#include "verifier/movement.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::verifier {

namespace {

using What = Counterexample::Kind;

}  // namespace

Movement::Movement(const Spec& spec, const Schedule& schedule, Group group, bool one_piece, schedule::Meter& meter)
    : Prover(spec, schedule, group, one_piece, meter),
      contents_(spec, schedule, group, one_piece),
      names_(static_cast<Name>(collective::traits(spec).names(spec).count * pieces_)) {
  constexpr Name few = Name{1} << 28;
  if (names_ <= few / static_cast<Name>(representatives_))
    received_.resize(names_ * static_cast<Name>(representatives_), false);
  else
    receipts_.resize(static_cast<std::size_t>(representatives_));
}

std::string Movement::block_text(Slot symbol, Slot piece) const {
  const std::string block = describe_block(spec_, symbol);
  return shape_.cut.pieces() > 1 && symbol != no_block ? fmt::format("piece {} of {}", piece, block) : block;
}

/// In out a slot must hold in the end what it is for; before, it holds that or nothing.
void Movement::say_what_must_be(Counterexample::Content& content) const {
  const bool there = content.buffer == Buffer::out && content.slot >= 0 && content.slot < shape_.slots(Buffer::out);
  if (!there || content.rank < 0 || content.rank >= spec_.ranks() || blocks(spec_, Buffer::out, content.rank) == 0)
    return;
  const Slot piece = content.slot / shape_.out;
  content.block = wanted_after(spec_, content.rank, schedule_.block(Buffer::out, content.slot % shape_.out, piece));
  if (content.block != no_block) content.must = block_text(content.block, piece);
}

void Movement::land(Delivery& d, const Transfer& x) {
  contents_.look(d.t, d.from, x, d.view);
  bool good = true;
  for_each_slot(x.slots, [&](Slot slot) {
    good = good && !d.target.done() && land_slot(d, x.buffer, slot);  // done: the lengths differ
  });
}

bool Movement::land_slot(Delivery& d, Buffer buffer, Slot slot) {
  const auto piece_of = [this](Slot s, Slot blocks) { return pieces_ == 1 ? 0 : s / blocks; };
  const Buffer to_buffer = d.target.transfer().buffer;
  const Slot landing = d.target.slot(), piece = piece_of(slot, d.view.blocks);
  if (piece != piece_of(landing, shape_.blocks(to_buffer))) {
    d.wrong = another_piece(d, buffer, slot, piece, landing);
    return false;
  }
  d.target.next();
  const Slot symbol = contents_.read(d.view, slot);
  if (symbol == no_block) {
    d.wrong = holds_nothing(d, buffer, slot);
    return false;
  }
  contents_.write(d.to, to_buffer, landing, symbol);
  if (d.from != d.to) {
    ++deliveries_;
    note_receipt(d.t, d.to, static_cast<Name>(symbol * pieces_ + piece));
  }
  return true;
}

Prover::Found Movement::final_state() const {
  const Slot pieces = one_piece_ ? std::min<Slot>(1, shape_.cut.pieces()) : shape_.cut.pieces();
  for (Rank r = 0; r < representatives_; ++r) {
    if (blocks(spec_, Buffer::out, r) == 0) continue;
    for (Slot s = 0; s < shape_.out * pieces; ++s) {
      const Slot piece = s / shape_.out;
      const Slot index = schedule_.block(Buffer::out, s % shape_.out, piece);
      const Slot wanted = wanted_after(spec_, r, index), held = contents_.held(r, Buffer::out, s);
      if (held == wanted) continue;
      return Counterexample{
          What::delivery,
          -1,
          r,
          fmt::format("rank {} ends with {} in block {} of out and must have {}", r, block_text(held, piece), index,
                      block_text(wanted, piece)),
          std::nullopt,
          Counterexample::Content{r, Buffer::out, s, block_text(held, piece), block_text(wanted, piece), wanted}};
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

void Movement::note_receipt(Round t, Rank r, Name name) {
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

std::int64_t Movement::duplicates() {
  for (std::size_t r = 0; r < receipts_.size(); ++r) {
    const std::vector<Name> twins = repeated(receipts_[r]);
    duplicates_ += static_cast<std::int64_t>(twins.size());
    if (!first_twin_ && !twins.empty()) first_twin_ = {static_cast<Rank>(r), twins.front()};
  }
  return duplicates_;
}

std::vector<Round> Movement::rounds_of(Rank r, Name name) const {
  Movement again(spec_, schedule_, group_, one_piece_, meter_);
  again.watched_ = {r, name};
  again.run();
  return again.watched_rounds_;
}

Counterexample Movement::first_duplicate() const {
  const auto [r, name] = *first_twin_;
  const std::vector<Round> rounds = rounds_of(r, name);
  const auto name_of = static_cast<Slot>(name);
  return {What::duplicate, rounds.at(1), r,
          fmt::format("rank {} receives {} in round {} and again in round {}", r,
                      block_text(name_of / pieces_, name_of % pieces_), rounds[0], rounds[1])};
}

}  // namespace quadrille::verifier
