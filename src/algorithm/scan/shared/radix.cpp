// With weights 1, k, k^2 ... every rank sends what it has combined, of itself and the weight - 1 ranks before it, to
// the k - 1 ranks that are 1, 2 ... k - 1 weights after it. Those combine what comes, the nearest first.
#include "algorithm/scan/shared/radix.hpp"

#include <algorithm>
#include <vector>

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan {

namespace {

constexpr Rank most_radix = 16;  ///< that is proposed: a rank takes the vectors of one less

bool excludes_own(const Spec& spec) { return spec.collective == Collective::exscan; }

struct Digit {
  Rank weight, values;
};

/// Two that come in one round cannot be combined with each other alone. So one comes in the first round, where sums
/// exclude the own contribution.
std::vector<Digit> digits_of(const Spec& spec, Rank radix) {
  std::vector<Digit> digits;
  for (Rank weight = 1; weight < spec.ranks();) {
    const Rank most = weight == 1 && excludes_own(spec) ? 2 : radix;
    digits.push_back({weight, std::min(most, base::ceil_div(spec.ranks(), weight))});
    weight *= digits.back().values;
  }
  return digits;
}

/// A round for each digit.
class ByDigits {
 public:
  ByDigits(const Spec& spec, Rank radix)
      : excludes_(excludes_own(spec)), ranks_(spec.ranks()), digits_(digits_of(spec, radix)) {}
  Round rounds() const { return std::ssize(digits_); }
  Slot scratch() const { return excludes_ ? 2 : 1; }

  void step(Round t, Rank r, Steps& out) const {
    const Digit& digit = digits_[static_cast<std::size_t>(t)];
    const Place own = sum(t, r), next = sum(t + 1, r);
    for (Rank i = 1; i < digit.values && r + i * digit.weight < ranks_; ++i)
      out.send(r + i * digit.weight, own.buffer, kit::at(own.slot));
    for (Rank i = 1; i < digit.values && i * digit.weight <= r; ++i) {
      const Rank peer = r - i * digit.weight;
      const Place& operand = i == 1 ? own : next;
      if (!excludes_) {
        out.combine(peer, next.buffer, kit::at(next.slot), kit::onto(r, peer, operand.buffer, operand.slot));
        continue;
      }
      if (t == 0)
        out.recv(peer, Buffer::out, kit::at(0));
      else
        out.combine(peer, Buffer::out, kit::at(0), kit::onto(r, peer, Buffer::out));
      if (t + 1 < rounds())
        out.combine(peer, next.buffer, kit::at(next.slot), kit::onto_again(r, peer, operand.buffer, operand.slot));
    }
  }

 private:
  struct Place {
    Buffer buffer;
    Slot slot;
  };
  /// Where the sum with the rank's own contribution is before a round, by turns in two places: a rank sends it while it
  /// computes the next one. What it computes last is the prefix, unless that excludes the own contribution.
  Place sum(Round t, Rank r) const {
    const auto computes = [r](const Digit& digit) { return digit.weight <= r; };
    const Round all = std::count_if(digits_.begin(), digits_.end(), computes);
    const Round done = std::count_if(digits_.begin(), digits_.begin() + t, computes);
    if (done == 0) return {Buffer::in, 0};
    if (excludes_) return {Buffer::tmp, done % 2};
    return {(all - done) % 2 == 0 ? Buffer::out : Buffer::tmp, 0};
  }

  bool excludes_;
  Rank ranks_;
  std::vector<Digit> digits_;
};

Rank radix_of(const Params& params) { return params.get("radix", 4); }

Cost digits_cost(const Spec& spec, const Machine&, const Params& params) {
  const std::vector<Digit> digits = digits_of(spec, radix_of(params));
  std::int64_t messages = 0, combines = 0;
  for (const Digit& digit : digits) {
    const bool last = &digit == &digits.back();
    messages += digit.values - 2;
    combines += (digit.values - 1) * (excludes_own(spec) && !last ? 2 : 1);
  }
  if (excludes_own(spec) && !digits.empty()) --combines;  // the first that comes is only kept
  Cost all = kit::whole_vectors(spec, std::ssize(digits), combines);
  all.further += messages;
  return all;
}

std::vector<Params> digits_variants(const Spec& spec, const Machine&) {
  std::vector<Params> all;
  for (Rank radix = 2; radix <= std::min(most_radix, spec.ranks()); ++radix) all.push_back({{"radix", {radix}}});
  return all;
}

/// All messages go to higher ranks, so that no wire carries both ways.
std::string digits_illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = kit::needs_crossbar(spec); !reason.empty()) return reason;
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty() && spec.ranks() > 2) return reason;
  return kit::needs_both_ways(spec, machine, excludes_own(spec) ? "exscan_butterfly" : "scan_butterfly");
}

SchedulePtr digits_build(const Spec& spec, const Machine&, const Params& params) {
  const ByDigits by(spec, radix_of(params));
  return kit::vector_schedule(spec, by.rounds(), by.scratch(),
                              {[by](Round t, Rank r, Steps& out) { by.step(t, r, out); }});
}

}  // namespace

Algorithm by_digits(Collective collective, const kit::Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .parameters = {{.name = "radix",
                          .meaning = "a round reaches radix - 1 ranks, and radix times as far as the one before",
                          .low = 2,
                          .high = base::bit(30)}},
          .claims = kit::in_rank_order,
          .illegal = digits_illegal,
          .variants = digits_variants,
          .cost = digits_cost,
          .build = digits_build};
}

}  // namespace quadrille::algorithm::scan
