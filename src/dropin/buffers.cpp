#include "dropin/buffers.hpp"

#include <cstring>
#include <numeric>
#include <vector>

#include "mpi/peers.hpp"

namespace quadrille::dropin {

namespace {

std::byte* element(const View& view, Bytes index) {
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_extent(view.type, &low, &extent);
  return static_cast<std::byte*>(view.buffer) + index * static_cast<Bytes>(extent);
}

/// MPICH packs nothing at MPI_BOTTOM, but sends it.
bool at_bottom(const std::byte* address) { return address == MPI_BOTTOM; }
constexpr int tag = 0;  // to itself, while no plan is under way

void pack(const std::byte* from, Bytes count, MPI_Datatype type, std::byte* to, Bytes bytes, const Buffers& b) {
  const int elements = static_cast<int>(count), room = static_cast<int>(bytes);
  int position = 0;
  mpi::check(at_bottom(from) ? PMPI_Sendrecv(from, elements, type, b.rank, tag, to, room, MPI_PACKED, b.rank, tag,
                                             b.comm, MPI_STATUS_IGNORE)
                             : PMPI_Pack(from, elements, type, to, room, &position, b.comm),
             "packing elements of a derived type");
}

void unpack(const std::byte* from, Bytes bytes, std::byte* to, Bytes count, MPI_Datatype type, const Buffers& b) {
  const int elements = static_cast<int>(count), length = static_cast<int>(bytes);
  int position = 0;
  mpi::check(at_bottom(to) ? PMPI_Sendrecv(from, length, MPI_PACKED, b.rank, tag, to, elements, type, b.rank, tag,
                                           b.comm, MPI_STATUS_IGNORE)
                           : PMPI_Unpack(from, length, &position, to, elements, type, b.comm),
             "unpacking elements of a derived type");
}

/// The type that `type` is so many of, or a copy of; to be released by the caller where it has no name.
MPI_Datatype inner_type(MPI_Datatype type, int integers, int addresses, int types) {
  std::vector<int> i(static_cast<std::size_t>(integers) + 1);
  std::vector<MPI_Aint> a(static_cast<std::size_t>(addresses) + 1);
  std::vector<MPI_Datatype> t(static_cast<std::size_t>(types) + 1, MPI_DATATYPE_NULL);
  PMPI_Type_get_contents(type, integers, addresses, types, i.data(), a.data(), t.data());
  return t.front();
}

}  // namespace

bool dense(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) {
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &low, &extent);
    return low == 0 && extent == size;  // pairs such as MPI_DOUBLE_INT have a gap
  }
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
  MPI_Datatype inner = inner_type(type, integers, addresses, types);
  const bool is = dense(inner);
  PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&inner);
  return is;
}

std::byte* Staging::take(std::size_t which, Bytes bytes) {
  Area& area = areas_[which];
  if (area.bytes < bytes) {
    area = {};
    area.memory.reset(new std::byte[static_cast<std::size_t>(bytes)]);
    area.bytes = bytes;
  }
  return area.memory.get();
}

Ends::Ends(const Request& request, const Buffers& buffers, Staging& staging) : request_(request), b_(buffers) {
  const bool root = b_.rank == request.root;
  switch (request.operation) {
    case Operation::bcast:
      out_blocks_ = 1;
      break;
    case Operation::scatter:
      in_blocks_ = root ? b_.ranks : 0;
      out_blocks_ = root && b_.in_place ? 0 : 1;
      break;
    case Operation::gather:
      in_blocks_ = root && b_.in_place ? 0 : 1;
      out_blocks_ = root ? b_.ranks : 0;
      break;
    case Operation::alltoall:
      in_blocks_ = out_blocks_ = b_.ranks;
      break;
    default:
      in_blocks_ = b_.in_place ? 0 : 1;
      out_blocks_ = b_.ranks;
  }
  if (out_blocks_ > 0) prepare_out(staging);
  if (in_blocks_ > 0) prepare_in(staging);
}

template <class Use>
void Ends::each_out(int rank, Use use) const {
  if (b_.counts != nullptr) {
    Bytes offset = 0;
    for (int r = 0; r < b_.ranks; ++r) {
      const Bytes length = request_.lengths[static_cast<std::size_t>(r)];
      if (length > 0 && (rank < 0 || r == rank)) use(element(b_.out, b_.displaces[r]), b_.counts[r], offset, length);
      offset += length;
    }
    return;
  }
  const Bytes first = rank < 0 ? 0 : rank;
  const Bytes blocks = rank < 0 ? out_blocks_ : 1;
  use(element(b_.out, first * b_.out.count), blocks * b_.out.count, first * request_.bytes, blocks * request_.bytes);
}

/// Blocks of an allgatherv may lie anywhere.
bool Ends::out_lies_together() const {
  if (!dense(b_.out.type)) return false;
  if (b_.counts == nullptr) return true;
  for (int r = 1; r < b_.ranks; ++r)
    if (b_.displaces[r] != b_.displaces[r - 1] + b_.counts[r - 1]) return false;
  return true;
}

void Ends::prepare_out(Staging& staging) {
  if (out_lies_together()) {
    out_ = b_.counts == nullptr ? static_cast<std::byte*>(b_.out.buffer) : element(b_.out, b_.displaces[0]);
    return;
  }
  const Bytes bytes = request_.operation == Operation::allgatherv ? request_.bytes : out_blocks_ * request_.bytes;
  std::byte* const area = staging.take(1, bytes);
  const auto fill = [&](const std::byte* from, Bytes count, Bytes offset, Bytes length) {
    pack(from, count, b_.out.type, area + offset, length, b_);
  };
  if (request_.operation == Operation::bcast) {
    if (b_.rank == request_.root) each_out(-1, fill);
  } else if (b_.in_place && request_.operation != Operation::alltoall) {
    each_out(b_.rank, fill);
  }
  out_ = area;
  staged_ = true;
}

void Ends::prepare_in(Staging& staging) {
  const bool all = request_.operation == Operation::alltoall && b_.in_place;  // `in` is what `out` held
  const View& from = all ? b_.out : b_.in;
  if (!all && dense(from.type)) {
    in_ = from.buffer;
    return;
  }
  const Bytes block = request_.lengths.empty() ? request_.bytes : request_.lengths[static_cast<std::size_t>(b_.rank)];
  std::byte* const area = staging.take(0, in_blocks_ * block);
  pack(static_cast<const std::byte*>(from.buffer), in_blocks_ * from.count, from.type, area, in_blocks_ * block, b_);
  in_ = area;
}

void Ends::finish() const {
  if (!staged_ || (request_.operation == Operation::bcast && b_.rank == request_.root)) return;
  const std::byte* const area = static_cast<const std::byte*>(out_);
  each_out(-1, [&](std::byte* to, Bytes count, Bytes offset, Bytes length) {
    unpack(area + offset, length, to, count, b_.out.type, b_);
  });
}

}  // namespace quadrille::dropin
