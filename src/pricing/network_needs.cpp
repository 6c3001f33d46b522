#include "pricing/network_needs.hpp"

#include <algorithm>
#include <numeric>

#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::pricing {

namespace {

using collective::Flow;

/// Flows multiply words by capacities, and must not lose any.
constexpr std::int64_t most_words = std::int64_t{1} << 20;

Weights weights(std::vector<Bytes> bytes) {
  Bytes common = 0, all = 0;
  for (const Bytes b : bytes) common = std::gcd(common, b), all = base::checked_add(all, b, "bytes of all ranks");
  common = std::max<Bytes>(1, common);
  const Bytes word = all / common <= most_words + std::ssize(bytes) ? common : base::ceil_div(all, most_words);
  for (Bytes& b : bytes) b /= word;
  return {std::move(bytes), word};
}

}  // namespace

Need need_of(const Spec& spec) {
  const collective::Facts& facts = collective::facts(spec);
  switch (facts.flow) {
    case Flow::pairs:
      return Need::pairs;
    case Flow::one_to_all:
      return facts.whole ? Need::spread : Need::from_root;
    case Flow::some_to_all:
      return Need::spread;
    case Flow::all_to_one:
      return facts.combines ? Need::collect : Need::to_root;
    case Flow::all_to_all:
      break;
  }
  if (facts.same_result || facts.token) return Need::results;
  if (facts.combines) return facts.from_all ? Need::collect : Need::prefixes;
  return collective::traits(spec).names(spec).kind == collective::BlockKind::pair ? Need::exchange : Need::spread;
}

bool counts_transfers(const Spec& spec) {
  const Need need = need_of(spec);
  return need == Need::spread || need == Need::collect || need == Need::prefixes || need == Need::results;
}

bool takes_ports(const Spec& spec, const Machine& machine) {
  const bool relays = machine.switching == Switching::store_and_forward && spec.topology->direct();
  if (machine.multicast && (relays || !combines(spec))) return false;
  return relays || counts_transfers(spec);
}

bool looks_at_links(const Spec& spec, const Machine& machine) {
  return spec.topology->structure().routed ||
         (spec.demands && spec.topology->direct() && machine.duplex == Duplex::full);
}

bool meets_in_the_middle(const Spec& spec) {
  const auto& stages = spec.topology->structure().stages;
  return spec.collective == Collective::transpose && stages && !stages->two_sided && stages->stages % 2 == 0;
}

bool weighs_links(const Spec& spec, const Machine& machine) {
  constexpr std::int64_t visits = std::int64_t{1} << 20;
  if (machine.duplex != Duplex::full) return false;
  const bool transposes = spec.collective == Collective::transpose;
  if (const auto& stages = spec.topology->structure().stages)
    return meets_in_the_middle(spec) ||
           (spec.ranks() <= cost::most_ranks_of_stages &&
            (transposes || spec.demands || (stages->two_sided && need_of(spec) == Need::exchange)));
  return transposes && !spec.topology->structure().routed && spec.topology->direct() &&
         (joins_all(spec, machine) || spec.topology->links() <= visits / spec.ranks());
}

bool joins_all(const Spec& spec, const Machine& machine) {
  return spec.topology->direct() && !spec.topology->contended() && machine.ports == Ports::all;
}

Weights weights_of(const Spec& spec) {
  const collective::Facts& facts = collective::facts(spec);
  std::vector<Bytes> bytes(static_cast<std::size_t>(spec.ranks()), 0);
  if (spec.sources) {
    for (Slot i = 0; i < spec.sources->count(); ++i)
      bytes[static_cast<std::size_t>(spec.sources->ranks[static_cast<std::size_t>(i)])] += spec.sources->bytes(i);
  } else if (facts.root && (facts.whole || facts.combines)) {
    bytes[static_cast<std::size_t>(spec.root)] = spec.bytes;
  } else if (spec.offsets) {
    for (Rank r = 0; r < spec.ranks(); ++r) bytes[static_cast<std::size_t>(r)] = buffer_bytes(spec, Buffer::out, r);
  } else {
    return {flow::Words(static_cast<std::size_t>(spec.ranks()), 1), spec.bytes};
  }
  return weights(std::move(bytes));
}

Weights weights_of(const std::vector<Demand>& pairs) {
  std::vector<Bytes> bytes;
  for (const Demand& pair : pairs) bytes.push_back(pair.bytes);
  return weights(std::move(bytes));
}

std::pair<flow::Wants, Bytes> wants_of(const Spec& spec) {
  if (need_of(spec) != Need::pairs) return {{}, spec.bytes};
  const std::vector<Demand> pairs = collective::traits(spec).pairs(spec);
  const Weights weights = weights_of(pairs);
  flow::Wants wants{flow::Words(static_cast<std::size_t>(spec.ranks() * spec.ranks()), 0)};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    wants.words[static_cast<std::size_t>(pairs[i].from * spec.ranks() + pairs[i].to)] = weights.words[i];
  return {std::move(wants), weights.word};
}

Crossing::Crossing(const Spec& spec)
    : pairs_(need_of(spec) == Need::pairs),
      word_(spec.bytes),
      ranks_(spec.ranks()),
      is_inside_(static_cast<std::size_t>(spec.ranks()), 0) {
  if (!pairs_) return;
  to_.resize(is_inside_.size());
  from_.resize(is_inside_.size());
  const std::vector<Demand> pairs = collective::traits(spec).pairs(spec);
  const Weights weights = weights_of(pairs);
  word_ = weights.word;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    to_[static_cast<std::size_t>(pairs[i].from)].push_back({pairs[i].to, weights.words[i]});
    from_[static_cast<std::size_t>(pairs[i].to)].push_back({pairs[i].from, weights.words[i]});
  }
}

void Crossing::enter(Rank r) {
  ++inside_;
  is_inside_[static_cast<std::size_t>(r)] = 1;
  entered_.push_back(r);
  if (!pairs_) {
    out_ = in_ = inside_ * (ranks_ - inside_);
    return;
  }
  const auto inside = [&](Rank other) { return is_inside_[static_cast<std::size_t>(other)] != 0; };
  for (const Partner& to : to_[static_cast<std::size_t>(r)])
    (inside(to.rank) ? in_ : out_) += inside(to.rank) ? -to.words : to.words;
  for (const Partner& from : from_[static_cast<std::size_t>(r)])
    (inside(from.rank) ? out_ : in_) += inside(from.rank) ? -from.words : from.words;
}

void Crossing::clear() {
  inside_ = out_ = in_ = 0;
  for (const Rank r : entered_) is_inside_[static_cast<std::size_t>(r)] = 0;
  entered_.clear();
}

}  // namespace quadrille::pricing
