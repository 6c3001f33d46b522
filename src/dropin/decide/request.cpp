#include "dropin/decide/request.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace quadrille::dropin {

std::uint64_t Request::hash() const {
  std::uint64_t h = base::hash_of(static_cast<int>(operation), bytes, root, lengths.size());
  for (const Bytes length : lengths) h = base::combined(h, static_cast<std::uint64_t>(length));
  if (combines(operation))
    h = base::combined(h, base::hash_of(by.element, static_cast<int>(by.operands), by.user, by.rounds, by.canonical));
  return base::scrambled(h);
}

namespace {

/// Of blocks that differ: each rank is a source of so many bytes.
void set_lengths(Spec& spec, const std::vector<Bytes>& lengths) {
  if (lengths.empty()) {  // of a report, which keeps no lengths
    spec.bytes /= spec.ranks();
    return;
  }
  if (std::all_of(lengths.begin(), lengths.end(), [&](Bytes b) { return b == lengths.front(); })) {
    spec.bytes = lengths.front();
    return;
  }
  if (combines(spec)) {
    auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
    for (const Bytes length : lengths) offsets->push_back(offsets->back() + length);
    spec.offsets = std::move(offsets);
    return;
  }
  spec.collective = Collective::multibcast;
  std::vector<std::pair<Rank, Bytes>> sources;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    if (lengths[r] > 0) sources.emplace_back(static_cast<Rank>(r), lengths[r]);
  spec.sources = make_sources(std::move(sources));
}

}  // namespace

std::optional<Spec> spec_of(const Request& request, TopologyPtr topology) {
  const OperationFacts& facts = facts_of(request.operation);
  if (!facts.collective) return {};
  Spec spec{
      .collective = *facts.collective, .topology = std::move(topology), .bytes = request.bytes, .root = request.root};
  if (combines(request.operation)) {
    spec.operands = request.by.operands;
    spec.element = request.by.element;
    spec.identical = request.by.rounds;
    spec.canonical = request.by.canonical;
  }
  switch (facts.bytes) {
    case BytesAre::of_a_block:
    case BytesAre::of_a_message:
    case BytesAre::of_a_vector:
      break;
    case BytesAre::of_all_blocks:
      set_lengths(spec, request.lengths);
      break;
    case BytesAre::of_this_rank:
      spec.bytes /= spec.ranks();
      break;
  }
  return checked(spec);
}

}  // namespace quadrille::dropin
