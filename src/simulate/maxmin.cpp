#include "simulate/maxmin.hpp"

#include <algorithm>
#include <limits>

namespace quadrille {

void MaxMin::limit(std::size_t resource, Rate capacity) {
  if (resource >= capacity_.size()) capacity_.resize(resource + 1, whole);
  capacity_[resource] = capacity;
}

std::uint32_t MaxMin::link_of(std::size_t resource) {
  if (resource >= slot_.size()) slot_.resize(resource + 1, none);
  std::uint32_t& slot = slot_[resource];
  if (slot != none) return slot;
  if (unused_.empty()) {
    slot = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back(), flows_.emplace_back(), resource_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  links_[slot] = {.capacity = resource < capacity_.size() ? capacity_[resource] : whole};
  resource_[slot] = resource;
  return slot;
}

/// How far off balance a link may be: rounding is less than one for each flow.
void MaxMin::allow(std::uint32_t link) {
  Link& l = links_[link];
  l.near = std::max(l.capacity >> 46, static_cast<Rate>(flows_[link].size()));
  l.spare = std::max(l.near, static_cast<Rate>(tolerance_ * static_cast<double>(l.capacity)));
}

void MaxMin::add(std::uint32_t flow, std::span<const std::size_t> resources) {
  if (flow >= rates_.size()) {
    rates_.resize(flow + 1), before_.resize(flow + 1), limits_.resize(flow + 1, none);
    touched_.resize(flow + 1), frozen_.resize(flow + 1), steps_.resize(flow + 1);
  }
  rates_[flow] = 0, limits_[flow] = none;
  std::vector<Step>& steps = steps_[flow];
  steps.clear();
  for (const std::size_t resource : resources) {
    const std::uint32_t link = link_of(resource);
    steps.push_back({link, static_cast<std::uint32_t>(flows_[link].size())});
    flows_[link].push_back({flow, static_cast<std::uint32_t>(steps.size() - 1)});
    changed_.push_back(link);
  }
  fresh_.push_back(flow);
  ++in_use_;
}

void MaxMin::remove(std::uint32_t flow) {
  if (limits_[flow] == none)
    std::erase(fresh_, flow);
  else
    --links_[limits_[flow]].held;
  for (const Step& s : steps_[flow]) {
    links_[s.link].load -= rates_[flow];
    std::vector<Entry>& all = flows_[s.link];
    const Entry last = all.back();
    all[s.place] = last;
    steps_[last.flow][last.step].place = s.place;
    all.pop_back();
    changed_.push_back(s.link);
    if (!all.empty()) continue;
    slot_[resource_[s.link]] = none;
    unused_.push_back(s.link);
  }
  steps_[flow].clear();
  --in_use_;
}

const std::vector<MaxMin::Change>& MaxMin::solve() {
  changes_.clear();
  touched_all_.clear();
  const bool most_are_new = 4 * fresh_.size() > in_use_;
  if (most_are_new || !settle()) fill();
  changed_.clear();
  fresh_.clear();
  for (const std::uint32_t flow : touched_all_) {
    touched_[flow] = 0;
    if (rates_[flow] != before_[flow]) changes_.push_back({flow, before_[flow], rates_[flow]});
  }
  return changes_;
}

/// Brings all links into balance. False when it takes suspiciously long.
bool MaxMin::settle() {
  std::size_t patience = 100 + 20 * links_.size();
  levels_.clear();
  for (const std::uint32_t link : changed_)
    if (!flows_[link].empty()) allow(link);
  for (const std::uint32_t flow : fresh_) give_first_rate(flow);
  for (const std::uint32_t link : changed_)
    if (!flows_[link].empty()) look_at(link);
  while (!levels_.empty()) {
    std::pop_heap(levels_.begin(), levels_.end());
    const std::uint32_t i = levels_.back().link;
    levels_.pop_back();
    const Link& link = links_[i];
    if (!link.balanced()) link.load > link.capacity ? lower(i) : raise(i);
    links_[i].queued = false;
    look_at(i);
    if (--patience > 0) continue;
    for (const Level& left : levels_) links_[left.link].queued = false;
    return false;
  }
  return true;
}

/// The lowest level on its way; where there is none, all that its narrowest link carries: too much, as it turns out.
void MaxMin::give_first_rate(std::uint32_t flow) {
  std::uint32_t limit = none;
  Rate rate = least_level_elsewhere(flow, none, limit);
  if (limit == none) {
    rate = std::numeric_limits<Rate>::max();
    for (const Step& s : steps_[flow])
      if (links_[s.link].capacity < rate) limit = s.link, rate = links_[limit].capacity;
    links_[limit].level = rate;
  }
  set(flow, rate, limit);
}

void MaxMin::look_at(std::uint32_t i) {
  Link& link = links_[i];
  if (link.queued || link.balanced()) return;
  link.queued = true;
  levels_.push_back({link.held > 0 ? link.level : link.capacity / static_cast<Rate>(flows_[i].size()), i});
  std::push_heap(levels_.begin(), levels_.end());
}

/// It carries too much: who has more than the new level comes down to it. Others keep what they have.
void MaxMin::lower(std::uint32_t i) {
  bounds_.clear();
  for (const Entry& e : flows_[i])
    bounds_.push_back({e.flow, none, limits_[e.flow] == i ? std::numeric_limits<Rate>::max() : rates_[e.flow]});
  Rate room = links_[i].capacity, level = 0;
  for (bool again = true; again;) {
    again = false;
    level = room / static_cast<Rate>(bounds_.size());
    for (std::size_t k = 0; k < bounds_.size();) {
      if (bounds_[k].rate > level) {
        ++k;
        continue;
      }
      room -= bounds_[k].rate;
      bounds_[k] = bounds_.back();
      bounds_.pop_back();
      again = true;
    }
  }
  links_[i].level = level;
  for (const Bound& b : bounds_) set(b.flow, level, i);
}

/// It has room: those limited by it get more, or as much as another link on their ways allows, which then limits them.
void MaxMin::raise(std::uint32_t i) {
  bounds_.clear();
  for (const Entry& e : flows_[i]) {
    if (limits_[e.flow] != i) continue;
    Bound b{e.flow, none, 0};
    b.rate = least_level_elsewhere(e.flow, i, b.elsewhere);
    bounds_.push_back(b);
  }
  const Link& link = links_[i];
  Rate room = link.capacity - link.load + static_cast<Rate>(link.held) * link.level, level = 0;
  std::size_t stay = bounds_.size();  // the first ones; the others leave
  for (bool again = true; again && stay > 0;) {
    again = false;
    level = room / static_cast<Rate>(stay);
    for (std::size_t k = 0; k < stay;) {
      if (bounds_[k].rate >= level) {
        ++k;
        continue;
      }
      room -= bounds_[k].rate;
      std::swap(bounds_[k], bounds_[--stay]);
      again = true;
    }
  }
  links_[i].level = level;
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    k < stay ? set(bounds_[k].flow, level, i) : set(bounds_[k].flow, bounds_[k].rate, bounds_[k].elsewhere);
}

/// The least level of links that limit anybody on the flow's way, but for `link`.
MaxMin::Rate MaxMin::least_level_elsewhere(std::uint32_t flow, std::uint32_t link, std::uint32_t& where) const {
  Rate least = std::numeric_limits<Rate>::max();
  for (const Step& s : steps_[flow]) {
    const Link& other = links_[s.link];
    if (other.held > 0 && other.level < least && s.link != link) least = other.level, where = s.link;
  }
  return least;
}

void MaxMin::set(std::uint32_t flow, Rate rate, std::uint32_t limit) {
  touch(flow);
  ++filled_;
  if (limits_[flow] != limit) {
    if (limits_[flow] != none) --links_[limits_[flow]].held;
    limits_[flow] = limit;
    ++links_[limit].held;
  }
  const Rate more = rate - rates_[flow];
  if (more == 0) return;
  rates_[flow] = rate;
  for (const Step& s : steps_[flow]) {
    links_[s.link].load += more;
    look_at(s.link);
  }
}

void MaxMin::touch(std::uint32_t flow) {
  if (touched_[flow] != 0) return;
  touched_[flow] = 1;
  before_[flow] = rates_[flow];
  touched_all_.push_back(flow);
}

/// All rates anew, by the definition.
void MaxMin::fill() {
  levels_.clear();
  fillings_.resize(links_.size());
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    if (flows_[i].empty()) continue;
    allow(i);
    fillings_[i] = {links_[i].capacity, static_cast<std::uint32_t>(flows_[i].size())};
    links_[i].held = 0;
    levels_.push_back({fillings_[i].room / fillings_[i].open, i});
  }
  for (std::uint32_t flow = 0; flow < steps_.size(); ++flow) frozen_[flow] = steps_[flow].empty() ? 1 : 0;
  filled_ += static_cast<std::int64_t>(in_use_);
  std::make_heap(levels_.begin(), levels_.end());
  while (!levels_.empty()) {
    std::pop_heap(levels_.begin(), levels_.end());
    Level& lowest = levels_.back();
    const Filling& filling = fillings_[lowest.link];
    const Rate rate = filling.open == 0 ? lowest.rate : filling.room / filling.open;
    if (rate > lowest.rate) {  // others have stopped below it since: what is left for each has grown
      lowest.rate = rate;
      std::push_heap(levels_.begin(), levels_.end());
      continue;
    }
    if (filling.open > 0) freeze(lowest.link, rate);
    levels_.pop_back();
  }
  for (std::uint32_t i = 0; i < links_.size(); ++i) links_[i].load = links_[i].capacity - fillings_[i].room;
}

/// The link is used up: who is on it and still rises stops.
void MaxMin::freeze(std::uint32_t i, Rate rate) {
  links_[i].level = rate;
  links_[i].held = fillings_[i].open;
  for (const Entry& e : flows_[i]) {
    if (frozen_[e.flow] != 0) continue;
    frozen_[e.flow] = 1;
    touch(e.flow);
    rates_[e.flow] = rate, limits_[e.flow] = i;
    for (const Step& s : steps_[e.flow]) {
      fillings_[s.link].room -= rate;
      --fillings_[s.link].open;
    }
  }
}

}  // namespace quadrille
