#include "simulate/maxmin.hpp"

#include <algorithm>

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
    links_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  links_[slot].resource = resource;
  links_[slot].capacity = resource < capacity_.size() ? capacity_[resource] : whole;
  return slot;
}

void MaxMin::add(std::uint32_t flow, std::span<const std::size_t> resources) {
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  Flow& f = flows_[flow];
  f.rate = 0, f.limit = none;
  f.steps.clear();
  for (const std::size_t resource : resources) {
    const std::uint32_t link = link_of(resource);
    std::vector<Entry>& all = links_[link].flows;
    f.steps.push_back({link, static_cast<std::uint32_t>(all.size())});
    all.push_back({flow, static_cast<std::uint32_t>(f.steps.size() - 1)});
    changed_.push_back(link);
  }
  fresh_.push_back(flow);
}

void MaxMin::remove(std::uint32_t flow) {
  Flow& f = flows_[flow];
  if (f.limit == none) std::erase(fresh_, flow);
  if (f.limit != none) --links_[f.limit].held;
  for (const Step& s : f.steps) {
    Link& link = links_[s.link];
    link.load -= f.rate;
    const Entry last = link.flows.back();
    link.flows[s.place] = last;
    flows_[last.flow].steps[last.step].place = s.place;
    link.flows.pop_back();
    changed_.push_back(s.link);
    if (!link.flows.empty()) continue;
    slot_[link.resource] = none;
    unused_.push_back(s.link);
  }
  f.steps.clear();
}

const std::vector<MaxMin::Change>& MaxMin::solve() {
  changes_.clear();
  start();
  if (filled_flows_.empty()) return changes_;
  do fill();
  while (grow());
  commit();
  return changes_;
}

MaxMin::Rate MaxMin::slack(const Link& link) const {
  const auto allowed = static_cast<Rate>(tolerance_ * static_cast<double>(link.capacity));
  return std::max({link.capacity >> 46, static_cast<Rate>(link.flows.size()), allowed});
}

void MaxMin::join(std::uint32_t flow) {
  if (flows_[flow].joined) return;
  flows_[flow].joined = true;
  filled_flows_.push_back(flow);
}

void MaxMin::join_held(std::uint32_t link) {
  for (const Entry& e : links_[link].flows)
    if (flows_[e.flow].limit == link) join(e.flow);
}

/// Who is filled for certain: new flows, and those limited by a link whose load is not what it was.
void MaxMin::start() {
  filled_flows_.clear();
  for (const std::uint32_t flow : fresh_) join(flow);
  ++filling_;
  for (const std::uint32_t flow : fresh_)
    for (const Step& s : flows_[flow].steps) {
      if (links_[s.link].filling == filling_) continue;
      links_[s.link].filling = filling_;
      if (links_[s.link].held > 0) join_held(s.link);
    }
  for (const std::uint32_t i : changed_) {
    Link& link = links_[i];
    if (link.filling == filling_) continue;
    link.filling = filling_;
    if (link.held > 0 && link.capacity - link.load > slack(link)) join_held(i);
  }
  fresh_.clear();
  changed_.clear();
}

/// Rates for the flows that have joined, in what the others leave them.
void MaxMin::fill() {
  filled_ += std::ssize(filled_flows_);
  open_flows();
  levels_.clear();
  for (const std::uint32_t i : touched_) levels_.push_back({links_[i].room / links_[i].open, i});
  std::make_heap(levels_.begin(), levels_.end());
  while (!levels_.empty()) {
    std::pop_heap(levels_.begin(), levels_.end());
    Level& lowest = levels_.back();
    const Link& link = links_[lowest.link];
    const Rate rate = link.open == 0 ? lowest.rate : link.room / link.open;
    if (rate > lowest.rate) {  // others have stopped below it since: what is left for each has grown
      lowest.rate = rate;
      std::push_heap(levels_.begin(), levels_.end());
      continue;
    }
    if (link.open > 0) freeze(lowest.link, rate);
    levels_.pop_back();
  }
}

void MaxMin::open_flows() {
  ++filling_;
  touched_.clear();
  for (const std::uint32_t flow : filled_flows_) {
    Flow& f = flows_[flow];
    f.open = true;
    for (const Step& s : f.steps) {
      Link& link = links_[s.link];
      if (link.filling != filling_) {
        touched_.push_back(s.link);
        link.filling = filling_;
        link.room = link.capacity - link.load;
        link.most = 0, link.open = link.held_before = 0, link.limits = false;
      }
      link.room += f.rate;
      ++link.open;
      if (f.limit == s.link) ++link.held_before;
    }
  }
}

void MaxMin::freeze(std::uint32_t i, Rate rate) {
  links_[i].limits = true;
  for (const Entry& e : links_[i].flows) {
    Flow& f = flows_[e.flow];
    if (!f.open) continue;
    f.open = false;
    f.next = rate, f.next_limit = i;
    for (const Step& s : f.steps) {
      Link& link = links_[s.link];
      link.room -= rate;
      link.most = rate;
      --link.open;
    }
  }
}

/// Lets join whom the filling has left with an unfair rate; says whether anybody did.
bool MaxMin::grow() {
  const std::size_t before = filled_flows_.size();
  for (const std::uint32_t i : touched_) {
    const Link& link = links_[i];
    const Rate near = slack(link);
    if (link.limits)
      for (const Entry& e : link.flows)
        if (flows_[e.flow].rate > link.most + near) join(e.flow);
    if (link.held > link.held_before && (link.room > near || link.most > link.level + near)) join_held(i);
  }
  return filled_flows_.size() > before;
}

void MaxMin::commit() {
  for (const std::uint32_t flow : filled_flows_)
    if (flows_[flow].limit != none) --links_[flows_[flow].limit].held;
  for (const std::uint32_t flow : filled_flows_) {
    Flow& f = flows_[flow];
    f.joined = false;
    // The level of flows that stay is kept: small differences do not add up over many solves.
    Link& limit = links_[f.next_limit];
    if (limit.held == 0) limit.level = f.next;
    ++limit.held;
    f.limit = f.next_limit;
    if (f.next == f.rate) continue;
    for (const Step& s : f.steps) links_[s.link].load += f.next - f.rate;
    changes_.push_back({flow, f.rate, f.next});
    f.rate = f.next;
  }
}

}  // namespace quadrille
