#include "dropin/perform/exchange_call.hpp"

#include <vector>

#include "base/hash.hpp"

namespace quadrille::dropin {

namespace {

/// Bytes of blocks of one type; -1: a length is not understood.
Bytes total_of_one_type(const ExchangeSide& side) {
  const Bytes size = Sizes::of(side.type);
  if (size < 0) return -1;
  Bytes elements = 0, bytes = 0;
  for (int i = 0; i < side.blocks; ++i) {
    const Bytes count = side.count(i);
    if (count < 0) return -1;
    if (side.partner(i) >= 0 && __builtin_add_overflow(elements, count, &elements)) return -1;
  }
  return __builtin_mul_overflow(elements, size, &bytes) ? -1 : bytes;
}

Bytes total_of_types(const ExchangeSide& side) {
  Bytes all = 0, bytes = 0;
  for (int i = 0; i < side.blocks; ++i) {
    const Bytes count = side.count(i);
    if (count < 0) return -1;
    if (side.nothing(i)) continue;
    const Bytes size = Sizes::of(side.types[i]);
    if (size < 0 || __builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(all, bytes, &all)) return -1;
  }
  return all;
}

}  // namespace

bool ExchangeSide::lies_together() const {
  if (types == nullptr) return mpi::dense(type);
  for (int i = 0; i < blocks; ++i)
    if (!nothing(i) && !mpi::dense(types[i])) return false;
  return true;
}

bool ExchangeSide::all_committed(MPI_Comm comm) const {
  if (types == nullptr) return committed(type, comm);
  for (int i = 0; i < blocks; ++i)
    if (!nothing(i) && !committed(types[i], comm)) return false;
  return true;
}

Bytes ExchangeSide::total() const {
  if (blocks < 0 || buffer == MPI_IN_PLACE || (blocks > 0 && !counts.there() && each < 0)) return -1;
  const Bytes bytes = types == nullptr ? total_of_one_type(*this) : total_of_types(*this);
  if (bytes <= 0) return bytes;
  if (!places.there() && counts.there()) return -1;
  const bool no_addresses = buffer == MPI_BOTTOM && lies_together();  // none in the types either
  return no_addresses ? -1 : bytes;
}

bool ExchangeSide::distinct() const {
  std::vector<int> ranks;
  for (int i = 0; i < blocks; ++i)
    if (partner(i) >= 0) ranks.push_back(partner(i));
  std::sort(ranks.begin(), ranks.end());
  return std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end();
}

bool ExchangeCall::understood() const {
  if (in_place) return true;
  const bool same_blocks = mpi_refuses_aliases && in.type == out.type && in.counts == out.counts && in.each == out.each;
  return in.total() >= 0 && !(same_blocks && in.buffer == out.buffer && out.blocks > 0);
}

std::int64_t ExchangeCall::sizes(int rank) const {
  std::uint64_t all = 1;
  for (const ExchangeSide* const side : {&sent(), &out})
    for (int i = 0; i < side->blocks; ++i)
      if (side->partner(i) != rank) all = base::hash_of(all, side->partner(i), side->bytes(i));
  return static_cast<std::int64_t>(all);
}

std::int64_t ExchangeCall::balance(int rank) const {
  std::uint64_t all = 0;
  const auto add = [&](int from, int to, Bytes bytes) {
    if (from != to && bytes > 0) all ^= base::hash_of(from, to, bytes);
  };
  for (int i = 0; i < sent().blocks; ++i) add(rank, sent().partner(i), sent().bytes(i));
  for (int i = 0; i < out.blocks; ++i) add(out.partner(i), rank, out.bytes(i));
  return static_cast<std::int64_t>(all);
}

}  // namespace quadrille::dropin
