#include "dropin/perform/buffers.hpp"

namespace quadrille::dropin {

bool accepted(const View& view, Bytes bytes, MPI_Comm comm) {
  if (view.buffer == MPI_IN_PLACE || bytes_of(view.count, view.type) < bytes) return false;
  if (bytes > 0 && view.buffer == MPI_BOTTOM && dense(view.type)) return false;  // no addresses in the type either
  return committed(view.type, comm);
}

namespace {

/// How many blocks that is for this rank.
Bytes blocks_of(const BlocksOf& side, const Request& request, const Buffers& buffers) {
  switch (buffers.rank == request.root ? side.root : side.others) {
    case Blocks::none:
      return 0;
    case Blocks::one:
      return 1;
    case Blocks::all:
      return buffers.ranks;
  }
  return 0;
}

}  // namespace

Ends::Ends(const Request& request, const Buffers& buffers, Staging& staging)
    : request_(request), b_(buffers), facts_(facts_of(request.operation)) {
  in_side_ = given();
  out_side_ = taken();
  if (out_side_.bytes > 0) prepare_out(staging);
  if (in_side_.bytes > 0) prepare_in(staging);
}

Ends::Side Ends::given() const {
  if (b_.in_place && facts_.in_place == InPlace::gives) return {};
  const Bytes blocks = blocks_of(facts_.gives, request_, b_);
  if (combines(request_.operation)) return blocks == 0 ? Side{} : Side{b_.in.count, bytes_of(b_.in.count, b_.in.type)};
  const bool all = b_.in_place && facts_.in_place == InPlace::overwrites;
  const Bytes block = request_.lengths.empty() ? request_.bytes : request_.lengths[static_cast<std::size_t>(b_.rank)];
  return {blocks * (all ? b_.out : b_.in).count, blocks * block};
}

Ends::Side Ends::taken() const {
  if (b_.in_place && facts_.in_place == InPlace::takes) return {};
  const Bytes blocks = blocks_of(facts_.takes, request_, b_);
  if (combines(request_.operation))
    return blocks == 0 ? Side{} : Side{b_.out.count, bytes_of(b_.out.count, b_.out.type)};
  if (facts_.bytes == BytesAre::of_all_blocks) return {0, request_.bytes};
  return {blocks * b_.out.count, blocks * request_.bytes};
}

template <class Use>
void Ends::each_out(int rank, Use use) const {
  if (b_.counts.there()) {
    Bytes offset = 0;
    for (int r = 0; r < b_.ranks; ++r) {
      const Bytes length = request_.lengths[static_cast<std::size_t>(r)];
      if (length > 0 && (rank < 0 || r == rank))
        use(element(b_.out.buffer, b_.out.type, b_.displaces[r]), b_.counts[r], offset, length);
      offset += length;
    }
    return;
  }
  if (rank < 0)
    use(static_cast<std::byte*>(b_.out.buffer), out_side_.count, 0, out_side_.bytes);
  else
    use(element(b_.out.buffer, b_.out.type, rank * b_.out.count), b_.out.count, rank * request_.bytes, request_.bytes);
}

/// At the root, where the out side is what is given.
bool Ends::message_is_here() const { return facts_.bytes == BytesAre::of_a_message && b_.rank == request_.root; }

/// Blocks of an allgatherv may lie anywhere.
bool Ends::out_lies_together() const {
  if (!dense(b_.out.type)) return false;
  if (!b_.counts.there()) return true;
  for (int r = 1; r < b_.ranks; ++r)
    if (b_.displaces[r] != b_.displaces[r - 1] + b_.counts[r - 1]) return false;
  return true;
}

void Ends::prepare_out(Staging& staging) {
  if (!b_.beside && out_lies_together()) {
    out_ = b_.counts.there() ? element(b_.out.buffer, b_.out.type, b_.displaces[0])
                             : static_cast<std::byte*>(b_.out.buffer);
    return;
  }
  std::byte* const area = staging.take(1, out_side_.bytes);
  const auto fill = [&](const std::byte* from, Bytes count, Bytes offset, Bytes length) {
    b_.packer.pack(from, count, b_.out.type, area + offset, length);
  };
  if (message_is_here())
    each_out(-1, fill);
  else if (b_.in_place && facts_.in_place == InPlace::gives)
    each_out(b_.rank, fill);
  out_ = area;
  staged_ = true;
}

void Ends::prepare_in(Staging& staging) {
  const bool all = b_.in_place && facts_.in_place == InPlace::overwrites;  // `in` is what `out` held
  const View& from = all ? b_.out : b_.in;
  if (!all && dense(from.type)) {
    in_ = from.buffer;
    return;
  }
  std::byte* const area = staging.take(0, in_side_.bytes);
  b_.packer.pack(static_cast<const std::byte*>(from.buffer), in_side_.count, from.type, area, in_side_.bytes);
  in_ = area;
}

void Ends::finish() const {
  if (!staged_ || b_.beside || message_is_here()) return;
  const std::byte* const area = static_cast<const std::byte*>(out_);
  each_out(-1, [&](std::byte* to, Bytes count, Bytes offset, Bytes length) {
    b_.packer.unpack(area + offset, length, to, count, b_.out.type);
  });
}

}  // namespace quadrille::dropin
