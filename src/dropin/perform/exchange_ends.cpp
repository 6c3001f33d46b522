#include "dropin/perform/exchange_ends.hpp"

#include <algorithm>

namespace quadrille::dropin {

ExchangeEnds::ExchangeEnds(const Spec& spec, Packer packer, const ExchangeCall& call, Staging& staging)
    : demands_(*spec.demands), packer_(packer), call_(call) {
  const auto room = [&](Buffer side) { return std::max<Bytes>(1, buffer_bytes(spec, side, packer_.rank)); };
  in_ = staging.take(0, room(Buffer::in));
  out_ = staging.take(1, room(Buffer::out));
  const ExchangeSide& sent = call_.sent();
  for (int i = 0; i < sent.blocks; ++i) {
    if (sent.nothing(i) || sent.partner(i) == packer_.rank) continue;
    const std::size_t pair = demands_.find(packer_.rank, sent.partner(i));
    packer_.pack(sent.address(i), sent.count(i), sent.type_of(i), in_ + demands_.leaves(pair) * demands_.word,
                 demands_.pairs[pair].bytes);
  }
  if (!call_.in_place) copy_own(staging);
}

/// What this rank has for itself.
void ExchangeEnds::copy_own(Staging& staging) const {
  const auto own_block = [&](const ExchangeSide& side) {
    int i = 0;
    while (i < side.blocks && (side.partner(i) != packer_.rank || side.nothing(i))) ++i;
    return i;
  };
  const ExchangeSide &in = call_.in, &out = call_.out;
  const int from = own_block(in), to = own_block(out);
  if (from == in.blocks || to == out.blocks) return;
  const Bytes bytes = in.bytes(from);
  std::byte* const block = staging.take(2, bytes);
  packer_.pack(in.address(from), in.count(from), in.type_of(from), block, bytes);
  packer_.unpack(block, bytes, out.address(to), out.count(to), out.type_of(to));
}

void ExchangeEnds::finish() const {
  const ExchangeSide& out = call_.out;
  for (int i = 0; i < out.blocks; ++i) {
    if (out.nothing(i) || out.partner(i) == packer_.rank) continue;
    const std::size_t pair = demands_.find(out.partner(i), packer_.rank);
    packer_.unpack(out_ + demands_.arrives[pair] * demands_.word, demands_.pairs[pair].bytes, out.address(i),
                   out.count(i), out.type_of(i));
  }
}

}  // namespace quadrille::dropin
