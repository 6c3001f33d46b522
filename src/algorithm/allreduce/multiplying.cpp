// Recursive multiplying: in every round groups of ranks that differ in one digit swap whole vectors, and all of them
// combine what they have in the order of ranks. Digits have radices whose product is the number of ranks.
// Invariant: before round t rank r holds the combination of all ranks that agree with it in digits t and above.
#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_multiplying {

namespace {

/// Ranks of the largest group that is proposed: each of them takes the vectors of all others.
constexpr Rank most_together = 16;

/// Of each what is left of the ranks by the largest radix that divides it; empty where none does.
std::vector<std::int64_t> radices_up_to(Rank most, Rank ranks) {
  std::vector<std::int64_t> all;
  while (ranks > 1) {
    Rank radix = std::min(most, ranks);
    while (radix > 1 && ranks % radix != 0) --radix;
    if (radix == 1) return {};
    all.push_back(radix);
    ranks /= radix;
  }
  return all;
}

std::vector<Params> candidates(const Spec& spec, const Machine&) {
  std::vector<Params> all;
  for (Rank most = 3; most <= most_together; ++most) {
    const std::vector<std::int64_t> radices = radices_up_to(most, spec.ranks());
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Params& p) { return p.list("radices") == radices; });
    if (!radices.empty() && !known) all.push_back({{"radices", radices}});
  }
  return all;
}

std::vector<std::int64_t> radices_of(const Spec& spec, const Params& params) {
  if (std::vector<std::int64_t> given = params.list("radices"); !given.empty()) return given;
  std::vector<Params> all = candidates(spec, {});
  return all.empty() ? std::vector<std::int64_t>{} : all.front().list("radices");
}

/// A digit takes a round in which ranks swap vectors, and radix - 1 in each of which a rank combines one more of them
/// with those before it, all in the same order.
class Multiplying final : public Schedule {
 public:
  Multiplying(const Spec& spec, const std::vector<std::int64_t>& radices) : places_{std::ssize(radices)} {
    Rank weight = 1, most = 0;
    Round rounds = 0;
    for (const Rank radix : radices) {
      digits_.push_back({radix, weight, rounds});
      weight *= radix, rounds += radix;
      most = std::max(most, radix);
    }
    shape_ = allreduce::whole_vector(spec, rounds, radices.empty() ? 0 : first_got + most);
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto next = std::find_if(digits_.begin(), digits_.end(), [&](const Digit& d) { return d.begin > t; });
    const Round j = next - digits_.begin() - 1;
    const Digit& digit = digits_[static_cast<std::size_t>(j)];
    if (t == digit.begin)
      swap(j, digit, r, out);
    else
      combine(j, t - digit.begin, digit.of(r), r, out);
  }

 private:
  /// Scratch: a place for the rank's value between digits, and from here on what came from each value of the digit.
  static constexpr Slot first_got = 1;
  struct Digit {
    Rank radix, weight;
    Round begin;
    Rank of(Rank r) const { return r / weight % radix; }
  };
  struct Place {
    Buffer buffer;
    Slot slot;
  };

  void swap(Round j, const Digit& digit, Rank r, Steps& out) const {
    const Rank own = digit.of(r);
    for (Rank i = 1; i < digit.radix; ++i) {
      const Rank to = (own + i) % digit.radix, from = base::wrap(own - i, digit.radix);
      out.send(r + (to - own) * digit.weight, places_.before(j), contiguous(0, 1));
      out.recv(r + (from - own) * digit.weight, Buffer::tmp, contiguous(first_got + from, 1));
    }
  }
  /// What came from value `i` of the digit goes behind what came from the values below it.
  void combine(Round j, Rank i, Rank own, Rank r, Steps& out) const {
    const Place more = value_of(j, own, i), less = i == 1 ? value_of(j, own, 0) : Place{places_.after(j), 0};
    out.send(r, more.buffer, contiguous(more.slot, 1));
    out.combine(r, places_.after(j), contiguous(0, 1),
                {.incoming = Combine::Incoming::right, .buffer = less.buffer, .with = less.slot});
  }
  Place value_of(Round j, Rank own, Rank value) const {
    if (value == own) return {places_.before(j), 0};
    return {Buffer::tmp, first_got + value};
  }

  std::vector<Digit> digits_;
  allreduce::Places places_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::groups_illegal(spec, machine); !reason.empty()) return reason;
  const std::vector<std::int64_t> radices = radices_of(spec, params);
  if (radices.empty() && spec.ranks() > 1)
    return fmt::format("{} ranks make no groups of up to {}; nearest: crossbar:{}", spec.ranks(), most_together,
                       base::bit(base::log2_floor(spec.ranks())));
  Rank product = 1;
  for (const std::int64_t radix : radices) product = base::checked_multiply(product, radix, "ranks");
  if (product != spec.ranks())
    return fmt::format("radices={}: their product is {}, and {} has {} ranks", fmt::join(radices, ","), product,
                       spec.topology->text(), spec.ranks());
  return {};
}

Cost formula(const Spec& spec, const Machine&, const Params& params) {
  const std::vector<std::int64_t> radices = radices_of(spec, params);
  const std::int64_t rounds = std::ssize(radices);
  Cost cost = kit::neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes, "bytes"));
  for (const std::int64_t radix : radices) {
    cost.further += radix - 2;
    cost.combined = base::checked_add(cost.combined, base::checked_multiply(radix - 1, spec.bytes, "bytes combined"),
                                      "bytes combined");
  }
  return cost;
}

}  // namespace

Algorithm describe() {
  return {.name = "allreduce_multiplying",
          .collective = Collective::allreduce,
          .summary =
              "recursive multiplying: groups of ranks that differ in one digit swap whole vectors, digit after "
              "digit",
          .source = "classical; Ruefenacht, Bull & Booth 2017",
          .closed_form = {.where = "crossbar, all ports"},
          .parameters = {{.name = "radices",
                          .meaning = "ranks of the groups of each round; their product is the number of ranks",
                          .is_list = true,
                          .low = 2,
                          .high = base::bit(30)}},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.in_order = true}; },
          .illegal = illegal,
          .variants = candidates,
          .cost = formula,
          .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
            return std::make_shared<Multiplying>(s, radices_of(s, p));
          }};
}

}  // namespace quadrille::algorithm::allreduce_multiplying
