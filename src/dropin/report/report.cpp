#include "dropin/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "dropin/decide/choose.hpp"
#include "dropin/decide/circumstances.hpp"
#include "dropin/report/trial_results.hpp"
#include "dropin/report/why_left.hpp"
#include "dropin/timing/ticks.hpp"
#include "files/file.hpp"
#include "quadrille/placement.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_plans = 64;  ///< that are made for predictions: of the lines that took longest

}  // namespace

void Report::add(std::string_view stats) {
  for (const CallStats& s : parse_call_stats(stats)) merge(s);
}

void Report::merge(const CallStats& t) {
  in_collectives_ += t.time() / static_cast<double>(run_.ranks);
  in_plans_ += t.planned_time / static_cast<double>(run_.ranks);
  for (Line& line : lines_) {
    CallStats& sum = line.sum;
    if (!sum.alike(t)) continue;
    line.all_bytes += t.bytes;
    sum.failed += t.failed;
    if (sum.lost.empty() && !t.lost.empty()) {
      sum.lost = t.lost;
      sum.lost_native = t.lost_native;
      sum.lost_plan = t.lost_plan;
    }
    if (t.calls > sum.calls) {  // ranks may be in different numbers of communicators
      sum.calls = t.calls;
      sum.planned = t.planned;
      sum.twice = t.twice;
      sum.over = t.over;
      sum.untimed = t.untimed;
      sum.bytes = t.bytes;
    }
    sum.native_time += t.native_time;
    sum.planned_time += t.planned_time;
    sum.lasted += t.lasted;
    sum.waited += t.waited;
    line.slowest = std::max(line.slowest, t.time());
    line.fastest = std::min(line.fastest, t.time());
    ++line.ranks_seen;
    return;
  }
  Line line;
  line.sum = t;
  line.slowest = line.fastest = t.time();
  line.ranks_seen = 1;
  line.all_bytes = t.bytes;
  lines_.push_back(std::move(line));
}

/// Where ranks take different numbers of bytes, as in an alltoallv, the line has their mean.
void Report::average(Line& line) const {
  CallStats& t = line.sum;
  if (!differs_by_rank(t.operation) || line.all_bytes == 0) return;
  const auto before = static_cast<double>(t.mean());
  t.bytes = line.all_bytes / line.ranks_seen;
  for (auto& [choice, per_byte] : t.tried) per_byte *= before / static_cast<double>(t.mean());
}

void Report::predict(Line& line) const {
  if (settings_.machine.empty()) return;  // none was named or measured
  const Request request{.operation = line.sum.operation, .bytes = line.sum.mean(), .by = {.rounds = line.sum.rounds}};
  try {
    const Placement placement = parse_placement(line.sum.topology);
    if (differs_by_rank(line.sum.operation)) {  // no bound: nobody knows who gives how much to whom
      const bool to_neighbours = facts_of(line.sum.operation).to_neighbours;  // nor how many these are
      if (to_neighbours || line.sum.ranks < 2 || line.sum.bytes == 0) return;
      const Prospect best = alltoallv_prospect(request, placement, settings_.constants);
      line.algorithm = best.algorithm;
      line.predicted = best.predicted;
      return;
    }
    std::optional<Spec> spec = spec_of(request, placement.topology);
    if (spec && settings_.topology.empty()) spec = on_crossbar_if_refused(*spec, placement);
    if (!spec || line.sum.ranks < 2 || line.sum.bytes == 0) return;
    const Plan p = plan(on_nodes(*spec, placement), settings_.constants, to_perform(settings_.constants));
    line.bound = p.bound.time;
    line.binding = p.bound.binding;
    for (const Bound::Part& b : p.bound.parts)
      if (b.name == line.binding) line.why = b.why;
    if (!p.possible()) return;
    line.algorithm = to_text(*p.best().algorithm, p.best().params);
    line.predicted = p.best().known();
  } catch (const Error&) {  // of a network or size that has no plan: nothing is said of it
  }
}

Texts Report::texts(Seconds patience) {
  const auto not_called =
      std::stable_partition(lines_.begin(), lines_.end(), [](const Line& l) { return l.sum.calls > 0; });
  std::move(not_called, lines_.end(), std::back_inserter(not_called_));
  lines_.erase(not_called, lines_.end());
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const Line& a, const Line& b) { return a.mean_time() > b.mean_time(); });
  for (Line& line : lines_) average(line);
  const Clock::time_point begin = Clock::now();
  const auto goes_on = [&](std::size_t i) { return patience >= 0 && (i == 0 || since(begin) < patience); };
  for (std::size_t i = 0; i < std::min(lines_.size(), most_plans) && goes_on(i); ++i) predict(lines_[i]);
  Texts all{.json = json()};
  if (!lines_.empty() || !run_.counted.empty()) all.table = heading() + table() + advice();
  return all;
}

void Report::publish(Seconds patience) {
  const Texts all = texts(patience);
  std::fputs(all.table.c_str(), stderr);
  if (!settings_.report_file.empty())
    from_variable("QUADRILLE_REPORT", [&] { files::write_file(settings_.report_file, all.json); });
  if (settings_.keeps_trials())
    from_variable("QUADRILLE_WISDOM", [&] { keep_trials(settings_.wisdom_file, trials()); });
}

std::string Report::json() const {
  Json rows = Json::array();
  for (const Line& l : lines_) {
    const CallStats& t = l.sum;
    Json tried = Json::object();
    for (const auto& [choice, per_byte] : t.tried) tried[choice] = per_byte * static_cast<double>(t.mean());
    rows.push_back({{"collective", to_string(t.operation)},
                    {"ending", to_string(t.ending)},
                    {"ended_calls", t.over},
                    {"lasted_s", t.lasted / l.ranks_seen},
                    {"waited_s", t.waited / l.ranks_seen},
                    {"overlap", t.overlap()},
                    {"rounds", t.rounds},
                    {"ranks", t.ranks},
                    {"topology", t.topology},
                    {"size_class", t.size_class},
                    {"mean_bytes", t.mean()},
                    {"calls", t.calls},
                    {"planned_calls", t.planned},
                    {"calls_answered_twice", t.twice},
                    {"untimed_calls", t.untimed},
                    {"native_s", t.native_time / l.ranks_seen},
                    {"planned_s", t.planned_time / l.ranks_seen},
                    {"fastest_rank_s", l.fastest},
                    {"slowest_rank_s", l.slowest},
                    {"failed_calls", t.failed},
                    {"winner", t.winner},
                    {"gave_way", t.lost},
                    {"tried_s", tried},
                    {"choice", l.algorithm},
                    {"predicted_s", l.predicted},
                    {"bound_s", l.bound},
                    {"binds", l.binding},
                    {"why", l.why},
                    {"advice", advice(l)}});
  }
  Json counted = Json::object();
  Json counted_seconds = Json::object();
  Json reasons = Json::object();
  for (const NamedCalls& c : run_.counted) {
    counted[c.name] = c.calls;
    counted_seconds[c.name] = c.time;
    if (const std::string_view why = why_left(c.name); !why.empty()) reasons[c.name] = why;
  }
  return Json{{"format", "quadrille report 1"},
              {"finished", run_.finished},
              {"mpi", run_.mpi},
              {"ranks", run_.ranks},
              {"hosts", run_.hosts.count()},
              {"between_hosts", run_.hosts.between()},
              {"ranks_a_host", {run_.hosts.fewest(), run_.hosts.most()}},
              {"mode", to_string(settings_.mode)},
              {"topology", settings_.topology},
              {"machine", settings_.machine},
              {"ports", to_string(settings_.constants.ports)},
              {"segment", settings_.segment},
              {"bits", to_string(settings_.bits)},
              {"neighbours", run_.shared.neighbours},
              {"shared_bytes", run_.shared.most},
              {"threads", run_.threads},
              {"trials", run_.trials},
              {"trials_s", run_.trials_lasted},
              {"lasted_s", run_.lasted},
              {"in_collectives_s", in_collectives_},
              {"in_plans_s", in_plans_},
              {"collectives", rows},
              {"counted_calls", counted},
              {"counted_calls_s", counted_seconds},
              {"counted_calls_why", reasons}}
             .dump(1) +
         "\n";
}

std::vector<TrialResult> Report::trials() const {
  std::vector<TrialResult> results;
  for (const std::vector<Line>* const some : {&lines_, &not_called_})
    for (const Line& l : *some)
      if (!l.sum.winner.empty() && !(l.sum.tried.empty() && l.sum.lost.empty())) results.push_back(result_of(l.sum));
  return results;
}

TrialResult Report::result_of(const CallStats& t) const {
  TrialResult result{.trial = trial_of({run_.mpi, t.topology, settings_.segment}, t.operation, t.size_class, t.ending),
                     .choice = t.winner};
  const auto bytes = static_cast<double>(t.calls > 0 ? t.mean() : result.trial.from);
  for (const auto& [name, per_byte] : t.tried) {
    if (name == "native") result.native = per_byte * bytes;
    if (name == t.winner) result.chosen = per_byte * bytes;
  }
  if (t.tried.empty())  // the plan was known, and gave way
    result.native = result.chosen = t.lost_native * (differs_by_rank(t.operation) ? 1 : bytes);
  return result;
}

}  // namespace quadrille::dropin
