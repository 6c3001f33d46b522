#include "flow/parcel_ways.hpp"

#include <algorithm>

#include "base/exponential.hpp"
#include "base/integer.hpp"

namespace quadrille::flow {

namespace {

constexpr int passes = 7;

/// Whether ways have at most two arcs: where there is one from every rank to every other. Each is looked for by itself
/// then, in less time than a batch. Over links that arcs share, single parcels of a source may need more arcs.
bool by_one_at_most(const Network& network, const LinksOfArcs& links, const std::vector<Parcel>& parcels) {
  const bool joined =
      network.ranks() == network.vertices() && std::ssize(network.arcs()) == network.ranks() * (network.ranks() - 1);
  return joined && (!links.meet() || (parcels.size() > 1 && parcels[0].source == parcels[1].source));
}

/// How fast the length of a link grows with what it has. Over links that arcs share, equal parcels were spread most
/// evenly by 80, and any where arcs join all ranks; parcels of different lengths were tried with 18 only elsewhere.
double sharpness_for(const LinksOfArcs& links, const std::vector<Parcel>& parcels, bool by_one) {
  const bool alike =
      std::all_of(parcels.begin(), parcels.end(), [&](const Parcel& p) { return p.words == parcels.front().words; });
  return by_one || (links.meet() && alike) ? 80 : 18;
}

/// Of the parcels of one source and chunk: as many as there is time for, up to one for each target. Of
/// small networks every way by itself.
std::int32_t batches_for(const Network& network, const std::vector<Parcel>& parcels, bool by_one) {
  constexpr std::int64_t least = 4, visits = std::int64_t{1} << 22;
  const std::int64_t ranks = std::max<std::int64_t>(1, network.ranks());
  if (ranks <= 32 || parcels.empty() || by_one) return static_cast<std::int32_t>(ranks);
  const std::int64_t sources = ranks * (parcels.back().chunk + 1), arcs = std::ssize(network.arcs());
  return static_cast<std::int32_t>(std::clamp(visits / ((passes + 1) * sources * arcs), least, ranks));
}

}  // namespace

ParcelWays::ParcelWays(const Network& network, const LinksOfArcs& links, const std::vector<Parcel>& parcels,
                       std::int64_t most)
    : network_(network),
      links_(links),
      parcels_(parcels),
      most_(most),
      by_one_(by_one_at_most(network, links, parcels)),
      batches_(batches_for(network, parcels, by_one_)),
      sharpness_(sharpness_for(links, parcels, by_one_)),
      trees_(network),
      load_(links.count(), 0),
      share_(links.count(), 0),
      lengths_(links.count()),
      ways_(parcels.size()) {}

void ParcelWays::find() {
  for (std::size_t i = 0; i < links_.count(); ++i) mean_ += static_cast<double>(links_.capacity(i));
  const int most = by_one_ ? 3 * passes : passes;
  for (int pass = 0; pass <= most && (pass < 2 || improved_); ++pass) {
    const std::int64_t before = congestion();
    for (std::size_t first = 0, end = 0; first < parcels_.size(); first = end) {
      while (++end < parcels_.size() && parcels_[end].source == parcels_[first].source &&
             parcels_[end].chunk == parcels_[first].chunk) {
      }
      for (std::int32_t batch = 0; batch < batches_; ++batch) route(first, end, batch, pass);
    }
    if (pass > 0 && congestion() >= before && ++idle_ > 1) improved_ = false;
  }
}

std::int64_t ParcelWays::congestion() const {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < load_.size(); ++i)
    most = std::max(most, base::ceil_div(load_[i], links_.capacity(i) * most_));
  return most;
}

/// One batch of those parcels from `first` on and before `end`, which have one source.
void ParcelWays::route(std::size_t first, std::size_t end, std::int32_t batch, int pass) {
  const std::int32_t source = parcels_[first].source;
  const auto each_of_batch = [&](auto use) {
    for (std::size_t i = first; i < end; ++i)
      if ((parcels_[i].target * 7 + source + pass) % batches_ == batch) use(parcels_[i], ways_[i]);
  };
  const auto carry = [&](const Parcel& parcel, const Way& way, int sign) {
    for (const std::int32_t arc : way)
      links_.each(arc, [&](std::size_t link) {
        load_[link] += sign * parcel.words;
        share_[link] = static_cast<double>(load_[link]) / static_cast<double>(links_.capacity(link));
        changed_.push_back(link);
        carried_ += sign * static_cast<double>(parcel.words);
      });
  };
  targets_.clear();
  each_of_batch([&](const Parcel& parcel, Way& way) {
    carry(parcel, way, -1);
    way.clear();
    targets_.push_back(network_.host(parcel.target));
  });
  if (targets_.empty()) return;
  measure();
  const auto length_of = [&](std::int32_t arc) {
    double length = 0;
    links_.each(arc, [&](std::size_t link) { length += lengths_[link]; });
    return length;
  };
  if (!by_one_) trees_.reach(source, length_of, targets_);
  each_of_batch([&](const Parcel& parcel, Way& way) {
    if (by_one_) {
      way = straight_or_by_one(parcel);
      return carry(parcel, way, 1);
    }
    for (Vertex v = network_.host(parcel.target); v != network_.host(source);) {
      way.push_back(trees_.arrival(v));
      v = network_.arcs()[static_cast<std::size_t>(way.back())].from;
    }
    std::reverse(way.begin(), way.end());
    carry(parcel, way, 1);
  });
}

Way ParcelWays::straight_or_by_one(const Parcel& parcel) const {
  const auto ranks = static_cast<std::int32_t>(network_.ranks());
  const auto arc = [&](std::int32_t from, std::int32_t to) { return from * (ranks - 1) + to - (to > from ? 1 : 0); };
  const auto length = [&](std::int32_t a) {
    double sum = 0;
    links_.each(a, [&](std::size_t link) { sum += lengths_[link]; });
    return sum;
  };
  const std::int32_t straight = arc(parcel.source, parcel.target);
  double least = length(straight);
  std::int32_t by = -1;
  for (std::int32_t r = 0; r < ranks; ++r) {
    if (r == parcel.source || r == parcel.target) continue;
    const double there = length(arc(parcel.source, r));
    if (there >= least) continue;
    const double around = there + length(arc(r, parcel.target));
    if (around < least) least = around, by = r;
  }
  return by < 0 ? Way{straight} : Way{arc(parcel.source, by), arc(by, parcel.target)};
}

/// Against the busiest link, or the mean one while there is little on any. While that stays, only links whose load has
/// changed have other lengths.
void ParcelWays::measure() {
  const auto set = [&](std::size_t link) {
    lengths_[link] =
        base::exponential(sharpness_ * (share_[link] / most_share_ - 1)) / static_cast<double>(links_.capacity(link)) +
        0.001;
  };
  double most = std::max(static_cast<double>(most_), carried_ / mean_);
  for (const double share : share_) most = std::max(most, share);
  if (most == most_share_) {
    for (const std::size_t link : changed_) set(link);
  } else {
    most_share_ = most;
    for (std::size_t link = 0; link < load_.size(); ++link) set(link);
  }
  changed_.clear();
}

}  // namespace quadrille::flow
