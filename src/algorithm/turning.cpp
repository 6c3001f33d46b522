#include "algorithm/turning.hpp"

#include "algorithm/shift.hpp"

namespace quadrille {

namespace {

/// In round q rank i passes on the blocks of the rank q-1 places before it that go at least q places; the one that goes
/// exactly q has arrived at the neighbour. Bundles wait in one of two halves of tmp, in turn, by growing destination,
/// so that a message is one run of memory; a block that has arrived goes to its place while the others go on.
class Turning final : public Schedule {
 public:
  Turning(Rank ranks, Bytes bytes, const Turns& turns) : p_(ranks), turns_(turns) {
    const auto [a, c, together] = turns_;
    shape_ = {.ranks = p_,
              .rounds = together ? std::max(a, c) : a + c,
              .in = p_,
              .out = p_,
              .tmp = 2 * (together ? a + c : std::max(a, c)),
              .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

  void step(Round t, Rank r, Steps& out) const override {
    const auto [a, c, together] = turns_;
    if (t < a) clockwise(t + 1, r, out);
    const Round u = together ? t : t - a;
    if (u >= 0 && u < c) back(u + 1, r, out);
  }

 private:
  void clockwise(Round q, Rank r, Steps& out) const {
    const Rank to = (r + 1) % p_, from = wrap(r - 1, p_), a = turns_.clockwise;
    if (q == 1)
      around(to, 1, a, p_, [&](const Slots& s) { out.send(to, Buffer::in, s); });
    else
      out.send(to, Buffer::tmp, contiguous((q - 1) % 2 * a + q - 1, a - q + 1));
    if (q > 1) out.move(r, Buffer::tmp, contiguous((q - 1) % 2 * a + q - 2, 1), Buffer::out, place(r - q + 1));
    if (q < a)
      out.recv(from, Buffer::tmp, contiguous(q % 2 * a + q - 1, a - q + 1));
    else
      out.recv(from, Buffer::out, place(r - q));
  }
  void back(Round q, Rank r, Steps& out) const {
    const Rank to = wrap(r - 1, p_), from = (r + 1) % p_, c = turns_.back;
    const Slot base = turns_.together ? 2 * turns_.clockwise : 0;
    if (q == 1)
      around(wrap(r - c, p_), 1, c, p_, [&](const Slots& s) { out.send(to, Buffer::in, s); });
    else
      out.send(to, Buffer::tmp, contiguous(base + (q - 1) % 2 * c, c - q + 1));
    if (q > 1)
      out.move(r, Buffer::tmp, contiguous(base + (q - 1) % 2 * c + c - q + 1, 1), Buffer::out, place(r + q - 1));
    if (q < c)
      out.recv(from, Buffer::tmp, contiguous(base + q % 2 * c, c - q + 1));
    else
      out.recv(from, Buffer::out, place(r + q));
  }
  Slots place(Rank source) const { return contiguous(wrap(source, p_), 1); }

  Rank p_;
  Turns turns_;
  Shape shape_;
};

bool splits(const Spec& spec, const Machine& machine) {
  return one_way(machine) || (half_duplex(machine) && spec.ranks() == 2);
}

}  // namespace

std::string turns_illegal(const Spec& spec, const Machine& machine) {
  if (!as<Ring>(spec))
    return fmt::format("needs a ring, and {} is not one; nearest: ring:{}", spec.topology->text(), spec.ranks());
  if (splits(spec, machine) && !spec.topology->colour(0))
    return fmt::format(
        "a rank of this machine cannot send while it receives, and {} does not divide in two kinds of ranks that "
        "take turns; nearest: ring:{}, or --set duplex=full",
        spec.topology->text(), spec.ranks() + 1);
  return {};
}

Cost turns_cost(const Spec& spec, const Machine& machine, const Turns& turns) {
  const auto [a, c, together] = turns;
  const std::int64_t halves = splits(spec, machine) ? 2 : 1;
  const std::int64_t rounds = together ? std::max(a, c) : a + c;
  const std::int64_t forth = a * (a + 1) / 2, back = c * (c + 1) / 2;
  const std::int64_t blocks = together ? std::max(forth, back) : forth + back;
  // What is sent first goes round the end of the buffer at reach - 1 ranks in a row, not at the same for both ways.
  const auto packed = [&](Rank reach) { return reach > 1 ? reach * std::min<Rank>(halves, reach - 1) : 0; };
  const Slot first = together ? std::max(packed(a), packed(c)) : packed(a) + packed(c);
  const Slot moved = std::max<Slot>(a - 1, 0) + std::max<Slot>(c - 1, 0);
  return neighbour_cost(halves * rounds, checked_multiply(halves * blocks, spec.bytes, "bytes"), moved * spec.bytes,
                        first * spec.bytes);
}

SchedulePtr turns_build(const Spec& spec, const Machine& machine, const Turns& turns) {
  const SchedulePtr full = std::make_shared<Turning>(spec.ranks(), spec.bytes, turns);
  return splits(spec, machine) ? half_split(full, spec.topology) : full;
}

}  // namespace quadrille
