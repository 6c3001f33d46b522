// The sources broadcast one after the other, in packets: every rank with one port takes in a packet in nearly every
// round, which no schedule does without.
#include <algorithm>
#include <memory>
#include <set>

#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/exchanges.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_in_turn {

namespace {

/// The broadcast for ranks with one port; null where none is known.
const Algorithm* broadcast_for(const Spec& spec) {
  static const Algorithm circulant = bcast_circulant::describe(), exchange = bcast_exchange::describe();
  if (kit::is_switch(spec)) return &circulant;
  return kit::exchange_dimensions(spec) > 0 ? &exchange : nullptr;
}

Spec from_one(const Spec& spec, Slot source) {
  Spec one{.collective = Collective::bcast, .topology = spec.topology, .bytes = spec.sources->bytes(source)};
  one.root = spec.sources->ranks[static_cast<std::size_t>(source)];
  return one;
}

/// Label i is the message of source i, and is cut as its broadcast cuts it.
class InTurn final : public Schedule {
 public:
  InTurn(const Spec& spec, const Machine& machine, const Params& params) : sources_(spec.sources), begins_{0} {
    Bytes longest = 0;
    for (Slot i = 0; i < sources_->count(); ++i) {
      const Spec one = from_one(spec, i);
      longest = std::max(longest, one.bytes);
      turns_.push_back(broadcast_for(spec)->build(one, machine, params));
      begins_.push_back(begins_.back() + turns_.back()->shape().rounds);
    }
    shape_ = {.ranks = spec.ranks(),
              .rounds = begins_.back(),
              .out = sources_->count(),
              .cut = kit::packet_cut(longest, kit::packets_of(params)),
              .offsets = {sources_, &sources_->offset}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto next = std::upper_bound(begins_.begin(), begins_.end(), t);
    const auto turn = static_cast<std::size_t>(next - begins_.begin()) - 1;
    Labelled labelled(out, static_cast<Slot>(turn), shape_.out);
    turns_[turn]->step(t - begins_[turn], r, labelled);
  }

 private:
  /// A broadcast has one label; here it is one of several.
  class Labelled final : public Steps {
   public:
    Labelled(Steps& out, Slot label, Slot labels) : out_(out), label_(label), labels_(labels) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, peer); }
    std::optional<Rank> only_peer() const override { return out_.only_peer(); }
    void pay(std::int64_t visits) override { out_.pay(visits); }
    void add(const Transfer& x) override {
      for_each_slot(x.slots, [&](Slot piece) {
        out_.add({x.kind, x.buffer, x.peer, contiguous(piece * labels_ + label_, 1)});
      });
    }

   private:
    Steps& out_;
    Slot label_, labels_;
  };

  SourcesPtr sources_;
  std::vector<SchedulePtr> turns_;
  std::vector<Round> begins_;
  Shape shape_;
};

Bytes shortest(const Spec& spec) {
  Bytes least = spec.sources->bytes(0);
  for (Slot i = 1; i < spec.sources->count(); ++i) least = std::min(least, spec.sources->bytes(i));
  return least;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const Algorithm* const broadcast = broadcast_for(spec);
  if (broadcast == nullptr)
    return fmt::format("needs a switch, a hypercube or a butterfly, and {} is none; nearest: crossbar:{}",
                       spec.topology->text(), spec.ranks());
  const std::int64_t packets = kit::packets_of(params), most = shortest(spec);
  if (most == 0) return "needs bytes at every source; try multibcast_lin";
  if (packets > most)
    return fmt::format("the shortest message has {} bytes, not {} packets; nearest: packets={}", most, packets, most);
  return broadcast->illegal(from_one(spec, 0), machine, {});
}

Cost formula(const Spec& spec, const Machine& machine, const Params& params) {
  Cost all;
  for (Slot i = 0; i < spec.sources->count(); ++i) {
    const Cost one = broadcast_for(spec)->cost(from_one(spec, i), machine, params);
    all.startups += one.startups;
    all.hops += one.hops;
    all.bytes = base::checked_add(all.bytes, one.bytes, "bytes");
  }
  return all;
}

Claims claims(const Spec& spec, const Machine& machine, const Params& params) {
  Claims all = kit::all_claims(spec, machine, params);
  for (Slot i = 0; i < spec.sources->count(); ++i)
    all.exact = all.exact && broadcast_for(spec)->claims(from_one(spec, i), machine, params).exact;
  return all;
}

/// Around the best for a message of mean length.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const auto givers = std::max<Rank>(1, spec.sources->givers());
  const Bytes mean = base::ceil_div(spec.sources->offset.back(), givers);
  const kit::Pipe pipe{std::max<Rank>(1, base::log2_ceil(spec.ranks())), mean, 1};
  Spec one = from_one(spec, 0);
  one.bytes = mean;
  const std::int64_t best = kit::best_packets(pipe, one, machine), most = shortest(spec);
  std::vector<Params> all;
  for (const std::int64_t packets :
       std::set{std::clamp<std::int64_t>(best - 1, 1, most), std::clamp<std::int64_t>(best, 1, most),
                std::clamp<std::int64_t>(best + 1, 1, most)})
    all.push_back(Params{{"packets", {packets}}});
  return all;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "multibcast_in_turn",
      .collective = Collective::multibcast,
      .summary = "the sources broadcast one after the other, in packets, as `bcast_circulant` or `bcast_exchange` do",
      .source = "extra: Traeff 2023; Traeff & Ripke 2008, once for every source",
      .closed_form = {.startups = "s (nu - 1 + ceil(log2(P)))",
                      .bytes = "s (nu - 1 + ceil(log2(P))) m/nu",
                      .where = "switch, nu divides m"},
      .parameters = {kit::packets_parameter()},
      .claims = claims,
      .illegal = illegal,
      .variants = variants,
      .cost = formula,
      .build = [](const Spec& s, const Machine& m, const Params& p) -> SchedulePtr {
        return std::make_shared<InTurn>(s, m, p);
      }};
}

}  // namespace quadrille::algorithm::multibcast_in_turn
