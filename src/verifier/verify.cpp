#include "quadrille/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "verifier/combination_proof.hpp"
#include "verifier/movement.hpp"
#include "verifier/network.hpp"
#include "verifier/statements.hpp"

namespace quadrille {

std::string_view to_string(Counterexample::Kind kind) {
  switch (kind) {
    case Counterexample::Kind::shape:
      return "shape";
    case Counterexample::Kind::matching:
      return "matching";
    case Counterexample::Kind::possession:
      return "possession";
    case Counterexample::Kind::order:
      return "order";
    case Counterexample::Kind::doubled:
      return "doubled";
    case Counterexample::Kind::identical:
      return "identical";
    case Counterexample::Kind::race:
      return "race";
    case Counterexample::Kind::adjacency:
      return "adjacency";
    case Counterexample::Kind::ports:
      return "ports";
    case Counterexample::Kind::duplex:
      return "duplex";
    case Counterexample::Kind::contention:
      return "contention";
    case Counterexample::Kind::duplicate:
      return "duplicate";
    case Counterexample::Kind::delivery:
      return "delivery";
    case Counterexample::Kind::symmetry:
      return "symmetry";
    case Counterexample::Kind::circuits:
      return "circuits";
  }
  return "unknown";
}

namespace {

/// All ranks' vectors are cut alike, wherever the schedule wants, but never inside an element.
std::optional<Counterexample> check_vector_shape(const Spec& spec, const Shape& shape) {
  const auto refuse = [](const std::string& why) {
    return std::optional<Counterexample>({Counterexample::Kind::shape, 0, 0, why});
  };
  const Bytes bytes = vector_bytes(spec);
  if (shape.in != shape.out)
    return refuse(fmt::format("the schedule has {} blocks of in and {} of out, and both are parts of one vector",
                              shape.in, shape.out));
  if (shape.in > 0 && shape.block_offset(Buffer::in, shape.in) != bytes)
    return refuse(fmt::format("the schedule cuts a vector of {} bytes and the collective has {}",
                              shape.block_offset(Buffer::in, shape.in), bytes));
  if (shape.cut.pieces() == 0 && bytes > 0) return refuse("no piece of the data is in the schedule");
  if (bytes > 0 && spec.element > 1 && (shape.cut.unit % spec.element != 0 || shape.cut.bytes % spec.element != 0))
    return refuse(fmt::format("the schedule cuts at {} bytes and an element has {}", shape.cut.unit, spec.element));
  return {};
}

/// Ranks have as many words as they have; a schedule's buffers are those of the rank with most.
std::optional<Counterexample> check_words(const Demands& demands, const Shape& shape) {
  const Slot in = demands.most_sent(), out = demands.most_received();
  if (shape.in == in && shape.out == out && (shape.cut.pieces() == 1 || in == 0)) return {};
  return {
      {Counterexample::Kind::shape, 0, 0,
       fmt::format("the schedule has {} words of in, {} of out and {} pieces of each, and the collective {}, {} and 1",
                   shape.in, shape.out, shape.cut.pieces(), in, out)}};
}

std::optional<Counterexample> check_shape(const Spec& spec, const Shape& shape) {
  const auto refuse = [](const std::string& why) {
    return std::optional<Counterexample>({Counterexample::Kind::shape, 0, 0, why});
  };
  if (shape.ranks != spec.ranks())
    return refuse(
        fmt::format("the schedule is for {} ranks and {} has {}", shape.ranks, spec.topology->text(), spec.ranks()));
  if (combines(spec)) return check_vector_shape(spec, shape);
  const Bytes block = collective::block_bytes(spec);
  if (shape.cut.bytes != block)
    return refuse(
        fmt::format("the schedule cuts blocks of {} bytes and the collective has {}", shape.cut.bytes, block));
  if (shape.cut.pieces() == 0 && spec.bytes > 0) return refuse("no piece of the data is in the schedule");
  if (spec.demands) return check_words(*spec.demands, shape);
  for (const Buffer b : {Buffer::in, Buffer::out})
    for (Rank r : {spec.root, spec.target >= 0 ? spec.target : (spec.root + 1) % spec.ranks()}) {
      const Slot needed = blocks(spec, b, r), given = shape.blocks(b);
      if (needed != 0 && given != needed && !(b == Buffer::in && given == 0))
        return refuse(fmt::format("the schedule gives rank {} {} blocks of {} and the collective has {}", r, given,
                                  b == Buffer::in ? "in" : "out", needed));
    }
  return {};
}

void check_memory(const Spec& spec, const Schedule& schedule, Rank stored, bool one_piece, const VerifyBudget& budget) {
  const Shape& shape = schedule.shape();
  const Slot pieces = one_piece ? 1 : std::max<Slot>(1, shape.cut.pieces());
  const Rank relays = spec.topology->nodes() - spec.ranks();
  const Slot blocks =
      base::checked_add(base::checked_multiply(stored, shape.out, "slots"),
                        base::checked_multiply(relays > 0 ? relays : stored, shape.tmp, "slots"), "slots");
  const Slot slots = base::checked_multiply(blocks, pieces, "slots");
  if (slots > budget.slots || shape.ranks > base::bit(23))
    throw Error(
        Error::Kind::budget,
        fmt::format(
            "proving this on {} keeps {} block names and the budget is {}; prove a smaller machine of the family, or "
            "an algorithm with a symmetry",
            spec.topology->text(), base::format_count(slots), base::format_count(budget.slots)));
}

std::string some_rounds(Round rounds) {
  return fmt::format("{} round{}", base::format_count(rounds), rounds == 1 ? "" : "s");
}

/// Pays for the proof and for the look at the wires. A walk that is too long even if nothing is ever sent is not begun.
schedule::Meter meter_for(const Spec& spec, const Schedule& schedule, Rank stored, const VerifyBudget& budget) {
  const Round rounds = schedule.shape().rounds;
  schedule::Meter meter(
      budget.visits,
      fmt::format("proving {} on {} takes more than the {} visits allowed; prove a smaller machine of the "
                  "family, larger packets or an algorithm with a symmetry, or allow more with --budget",
                  some_rounds(rounds), spec.topology->text(), base::format_count(budget.visits)));
  if (rounds > budget.visits / (2 * schedule::visits_per_step * stored)) meter.spend(budget.visits + 1);
  return meter;
}

/// What the slots hold, from round to round.
std::optional<Counterexample> prove_movement(const Spec& spec, const Schedule& flow, const Claims& claims,
                                             const VerifyBudget& budget, const verifier::Representatives& who,
                                             schedule::Meter& meter, Proof& proof) {
  const schedule::Metered metered(flow, meter);
  verifier::Movement prover(spec, metered, who.group, who.one_piece, meter);
  const auto half = [&](Round done) {
    budget.progress(static_cast<double>(done) / static_cast<double>(flow.shape().rounds) / 2);
  };
  if (auto wrong = prover.run(budget.progress ? half : std::function<void(Round)>{})) return wrong;
  const std::int64_t duplicates = prover.duplicates();
  if (claims.once && duplicates > 0) return prover.first_duplicate();
  const std::int64_t copies = prover.stand_for() * (who.one_piece ? flow.shape().cut.pieces() : 1);
  proof.deliveries = prover.deliveries() * copies;
  proof.duplicates = duplicates * copies;
  return {};
}

}  // namespace

Proof verify(const Spec& asked, const Machine& machine, const Schedule& schedule, const Claims& claims,
             const VerifyBudget& budget) {
  const Spec spec = on_ways_of(asked, schedule);
  Proof proof;
  const auto refuse = [&](std::optional<Counterexample> found) {
    proof.counterexample = std::move(found);
    return proof;
  };
  if (auto wrong = check_shape(spec, schedule.shape())) return refuse(wrong);
  const Symmetry symmetry = budget.use_symmetry ? schedule.symmetry() : Symmetry{};
  const Schedule* base = symmetry.group != Group::none ? schedule.unsplit() : nullptr;
  const Schedule& flow = base ? *base : schedule;
  const Group group = budget.use_symmetry ? flow.symmetry().group : Group::none;
  const bool one_piece = group != Group::none && flow.symmetry().pieces_alike;
  const Rank stored = traffic::representatives(group, spec.topology->nodes());
  if (!combines(spec)) check_memory(spec, flow, stored, one_piece, budget);
  schedule::Meter meter = meter_for(spec, flow, stored, budget);
  if (group != Group::none)
    if (auto wrong = check_symmetry(spec, flow, std::min(budget.visits, std::int64_t{1} << 20))) return refuse(wrong);

  const Shape& shape = schedule.shape();
  proof.by_symmetry = group != Group::none;
  proof.scratch = base::checked_multiply(shape.tmp, shape.offsets ? spec.bytes : shape.cut.bytes, "scratch bytes");
  if (auto wrong = combines(spec)
                       ? verifier::prove_combination(spec, flow, claims, budget, {group, one_piece}, meter, proof)
                       : prove_movement(spec, flow, claims, budget, {group, one_piece}, meter, proof))
    return refuse(wrong);
  const verifier::NetworkProof network = verifier::check_network(spec, machine, schedule, claims, budget, meter);
  if (network.wrong) return refuse(network.wrong);
  proof.rounds = network.rounds;
  proof.messages = network.messages;
  proof.link_messages = network.link_messages;
  proof.visits = budget.visits - meter.left();
  proof.holds = true;
  verifier::state(spec, machine, claims, proof);
  return proof;
}

}  // namespace quadrille
