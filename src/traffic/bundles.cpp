#include "traffic/bundles.hpp"

namespace quadrille::traffic {

bool same_data(const Schedule& schedule, Round t, Rank r, Rank first, Rank second) {
  Collected a, b;
  const auto& one = a.one(schedule, t, r, Kind::send, first);
  const auto& two = b.one(schedule, t, r, Kind::send, second);
  return std::equal(one.begin(), one.end(), two.begin(), two.end(),
                    [](const Transfer& x, const Transfer& y) { return x.buffer == y.buffer && x.slots == y.slots; });
}

void Bundler::bundle(Round t, Rank r, const std::vector<Summary::Message>& messages) {
  bundles_.clear();
  const bool one_transaction = medium_ && r < ranks_;
  for (const Summary::Message& m : messages) {
    if (m.kind == Kind::recv || m.peer == r) continue;
    auto same = bundles_.end();
    if (one_transaction)
      same = bundles_.begin();
    else if (multicast_ && !medium_)
      same = std::find_if(bundles_.begin(), bundles_.end(), [&](const Bundle& b) {
        return b.bytes == m.bytes && same_data(schedule_, t, r, b.peers.front(), m.peer);
      });
    if (same == bundles_.end())
      bundles_.push_back({{m.peer}, m.bytes});
    else
      same->peers.push_back(m.peer);
  }
  if (one_transaction && !bundles_.empty() && bundles_.front().peers.size() > 1)
    bundles_.front().bytes = distinct_bytes(t, r);
}

/// Bytes of all slots that the rank sends, each counted once.
Bytes Bundler::distinct_bytes(Round t, Rank r) {
  std::vector<std::pair<Buffer, Slot>> slots;
  for (const Transfer& x : all_.all(schedule_, t, r))
    if (x.kind == Kind::send && x.peer != r) for_each_slot(x.slots, [&](Slot s) { slots.emplace_back(x.buffer, s); });
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  Bytes bytes = 0;
  for (const auto& [buffer, slot] : slots) bytes += schedule_.bytes(buffer, contiguous(slot, 1));
  return bytes;
}

}  // namespace quadrille::traffic
