// Every rank has as much for every other as a matrix says: irregular exchanges, halos, sparse neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "quadrille/demands.hpp"

namespace quadrille::collective::alltoallv {

namespace {

class Alltoallv final : public Traits {
 public:
  Alltoallv()
      : Traits({.name = "alltoallv",
                .papers = "many-to-many",
                .line = "every rank has as much for every other as demands say (irregular exchange)",
                .flow = Flow::pairs,
                .demands = true,
                .calls = {"alltoallv", "alltoallw", "neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall",
                          "neighbor_alltoallv", "neighbor_alltoallw"},
                .aliases = {"exchange"}}) {}

  void check(Spec& spec) const override {
    if (!spec.demands)
      throw Error(Error::Kind::argument,
                  "alltoallv: the demands are missing; expected such as 0-1,0-2:64KiB, halo(4x4) or random(3)");
    if (std::ssize(spec.demands->sent) != spec.ranks() + 1)
      throw Error(Error::Kind::argument,
                  fmt::format("demands of {} ranks, and {} has {}", std::ssize(spec.demands->sent) - 1,
                              spec.topology->text(), spec.ranks()));
    spec.bytes = 0;
    for (const Demand& pair : spec.demands->pairs) spec.bytes = std::max(spec.bytes, pair.bytes);
  }
  void complete(Spec& spec) const override {
    const auto few = static_cast<Rank>(std::sqrt(static_cast<double>(spec.ranks())));
    spec.demands =
        parse_demands(fmt::format("random({})", std::min<Rank>(few, spec.ranks() - 1)), *spec.topology, spec.bytes);
  }
  std::int64_t copies(const Spec& spec) const override { return words(spec); }
  Bytes volume(const Spec& spec) const override {
    return base::checked_multiply(words(spec), spec.demands->word, "bytes of all demands");
  }
  Spec placed(const Spec& spec, const std::function<Rank(Rank)>& node) const override {
    Spec on = spec;
    std::vector<Demand> pairs;
    for (const Demand& pair : spec.demands->pairs) pairs.push_back({node(pair.from), node(pair.to), pair.bytes});
    on.demands = make_demands(spec.ranks(), std::move(pairs));
    return on;
  }

  BlockNames names(const Spec& spec) const override { return {BlockKind::plain, words(spec)}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank r) const override {
    return buffer == Buffer::in ? spec.demands->sent_words(r) : spec.demands->received_words(r);
  }
  Slot before(const Spec& spec, Buffer buffer, Rank r, Slot index) const override {
    const Demands& d = *spec.demands;
    return buffer == Buffer::in ? d.first[d.sent[static_cast<std::size_t>(r)]] + index : no_block;
  }
  /// Buffers of a schedule are as long as the longest: behind its own a rank wants nothing.
  Slot after(const Spec& spec, Rank r, Slot index) const override {
    const Demands& d = *spec.demands;
    if (index >= d.received_words(r)) return no_block;
    const auto begin = d.incoming.begin();
    const auto found =
        std::partition_point(begin + static_cast<std::ptrdiff_t>(d.received[static_cast<std::size_t>(r)]),
                             begin + static_cast<std::ptrdiff_t>(d.received[static_cast<std::size_t>(r) + 1]),
                             [&](std::size_t pair) { return d.arrives[pair] <= index; });
    const std::size_t pair = *(found - 1);
    return d.first[pair] + index - d.arrives[pair];
  }
  Bytes offset(const Spec& spec, Slot index) const override { return index * spec.demands->word; }
  std::string block_text(const Spec& spec, Slot block) const override {
    const Demands& d = *spec.demands;
    const auto pair =
        static_cast<std::size_t>(std::upper_bound(d.first.begin(), d.first.end(), block) - d.first.begin() - 1);
    const std::string of_several = d.words(pair) > 1 ? fmt::format("word {} of ", block - d.first[pair]) : "";
    return fmt::format("{}block {}->{}", of_several, d.pairs[pair].from, d.pairs[pair].to);
  }

  /// In whole words.
  std::vector<Demand> pairs(const Spec& spec) const override {
    std::vector<Demand> all = spec.demands->pairs;
    for (std::size_t i = 0; i < all.size(); ++i) all[i].bytes = spec.demands->words(i) * spec.demands->word;
    return all;
  }

  int farthest(const Spec& spec) const override {
    int far = 1;
    for (const Demand& pair : spec.demands->pairs) far = std::max(far, spec.topology->distance(pair.from, pair.to));
    return far;
  }
  PortNeed port(const Spec& spec) const override {
    PortNeed most;
    for (Rank r = 0; r < std::min(spec.ranks(), many); ++r) {
      const Bytes in = taken(spec, r), out = given(spec, r);
      most = {std::max(most.in, in), std::max(most.out, out), PortNeed::Whose::best, std::max(most.together, in + out)};
    }
    return most;
  }
  Crossings crossings(const Spec& spec) const override {
    Wide bytes = 0;
    for (const Demand& pair : pairs(spec)) bytes += Wide{pair.bytes} * spec.topology->distance(pair.from, pair.to);
    return {bytes, 1};
  }
  Accesses accesses(const Spec& spec) const override {
    Accesses all{.writers = 0, .readers = 0, .written = volume(spec), .read = volume(spec)};
    for (Rank r = 0; r < std::min(spec.ranks(), many); ++r) {
      const Bytes in = taken(spec, r), out = given(spec, r);
      all.writers += out > 0, all.readers += in > 0;
      if (std::max(in, out) > std::max(all.in, all.out)) all.in = in, all.out = out;
    }
    return all;
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    return fmt::format("{} pairs of {} ranks to exchange {} each", base::format_count(std::ssize(spec.demands->pairs)),
                       ranks, size);
  }
  std::string who(const Spec& spec) const override {
    const auto pairs = std::ssize(spec.demands->pairs);
    return fmt::format(" of {} pair{}", base::format_count(pairs), pairs == 1 ? "" : "s");
  }

 private:
  static Slot words(const Spec& spec) { return spec.demands->first.back(); }
  static Bytes given(const Spec& spec, Rank r) { return spec.demands->sent_words(r) * spec.demands->word; }
  static Bytes taken(const Spec& spec, Rank r) { return spec.demands->received_words(r) * spec.demands->word; }
};

}  // namespace

const Traits& describe() {
  static const Alltoallv traits;
  return traits;
}

}  // namespace quadrille::collective::alltoallv
