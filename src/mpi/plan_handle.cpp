// A plan that a program keeps: it is executed on the buffers of each call.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "mpi/state.hpp"

namespace quadrille::mpi {

namespace {

constexpr auto in_place = static_cast<std::size_t>(Buffer::in);
constexpr auto out_place = static_cast<std::size_t>(Buffer::out);
constexpr auto tmp_place = static_cast<std::size_t>(Buffer::tmp);

Slot own_block(const Spec& spec, Rank rank) {
  for (Slot i = 0; i < blocks(spec, Buffer::out, rank); ++i)
    if (held_before(spec, Buffer::out, rank, i) != no_block) return i;
  return no_block;
}

/// Where `in` holds the rank's own block, as it does where it has a block for every rank; -1: nowhere.
Slot own_in(const Spec& spec, Rank rank, Slot own) {
  if (own == no_block) return -1;
  const Slot name = held_before(spec, Buffer::out, rank, own);
  for (Slot i = 0; i < blocks(spec, Buffer::in, rank); ++i)
    if (held_before(spec, Buffer::in, rank, i) == name) return i;
  return -1;
}

bool shared(const void* memory, Bytes bytes) { return Arena::get().place(memory, bytes) >= 0; }

/// Whether the rank's result is its own contribution alone, which no schedule moves.
bool keeps_own(const Spec& spec, Rank rank) {
  return combines(spec) && buffer_bytes(spec, Buffer::out, rank) > 0 &&
         wanted_contributions(spec, rank, rank) == Contributions{rank, rank + 1};
}

}  // namespace

plan_handle::state::state(std::shared_ptr<communicator::state> communicator, const Spec& asked, const Built& built,
                          program::Program compiled, int tag)
    : home(std::move(communicator)),
      spec(asked),
      algorithm(to_text(*built.choice.algorithm, built.choice.params)),
      predicted(seconds(built.formula, home->machine, *spec.topology)),
      bound(lower_bound(on_nodes(spec, home->placement), home->machine).time),
      execution(home->peers, std::move(compiled), tag, home->settings.segment, home->neighbours.get()),
      scratch(make_room(execution.program().size[tmp_place], execution.offers())),
      own_(own_block(spec, home->peers.rank())),
      own_in_(own_in(spec, home->peers.rank(), own_)),
      keeps_own_(keeps_own(spec, home->peers.rank())) {
  if (idempotent(spec)) {  // nobody asks by what
    reducer_.emplace(operators::kernel({operators::Operation::bor, operators::Number::uint8}));
    execution.combine_by(*reducer_);
  }
  if (own_ != no_block && own_in_ < 0) execution.send_from_in(block_offset(spec, own_), own_bytes());
}

Bytes plan_handle::state::own_bytes() const { return block_offset(spec, own_ + 1) - block_offset(spec, own_); }

void plan_handle::state::missing(std::string_view buffer) const {
  throw Error(Error::Kind::argument, fmt::format("{}: rank {} must have a buffer '{}', not null",
                                                 to_string(spec.collective), home->peers.rank(), buffer));
}

void plan_handle::state::combine_by(const reduction& by) {
  const ReductionFacts facts = facts_of(by.op, by.type);
  if (facts.element != spec.element || (spec.operands == Operands::commutative && !facts.commutes))
    throw Error(Error::Kind::argument,
                fmt::format("{}: planned for elements of {} B and {} operands; the operator or its type is another",
                            to_string(spec.collective), spec.element,
                            spec.operands == Operands::ordered ? "ordered" : "commutative"));
  reducer_.emplace(by.op, by.type, Packer{home->peers.comm(), home->peers.rank()});
  execution.combine_by(*reducer_);
}

/// Where a reduction finds what this rank contributes: in place it lies where results will be.
const void* plan_handle::state::contribution(const void* in, const void* out) {
  if (!reducer_)
    throw Error(Error::Kind::argument, fmt::format("{}: the plan has no operator; expected combine_by() before start()",
                                                   to_string(spec.collective)));
  if (in != nullptr || out == nullptr) return in;
  const Bytes bytes = vector_bytes(spec);
  if (!contribution_) contribution_ = make_room(bytes, execution.offers());
  std::memcpy(contribution_.get(), out, static_cast<std::size_t>(bytes));
  return contribution_.get();
}

program::Bases plan_handle::state::bases(const void* in, void* out) {
  const program::Program& program = execution.program();
  if (idempotent(spec))
    in = &word_, out = &word_of_all_;
  else if (combines(spec))
    in = contribution(in, out);
  const bool stays = own_in_ >= 0 && has_root(spec.collective);  // the root's block may stay in `in`
  if (in == nullptr && program.size[in_place] > 0) missing("in");
  if (out == nullptr && program.size[out_place] > 0 && !stays) missing("out");
  if (own_ != no_block && own_in_ < 0) {
    // The own block is sent from `in`, if it is there, or where others can read it.
    const std::byte* const own = static_cast<const std::byte*>(out) + block_offset(spec, own_);
    if (in == nullptr || (execution.offers() && !shared(in, own_bytes()) && shared(own, own_bytes()))) in = own;
  }
  // The schedule only reads `in`; bases are for both.
  return {static_cast<std::byte*>(const_cast<void*>(in)), static_cast<std::byte*>(out), scratch.get()};
}

void plan_handle::state::place_own(const void* in, void* out) const {
  if (keeps_own_ && in != nullptr && out != nullptr)
    std::memmove(out, static_cast<const std::byte*>(in) + buffer_start(spec, Buffer::out, home->peers.rank()),
                 static_cast<std::size_t>(buffer_bytes(spec, Buffer::out, home->peers.rank())));
  if (own_ == no_block || in == nullptr || out == nullptr) return;
  const std::byte* const from = static_cast<const std::byte*>(in) + std::max<Slot>(0, own_in_) * spec.bytes;
  std::byte* const to = static_cast<std::byte*>(out) + block_offset(spec, own_);
  if (from != to) std::memcpy(to, from, static_cast<std::size_t>(own_bytes()));
}

plan_handle::plan_handle(std::unique_ptr<state> made) : state_(std::move(made)) {}
plan_handle::plan_handle(plan_handle&&) noexcept = default;
plan_handle& plan_handle::operator=(plan_handle&&) noexcept = default;
plan_handle::~plan_handle() = default;

void plan_handle::start(const void* in, void* out) {
  if (state_->execution.active())
    throw Error(Error::Kind::argument, "the plan is active; wait() for it before it is started again");
  const program::Bases bases = state_->bases(in, out);
  state_->place_own(in, out);
  state_->execution.start(bases);
  if (state_->execution.active()) state_->home->started(state_->execution);
}

void plan_handle::combine_by(const reduction& by) {
  if (state_->execution.active())
    throw Error(Error::Kind::argument, "the plan is active; wait() for it before it gets another operator");
  state_->combine_by(by);
}

bool plan_handle::test() {
  state_->home->progress();
  return !state_->execution.active();
}

void plan_handle::wait() {
  wait_until([this] { return test(); });
}

const Spec& plan_handle::spec() const { return state_->spec; }
std::string plan_handle::algorithm() const { return state_->algorithm; }
Seconds plan_handle::predicted() const { return state_->predicted; }
Seconds plan_handle::bound() const { return state_->bound; }
std::int64_t plan_handle::messages() const {
  return static_cast<std::int64_t>(state_->execution.program().sends.size());
}
Bytes plan_handle::moved() const { return state_->execution.program().moved; }
Bytes plan_handle::memory() const { return state_->execution.memory() + state_->execution.program().size[tmp_place]; }

}  // namespace quadrille::mpi
