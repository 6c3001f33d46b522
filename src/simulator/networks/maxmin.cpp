#include "simulator/networks/maxmin.hpp"

#include <algorithm>

namespace quadrille::simulator {

void MaxMin::limit(std::size_t resource, Rate capacity) {
  if (resource >= capacity_.size()) capacity_.resize(resource + 1, usual_);
  capacity_[resource] = capacity;
}

std::uint32_t MaxMin::link_of(std::size_t resource) {
  if (resource >= slot_.size()) slot_.resize(resource + 1, none);
  std::uint32_t& slot = slot_[resource];
  if (slot != none) return slot;
  if (unused_.empty()) {
    slot = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back(), balances_.emplace_back(), levels_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  links_[slot].resource = resource;
  links_[slot].capacity = resource < capacity_.size() ? capacity_[resource] : usual_;
  links_[slot].weight = links_[slot].held = 0;
  balances_[slot] = {};
  levels_[slot] = unlimited;
  return slot;
}

/// How far off balance a link may be: rounding is less than one for each flow of weight 1.
void MaxMin::allow(std::uint32_t i) {
  Link& link = links_[i];
  link.near = std::max(link.capacity >> 46, link.weight);
  link.spare = std::max(link.near, static_cast<Rate>(tolerance_ * static_cast<double>(link.capacity)));
  set_bounds(i);
}

/// One that limits nobody may have room.
void MaxMin::set_bounds(std::uint32_t i) {
  const Link& link = links_[i];
  Balance& balance = balances_[i];
  balance.least = link.held > 0 && !link.queued ? link.capacity - link.spare : std::numeric_limits<Rate>::min();
  balance.most = link.queued ? unlimited : link.capacity + link.near;
}

/// It limits flows of so much weight more, or less.
void MaxMin::hold(std::uint32_t i, Rate more) {
  Link& link = links_[i];
  link.held += more;
  set_bounds(i);
  if (link.held == 0) levels_[i] = unlimited;
}

void MaxMin::add(std::uint32_t flow, std::span<const std::size_t> resources, std::uint32_t weight) {
  if (flow >= rates_.size()) {
    rates_.resize(flow + 1), before_.resize(flow + 1), limits_.resize(flow + 1, none);
    touched_.resize(flow + 1), frozen_.resize(flow + 1), ways_.resize(flow + 1);
  }
  rates_[flow] = 0, limits_[flow] = none;
  Way& way = ways_[flow];
  way.count = static_cast<std::uint32_t>(resources.size());
  way.weight = weight;
  if (way.count > way.room) {
    way.room = std::max(way.count, 2 * way.room);
    way.first = static_cast<std::uint32_t>(way_links_.size());
    way_links_.resize(way_links_.size() + way.room), way_places_.resize(way_links_.size());
  }
  for (std::uint32_t step = 0; step < way.count; ++step) {
    const std::uint32_t i = link_of(resources[step]);
    way_links_[way.first + step] = i;
    way_places_[way.first + step] = static_cast<std::uint32_t>(links_[i].flows.size());
    links_[i].flows.push_back({flow, step});
    links_[i].weight += weight;
    changed_.push_back(i);
  }
  fresh_.push_back(flow);
  ++in_use_;
}

void MaxMin::remove(std::uint32_t flow) {
  if (limits_[flow] == none)
    std::erase(fresh_, flow);
  else
    hold(limits_[flow], -weight(flow));
  Way& way = ways_[flow];
  for (std::uint32_t step = 0; step < way.count; ++step) {
    const std::uint32_t i = way_links_[way.first + step], place = way_places_[way.first + step];
    balances_[i].load -= way.weight * rates_[flow];
    links_[i].weight -= way.weight;
    std::vector<Entry>& all = links_[i].flows;
    const Entry last = all.back();
    all[place] = last;
    way_places_[ways_[last.flow].first + last.step] = place;
    all.pop_back();
    changed_.push_back(i);
    if (!all.empty()) continue;
    slot_[links_[i].resource] = none;
    unused_.push_back(i);
  }
  way.count = 0;
  --in_use_;
}

const std::vector<MaxMin::Change>& MaxMin::solve() {
  changes_.clear();
  touched_all_.clear();
  // Filling looks at all links and numbers of flows there are, in use or not.
  const bool most_are_new = 4 * fresh_.size() > in_use_ && 64 * in_use_ > ways_.size() + links_.size();
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
  constexpr std::size_t at_once = 32;  // new flows: each begins with up to a whole link, and loads are 64-bit numbers
  std::size_t patience = 100 + 20 * links_.size();
  heap_.clear();
  for (const std::uint32_t i : changed_)
    if (!links_[i].flows.empty()) allow(i), look_at(i);
  for (std::size_t next = 0; !heap_.empty() || next < fresh_.size();) {
    for (const std::size_t end = std::min(next + at_once, fresh_.size()); next < end; ++next)
      give_first_rate(fresh_[next]);
    for (; !heap_.empty(); --patience) {
      if (patience == 0) return false;
      std::pop_heap(heap_.begin(), heap_.end());
      const std::uint32_t i = heap_.back().link;
      heap_.pop_back();
      work_out(i);
    }
  }
  return true;
}

/// A queued link.
void MaxMin::work_out(std::uint32_t i) {
  const Link& link = links_[i];
  const Rate load = balances_[i].load;
  if (load > link.capacity + link.near)
    lower(i);
  else if (link.held > 0 && load < link.capacity - link.spare)
    raise(i);
  links_[i].queued = false;
  set_bounds(i);
  look_at(i);
}

/// The lowest level on its way; where there is none, all that its narrowest link carries: too much, as it turns out.
void MaxMin::give_first_rate(std::uint32_t flow) {
  Rate rate = least_level(flow);
  std::uint32_t limit = none;
  if (rate < unlimited) {
    limit = link_of_level(flow, rate);
  } else {
    for (const std::uint32_t i : links_of(flow))
      if (links_[i].capacity < rate) limit = i, rate = links_[i].capacity;
    levels_[limit] = rate;
  }
  set(flow, rate, limit);
}

void MaxMin::queue(std::uint32_t i) {
  Link& link = links_[i];
  link.queued = true;
  set_bounds(i);
  heap_.push_back({link.held > 0 ? levels_[i] : link.capacity / link.weight, i});
  std::push_heap(heap_.begin(), heap_.end());
}

/// It carries too much: who has more than the new level comes down to it. Others keep what they have.
void MaxMin::lower(std::uint32_t i) {
  const Link& link = links_[i];
  const Rate held = link.held;
  Rate room = link.capacity - balances_[i].load, weights = 0;
  // If only those that it limits came down; as others do, too, the level is not below that.
  Rate level = held > 0 ? levels_[i] + room / held - 1 : link.capacity / link.weight;
  bounds_.clear();
  for (const Entry& e : link.flows) {
    const bool limited = limits_[e.flow] == i;
    if (!limited && rates_[e.flow] <= level) continue;
    bounds_.push_back({e.flow, limited ? unlimited : rates_[e.flow]});
    expect(e.flow);
    room += weight(e.flow) * rates_[e.flow];
    weights += weight(e.flow);
  }
  for (bool again = true; again;) {
    again = false;
    level = room / weights;
    for (std::size_t k = 0; k < bounds_.size();) {
      if (bounds_[k].rate > level) {
        ++k;
        continue;
      }
      room -= weight(bounds_[k].flow) * bounds_[k].rate;
      weights -= weight(bounds_[k].flow);
      bounds_[k] = bounds_.back();
      bounds_.pop_back();
      again = true;
    }
  }
  levels_[i] = level;
  for (const Bound& b : bounds_) set(b.flow, level, i);
}

/// It has room: those limited by it get more, or as much as another link on their ways allows, which then limits them.
void MaxMin::raise(std::uint32_t i) {
  const Link& link = links_[i];
  Rate room = link.capacity - balances_[i].load + link.held * levels_[i], level = 0, weights = link.held;
  bounds_.clear();
  for (const Entry& e : link.flows)
    if (limits_[e.flow] == i) bounds_.push_back({e.flow, 0}), expect(e.flow);
  levels_[i] = unlimited;  // while others are looked at
  for (Bound& b : bounds_) b.rate = least_level(b.flow);
  std::size_t stay = bounds_.size();  // the first ones; the others leave
  for (bool again = true; again && stay > 0;) {
    again = false;
    level = room / weights;
    for (std::size_t k = 0; k < stay;) {
      if (bounds_[k].rate >= level) {
        ++k;
        continue;
      }
      room -= weight(bounds_[k].flow) * bounds_[k].rate;
      weights -= weight(bounds_[k].flow);
      std::swap(bounds_[k], bounds_[--stay]);
      again = true;
    }
  }
  for (std::size_t k = stay; k < bounds_.size(); ++k)
    set(bounds_[k].flow, bounds_[k].rate, link_of_level(bounds_[k].flow, bounds_[k].rate));
  if (stay > 0) levels_[i] = level;
  for (std::size_t k = 0; k < stay; ++k) set(bounds_[k].flow, level, i);
}

/// The least level of the links that limit anybody on the flow's way; `unlimited` where there are none.
MaxMin::Rate MaxMin::least_level(std::uint32_t flow) const {
  Rate least = unlimited;
  for (const std::uint32_t i : links_of(flow)) least = std::min(least, levels_[i]);
  return least;
}

std::uint32_t MaxMin::link_of_level(std::uint32_t flow, Rate level) const {
  const auto links = links_of(flow);
  return *std::find_if(links.begin(), links.end(), [&](std::uint32_t i) { return levels_[i] == level; });
}

void MaxMin::set(std::uint32_t flow, Rate rate, std::uint32_t limit) {
  touch(flow);
  ++filled_;
  if (limits_[flow] != limit) {
    if (limits_[flow] != none) hold(limits_[flow], -weight(flow));
    limits_[flow] = limit;
    hold(limit, weight(flow));
  }
  const Rate more = weight(flow) * (rate - rates_[flow]);
  if (more == 0) return;
  rates_[flow] = rate;
  for (const std::uint32_t i : links_of(flow)) {
    balances_[i].load += more;
    look_at(i);
  }
}

void MaxMin::touch(std::uint32_t flow) {
  if (touched_[flow] != 0) return;
  touched_[flow] = 1;
  before_[flow] = rates_[flow];
  touched_all_.push_back(flow);
}

}  // namespace quadrille::simulator
