#include "algorithm/bcast/shared/earliest.hpp"

#include <algorithm>
#include <limits>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::bcast {

namespace {

constexpr std::int64_t most_parts = 8, most_messages = 1 << 11;

/// A power of two. Parts may be empty: a plan that is open to a longer message is open to a shorter one, too.
std::int64_t most_parts_for(const Spec& spec) {
  std::int64_t parts = 1;
  while (2 * parts <= std::min(most_parts, most_messages / spec.ranks())) parts *= 2;
  return parts;
}

class DownTrees final : public Schedule {
 public:
  DownTrees(const Spec& spec, std::shared_ptr<const kit::EarliestTrees> trees, std::int64_t parts)
      : trees_(std::move(trees)), of_rank_(static_cast<std::size_t>(spec.ranks())) {
    shape_ = {.ranks = spec.ranks(), .rounds = trees_->rounds, .out = 1, .cut = {.bytes = spec.bytes, .parts = parts}};
    for (std::size_t i = 0; i < trees_->messages.size(); ++i)
      for (const Rank r : {trees_->messages[i].from, trees_->messages[i].to})
        of_rank_[static_cast<std::size_t>(r)].push_back(static_cast<std::uint32_t>(i));
  }
  const Shape& shape() const override { return shape_; }
  Rounds active(Rank r) const override {
    const std::vector<std::uint32_t>& own = of_rank_[static_cast<std::size_t>(r)];
    if (own.empty()) return {0, 0};
    return {trees_->messages[own.front()].round, trees_->messages[own.back()].round + 1};
  }
  void step(Round t, Rank r, Steps& out) const override {
    const std::vector<std::uint32_t>& own = of_rank_[static_cast<std::size_t>(r)];
    const auto before = [&](std::uint32_t i, Round round) { return trees_->messages[i].round < round; };
    for (auto i = std::lower_bound(own.begin(), own.end(), t, before); i != own.end(); ++i) {
      const kit::TreeMessage& m = trees_->messages[*i];
      if (m.round != t) return;
      if (m.from == r) out.send(m.to, Buffer::out, contiguous(m.part, 1));
      if (m.to == r) out.recv(m.from, Buffer::out, contiguous(m.part, 1));
    }
  }

 private:
  std::shared_ptr<const kit::EarliestTrees> trees_;
  std::vector<std::vector<std::uint32_t>> of_rank_;
  Shape shape_;
};

}  // namespace

std::vector<Parameter> earliest_parameters() {
  return {{.name = "parts",
           .meaning = "a power of two: nearly equal parts of the message, each with a tree of its own",
           .high = most_parts},
          {.name = "size",
           .meaning = "the plan is made for parts of 1024 * 4^size bytes",
           .low = 0,
           .high = kit::largest_size}};
}

std::string earliest_illegal(const Spec& spec, const Params& params, std::string_view instead) {
  if (std::string reason = kit::earliest_trees_illegal(spec, instead); !reason.empty()) return reason;
  const std::int64_t parts = EarliestParts::of(params).parts, most = most_parts_for(spec);
  if (parts > most)
    return fmt::format("parts={} is more than the {} that so many ranks are planned in; try parts={}", parts, most,
                       most);
  if ((parts & (parts - 1)) == 0) return {};
  return fmt::format("parts={} is not a power of two; try parts={}", parts, parts == 3 ? 2 : 4);
}

std::vector<Params> earliest_variants(const Spec& spec, const Machine& machine,
                                      const std::function<Cost(const Params&)>& cost) {
  EarliestParts cheapest;
  Seconds least = std::numeric_limits<Seconds>::infinity();
  std::vector<EarliestParts> likely;
  for (EarliestParts made; made.parts <= most_parts_for(spec); made.parts *= 2) {
    for (made.size = 0; made.size <= kit::largest_size; ++made.size) {
      const Seconds price = seconds(cost(made.params()), machine, *spec.topology);
      if (price < least) cheapest = made, least = price;
    }
    made.size = 0;
    while (made.size < kit::largest_size && 2 * kit::bytes_of_size(made.size) < spec.bytes / made.parts) ++made.size;
    likely.push_back(made);
  }
  std::vector<Params> all{cheapest.params()};
  for (const EarliestParts& made : likely)
    if (machine.has_overhead() && !(made.params() == cheapest.params())) all.push_back(made.params());
  return all;
}

Claims earliest_claims(const Spec& spec, const kit::EarliestTrees& trees) {
  return {.contention_free = !trees.meet, .port_free = trees.most_at_rank <= spec.topology->degree()};
}

SchedulePtr earliest_broadcast(const Spec& spec, std::shared_ptr<const kit::EarliestTrees> trees, std::int64_t parts) {
  return std::make_shared<DownTrees>(spec, std::move(trees), parts);
}

}  // namespace quadrille::algorithm::bcast
