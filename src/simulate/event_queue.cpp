#include "simulate/event_queue.hpp"

#include <algorithm>

namespace quadrille {

void EventQueue::refill() {
  buckets_[0].clear();
  next_ = 0;
  const auto lowest = static_cast<std::size_t>(std::countr_zero(used_)) + 1;
  used_ &= used_ - 1;
  std::vector<Event> dealt;
  dealt.swap(buckets_[lowest]);
  Seconds first = dealt.front().time;
  for (const Event& e : dealt) first = std::min(first, e.time);
  now_ = key(first);
  for (const Event& e : dealt) put(e);
  dealt.clear();
  if (dealt.capacity() > spare_.capacity()) spare_.swap(dealt);
}

}  // namespace quadrille
