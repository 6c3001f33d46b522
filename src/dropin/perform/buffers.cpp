#include "dropin/perform/buffers.hpp"

namespace quadrille::dropin {

bool accepted(const View& view, Bytes bytes, MPI_Comm comm) {
  if (view.buffer == MPI_IN_PLACE || bytes_of(view.count, view.type) < bytes) return false;
  if (bytes > 0 && view.buffer == MPI_BOTTOM && dense(view.type)) return false;  // no addresses in the type either
  return committed(view.type, comm);
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
      if (length > 0 && (rank < 0 || r == rank))
        use(element(b_.out.buffer, b_.out.type, b_.displaces[r]), b_.counts[r], offset, length);
      offset += length;
    }
    return;
  }
  const Bytes first = rank < 0 ? 0 : rank;
  const Bytes blocks = rank < 0 ? out_blocks_ : 1;
  use(element(b_.out.buffer, b_.out.type, first * b_.out.count), blocks * b_.out.count, first * request_.bytes,
      blocks * request_.bytes);
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
    out_ = b_.counts == nullptr ? static_cast<std::byte*>(b_.out.buffer)
                                : element(b_.out.buffer, b_.out.type, b_.displaces[0]);
    return;
  }
  const Bytes bytes = request_.operation == Operation::allgatherv ? request_.bytes : out_blocks_ * request_.bytes;
  std::byte* const area = staging.take(1, bytes);
  const auto fill = [&](const std::byte* from, Bytes count, Bytes offset, Bytes length) {
    b_.packer.pack(from, count, b_.out.type, area + offset, length);
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
  b_.packer.pack(static_cast<const std::byte*>(from.buffer), in_blocks_ * from.count, from.type, area,
                 in_blocks_ * block);
  in_ = area;
}

void Ends::finish() const {
  if (!staged_ || (request_.operation == Operation::bcast && b_.rank == request_.root)) return;
  const std::byte* const area = static_cast<const std::byte*>(out_);
  each_out(-1, [&](std::byte* to, Bytes count, Bytes offset, Bytes length) {
    b_.packer.unpack(area + offset, length, to, count, b_.out.type);
  });
}

}  // namespace quadrille::dropin
