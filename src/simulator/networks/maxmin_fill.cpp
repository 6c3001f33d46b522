// Max-min fair rates by their definition: all at once.
#include <algorithm>

#include "simulator/networks/maxmin.hpp"

namespace quadrille::simulator {

/// All rates anew, by the definition.
void MaxMin::fill() {
  heap_.clear();
  fillings_.resize(links_.size());
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    if (link.flows.empty()) continue;
    link.held = 0;
    link.queued = false;
    levels_[i] = unlimited;
    allow(i);
    fillings_[i] = {link.capacity, link.weight};
    heap_.push_back({fillings_[i].room / fillings_[i].open, i});
  }
  for (std::uint32_t flow = 0; flow < ways_.size(); ++flow) frozen_[flow] = ways_[flow].count == 0 ? 1 : 0;
  filled_ += static_cast<std::int64_t>(in_use_);
  std::make_heap(heap_.begin(), heap_.end());
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    Level& lowest = heap_.back();
    const Filling& filling = fillings_[lowest.link];
    const Rate rate = filling.open == 0 ? lowest.rate : filling.room / filling.open;
    if (rate > lowest.rate) {  // others have stopped below it since: what is left for each has grown
      lowest.rate = rate;
      std::push_heap(heap_.begin(), heap_.end());
      continue;
    }
    if (filling.open > 0) freeze(lowest.link, rate);
    heap_.pop_back();
  }
  for (std::uint32_t i = 0; i < links_.size(); ++i)
    if (!links_[i].flows.empty()) balances_[i].load = links_[i].capacity - fillings_[i].room;
}

/// The link is used up: who is on it and still rises stops.
void MaxMin::freeze(std::uint32_t i, Rate rate) {
  levels_[i] = rate;
  hold(i, fillings_[i].open);
  for (const Entry& e : links_[i].flows) {
    if (frozen_[e.flow] != 0) continue;
    frozen_[e.flow] = 1;
    touch(e.flow);
    rates_[e.flow] = rate, limits_[e.flow] = i;
    const Rate weighs = weight(e.flow);
    for (const std::uint32_t other : links_of(e.flow)) {
      fillings_[other].room -= weighs * rate;
      fillings_[other].open -= weighs;
    }
  }
}

}  // namespace quadrille::simulator
