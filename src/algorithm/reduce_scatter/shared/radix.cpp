// An all-gather among radix^digits ranks: in every round a rank sends all that it holds to the radix - 1 ranks that
// differ from it in one digit. On other numbers of ranks it sends to the ranks at multiples of a distance, as far as
// they miss it [Traeff 2024, with several ports].
#include "algorithm/pattern/shift.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

/// Digits that make so many ranks; 0: none do.
int digits_of(Rank ranks, Rank radix) {
  int digits = 0;
  Rank power = 1;
  for (; power < ranks; ++digits) power *= radix;
  return power == ranks ? digits : 0;
}
/// Before round t a rank of the other schedule holds the blocks of so many ranks from its own on; at last, of all.
std::vector<Rank> reaches(Rank ranks, Rank radix) {
  std::vector<Rank> all{ranks};
  while (all.back() > 1) all.push_back(base::ceil_div(all.back(), radix));
  return {all.rbegin(), all.rend()};
}
/// The least radix for every number of rounds, and those of which the ranks are a power; of few ranks, all that differ.
std::vector<Rank> radices_of(Rank ranks) {
  constexpr Rank few = 64;
  std::vector<Rank> all, last;
  for (Rank radix = 2; radix < ranks && (ranks <= few || radix * radix <= ranks); ++radix) {
    std::vector<Rank> now = reaches(ranks, radix);
    if (now.size() != last.size() || digits_of(ranks, radix) > 0 || (ranks <= few && now != last)) all.push_back(radix);
    last = std::move(now);
  }
  all.push_back(std::max<Rank>(2, ranks));
  return all;
}

class Digits final : public Schedule {
 public:
  Digits(std::vector<Rank> radices, Bytes bytes) : radices_(std::move(radices)) {
    Rank ranks = 1;
    for (const Rank radix : radices_) ranks *= radix;
    shape_ = {.ranks = ranks, .rounds = std::ssize(radices_), .out = ranks, .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    Slot held = 1;
    for (Round i = 0; i < t; ++i) held *= radix_of(i);
    const Rank radix = radix_of(t), digit = r / held % radix;
    const std::optional<Rank> only = out.only_peer();
    for (Rank i = 1; i < radix; ++i) {
      const Rank to = r + ((digit + i) % radix - digit) * held;
      const Rank from = r + (base::wrap(digit - i, radix) - digit) * held;
      if (only && *only != from && *only != to) continue;
      out.send(to, Buffer::out, contiguous(r / held * held, held));
      out.recv(from, Buffer::out, contiguous(from / held * held, held));
    }
  }

 private:
  Rank radix_of(Round t) const { return radices_[static_cast<std::size_t>(t)]; }
  std::vector<Rank> radices_;
  Shape shape_;
};

/// Among any number of ranks. In a round with the reaches s' < s a rank gets the blocks that the ranks s', 2 s', ...
/// places on hold, as far as s.
class Distances final : public Schedule {
 public:
  Distances(Rank ranks, Rank radix, Bytes bytes) : reaches_(reaches(ranks, radix)) {
    shape_ = {.ranks = ranks, .rounds = std::ssize(reaches_) - 1, .out = ranks, .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, held = reach(t), next = reach(t + 1);
    const std::optional<Rank> only = out.only_peer();
    for (Rank distance = held; distance < next; distance += held) {
      const Rank from = (r + distance) % p, to = base::wrap(r - distance, p), count = std::min(held, next - distance);
      if (only && *only != from && *only != to) continue;
      pattern::around(r, 1, count, p, [&](const Slots& s) { out.send(to, Buffer::out, s); });
      pattern::around(from, 1, count, p, [&](const Slots& s) { out.recv(from, Buffer::out, s); });
    }
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Rank reach(Round t) const { return reaches_[static_cast<std::size_t>(t)]; }
  std::vector<Rank> reaches_;
  Shape shape_;
};

std::string radix_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::groups_illegal(spec, machine); !reason.empty()) return reason;
  if (const Rank radix = params.get("radix", spec.ranks()); radix > std::max<Rank>(2, spec.ranks()))
    return fmt::format("radix={}: {} has {} ranks; expected 2 to {}", radix, spec.topology->text(), spec.ranks(),
                       std::max<Rank>(2, spec.ranks()));
  return {};
}

std::vector<Params> radix_variants(const Spec& spec, const Machine&) {
  std::vector<Params> all;
  for (const Rank radix : radices_of(spec.ranks())) all.push_back({{"radix", {radix}}});
  return all;
}

/// A message of what a rank holds over every wire that a round uses, or less: (P - 1)/(r - 1) blocks altogether where
/// the ranks are a power of r. Elsewhere several blocks may go round the end of the buffer, which is then packed.
Cost radix_formula(const Spec& spec, const Machine&, const Params& params) {
  const Rank radix = params.get("radix", spec.ranks());
  const std::vector<Rank> all = reaches(spec.ranks(), radix);
  const bool even = digits_of(spec.ranks(), radix) > 0;
  Cost cost;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const Bytes longest = base::checked_multiply(std::min(all[i], all[i + 1] - all[i]), spec.bytes, "bytes");
    cost.startups += 1;
    cost.hops += 1;
    cost.bytes = base::checked_add(cost.bytes, longest, "bytes");
    cost.further += base::ceil_div(all[i + 1], all[i]) - 2;
    if (even || all[i] == 1) continue;
    const Bytes packed = base::checked_multiply(all[i + 1] - all[i], spec.bytes, "bytes packed");
    cost.packed = base::checked_add(cost.packed, packed, "bytes packed");
  }
  return cost;
}

SchedulePtr radix_build(const Spec& spec, const Machine&, const Params& params) {
  const Rank radix = params.get("radix", spec.ranks());
  if (const int digits = digits_of(spec.ranks(), radix); digits > 0)
    return digits_schedule(std::vector<Rank>(static_cast<std::size_t>(digits), radix), spec.bytes);
  return std::make_shared<Distances>(spec.ranks(), radix, spec.bytes);
}

}  // namespace

SchedulePtr digits_schedule(std::vector<Rank> radices, Bytes bytes) {
  return std::make_shared<Digits>(std::move(radices), bytes);
}

Algorithm radix_base() {
  return {.name = "allgather_radix",
          .collective = Collective::allgather,
          .summary = "groups of ranks exchange all that they hold, in as few rounds as r - 1 ports allow",
          .source = "classical; log_r P rounds with r - 1 ports; Traeff 2024 where P is no power of r",
          .closed_form = {.where = "crossbar, all ports"},
          .parameters = {{.name = "radix", .meaning = "ranks of a group, each of which sends to all others", .low = 2}},
          .claims =
              [](const Spec& s, const Machine&, const Params& p) {
                return Claims{.exact = digits_of(s.ranks(), p.get("radix", s.ranks())) > 0 || s.ranks() == 1};
              },
          .illegal = radix_illegal,
          .variants = radix_variants,
          .cost = radix_formula,
          .build = radix_build};
}

}  // namespace quadrille::algorithm::reduce_scatter
