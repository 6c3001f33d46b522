#include "algorithm/pattern/crowds.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <queue>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::pattern {

void Crowds::add(Span rounds, std::int64_t messages) {
  if (messages > 1 && rounds.first <= rounds.last) heights_.push_back({rounds, messages});
}

void Crowds::add(const std::vector<Span>& streams, Round slide) {
  std::vector<std::pair<Round, int>> changes;
  for (const Span& s : streams)
    if (s.first <= s.last) changes.insert(changes.end(), {{s.first, 1}, {s.last + 1, -1}});
  std::sort(changes.begin(), changes.end());
  std::int64_t messages = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    messages += changes[i].second;
    if (i + 1 < changes.size()) add({changes[i].first, changes[i + 1].first - 1 + slide}, messages);
  }
}

std::int64_t Crowds::further() const {
  std::vector<Height> order = heights_;
  std::sort(order.begin(), order.end(),
            [](const Height& a, const Height& b) { return a.rounds.first < b.rounds.first; });
  const auto lower = [](const Height& a, const Height& b) { return a.messages < b.messages; };
  std::priority_queue<Height, std::vector<Height>, decltype(lower)> open(lower);
  std::int64_t sum = 0;
  Round now = 0;
  for (std::size_t next = 0; next < order.size() || !open.empty();) {
    if (open.empty()) now = std::max(now, order[next].rounds.first);
    for (; next < order.size() && order[next].rounds.first <= now; ++next) open.push(order[next]);
    while (!open.empty() && open.top().rounds.last < now) open.pop();
    if (open.empty()) continue;
    Round last = open.top().rounds.last;
    if (next < order.size()) last = std::min(last, order[next].rounds.first - 1);
    sum += (last - now + 1) * (open.top().messages - 1);
    now = last + 1;
  }
  return sum;
}

void PacketCrowds::add(std::vector<Round> starts) {
  std::sort(starts.begin(), starts.end());
  for (std::size_t more = 1; more < starts.size(); ++more) {
    if (last_.size() < more) last_.emplace_back();
    std::vector<Round>& by_first = last_[more - 1];
    for (std::size_t i = 0; i + more < starts.size(); ++i) {
      const auto first = static_cast<std::size_t>(starts[i]);
      if (by_first.size() <= first) by_first.resize(first + 1, -1);
      Round& last = by_first[first];
      last = last < 0 ? starts[i + more] : std::min(last, starts[i + more]);
    }
  }
}

std::int64_t PacketCrowds::further(std::int64_t packets) const {
  std::int64_t sum = 0;
  for (const std::vector<Round>& by_first : last_) {  // rounds with at least so many messages
    // From the last end to the first: all rounds from `seen` to such an end are counted already.
    Round seen = std::numeric_limits<Round>::max();
    for (std::size_t first = by_first.size(); first-- > 0;) {
      const Round begin = by_first[first], end = static_cast<Round>(first) + packets - 1;
      if (begin < 0) continue;
      sum += std::max<Round>(0, std::min(end, seen - 1) - begin + 1);
      if (begin <= end) seen = std::min(seen, begin);
    }
  }
  return sum;
}

namespace {

/// Where rounds are split by the colour of the sender, each half has its own.
using Halves = std::array<PacketCrowds, 2>;

Halves count_crowds(const Spec& spec, const std::vector<Tree>& trees, bool split) {
  Halves halves;
  for (Rank r = 0; r < spec.ranks(); ++r) {
    std::vector<Round> sent, received;
    for (const Tree& tree : trees) {
      if (const std::int64_t level = tree.level(r); level > 0) received.push_back(level - 1);
      for (std::int64_t i = 0, n = tree.children(r); i < n; ++i) sent.push_back(tree.level(tree.child(r, i)) - 1);
    }
    const auto colour = static_cast<std::size_t>(split ? spec.topology->colour(r).value_or(0) : 0);
    halves[colour].add(std::move(sent));
    halves[split ? 1 - colour : 0].add(std::move(received));
  }
  return halves;
}

/// The same for every root, and asked for again for every size.
std::shared_ptr<const Halves> known_crowds(const Spec& spec, const std::string& name, bool split,
                                           std::vector<Tree> (*trees)(const Spec&)) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Halves>> known;
  constexpr std::size_t most_kept = 64;
  const std::string key = fmt::format("{} {} {}", name, spec.topology->text(), split);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  auto counted = std::make_shared<const Halves>(count_crowds(spec, trees(spec), split));
  const std::lock_guard lock(mutex);
  if (known.size() >= most_kept) known.clear();
  return known.emplace(key, std::move(counted)).first->second;
}

}  // namespace

std::function<std::int64_t(std::int64_t)> forest_crowds(const Spec& spec, const Machine& machine,
                                                        const std::string& name, bool split,
                                                        std::vector<Tree> (*trees)(const Spec&),
                                                        std::function<Round(std::int64_t)> rounds) {
  if (!counts_crowds(spec, machine))
    return [links = spec.topology->degree(), rounds](std::int64_t packets) { return (links - 1) * rounds(packets); };
  return [crowds = known_crowds(spec, name, split, trees)](std::int64_t packets) {
    return (*crowds)[0].further(packets) + (*crowds)[1].further(packets);
  };
}

}  // namespace quadrille::algorithm::pattern
