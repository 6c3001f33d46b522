#include "dropin/perform/alltoallv_plan.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/hash.hpp"
#include "dropin/decide/choose.hpp"
#include "dropin/perform/buffers.hpp"

namespace quadrille::dropin {

using mpi::dense;

namespace {

/// Bytes of a side's blocks; -1: not understood.
Bytes bytes_of(const AlltoallvCall::Side& side, int ranks) {
  if (side.buffer == MPI_IN_PLACE || side.counts == nullptr) return -1;
  const Bytes size = Sizes::of(side.type);
  if (size < 0) return -1;
  Bytes elements = 0, bytes = 0;
  for (int r = 0; r < ranks; ++r) {
    if (side.counts[r] < 0 || (side.counts[r] > 0 && side.displaces == nullptr)) return -1;
    elements += side.counts[r];
  }
  if (__builtin_mul_overflow(elements, size, &bytes)) return -1;
  const bool missing = bytes > 0 && side.buffer == MPI_BOTTOM && dense(side.type);  // no addresses in the type either
  return missing ? -1 : bytes;
}

}  // namespace

Bytes AlltoallvCall::taken(int ranks) const { return bytes_of(out, ranks); }

bool AlltoallvCall::understood(int ranks) const {
  const bool same_blocks = mpi_refuses_aliases && in.type == out.type && in.counts == out.counts;
  return in_place || (bytes_of(in, ranks) >= 0 && !(same_blocks && in.buffer == out.buffer));
}

std::int64_t AlltoallvCall::sizes(int rank, int ranks) const {
  const Bytes given = Sizes::of(sent().type), taken = Sizes::of(out.type);
  std::uint64_t all = 1;
  for (int r = 0; r < ranks; ++r)
    if (r != rank) all = base::hash_of(all, sent().counts[r] * given, out.counts[r] * taken);
  return static_cast<std::int64_t>(all);
}

std::int64_t AlltoallvCall::balance(int rank, int ranks) const {
  std::uint64_t all = 0;
  const auto add = [&](int from, int to, Bytes bytes) {
    if (from == to) return;
    all ^= base::hash_of(from, to, bytes);
  };
  const Bytes given = Sizes::of(sent().type), taken = Sizes::of(out.type);
  for (int r = 0; r < ranks; ++r) {
    add(rank, r, sent().counts[r] * given);
    add(r, rank, out.counts[r] * taken);
  }
  return static_cast<std::int64_t>(all);
}

/// The program of an exchange of single bytes: lay() says what is really sent. Nobody waits for all in it.
AlltoallvPlan::Made AlltoallvPlan::make(mpi::communicator::state& communicator, const std::string& choice) {
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

AlltoallvPlan::AlltoallvPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& name)
    : AlltoallvPlan(communicator, name, make(*communicator, name)) {}

AlltoallvPlan::AlltoallvPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& name, Made made)
    : choice(name),
      communicator_(std::move(communicator)),
      packer_{communicator_->peers.comm(), communicator_->peers.rank()},
      tag_(made.tag),
      execution_(communicator_->peers, std::move(made.program), tag_, communicator_->settings.segment,
                 communicator_->neighbours.get()) {}

void AlltoallvPlan::lay_out(const AlltoallvCall::Side& side, bool staged, std::size_t area, Laid& laid) {
  laid.places.resize(static_cast<std::size_t>(communicator_->peers.ranks()));
  laid.staged = staged;
  const Bytes size = Sizes::of(side.type);
  Bytes total = 0;
  for (int r = 0; auto& place : laid.places) {
    place.bytes = side.counts[r] * size;
    place.offset = staged ? total : side.nothing(r) ? 0 : side.displaces[r] * size;
    total += place.bytes;
    ++r;
  }
  laid.base = staged ? staging_.take(area, total) : static_cast<std::byte*>(side.buffer);
}

void AlltoallvPlan::pack(const AlltoallvCall::Side& side, const Laid& laid) const {
  for (int r = 0; const auto& place : laid.places) {
    if (place.bytes > 0) packer_.pack(side.block(r), side.counts[r], side.type, laid.base + place.offset, place.bytes);
    ++r;
  }
}

void AlltoallvPlan::unpack(const AlltoallvCall::Side& side, const Laid& laid) const {
  for (int r = 0; const auto& place : laid.places) {
    if (place.bytes > 0)
      packer_.unpack(laid.base + place.offset, place.bytes, side.block(r), side.counts[r], side.type);
    ++r;
  }
}

void AlltoallvPlan::start(const AlltoallvCall& call) {
  lay_out(call.sent(), call.in_place || !dense(call.in.type), 0, in_);
  lay_out(call.out, !dense(call.out.type), 1, out_);
  if (in_.staged) pack(call.sent(), in_);
  const auto own = static_cast<std::size_t>(packer_.rank);
  if (const Bytes bytes = std::min(in_.places[own].bytes, out_.places[own].bytes); bytes > 0)
    std::memmove(out_.base + out_.places[own].offset, in_.base + in_.places[own].offset,
                 static_cast<std::size_t>(bytes));
  execution_.lay(in_.places, out_.places, tag_ + static_cast<int>(call_++ % tags));
  execution_.start({in_.base, out_.base, nullptr});
  if (execution_.active()) communicator_->started(execution_);
}

bool AlltoallvPlan::test() {
  communicator_->progress();
  return !execution_.active();
}

void AlltoallvPlan::finish(const AlltoallvCall& call) const {
  if (out_.staged) unpack(call.out, out_);
}

void AlltoallvPlan::keep(const AlltoallvCall& call) {
  lay_out(call.out, true, 2, kept_);
  pack(call.out, kept_);
}

void AlltoallvPlan::lay_back(const AlltoallvCall& call) const { unpack(call.out, kept_); }

}  // namespace quadrille::dropin
