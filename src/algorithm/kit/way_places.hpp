// Where chunks that have ways of their own start, wait and end, in the buffers of ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/integer.hpp"
#include "flow/exchange_ways.hpp"
#include "quadrille/collective.hpp"
#include "schedule/rounds.hpp"

namespace quadrille::algorithm::kit {

inline bool is_exchange(const Spec& spec) { return spec.collective == Collective::alltoall; }

/// Words of a chunk of an alltoallv: the longest message has so many.
inline Slot words_of_chunk(const Demands& demands, std::int64_t parts) {
  Slot most = 1;
  for (std::size_t i = 0; i < demands.pairs.size(); ++i) most = std::max(most, demands.words(i));
  return base::ceil_div(most, parts);
}

/// What goes to one rank is what comes from one, backwards: over every link the other way, the last round first.
inline bool runs_backwards(const Spec& spec) { return spec.collective == Collective::gather; }

/// What a move hands over, from a slot to a slot.
inline schedule::Handover handed(const flow::Move& m, const flow::Arc& arc, std::int32_t slot, std::int32_t target) {
  return {.round = m.round,
          .from = static_cast<std::int32_t>(arc.from),
          .to = static_cast<std::int32_t>(arc.to),
          .slot = slot,
          .target = target,
          .source = m.from_place < 0 ? Buffer::in : Buffer::tmp,
          .arrival = m.to_place < 0 ? Buffer::out : Buffer::tmp};
}

/// Where blocks begin and end. A buffer of one block has no label to tell.
class WayPlaces {
 public:
  WayPlaces(const Spec& spec, std::int64_t parts, const flow::ExchangeRounds& rounds)
      : backwards_(runs_backwards(spec)),
        last_(rounds.rounds - 1),
        shape_{.ranks = spec.ranks(),
               .in = is_exchange(spec) || spec.collective == Collective::scatter ? spec.ranks() : 1,
               .out = is_exchange(spec) || spec.collective == Collective::gather ? spec.ranks() : 1,
               .tmp = rounds.places,
               .cut = {.bytes = spec.bytes, .parts = parts}} {}
  const Shape& shape() const { return shape_; }

  schedule::Handover handover(const flow::Move& m, const flow::Parcel& p, const flow::Arc& arc) const {
    const auto slot = [&](std::int32_t place, Slot blocks, std::int32_t label) {
      return place < 0 ? own(p, blocks, label) : own(p, shape_.tmp, place);
    };
    if (!backwards_)
      return handed(m, arc, slot(m.from_place, shape_.in, p.target), slot(m.to_place, shape_.out, p.source));
    schedule::Handover x =
        handed(m, arc, slot(m.from_place, shape_.out, p.target), slot(m.to_place, shape_.in, p.source));
    std::swap(x.from, x.to), std::swap(x.slot, x.target);
    x.round = last_ - m.round;
    x.source = m.to_place < 0 ? Buffer::in : Buffer::tmp;
    x.arrival = m.from_place < 0 ? Buffer::out : Buffer::tmp;
    return x;
  }

 private:
  static std::int32_t own(const flow::Parcel& p, Slot blocks, std::int32_t label) {
    return static_cast<std::int32_t>(p.chunk * blocks + (blocks == 1 ? 0 : label));
  }
  bool backwards_;
  std::int32_t last_;
  Shape shape_;
};

/// The same of an alltoallv, whose slots are words.
class WordPlaces {
 public:
  WordPlaces(const Spec& spec, std::int64_t parts, const flow::ExchangeRounds& rounds)
      : demands_(*spec.demands), chunk_(words_of_chunk(demands_, parts)), shape_(shape_of_words(spec)) {
    shape_.tmp = rounds.places * chunk_;
  }
  const Shape& shape() const { return shape_; }

  schedule::Handover handover(const flow::Move& m, const flow::Parcel& p, const flow::Arc& arc) const {
    const std::size_t pair = demands_.find(p.source, p.target);
    const auto slot = [&](Slot begin, std::int32_t place) {
      return static_cast<std::int32_t>(place < 0 ? begin + p.chunk * chunk_ : place * chunk_);
    };
    schedule::Handover x =
        handed(m, arc, slot(demands_.leaves(pair), m.from_place), slot(demands_.arrives[pair], m.to_place));
    x.slots = p.words;
    return x;
  }

 private:
  const Demands& demands_;
  Slot chunk_;
  Shape shape_;
};

}  // namespace quadrille::algorithm::kit
