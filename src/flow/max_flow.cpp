#include "flow/max_flow.hpp"

#include <algorithm>
#include <numeric>

#include "quadrille/base.hpp"

namespace quadrille::flow {

MaxFlow::MaxFlow(std::int64_t vertices)
    : first_(static_cast<std::size_t>(vertices) + 1, 0),
      current_(static_cast<std::size_t>(vertices), -1),
      level_(static_cast<std::size_t>(vertices), -1),
      is_end_(static_cast<std::size_t>(vertices), 0) {}

void MaxFlow::add(std::int64_t from, std::int64_t to, std::int64_t capacity, std::int64_t back) {
  if (added_.size() >= std::size_t{1} << 29)
    throw Error(Error::Kind::budget, "more than 2^29 arcs; take a smaller network");
  added_.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), capacity, back});
}

void MaxFlow::set(std::int64_t number, std::int64_t capacity) {
  const auto arc = static_cast<std::size_t>(number);
  added_[arc].capacity = capacity;
  if (arc >= places_.size()) return;
  undo();
  Half& half = halves_[static_cast<std::size_t>(places_[arc])];
  half.rest = half.capacity = capacity;
}

/// What leads on from a vertex is looked at together, and lies together.
void MaxFlow::lay_out() {
  std::fill(first_.begin(), first_.end(), 0);
  for (const Added& a : added_) ++first_[static_cast<std::size_t>(a.from)], ++first_[static_cast<std::size_t>(a.to)];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  halves_.resize(2 * added_.size());
  places_.clear();
  touched_.clear();
  for (const Added& a : added_) {
    const std::int32_t there = --first_[static_cast<std::size_t>(a.from)],
                       back = --first_[static_cast<std::size_t>(a.to)];
    halves_[static_cast<std::size_t>(there)] = {a.to, back, a.capacity, a.capacity};
    halves_[static_cast<std::size_t>(back)] = {a.from, there, a.back, a.back};
    places_.push_back(there);
  }
}

/// Numbers vertices by links from the start, up to the layer of the nearest end.
bool MaxFlow::layer(std::int32_t start) {
  for (const std::int32_t v : queue_) level_[static_cast<std::size_t>(v)] = -1;
  queue_.assign(1, start);
  level_[static_cast<std::size_t>(start)] = 0;
  std::int32_t last = -1;  // the layer of the nearest end
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const auto v = static_cast<std::size_t>(queue_[i]);
    current_[v] = first_[v];
    if (is_end_[v]) last = level_[v];
    if (last >= 0) continue;
    for (std::int32_t h = first_[v]; h < first_[v + 1]; ++h) {
      const Half& half = halves_[static_cast<std::size_t>(h)];
      if (half.rest == 0 || level_[static_cast<std::size_t>(half.to)] >= 0) continue;
      level_[static_cast<std::size_t>(half.to)] = level_[v] + 1;
      queue_.push_back(half.to);
    }
  }
  return last >= 0;
}

/// Sends what the path can take, at most `wanted`, and leaves on the path what is before its first full arc.
std::int64_t MaxFlow::augment(std::int64_t wanted) {
  std::int64_t amount = wanted;
  for (const std::int32_t h : path_) amount = std::min(amount, halves_[static_cast<std::size_t>(h)].rest);
  std::size_t kept = path_.size();
  for (std::size_t i = path_.size(); i-- > 0;) {
    const auto h = static_cast<std::size_t>(path_[i]);
    halves_[h].rest -= amount;
    halves_[static_cast<std::size_t>(halves_[h].back)].rest += amount;
    touched_.push_back(path_[i]);
    if (halves_[h].rest == 0) kept = i;
  }
  path_.resize(kept);
  return amount;
}

/// All that the layers let through, at most `wanted`.
std::int64_t MaxFlow::block(std::int32_t start, std::int64_t wanted) {
  std::int64_t sent = 0;
  path_.clear();
  while (sent < wanted) {
    const auto v = static_cast<std::size_t>(path_.empty() ? start : halves_[static_cast<std::size_t>(path_.back())].to);
    if (is_end_[v]) {
      sent += augment(wanted - sent);
      continue;
    }
    std::int32_t& h = current_[v];
    const auto leads_on = [&](const Half& half) {
      return half.rest > 0 && level_[static_cast<std::size_t>(half.to)] == level_[v] + 1;
    };
    while (h < first_[v + 1] && !leads_on(halves_[static_cast<std::size_t>(h)])) ++h;
    if (h < first_[v + 1]) {
      path_.push_back(h);
    } else {
      if (path_.empty()) break;
      const Half& last = halves_[static_cast<std::size_t>(path_.back())];
      ++current_[static_cast<std::size_t>(halves_[static_cast<std::size_t>(last.back)].to)];
      path_.pop_back();
    }
  }
  return sent;
}

void MaxFlow::undo() {
  for (const std::int32_t h : touched_) {
    Half &there = halves_[static_cast<std::size_t>(h)], &back = halves_[static_cast<std::size_t>(there.back)];
    there.rest = there.capacity, back.rest = back.capacity;
  }
  touched_.clear();
}

std::int64_t MaxFlow::run(std::int64_t start, std::int64_t enough) {
  if (places_.size() == added_.size())
    undo();
  else
    lay_out();
  const auto from = static_cast<std::int32_t>(start);
  std::int64_t sent = 0;
  while (sent < enough && layer(from)) sent += block(from, enough - sent);
  return sent;
}

}  // namespace quadrille::flow
