#include "algorithm/kit/duality.hpp"

#include "algorithm/formula.hpp"

namespace quadrille::algorithm::kit {

namespace {

bool is_allgather(const Algorithm& base) { return base.collective == Collective::allgather; }
Slot labels(const Algorithm& base, const Spec& spec) { return is_allgather(base) ? spec.ranks() : 1; }
bool twice(const Spec& spec) { return spec.collective == Collective::allreduce; }

Machine without_multicast(Machine machine) {
  machine.multicast = false;
  return machine;
}

/// Elements that the busiest rank of each round combines, summed, where no closed form is known: what comes over all
/// its links, and no less than a share of all operations.
std::int64_t combined_about(const Algorithm& base, const Spec& elements, const Machine& machine, const Cost& cost) {
  const Rank others = elements.ranks() - 1;
  if (is_allgather(base)) return base::checked_multiply(others, elements.bytes, "elements combined");
  const std::int64_t links = machine.ports == Ports::one ? 1 : elements.topology->degree();
  const std::int64_t share = base::ceil_div(base::checked_multiply(others, elements.bytes, "elements"), others + 1);
  return std::max(share, base::checked_multiply(cost.bytes, links, "elements combined"));
}

/// Whether all blocks have the same length, and pieces enough elements, so that closed forms hold.
bool is_even(const Algorithm& base, const Spec& spec) {
  if (!is_allgather(base)) return true;
  if (in_elements(spec, Collective::allgather).bytes < 2 * spec.topology->degree()) return false;
  return !spec.offsets &&
         (spec.collective == Collective::reduce_scatter || spec.bytes / spec.element % spec.ranks() == 0);
}

/// Whether nothing is sent in vain, and no message has blocks whose places in memory depend on who has combined them:
/// a rank's own block has another place than those that it passes on, and so has what it sends untouched.
bool is_counted_alike(const Algorithm& base, const Schedule& forwards) {
  const Cut& cut = forwards.shape().cut;
  if (cut.bytes > 0 && cut.size(cut.pieces() - 1) == 0) return false;
  if (!is_allgather(base)) return true;
  Summary summary;
  for (Round t = 0; t < forwards.shape().rounds; ++t)
    for (const Summary::Message& m : summary.of(forwards, t, 0))
      if (m.slots > 1) return false;
  return true;
}

/// The name of the reduction that is made of a base; empty where there is none.
std::string dual_name(std::string_view base, const Spec& spec) {
  constexpr std::pair<std::string_view, std::string_view> renamed[] = {
      {"daisy", "ring"}, {"adea", "halving"}, {"adea_rotated", "halving_rotated"}};
  std::string_view rest = base.substr(base.find('_') + 1);
  for (const auto& [theirs, ours] : renamed)
    if (rest == theirs) rest = ours;
  std::string name = fmt::format("{}_{}", to_string(spec.collective), rest);
  const std::vector<Algorithm>& all = algorithms();
  return std::any_of(all.begin(), all.end(), [&](const Algorithm& a) { return a.name == name; }) ? name : "";
}

/// What a base says of why it cannot run, with the names of reductions in place of its collective's algorithms. What
/// has no dual is not worth trying.
std::string in_duals(std::string reason, const Algorithm& base, const Spec& spec) {
  if (const auto at = reason.find(" or --set multicast=true"); at != std::string::npos) reason.resize(at);
  const std::string prefix = fmt::format("{}_", to_string(base.collective));
  for (auto at = reason.find(prefix); at != std::string::npos; at = reason.find(prefix, at)) {
    const auto end = reason.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", at);
    const std::string name = dual_name(std::string_view(reason).substr(at, end - at), spec);
    if (name.empty()) return reason.substr(0, reason.rfind("; ", at));
    reason.replace(at, std::min(end, reason.size()) - at, name);
    at += name.size();
  }
  return reason;
}

}  // namespace

std::optional<std::int64_t> combined_as_sent(const Spec&, const Machine& machine, const Params&, const Cost& base) {
  return half_duplex(machine) ? std::nullopt : std::optional(base.bytes);
}

std::optional<std::int64_t> combined_all_others(const Spec& base, const Machine& machine, const Params&, const Cost&) {
  if (half_duplex(machine)) return std::nullopt;
  return base::checked_multiply(base.ranks() - 1, base.bytes, "bytes combined");
}

Spec in_elements(const Spec& spec, Collective collective) {
  const bool blocks = collective == Collective::allgather && spec.collective != Collective::reduce_scatter;
  const Bytes elements = spec.bytes / spec.element;
  return {.collective = collective,
          .topology = spec.topology,
          .bytes = blocks ? base::ceil_div(elements, spec.ranks()) : elements,
          .root = spec.root};
}

Machine combining(const Spec& spec, Machine machine) {
  const double combine = twice(spec) ? machine.gamma / 2 : machine.gamma;
  machine.beta = (machine.beta + combine) * static_cast<double>(spec.element);
  machine.rho *= static_cast<double>(spec.element);
  return without_multicast(std::move(machine));
}

schedule::Vector vector_of(const Spec& spec, Slot labels) {
  schedule::Vector vector{.element = spec.element, .offsets = spec.offsets};
  const Bytes elements = spec.bytes / spec.element;
  if (spec.collective == Collective::reduce_scatter || elements % labels == 0) return vector;
  const Cut cut{.bytes = spec.bytes, .parts = labels, .unit = spec.element};
  auto offsets = std::make_shared<std::vector<Bytes>>();
  offsets->reserve(static_cast<std::size_t>(labels) + 1);
  for (Slot label = 0; label <= labels; ++label) offsets->push_back(cut.offset(label));
  vector.offsets = std::move(offsets);
  return vector;
}

std::string dual_illegal(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.topology->shared_medium())
    return fmt::format("on {} all hear a message, and such a message has no dual; nearest: crossbar:{}",
                       spec.topology->text(), spec.ranks());
  const Spec elements = in_elements(spec, base.collective);
  const Machine alone = without_multicast(machine);
  std::string reason = in_duals(base.illegal(elements, alone, params), base, spec);
  if (!reason.empty() || !spec.offsets || !is_allgather(base)) return reason;
  if (base.searched) return reason;  // their labels are ranks, and a search takes long
  if (!schedule::labels_are_ranks(*base.build(elements, alone, params)))
    return fmt::format(
        "goes through {} in another order than that of ranks, in which blocks of different lengths are; "
        "nearest: crossbar:{}",
        spec.topology->text(), spec.ranks());
  return reason;
}

std::vector<Params> dual_variants(const Algorithm& base, const Spec& spec, const Machine& machine) {
  return base.variants(in_elements(spec, base.collective), combining(spec, machine));
}

Claims dual_claims(const Algorithm& base, const Duality& how, const Spec& spec, const Machine& machine,
                   const Params& params) {
  const Spec elements = in_elements(spec, base.collective);
  const Machine alone = without_multicast(machine);
  Claims claims = base.claims(elements, alone, params);
  // What leaves as one message where the network copies is not what the formula of the other direction says.
  claims.exact = claims.exact && is_even(base, spec) && !(twice(spec) && machine.multicast) &&
                 how.combined(elements, alone, params, algorithm::formula(base, elements, alone, params)).has_value();
  claims.exact = claims.exact && is_counted_alike(base, *base.build(elements, alone, params));
  claims.in_order = how.in_order(spec, machine, params);
  return claims;
}

Cost dual_cost(const Algorithm& base, const Duality& how, const Spec& spec, const Machine& machine,
               const Params& params) {
  const Spec elements = in_elements(spec, base.collective);
  const Machine alone = without_multicast(machine);
  Cost cost = algorithm::formula(base, elements, alone, params);
  const std::int64_t combined =
      how.combined(elements, alone, params, cost).value_or(combined_about(base, elements, alone, cost));
  const std::int64_t times = twice(spec) ? 2 : 1;
  for (std::int64_t* count : {&cost.bytes, &cost.permuted, &cost.packed})
    *count = base::checked_multiply(*count, times * spec.element, "bytes");
  for (std::int64_t* count : {&cost.startups, &cost.hops, &cost.further, &cost.barriers}) *count *= times;
  cost.combined = base::checked_multiply(combined, spec.element, "bytes combined");
  return cost;
}

SchedulePtr dual_build(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  return dual_of_schedule(base, spec,
                          base.build(in_elements(spec, base.collective), without_multicast(machine), params));
}

SchedulePtr dual_of_schedule(const Algorithm& base, const Spec& spec, const SchedulePtr& forwards) {
  using schedule::Results;
  schedule::Vector vector = vector_of(spec, labels(base, spec));
  vector.turned = is_cube(spec) && !is_allgather(base) ? spec.root : 0;
  const Results results = twice(spec)          ? Results::everywhere
                          : is_allgather(base) ? Results::own_block
                                               : Results::at_root;
  SchedulePtr backwards = schedule::dual(forwards, vector, results, spec.root);
  if (twice(spec)) backwards = schedule::then(backwards, schedule::of_elements(forwards, vector));
  return schedule::without_empty(backwards);
}

}  // namespace quadrille::algorithm::kit
