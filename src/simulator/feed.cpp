#include "simulator/feed.hpp"

#include <algorithm>

#include "base/integer.hpp"
#include "traffic/bundles.hpp"

namespace quadrille::simulator {

namespace {

/// Any schedule: one call of step() a part.
class AskedFeed final : public Feed {
 public:
  AskedFeed(const Spec& spec, const Machine& machine, const Schedule& schedule)
      : schedule_(schedule), ranks_(spec.ranks()), bundler_(spec, machine, schedule) {}

  Seen part(Round t, Rank r) override {
    ask(t, r, part_);
    return Seen(part_);
  }

  std::uint32_t peer(Round, Rank) const override { return none; }

  void ask(Round t, Rank r, Part& part) {
    part.peers.clear();
    part.bundles.clear();
    part.receives = 0;
    part.permuted = part.packed = part.combined = 0;
    const auto& messages = summary_.of(schedule_, t, r);
    if (messages.empty()) return;
    for (const Summary::Message& m : messages) {
      const bool within = m.peer == r;
      if (within && m.kind == Kind::recv && m.combined == 0) part.permuted += m.bytes;
      part.combined += m.combined;
      if (!within && m.runs > 1 && r < ranks_) part.packed += m.bytes;
      if (!within && m.kind == Kind::recv) ++part.receives;
    }
    bundler_.each(t, r, messages, [&](std::span<const Rank> peers, Bytes bytes) {
      part.bundles.push_back(
          {static_cast<std::uint32_t>(part.peers.size()), static_cast<std::uint32_t>(peers.size()), bytes});
      for (const Rank peer : peers) part.peers.push_back(static_cast<std::uint32_t>(peer));
    });
  }

 private:
  const Schedule& schedule_;
  Rank ranks_;
  traffic::Bundler bundler_;
  Summary summary_;
  Part part_;
};

/// A symmetric schedule: what a representative does, with the peers renamed.
class TurnedFeed final : public Feed {
 public:
  TurnedFeed(const Spec& spec, const Machine& machine, const Schedule& schedule)
      : asked_(spec, machine, schedule), group_(schedule.symmetry().group), ranks_(spec.ranks()) {
    rounds_.resize(static_cast<std::size_t>(schedule.shape().rounds) * (group_ == Group::xor_even ? 2 : 1));
  }

  Seen part(Round t, Rank r) override {
    const Rank zero = representative_rank(r, group_);
    return seen(look_up(t, zero), r, zero);
  }
  std::uint32_t peer(Round t, Rank r) const override {
    const Rank zero = representative_rank(r, group_);
    const std::size_t at = place(t, zero);
    if (at >= rounds_.size() || !rounds_[at] || rounds_[at]->peers.empty()) return none;
    return seen(*rounds_[at], r, zero).peer(0);
  }

 private:
  Seen seen(const Part& part, Rank r, Rank zero) const {
    return {part, group_, group_ == Group::rotate ? r - zero : r ^ zero, ranks_};
  }
  std::size_t place(Round t, Rank zero) const {
    return static_cast<std::size_t>(group_ == Group::xor_even ? 2 * t + zero : t);
  }
  const Part& look_up(Round t, Rank zero) {
    const std::size_t at = place(t, zero);
    if (!rounds_[at]) {
      rounds_[at] = std::make_unique<Part>();
      asked_.ask(t, zero, *rounds_[at]);
    }
    return *rounds_[at];
  }

  AskedFeed asked_;
  Group group_;
  Rank ranks_;
  std::vector<std::unique_ptr<Part>> rounds_;
};

}  // namespace

std::unique_ptr<Feed> make_feed(const Spec& spec, const Machine& machine, const Schedule& schedule) {
  constexpr Round most_kept = Round{1} << 22;
  // Renamed ranks need not pack what their representative packs: where that costs time, everybody is asked.
  const bool turned =
      schedule.symmetry().group != Group::none && machine.rho == 0 && schedule.shape().rounds <= most_kept;
  if (turned) return std::make_unique<TurnedFeed>(spec, machine, schedule);
  return std::make_unique<AskedFeed>(spec, machine, schedule);
}

}  // namespace quadrille::simulator
