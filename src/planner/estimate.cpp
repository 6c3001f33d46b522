#include "planner/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "algorithm/formula.hpp"
#include "base/text.hpp"
#include "planner/choose_ways.hpp"
#include "quadrille/price.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::planner {

namespace {

constexpr std::size_t most_with_ways = 12;  ///< candidates for which ways are chosen: some seconds

/// To three digits, for what is at least so much; 1 or more.
double rounded_down(double number) {
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - 2);
  return std::floor(number / unit) * unit;
}

/// Where prices are counted message by message, not all are worth it: from the one with the least possible time on,
/// until that time alone is margin() times what the best takes. Elsewhere all prices are closed forms, in their order.
class Prices {
 public:
  Prices(Estimate& estimate, bool quick)
      : estimate_(estimate), plan_(estimate.plan), quick_(quick), left_(quick ? quick_all : all_visits) {}

  void add(const Algorithm& a, Params params, bool exact) {
    Seconds least = a.least == nullptr ? 0 : a.least(plan_.spec, plan_.machine, params);
    if (quick_ && a.closed_form.startups.empty() && a.closed_form.bytes.empty())
      least = std::max(plan_.bound.time, std::numeric_limits<Seconds>::min());  // counted as far as there is time
    waiting_.push_back({&a, std::move(params), least, exact});
    if (least > 0) return;
    price(waiting_.back(), most_visits);
    waiting_.pop_back();
  }

  /// What is counted quickly comes first: its price tells which of the others can win. Of what takes longer to count,
  /// that comes first which came farthest.
  void finish() {
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) { return a.least < b.least; });
    for (std::int64_t most = quick_ ? quick_visits : few_visits; !waiting_.empty(); most *= 8) {
      std::vector<Waiting> later;
      for (Waiting& w : std::exchange(waiting_, {})) {
        // Looking for a schedule takes longer than counting one.
        const Seconds least = std::max(w.least, plan_.bound.time);
        if (w.algorithm->searched ? least >= best_ : w.least > margin(w, most) * best_)
          pass_over(w, least);
        else if (!price(w, w.algorithm->searched ? most_visits : most))
          later.push_back(std::move(w));
      }
      std::stable_sort(later.begin(), later.end(),
                       [](const auto& a, const auto& b) { return a.came.rounds > b.came.rounds; });
      waiting_ = std::move(later);
    }
    for (const Refusal& r : left_out_)
      if (std::none_of(plan_.candidates.begin(), plan_.candidates.end(),
                       [&](const Candidate& c) { return c.algorithm == r.algorithm; }))
        plan_.refused.push_back(r);
  }

 private:
  /// While one schedule is counted: at the first attempt, and ever. And while all are: some seconds.
  static constexpr std::int64_t few_visits = 1 << 18, most_visits = few_visits * 8 * 8 * 8,
                                all_visits = 3 * most_visits;
  static constexpr std::int64_t quick_visits = 1 << 18, quick_all = 1 << 20;  ///< some ten milliseconds
  struct Waiting {
    const Algorithm* algorithm;
    Params params;
    Seconds least;
    bool exact;
    traffic::Counted came = {};  ///< when visits were too few
  };

  /// Somewhat slower ones are listed, too; but what takes long to count is counted only as long as it may win.
  static double margin(const Waiting& w, std::int64_t most) {
    return w.algorithm->searched || most < few_visits * 8 * 8 ? 2 : 1;
  }

  /// A quick plan counts what is counted soon; where nothing is, what came farthest.
  bool ends_quickly(const Waiting& w) const {
    return quick_ && std::isfinite(best_) && (left_ <= 0 || w.came.visits > 0);
  }
  /// Schedules that are turned round are looked through as they are built, as often as they are counted.
  std::int64_t spent(const Waiting& w) const {
    return quick_ ? static_cast<std::int64_t>(static_cast<double>(w.came.visits) / std::max(0.01, w.came.rounds))
                  : w.came.visits;
  }

  /// False where it takes more visits, and may have them later.
  bool price(Waiting& w, std::int64_t most) {
    if (ends_quickly(w)) return leave_out(w, "takes long to count; plan without --quick");
    if (quick_ && left_ <= 0 && most == quick_visits) return false;
    try {
      const std::optional<Cost> counted = cost_of(w, quick_ ? most : std::min(most, left_), most);
      left_ -= spent(w);
      if (!counted) return pass_over(w, margin(w, most) * best_);
      const Seconds time = seconds(*counted, plan_.machine, *plan_.spec.topology);
      best_ = std::min(best_, time);
      plan_.candidates.push_back({w.algorithm, w.params, *counted, time, w.exact});
      if (w.came.visits > 0) estimate_.visits.note(w.algorithm, w.params, w.came.visits);
    } catch (const Error& error) {  // more than can be counted; another may move fewer bytes in fewer rounds
      if (error.kind() != Error::Kind::budget) throw;
      left_ -= spent(w);
      if (most < most_visits) return false;
      leave_out(w, error.what());
    }
    return true;
  }
  /// Empty where its first rounds alone take too long.
  std::optional<Cost> cost_of(Waiting& w, std::int64_t visits, std::int64_t most) const {
    const auto& [spec, machine] = std::tie(plan_.spec, plan_.machine);
    w.came = {};
    if (!(w.least > 0) || spec.bytes == 0) return algorithm::formula(*w.algorithm, spec, machine, w.params);
    return traffic::counted(spec, machine, *w.algorithm->build(spec, machine, w.params),
                            {.visits = visits, .price = margin(w, most) * best_, .came = &w.came});
  }
  std::string longer_than_best(Seconds least) const {
    constexpr double hardly = 1.01;
    if (!(least >= hardly * best_) || !(best_ > 0)) return "takes at least as long as another one";
    return fmt::format("takes at least {:.3g} times as long as another one", rounded_down(least / best_));
  }
  bool pass_over(const Waiting& w, Seconds least) {
    estimate_.passed_over = true;
    return leave_out(w, longer_than_best(least));
  }
  bool leave_out(const Waiting& w, std::string reason) {
    if (std::none_of(left_out_.begin(), left_out_.end(), [&](const Refusal& r) { return r.algorithm == w.algorithm; }))
      left_out_.push_back({w.algorithm, std::move(reason), true});
    return true;
  }

  Estimate& estimate_;
  Plan& plan_;
  const bool quick_;
  std::int64_t left_;  ///< visits for all that are still to come
  Seconds best_ = HUGE_VAL;
  std::vector<Waiting> waiting_;
  std::vector<Refusal> left_out_;
};

/// All variants that can answer the question and have not failed; where there are none the plan says why.
void add_variants(Plan& plan, Prices& prices, const Algorithm& a, const std::vector<Candidate>& failed) {
  const Spec& spec = plan.spec;
  std::string_view other;
  std::string unfit;
  bool any = false;
  for (Params& params : a.variants(spec, plan.machine)) {
    if (const std::string_view name = algorithm::other_name(a, spec, params); !name.empty()) {
      other = name;
      continue;
    }
    const Claims claims = a.claims(spec, plan.machine, params);
    if (std::string reason = quadrille::unfit(spec, claims); !reason.empty()) {
      unfit = std::move(reason);
      continue;
    }
    any = true;
    const auto has_failed = [&](const Candidate& c) {
      return c.algorithm == &a && (c.params == params || c.assurance.how == Assurance::How::wrong);
    };
    if (std::none_of(failed.begin(), failed.end(), has_failed)) prices.add(a, std::move(params), claims.exact);
  }
  if (!any && !unfit.empty()) plan.refused.push_back({&a, unfit});
  if (a.searched && !any && unfit.empty() && other.empty())
    plan.refused.push_back({&a, "a search would take too long here; try it by name, with its parameters", true});
  if (!any && !other.empty())
    plan.refused.push_back({&a, fmt::format("does here what {} does, which is listed by that name", other)});
}

Estimate priced(const Spec& request, const Machine& machine, const std::vector<const Algorithm*>& known, bool quick,
                const std::vector<Candidate>& failed) {
  check(machine);
  Estimate estimate{
      .plan = {
          .spec = checked(request), .machine = machine, .candidates = {}, .refused = {}, .mistakes = {}, .bound = {}}};
  Plan& plan = estimate.plan;
  plan.bound = lower_bound(plan.spec, machine);
  Prices prices(estimate, quick);
  for (const Algorithm* a : known) {
    if (quick && a->searched) {
      plan.refused.push_back({a, "is searched for, and a quick plan searches for nothing; plan without --quick", true});
      continue;
    }
    if (const std::string reason = a->illegal(plan.spec, machine, {}); !reason.empty()) {
      plan.refused.push_back({a, reason});
      continue;
    }
    try {
      add_variants(plan, prices, *a, failed);
    } catch (const Error& error) {  // more bytes than can be counted
      if (error.kind() != Error::Kind::budget) throw;
      plan.refused.push_back({a, error.what(), true});
    }
  }
  prices.finish();
  sort_by_price(plan);
  return estimate;
}

}  // namespace

std::tuple<std::int64_t, bool, std::string_view> order_of_equals(const Candidate& candidate) {
  return {candidate.cost.startups, candidate.algorithm->searched, candidate.algorithm->name};
}

void sort_by_price(Plan& plan) {
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(), [](const Candidate& a, const Candidate& b) {
    const auto rank = [](const Candidate& c) { return std::pair(c.time, order_of_equals(c)); };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return a.algorithm->searched && to_text(*a.algorithm, a.params) < to_text(*b.algorithm, b.params);
  });
}

Estimate estimate(const Spec& request, const Machine& machine, const std::vector<Algorithm>& known, bool quick,
                  const std::vector<Candidate>& failed) {
  const auto priced_of = [&](const Spec& spec, auto asked) {
    std::vector<const Algorithm*> some;
    for (const Algorithm& a : known)
      if (a.collective == spec.collective && asked(a)) some.push_back(&a);
    return priced(spec, machine, some, quick, failed);
  };
  if (!request.topology->chooses_ways()) return priced_of(request, [](const Algorithm&) { return true; });
  Estimate estimate = priced_of(request, [](const Algorithm& a) { return a.says_ways; });
  Estimate by_routes_of = priced_of(by_routes(request), [](const Algorithm& a) { return !a.says_ways; });
  choose_ways(estimate.plan, std::move(by_routes_of.plan), quick ? 1 : most_with_ways);
  estimate.visits.add(by_routes_of.visits);
  estimate.passed_over |= by_routes_of.passed_over;
  sort_by_price(estimate.plan);
  return estimate;
}

}  // namespace quadrille::planner
