#include "incumbents/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace quadrille::incumbents {

namespace {

constexpr Seconds unknown = std::numeric_limits<Seconds>::infinity();
constexpr Bytes least_block = 8, small_block = 64;
constexpr double near_tie = 1.5;  ///< times whose order is not known yet
constexpr std::size_t few = 4;    ///< of them are measured again
constexpr double same = 1.03;     ///< a rule stays where another one gains less

std::vector<Bytes> powers_of_two(Bytes most) {
  std::vector<Bytes> all;
  for (Bytes bytes = least_block; bytes <= most; bytes *= 2) all.push_back(bytes);
  return all;
}

/// The least size, a small one, the largest and the one between these.
std::vector<Bytes> anchors(Bytes most) {
  const std::vector<Bytes> sizes = powers_of_two(most);
  const auto low = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), std::min(small_block, sizes.back())) -
                                            sizes.begin());
  std::vector<Bytes> all;
  for (const std::size_t i : {std::size_t{0}, low, (low + sizes.size() - 1) / 2, sizes.size() - 1})
    if (all.empty() || all.back() != sizes[i]) all.push_back(sizes[i]);
  return all;
}

/// The MPI's own choice as one of its algorithms, which rules of Open MPI can name, and the selection of MPICH cannot.
std::optional<Candidate> own_choice(Mpi mpi, Collective collective) {
  static const std::vector<Own> all = [] {
    std::vector<Own> list;
    for (const Own& own : algorithm::mpis::all()) {
      if (own.mpi != Mpi::openmpi || (!list.empty() && list.back().algorithm.collective == own.algorithm.collective))
        continue;
      Own& as_built_in = list.emplace_back(own);
      as_built_in.id = 0, as_built_in.name = "as built in", as_built_in.differs = "";
      as_built_in.algorithm.name = "openmpi.as_built_in";
    }
    return list;
  }();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Own& own) { return own.algorithm.collective == collective; });
  if (mpi != Mpi::openmpi || found == all.end()) return std::nullopt;
  return Candidate{&*found, {}};
}

/// One of an MPI's algorithms; none where no rule can name it.
struct Tried {
  std::vector<Setting> settings;
  std::optional<Candidate> candidate;
  TimesBySize times = {};
};

class OneCollective {
 public:
  OneCollective(const Measuring& measuring, Collective collective) : how_(measuring), collective_(collective) {
    all_.push_back({settings_for_own_choice(how_.mpi, collective), own_choice(how_.mpi, collective)});
    const Spec spec = checked({.collective = collective,
                               .topology = parse_topology("crossbar:" + std::to_string(how_.ranks)),
                               .bytes = least_block * how_.ranks});
    for (const Candidate& one : candidates(how_.mpi, collective))
      if (one.own->algorithm.illegal(spec, Machine{}, one.params).empty()) all_.push_back({settings_for(one), one});
  }

  void measure_all() {
    for (const Bytes bytes : anchors(how_.most)) {
      Seconds best = unknown;
      for (Tried& one : all_) best = std::min(best, measure(one, bytes, best));
    }
  }
  /// Measures those that may be the best at this size, and the MPI's own choice; unless one is by far.
  void settle(Bytes bytes) {
    std::vector<Tried*> order;
    for (Tried& one : all_)
      if (one.candidate.has_value() && std::isfinite(one.times.at(bytes))) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [&](const Tried* a, const Tried* b) { return a->times.at(bytes) < b->times.at(bytes); });
    if (order.size() < 2 || order[1]->times.at(bytes) > near_tie * order[0]->times.at(bytes)) return;
    const Seconds best = order[0]->times.at(bytes);
    if (!all_.front().times.has(bytes)) measure(all_.front(), bytes, best);
    for (std::size_t i = 0; i < std::min(few, order.size()); ++i)
      if (order[i]->times.at(bytes) <= near_tie * best && !order[i]->times.has(bytes)) measure(*order[i], bytes, best);
  }
  MeasuredRules rules() const { return {choose(), worth(), calls_}; }

 private:
  Seconds measure(Tried& one, Bytes bytes, Seconds enough) {
    const Seconds time = how_.time(one.settings, collective_, bytes, enough);
    one.times.set(bytes, time);
    ++calls_;
    return time;
  }

  /// The MPI's own choice where no other one is faster by more than times differ from run to run.
  const Tried* best_at(Bytes bytes) const {
    const Tried* best = nullptr;
    for (const Tried& one : all_) {
      const bool may = one.candidate.has_value() && std::isfinite(one.times.at(bytes));
      if (may && (best == nullptr || one.times.at(bytes) < best->times.at(bytes))) best = &one;
    }
    const Tried& own = all_.front();
    const bool as_fast =
        best != nullptr && own.candidate.has_value() && own.times.at(bytes) <= same * best->times.at(bytes);
    return as_fast ? &own : best;
  }

  /// The least size above `below` for which `next` is not slower than `last`.
  static Bytes crossing(const Tried& last, const Tried& next, Bytes below, Bytes above) {
    while (below + 1 < above) {
      const Bytes middle = below + (above - below) / 2;
      (next.times.at(middle) <= last.times.at(middle) ? above : below) = middle;
    }
    return above;
  }

  Rules choose() const {
    Rules rules{collective_, how_.ranks, {}};
    const Tried* last = nullptr;
    Bytes before = 0;
    for (const Bytes bytes : powers_of_two(how_.most)) {
      const Tried* const best = best_at(bytes);
      if (best == nullptr) break;
      if (last == nullptr)
        rules.rules.push_back({0, *best->candidate, best->times.at(bytes)}), last = best;
      else if (best != last && last->times.at(bytes) > same * best->times.at(bytes))
        rules.rules.push_back({crossing(*last, *best, before, bytes), *best->candidate, best->times.at(bytes)}),
            last = best;
      before = bytes;
    }
    return rules;
  }

  double worth() const {
    double logs = 0;
    int sizes = 0;
    for (const Bytes bytes : anchors(how_.most))
      if (const Tried* const best = best_at(bytes); best != nullptr && std::isfinite(all_.front().times.at(bytes)))
        logs += std::log(all_.front().times.at(bytes) / best->times.at(bytes)), ++sizes;
    return sizes == 0 ? 1 : std::exp(logs / sizes);
  }

  const Measuring& how_;
  Collective collective_;
  std::vector<Tried> all_;  ///< the MPI's own choice first
  std::int64_t calls_ = 0;
};

}  // namespace

Seconds TimesBySize::at(Bytes bytes) const {
  if (points_.empty()) return unknown;
  const auto above = points_.lower_bound(bytes);
  if (above == points_.end()) return std::prev(above)->second;
  if (above == points_.begin() || above->first == bytes) return above->second;
  const auto below = std::prev(above);
  if (!std::isfinite(below->second + above->second)) return unknown;
  const double part = std::log(static_cast<double>(bytes) / static_cast<double>(below->first)) /
                      std::log(static_cast<double>(above->first) / static_cast<double>(below->first));
  return below->second * std::pow(above->second / below->second, part);
}

Measured measured_rules(const Measuring& measuring) {
  if (measuring.ranks < 2) throw Error(Error::Kind::argument, "nothing to choose for one rank; start more");
  std::vector<OneCollective> every;
  for (const Collective c : collectives()) {
    if (candidates(measuring.mpi, c).empty()) continue;
    if (measuring.begun) measuring.begun(c);
    every.emplace_back(measuring, c).measure_all();
  }
  Measured all;
  // Short calls of all collectives before longer ones: they take little of the time that there is.
  for (const Bytes bytes : powers_of_two(measuring.most))
    for (OneCollective& one : every)
      if (all.hurried = all.hurried || (measuring.over && measuring.over()); !all.hurried) one.settle(bytes);
  for (const OneCollective& one : every)
    if (MeasuredRules found = one.rules(); !found.rules.rules.empty()) all.collectives.push_back(std::move(found));
  return all;
}

}  // namespace quadrille::incumbents
