#include "dropin/later/trial_memory.hpp"

#include <utility>

#include "dropin/later/native_later.hpp"

namespace quadrille::dropin {

TrialMemory::TrialMemory(Request request, const mpi::reduction& by, RankGroup& group)
    : request_(std::move(request)), stand_in_(request_, by), group_(group) {
  lay_out();
}

/// What the call would be if all its data lay together; zeros, which all operators take.
void TrialMemory::lay_out() {
  const OperationFacts& facts = facts_of(request_.operation);
  Buffers& b = own_;
  b.by = stand_in_.by();
  b.rank = group_.rank();
  b.ranks = group_.ranks();
  const bool reduces = combines(request_.operation);
  const MPI_Datatype type = reduces ? b.by.type : MPI_BYTE;
  MPI_Aint low = 0, extent = 1;
  PMPI_Type_get_extent(type, &low, &extent);
  const Bytes size = reduces ? Sizes::of(type) : 1;
  const auto& lengths = request_.lengths;
  const Bytes own = lengths.empty() ? request_.bytes : lengths[static_cast<std::size_t>(b.rank)];
  const auto elements = [&](const BlocksOf& side, bool whole) {
    const Blocks blocks = b.rank == request_.root ? side.root : side.others;
    if (blocks == Blocks::none) return Bytes{0};
    if (blocks == Blocks::one) return own / size;
    return (whole ? request_.bytes : b.ranks * request_.bytes) / size;
  };
  const bool whole = facts.bytes == BytesAre::of_all_blocks;
  const Bytes given = elements(facts.gives, whole), taken = elements(facts.takes, whole);
  in_.assign(static_cast<std::size_t>(given * extent + 1), std::byte{0});
  out_.assign(static_cast<std::size_t>(taken * extent + 1), std::byte{0});
  for (Bytes at = 0; const Bytes length : lengths) {
    counts_.push_back(static_cast<int>(length / size));
    displaces_.push_back(static_cast<int>(at / size));
    at += length;
  }
  // Views count elements of a block, of a reduction all.
  b.in = {in_.data(), reduces ? given : own, type};
  b.out = {out_.data(), reduces ? taken : request_.bytes, type};
  if (!lengths.empty()) b.counts = counts_.data(), b.displaces = displaces_.data();
}

TrialCall TrialMemory::call(Ending ending) {
  Buffers kept = own_;
  if (request_.operation != Operation::allgatherv) kept.counts = kept.displaces = {};
  const auto native = [this, ending](MPI_Request* handle) {
    if (ending == Ending::persistent && !starts_again(request_.operation)) return MPI_ERR_OTHER;
    return native_later(ending, request_, own_, group_.plans().peers().comm(), handle);
  };
  return {.ending = ending,
          .operation = request_.operation,
          .bytes = request_.bytes,
          .user = request_.by.user,
          .native = native,
          .plan = [this](const std::string& choice) { return group_.plans().make(request_, choice); },
          .kept = std::make_shared<const KeptBuffers>(request_, kept)};
}

}  // namespace quadrille::dropin
