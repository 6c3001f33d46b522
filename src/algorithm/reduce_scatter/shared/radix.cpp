// An all-gather among radix^digits ranks: in every round a rank sends all that it holds to the radix - 1 ranks that
// differ from it in one digit.
#include "algorithm/kit/support.hpp"
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
std::vector<Rank> radices_of(Rank ranks) {
  std::vector<Rank> all;
  for (Rank radix = 2; radix * radix <= ranks; ++radix)
    if (digits_of(ranks, radix) > 0) all.push_back(radix);
  all.push_back(ranks);
  return all;
}

class Digits final : public Schedule {
 public:
  Digits(Rank ranks, Rank radix, Bytes bytes)
      : radix_(radix),
        shape_{.ranks = ranks, .rounds = digits_of(ranks, radix), .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Slot held = power(t);
    const Rank digit = r / held % radix_;
    for (Rank i = 1; i < radix_; ++i) {
      const Rank to = r + ((digit + i) % radix_ - digit) * held;
      const Rank from = r + (base::wrap(digit - i, radix_) - digit) * held;
      out.send(to, Buffer::out, contiguous(r / held * held, held));
      out.recv(from, Buffer::out, contiguous(from / held * held, held));
    }
  }

 private:
  Slot power(Round t) const {
    Slot held = 1;
    for (Round i = 0; i < t; ++i) held *= radix_;
    return held;
  }
  Rank radix_;
  Shape shape_;
};

std::string radix_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::has_own_wires(spec))
    return fmt::format("needs wires between all ranks, and {} has not; nearest: crossbar:{}", spec.topology->text(),
                       spec.ranks());
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty() && spec.ranks() > 2) return reason;
  if (kit::half_duplex(machine))
    return "both ranks of every wire send at once, and wires of this machine carry one way at a time; try --set "
           "duplex=full";
  const Rank radix = params.get("radix", spec.ranks());
  if (digits_of(spec.ranks(), radix) == 0)
    return fmt::format("radix={} has no power that is {}; nearest: radix={}", radix, spec.ranks(),
                       radices_of(spec.ranks()).front());
  return {};
}

std::vector<Params> radix_variants(const Spec& spec, const Machine&) {
  std::vector<Params> all;
  for (const Rank radix : radices_of(spec.ranks())) all.push_back({{"radix", {radix}}});
  return all;
}

/// A message of r^i blocks over every wire that round i uses: (P - 1)/(r - 1) blocks altogether.
Cost radix_formula(const Spec& spec, const Machine&, const Params& params) {
  const Rank radix = params.get("radix", spec.ranks());
  const Bytes bytes = base::checked_multiply((spec.ranks() - 1) / (radix - 1), spec.bytes, "bytes");
  return kit::with_messages(radix - 1, kit::neighbour_cost(digits_of(spec.ranks(), radix), bytes));
}

}  // namespace

Algorithm radix_base() {
  return {
      .name = "allgather_radix",
      .collective = Collective::allgather,
      .summary = "groups of ranks that differ in one digit exchange all that they hold, digit after digit",
      .source = "classical; log_r P rounds with r - 1 ports",
      .closed_form = {.where = "crossbar, all ports"},
      .parameters = {{.name = "radix", .meaning = "ranks of a group; a power of it is the number of ranks", .low = 2}},
      .claims = kit::all_claims,
      .illegal = radix_illegal,
      .variants = radix_variants,
      .cost = radix_formula,
      .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
        return std::make_shared<Digits>(s.ranks(), p.get("radix", s.ranks()), s.bytes);
      }};
}

}  // namespace quadrille::algorithm::reduce_scatter
