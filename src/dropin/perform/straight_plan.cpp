#include "dropin/perform/straight_plan.hpp"

#include <fmt/format.h>

#include <cstring>

#include "dropin/decide/choose.hpp"

namespace quadrille::dropin {

/// The program of an exchange of single bytes: lay() says what is really sent. Nobody waits for all in it.
StraightPlan::Made StraightPlan::make(mpi::communicator::state& communicator, const std::string& choice) {
  const SchedulePtr schedule = alltoallv_schedule(choice, communicator.placement, communicator.machine);
  const Spec spec = checked({.collective = Collective::alltoall, .topology = communicator.topology(), .bytes = 1});
  program::Program program =
      program::Compiler(spec, *schedule).compile(communicator.peers.rank(), false, communicator.settings.memory);
  if (!program.goes_straight())
    throw Error(Error::Kind::illegal,
                fmt::format("{} does not send every block straight to its rank, so ranks would need to know the "
                            "lengths of others' blocks; expected one that does, such as alltoall_pairwise",
                            choice));
  return {std::move(program), communicator.take_tags(tags)};
}

StraightPlan::StraightPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& name)
    : StraightPlan(communicator, name, make(*communicator, name)) {}

StraightPlan::StraightPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& name, Made made)
    : choice(name),
      communicator_(std::move(communicator)),
      packer_{communicator_->peers.comm(), communicator_->peers.rank()},
      tag_(made.tag),
      execution_(communicator_->peers, std::move(made.program), tag_, communicator_->settings.segment,
                 communicator_->neighbours.get()) {}

void StraightPlan::lay_out(const ExchangeSide& side, bool staged, std::size_t area, Laid& laid) {
  laid.places.resize(static_cast<std::size_t>(communicator_->peers.ranks()));
  laid.staged = staged;
  Bytes total = 0;
  for (int r = 0; auto& place : laid.places) {
    place.bytes = side.bytes(r);
    place.offset = staged ? total : side.nothing(r) ? 0 : side.address(r) - static_cast<std::byte*>(side.buffer);
    total += place.bytes;
    ++r;
  }
  laid.base = staged ? staging_.take(area, total) : static_cast<std::byte*>(side.buffer);
}

void StraightPlan::pack(const ExchangeSide& side, const Laid& laid) const {
  for (int r = 0; const auto& place : laid.places) {
    if (place.bytes > 0)
      packer_.pack(side.address(r), side.count(r), side.type_of(r), laid.base + place.offset, place.bytes);
    ++r;
  }
}

void StraightPlan::unpack(const ExchangeSide& side, const Laid& laid) const {
  for (int r = 0; const auto& place : laid.places) {
    if (place.bytes > 0)
      packer_.unpack(laid.base + place.offset, place.bytes, side.address(r), side.count(r), side.type_of(r));
    ++r;
  }
}

void StraightPlan::start(const ExchangeCall& call) {
  lay_out(call.sent(), call.in_place || !call.in.lies_together(), 0, in_);
  lay_out(call.out, !call.out.lies_together(), 1, out_);
  if (in_.staged) pack(call.sent(), in_);
  const auto own = static_cast<std::size_t>(packer_.rank);
  if (const Bytes bytes = std::min(in_.places[own].bytes, out_.places[own].bytes); bytes > 0)
    std::memmove(out_.base + out_.places[own].offset, in_.base + in_.places[own].offset,
                 static_cast<std::size_t>(bytes));
  execution_.lay(in_.places, out_.places, tag_ + static_cast<int>(call_++ % tags));
  execution_.start({in_.base, out_.base, nullptr});
  if (execution_.active()) communicator_->started(execution_);
}

bool StraightPlan::test() {
  communicator_->progress();
  return !execution_.active();
}

void StraightPlan::finish(const ExchangeCall& call) const {
  if (out_.staged) unpack(call.out, out_);
}

void StraightPlan::keep(const ExchangeCall& call) {
  lay_out(call.out, true, 2, kept_);
  pack(call.out, kept_);
}

void StraightPlan::lay_back(const ExchangeCall& call) const { unpack(call.out, kept_); }

}  // namespace quadrille::dropin
