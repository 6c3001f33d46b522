// Message by message, the one that arrives earliest is sent next: by any rank that has a part, to any that lacks it.
// What counts is what the machine charges: overheads that follow one another at a rank, the way's latency, links that
// messages share, and rounds that a rank ends before it goes on.
#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

#include "algorithm/bcast/shared/earliest_plan.hpp"
#include "algorithm/kit/round_pricer.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_earliest {

namespace {

constexpr Rank most_ranks = 1 << 11;
constexpr std::int64_t most_parts = 8, most_messages = 1 << 11, largest = 3;

using Plan = bcast::EarliestBroadcast;

/// What a plan is made for: parts, a power of two, of 2^10 * 4^size bytes.
struct Made {
  std::int64_t parts = 1, size = 0;
  Bytes part_bytes() const { return Bytes{1024} << (2 * size); }
  Params params() const { return {{"parts", {parts}}, {"size", {size}}}; }
};

Made made_of(const Params& params) { return {params.get("parts", 1), params.get("size", 0)}; }

std::shared_ptr<const Plan> plan_of(const Spec& spec, const Machine& machine, const Made& made) {
  return algorithm::bcast::earliest_broadcast(spec, machine, made.parts, made.part_bytes());
}

/// A power of two. Parts may be empty: a plan that is open to a longer message is open to a shorter one, too.
std::int64_t most_parts_for(const Spec& spec) {
  std::int64_t parts = 1;
  while (2 * parts <= std::min(most_parts, most_messages / spec.ranks())) parts *= 2;
  return parts;
}

class Planned final : public Schedule {
 public:
  Planned(const Spec& spec, std::shared_ptr<const Plan> plan, std::int64_t parts)
      : plan_(std::move(plan)), of_rank_(static_cast<std::size_t>(spec.ranks())) {
    shape_ = {.ranks = spec.ranks(), .rounds = plan_->rounds, .out = 1, .cut = {.bytes = spec.bytes, .parts = parts}};
    for (std::size_t i = 0; i < plan_->messages.size(); ++i)
      for (const Rank r : {plan_->messages[i].from, plan_->messages[i].to})
        of_rank_[static_cast<std::size_t>(r)].push_back(static_cast<std::uint32_t>(i));
  }
  const Shape& shape() const override { return shape_; }
  Rounds active(Rank r) const override {
    const std::vector<std::uint32_t>& own = of_rank_[static_cast<std::size_t>(r)];
    if (own.empty()) return {0, 0};
    return {plan_->messages[own.front()].round, plan_->messages[own.back()].round + 1};
  }
  void step(Round t, Rank r, Steps& out) const override {
    const std::vector<std::uint32_t>& own = of_rank_[static_cast<std::size_t>(r)];
    const auto before = [&](std::uint32_t i, Round round) { return plan_->messages[i].round < round; };
    for (auto i = std::lower_bound(own.begin(), own.end(), t, before); i != own.end(); ++i) {
      const bcast::EarliestMessage& m = plan_->messages[*i];
      if (m.round != t) return;
      if (m.from == r) out.send(m.to, Buffer::out, contiguous(m.part, 1));
      if (m.to == r) out.recv(m.from, Buffer::out, contiguous(m.part, 1));
    }
  }

 private:
  std::shared_ptr<const Plan> plan_;
  std::vector<std::vector<std::uint32_t>> of_rank_;
  Shape shape_;
};

Cost formula(const Spec& spec, const Machine& machine, const Made& made) {
  const auto plan = plan_of(spec, machine, made);
  const Cut cut{.bytes = spec.bytes, .parts = made.parts};
  kit::RoundPricer pricer(spec, machine);
  Round round = 0;
  std::vector<Rank> peers;
  std::vector<algorithm::bcast::EarliestMessage> all = plan->messages;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.round, a.from, a.part) < std::tuple(b.round, b.from, b.part);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].round != round) pricer.end_round(), round = all[i].round;
    peers.push_back(all[i].to);
    const bool more = i + 1 < all.size() && all[i + 1].round == round && all[i + 1].from == all[i].from &&
                      all[i + 1].part == all[i].part;
    if (more) continue;
    pricer.send(all[i].from, peers, cut.size(all[i].part), true);
    peers.clear();
  }
  pricer.end_round();
  return pricer.cost();
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  const Topology& t = *spec.topology;
  if (t.shared_medium() || t.nodes() != spec.ranks())
    return fmt::format("a rank's messages to several ranks share the medium of {}; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (spec.ranks() > most_ranks)
    return fmt::format("is planned message by message, for at most {} ranks; try bcast_halving", most_ranks);
  const std::int64_t parts = made_of(params).parts, most = most_parts_for(spec);
  if (parts > most)
    return fmt::format("parts={} is more than the {} that so many ranks are planned in; try parts={}", parts, most,
                       most);
  if ((parts & (parts - 1)) == 0) return {};
  return fmt::format("parts={} is not a power of two; try parts={}", parts, parts == 3 ? 2 : 4);
}

Claims claims(const Spec& spec, const Machine& machine, const Params& params) {
  const auto plan = plan_of(spec, machine, made_of(params));
  return {.contention_free = !plan->meet, .port_free = plan->most_at_rank <= spec.topology->degree()};
}

/// The lowest price in rounds; and for each number of parts the plan for about such parts, which may end earlier.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  Made cheapest;
  Seconds least = std::numeric_limits<Seconds>::infinity();
  std::vector<Made> likely;
  for (Made made; made.parts <= most_parts_for(spec); made.parts *= 2) {
    for (made.size = 0; made.size <= largest; ++made.size) {
      const Seconds price = seconds(formula(spec, machine, made), machine, *spec.topology);
      if (price < least) cheapest = made, least = price;
    }
    made.size = 0;
    while (made.size < largest && 2 * made.part_bytes() < spec.bytes / made.parts) ++made.size;
    likely.push_back(made);
  }
  std::vector<Params> all{cheapest.params()};
  for (const Made& made : likely)
    if (machine.has_overhead() && !(made.params() == cheapest.params())) all.push_back(made.params());
  return all;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_earliest",
      .collective = Collective::bcast,
      .summary = "whatever arrives earliest is sent next, with the machine's overheads and the links' load; counted",
      .source = "extra: Karp, Sahay, Santos & Schauser 1993, the greedy tree of LogP, on links that messages share",
      .closed_form = {.where = "rounds of the plan, a start-up each, or more where messages outnumber ports; counted"},
      .parameters =
          {{.name = "parts",
            .meaning = "a power of two: nearly equal parts of the message, each with a tree of its own",
            .high = most_parts},
           {.name = "size", .meaning = "the plan is made for parts of 1024 * 4^size bytes", .low = 0, .high = largest}},
      .claims = claims,
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return formula(s, m, made_of(p)); },
      .build = [](const Spec& s, const Machine& m, const Params& p) -> SchedulePtr {
        return std::make_shared<Planned>(s, plan_of(s, m, made_of(p)), made_of(p).parts);
      }};
}

}  // namespace quadrille::algorithm::bcast_earliest
