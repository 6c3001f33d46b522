#include "algorithm/pattern/merging.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace quadrille::algorithm::pattern {

namespace {

Round rounds_of(const Phases& phases) {
  Round rounds = 0;
  for (const Lines& lines : phases) rounds += line_rounds(lines.length);
  return rounds;
}

}  // namespace

void Merging::Held::add(const Held& more) {
  if (more.count == 0) return;
  low = count == 0 ? more.low : std::min(low, more.low);
  high = count == 0 ? more.high : std::max(high, more.high);
  count += more.count;
  bytes += more.bytes;
}

Merging::Merging(MergePlan plan) : plan_(std::move(plan)), opening_(plan_.moves() ? 1 : 0) {
  const auto ranks = static_cast<std::size_t>(plan_.ranks);
  group_.resize(ranks);
  for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
    const Phases& phases = plan_.groups[g];
    line_rounds_ = std::max(line_rounds_, rounds_of(phases));
    if (place_.size() < phases.size()) place_.resize(phases.size(), std::vector<std::int32_t>(ranks));
    for (std::size_t k = 0; k < phases.size(); ++k)
      for (std::size_t i = 0; i < phases[k].ranks.size(); ++i) {
        const auto r = static_cast<std::size_t>(phases[k].ranks[i]);
        place_[k][r] = static_cast<std::int32_t>(i);
        group_[r] = static_cast<std::int32_t>(g);
      }
  }
  by_place_.resize(plan_.placed.size());
  std::iota(by_place_.begin(), by_place_.end(), 0);
  std::stable_sort(by_place_.begin(), by_place_.end(), [&](Slot a, Slot b) {
    return plan_.placed[static_cast<std::size_t>(a)] < plan_.placed[static_cast<std::size_t>(b)];
  });
  const Round stages = line_rounds_ + (plan_.exchange.empty() ? 0 : 1);
  std::vector<Held> held = placed();
  for (Round s = 0; s < stages; ++s) {
    std::vector<bool>& has = holds_.emplace_back(ranks);
    for (std::size_t r = 0; r < ranks; ++r) has[r] = held[r].count > 0;
    merge_on(s, held);
  }
  shape_.ranks = plan_.ranks;
  shape_.rounds = opening_ + stages * (plan_.halves ? 2 : 1);
  shape_.out = plan_.sources->count();
  for (Slot k = 0; k < shape_.out; ++k) shape_.cut.bytes = std::max(shape_.cut.bytes, plan_.sources->bytes(k));
  bool alike = true;  // then blocks lie as those of an all-gather
  for (Slot k = 0; k < shape_.out; ++k) alike = alike && plan_.sources->bytes(k) == shape_.cut.bytes;
  if (!alike) shape_.offsets = {plan_.sources, &plan_.sources->offset};
}

Talk Merging::talk(Round stage, Rank r) const {
  if (stage == line_rounds_) return plan_.exchange[static_cast<std::size_t>(r)];
  const Phases& phases = plan_.groups[static_cast<std::size_t>(group_[static_cast<std::size_t>(r)])];
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const Lines& lines = phases[k];
    const Round rounds = line_rounds(lines.length);
    if (stage >= rounds) {
      stage -= rounds;
      continue;
    }
    const Rank i = place_[k][static_cast<std::size_t>(r)], x = i % lines.length, first = i - x;
    Talk talk = line_talk(lines.length, static_cast<int>(stage), x, plan_.odd);
    for (Rank* peer : {&talk.partner, &talk.only_to, &talk.only_from})
      if (*peer >= 0) *peer = lines.ranks[static_cast<std::size_t>(first + *peer)];
    return talk;
  }
  return {};
}

Merging::Sides Merging::sides(Round t, Rank r) const {
  const Round s = stage(t);
  const Talk with = talk(s, r);
  const bool sends = !plan_.halves || with.low == ((t - opening_) % 2 == 0), receives = !plan_.halves || !sends;
  const auto if_holding = [&](Rank peer) { return peer >= 0 && holds(s, peer) ? peer : -1; };
  Sides sides;
  if (sends && holds(s, r)) sides.to[0] = with.partner, sides.to[1] = with.only_to;
  if (receives) sides.from[0] = if_holding(with.partner), sides.from[1] = if_holding(with.only_from);
  return sides;
}

std::vector<Merging::Held> Merging::placed() const {
  std::vector<Held> held(static_cast<std::size_t>(plan_.ranks));
  for (Slot k = 0; k < plan_.sources->count(); ++k)
    held[static_cast<std::size_t>(plan_.placed[static_cast<std::size_t>(k)])].add({plan_.sources->bytes(k), 1, k, k});
  return held;
}

void Merging::merge_on(Round stage, std::vector<Held>& held) const {
  const std::vector<Held> before = held;
  for (Rank r = 0; r < plan_.ranks; ++r) {
    const Talk with = talk(stage, r);
    for (const Rank from : {with.partner, with.only_from})
      if (from >= 0) held[static_cast<std::size_t>(r)].add(before[static_cast<std::size_t>(from)]);
  }
}

void Merging::collect(Round stage, Rank r, std::vector<Slot>& blocks) const {
  if (!holds(stage, r)) return;
  if (stage > 0) {
    const Talk with = talk(stage - 1, r);
    collect(stage - 1, r, blocks);
    for (const Rank from : {with.partner, with.only_from})
      if (from >= 0) collect(stage - 1, from, blocks);
    return;
  }
  const auto at = [&](Slot k) { return plan_.placed[static_cast<std::size_t>(k)]; };
  auto k = std::lower_bound(by_place_.begin(), by_place_.end(), r, [&](Slot a, Rank rank) { return at(a) < rank; });
  for (; k != by_place_.end() && at(*k) == r; ++k) blocks.push_back(*k);
}

namespace {

/// Blocks in increasing order, as few segments as can be.
void add_runs(Steps& out, Kind kind, Rank peer, std::vector<Slot>& blocks) {
  std::sort(blocks.begin(), blocks.end());
  for (std::size_t i = 0, n = 0; i < blocks.size(); i += n) {
    for (n = 1; i + n < blocks.size() && blocks[i + n] == blocks[i] + static_cast<Slot>(n);) ++n;
    out.add({kind, Buffer::out, peer, contiguous(blocks[i], static_cast<Slot>(n))});
  }
}

}  // namespace

void Merging::open(Rank r, Steps& out) const {
  const Sources& sources = *plan_.sources;
  if (const Slot own = sources.find(r); own >= 0)
    if (const Rank to = plan_.placed[static_cast<std::size_t>(own)]; to != r)
      out.send(to, Buffer::out, contiguous(own, 1));
  std::vector<Slot> blocks;
  collect(0, r, blocks);
  for (const Slot k : blocks)
    if (const Rank from = sources.ranks[static_cast<std::size_t>(k)]; from != r)
      out.recv(from, Buffer::out, contiguous(k, 1));
}

void Merging::step(Round t, Rank r, Steps& out) const {
  if (t < opening_) return open(r, out);
  const Sides with = sides(t, r);
  std::vector<Slot> blocks;
  const auto message = [&](Kind kind, Rank peer, Rank holder) {
    if (peer < 0 || !out.wants(kind, peer)) return;
    blocks.clear();
    collect(stage(t), holder, blocks);
    add_runs(out, kind, peer, blocks);
  };
  for (const Rank to : with.to) message(Kind::send, to, r);
  for (const Rank from : with.from) message(Kind::recv, from, from);
}

std::vector<Merging::Message> Merging::opening_messages() const {
  const Sources& sources = *plan_.sources;
  std::vector<Message> messages;
  for (Slot k = 0; k < sources.count(); ++k) {
    const Rank from = sources.ranks[static_cast<std::size_t>(k)], to = plan_.placed[static_cast<std::size_t>(k)];
    if (from != to) messages.push_back({from, to, -1, sources.bytes(k), true});
  }
  return messages;
}

void Merging::for_each_round(const std::function<bool(const std::vector<Message>&)>& visit) const {
  if (opening_ > 0 && !visit(opening_messages())) return;
  std::vector<Held> held = placed();
  std::vector<Message> messages;
  for (Round t = opening_; t < shape_.rounds; ++t) {
    messages.clear();
    for (Rank r = 0; r < plan_.ranks; ++r) {
      const Sides with = sides(t, r);
      const Held& all = held[static_cast<std::size_t>(r)];
      const bool one_run = all.high - all.low + 1 == all.count;
      if (with.to[0] >= 0)
        messages.push_back({r, with.to[0], with.to[1], all.bytes, one_run});
      else if (with.to[1] >= 0)
        messages.push_back({r, with.to[1], -1, all.bytes, one_run});
    }
    if (!messages.empty() && !visit(messages)) return;
    if (t + 1 < shape_.rounds && stage(t + 1) > stage(t)) merge_on(stage(t), held);
  }
}

}  // namespace quadrille::algorithm::pattern
