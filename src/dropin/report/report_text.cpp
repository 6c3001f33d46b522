// The report as people read it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "dropin/report/report.hpp"
#include "dropin/report/why_left.hpp"

namespace quadrille::dropin {

namespace {

constexpr std::size_t most_lines = 24;  ///< of the table; the JSON has all
constexpr std::size_t most_advice = 3;

/// What is called, as people read it.
std::string name_of(const CallStats& t) {
  return fmt::format("{}{}{}", t.ending == Ending::at_once ? "" : fmt::format("{} ", to_string(t.ending)),
                     to_string(t.operation), t.rounds ? ", rounding" : "");
}

double part(Seconds some, Seconds all) { return all > 0 ? 100 * some / all : 0; }

}  // namespace

std::string Report::heading() const {
  std::string text =
      fmt::format("quadrille: {} ranks, {}, mode {}, network {}, machine {}: {} of {} in collectives{} ({:.0f} %)\n",
                  run_.ranks, run_.mpi, to_string(settings_.mode),
                  !settings_.topology.empty()                            ? settings_.topology
                  : run_.hosts.shared() || !run_.hosts.between().empty() ? run_.hosts.words()
                                                                         : "unknown",
                  settings_.machine.empty() ? "unknown" : settings_.machine, base::format_seconds(in_collectives_),
                  base::format_seconds(run_.lasted),
                  run_.threads > 1 ? fmt::format(", summed over up to {} threads of a rank", run_.threads) : "",
                  part(in_collectives_, run_.lasted));
  if (in_plans_ > 0)
    text += fmt::format("  plans answered calls that took {:.0f} % of the time in collectives\n",
                        part(in_plans_, in_collectives_));
  if (settings_.shared)
    text += fmt::format("  rank 0 shares memory with {} of {} others, at most {} of its own\n", run_.shared.neighbours,
                        run_.ranks - 1, base::format_bytes(run_.shared.most));
  if (run_.trials > 0)
    text += fmt::format("  {} trial{} took {} ({:.1f} %)\n", run_.trials, run_.trials == 1 ? "" : "s",
                        base::format_seconds(run_.trials_lasted), part(run_.trials_lasted, run_.lasted));
  return text;
}

std::string Report::table() const {
  std::string text;
  std::size_t width = 20;
  for (std::size_t i = 0; i < std::min(lines_.size(), most_lines); ++i)
    width = std::max(width, name_of(lines_[i].sum).size());
  if (!lines_.empty())
    text = fmt::format("  {:<{}} {:>5} {:>10} {:>8} {:>8} {:>10} {:>10} {:>6}  {:>10} {:>10}  {}\n", "collective",
                       width, "ranks", "bytes", "calls", "planned", "native", "plan", "part", "predicted", "bound",
                       "plan, and what binds");
  const auto mean = [](Seconds all, std::int64_t calls, int ranks) {
    return calls > 0 ? base::format_seconds(all / static_cast<double>(calls) / ranks) : std::string("-");
  };
  bool estimated = false;
  for (std::size_t i = 0; i < std::min(lines_.size(), most_lines); ++i) {
    const Line& l = lines_[i];
    const CallStats& t = l.sum;
    estimated = estimated || t.untimed > 0;
    const std::string& plan = t.winner.empty() ? l.algorithm : t.winner;
    text += fmt::format("  {:<{}} {:>5} {:>10} {:>8} {:>8} {:>10} {:>10} {:>4.0f} %  {:>10} {:>10}  {}\n", name_of(t),
                        width, t.ranks, base::format_bytes(t.mean()), t.calls, t.planned,
                        (t.untimed > 0 ? "~" : "") + mean(t.native_time, t.native(), l.ranks_seen),
                        mean(t.planned_time, t.planned, l.ranks_seen), part(l.mean_time(), run_.lasted),
                        l.predicted > 0 ? base::format_seconds(l.predicted) : "-",
                        l.bound > 0 ? base::format_seconds(l.bound) : "-",
                        l.binding.empty() ? plan : fmt::format("{} ({})", plan.empty() ? "none" : plan, l.binding));
  }
  if (lines_.size() > most_lines) text += fmt::format("  and {} more\n", lines_.size() - most_lines);
  if (!run_.counted.empty()) {
    std::vector<std::string> all;
    for (const NamedCalls& c : run_.counted)
      all.push_back(fmt::format("{} {}{}", c.calls, c.name, c.time > 0 ? " " + base::format_seconds(c.time) : ""));
    text += fmt::format("  left to MPI, calls and time inside them: {}\n", base::join(all, ", "));
    text += reasons();
  }
  text += overlaps();
  std::int64_t others = 0;
  for (const Line& l : lines_)
    if (l.sum.rounds) others += l.sum.calls - l.sum.planned;
  if (settings_.bits == Bits::reproducible && others > 0)
    text += fmt::format("  {} calls of reductions that round were answered by MPI: their bits are not reproducible\n",
                        others);
  std::int64_t failed = 0;
  for (const Line& l : lines_) failed += l.sum.failed;
  if (failed > 0) text += fmt::format("  MPI returned an error for {} of the calls, all ranks together\n", failed);
  if (estimated) text += "  ~: these calls follow each other so closely that only some of them were timed\n";
  return text;
}

/// Why some of those that are left to MPI are.
std::string Report::reasons() const {
  std::map<std::string_view, std::vector<std::string>> names;
  for (const NamedCalls& c : run_.counted)
    if (const std::string_view why = why_left(c.name); !why.empty()) names[why].push_back(c.name);
  std::string text;
  for (const auto& [why, all] : names) text += fmt::format("  {}: {}\n", base::join(all, ", "), why);
  return text;
}

/// Of calls that end later, as long as they last.
std::string Report::overlaps() const {
  std::vector<std::string> all;
  for (const Line& l : lines_) {
    const CallStats& t = l.sum;
    if (t.ending == Ending::at_once || t.over == 0 || all.size() == most_lines) continue;
    all.push_back(fmt::format("{} of {}: {:.0f} % of {}", name_of(t), base::format_bytes(t.mean()), 100 * t.overlap(),
                              base::format_seconds(t.lasted / static_cast<double>(t.over) / l.ranks_seen)));
  }
  if (all.empty()) return {};
  return fmt::format("  the program was in no call that waits, for so much of the time from start to end: {}\n",
                     base::join(all, ", "));
}

/// What Quadrille took back, or what would make these calls cheaper; empty where nothing is known to.
std::string Report::advice(const Line& l) const {
  const CallStats& t = l.sum;
  const Seconds call = l.mean_time() / static_cast<double>(t.calls);
  const std::string what = fmt::format("{} of {}", name_of(t), base::format_bytes(t.mean()));
  if (!t.lost.empty()) {
    const double bytes = differs_by_rank(t.operation) ? 1 : static_cast<double>(t.mean());
    return fmt::format("{}: {} won its trial, but took {} in use and MPI {}: calls went back to MPI", what, t.lost,
                       base::format_seconds(t.lost_plan * bytes), base::format_seconds(t.lost_native * bytes));
  }
  if (l.ranks_seen > 1 && l.slowest > 3 * l.fastest && l.slowest > 0.01 * run_.lasted)
    return fmt::format("{}: ranks spend from {} to {} in it: they come at different times, and wait for the last", what,
                       base::format_seconds(l.fastest), base::format_seconds(l.slowest));
  if (!t.winner.empty() && t.winner != "native" && t.rounds && t.planned == 0)
    return fmt::format(
        "{}: {} is faster, and would change bits in this run; {}, or QUADRILLE_BITS=free", what, t.winner,
        settings_.wisdom_file.empty() ? "QUADRILLE_WISDOM=FILE keeps it for the next" : "the next run begins with it");
  if (!t.winner.empty() && t.winner != "native" && !t.tried.empty() && settings_.mode == Mode::trial &&
      settings_.wisdom_file.empty())
    return fmt::format("{}: {} is faster here; QUADRILLE_WISDOM=FILE keeps that for QUADRILLE=on", what, t.winner);
  if (l.predicted > 0 && l.binding == "latency" && t.calls >= 100)
    return fmt::format("{}: start-ups bind; {} calls could be fewer{}", what, t.calls,
                       t.operation == Operation::barrier ? "" : " and larger ones");
  if (settings_.mode == Mode::observe && l.predicted > 0 && l.predicted < 0.9 * call)
    return fmt::format("{}: {} a call, {} predicted by {}; QUADRILLE=trial finds out", what, base::format_seconds(call),
                       base::format_seconds(l.predicted), l.algorithm);
  if (l.bound > 0 && call < 1.2 * l.bound) return fmt::format("{}: near the bound; {}", what, l.why);
  return {};
}

std::string Report::advice() const {
  std::string text;
  std::size_t given = 0;
  for (const Line& l : lines_) {
    if (given == most_advice || part(l.mean_time(), run_.lasted) < 1) break;
    const std::string line = advice(l);
    if (line.empty()) continue;
    text += "  " + line + "\n";
    ++given;
  }
  return text;
}

}  // namespace quadrille::dropin
