#include "algorithm/sendrecv/shared/path_crowds.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "algorithm/pattern/crowds.hpp"

namespace quadrille::algorithm::sendrecv {

namespace {

constexpr std::int64_t most_looked_at = 1 << 17;  ///< links of all paths

}  // namespace

bool looks_for_meetings(const PathSet& paths) {
  const kit::Lengths lengths = lengths_of(paths);
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) <= most_looked_at;
}

PathCrowds::PathCrowds(const PathSet& paths) : lengths_(lengths_of(paths)) {
  if (lengths_.back() < 3 || !looks_for_meetings(paths)) return;
  std::vector<std::tuple<Rank, std::size_t, std::int64_t>> visits;
  for (std::size_t j = 0; j < paths.size(); ++j)
    for (std::int64_t i = 1; i < lengths_[j]; ++i) visits.emplace_back(paths[j].at(i), j, i);
  std::sort(visits.begin(), visits.end());
  for (std::size_t i = 0, n = 0; i < visits.size(); i += n) {
    Meeting meeting;
    for (n = 0; i + n < visits.size() && std::get<0>(visits[i + n]) == std::get<0>(visits[i]); ++n)
      meeting.emplace_back(std::get<1>(visits[i + n]), std::get<2>(visits[i + n]));
    if (n > 1) meetings_.push_back(std::move(meeting));
  }
}

std::int64_t PathCrowds::further(const std::vector<std::int64_t>& packets) const {
  pattern::Crowds crowds;
  const auto at = [&](std::size_t path, Round first) { return pattern::Span{first, first + packets[path] - 1}; };
  std::vector<pattern::Span> sent, received;
  for (std::size_t j = 0; j < lengths_.size(); ++j) {
    sent.push_back(at(j, 0));
    received.push_back(at(j, lengths_[j] - 1));
  }
  crowds.add(sent);
  crowds.add(received);
  for (const Meeting& meeting : meetings_) {
    sent.clear();
    for (const auto& [path, position] : meeting) sent.push_back(at(path, position - 1));
    crowds.add(sent, 1);  // received in one round and sent in the next
  }
  return crowds.further();
}

std::int64_t PathCrowds::further(std::int64_t packets) const {
  return further(std::vector<std::int64_t>(lengths_.size(), packets));
}

}  // namespace quadrille::algorithm::sendrecv
