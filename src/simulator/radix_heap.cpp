#include "simulator/radix_heap.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::simulator {

void RadixHeap::lengthen(std::size_t digit, std::size_t value, const TimedEvent& e) {
  Chunk* chunk = pool_.take();
  Bucket& bucket = buckets_[digit][value];
  if (bucket.last == nullptr) {
    bucket.first = chunk;
    used_values_[digit] = used_values_[digit] | std::uint64_t{1} << value;
    used_digits_ = static_cast<std::uint16_t>(used_digits_ | 1U << digit);
  } else {
    bucket.last->next = chunk;
  }
  bucket.last = chunk;
  bucket.free = chunk->events.data() + 1;
  chunk->events[0] = e;
  ++bucket.chunks;
}

/// Calls visit for all events, in order.
template <class Visit>
void RadixHeap::visit_all(const Bucket& bucket, Visit visit) {
  for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next) {
    Pool::expect(chunk->next);
    const TimedEvent* end = chunk == bucket.last ? bucket.free : chunk->end();
    for (const TimedEvent* e = chunk->events.data(); e != end; ++e) visit(*e);
  }
}

/// The same; their memory may be used again meanwhile.
template <class Visit>
void RadixHeap::empty_out(Bucket& bucket, Visit visit) {
  const Bucket all = std::exchange(bucket, {});
  for (Chunk* chunk = all.first; chunk != nullptr;) {
    Pool::expect(chunk->next);
    const TimedEvent* end = chunk == all.last ? all.free : chunk->end();
    for (const TimedEvent* e = chunk->events.data(); e != end; ++e) visit(*e);
    Chunk* next = chunk->next;
    pool_.give_back(chunk);
    chunk = next;
  }
}

/// In the run, for so many more: what was taken makes room, if it is much.
void RadixHeap::make_room(std::size_t more) {
  const auto used = static_cast<std::size_t>(end_ - next_);
  if (2 * (used + more) > run_.size()) {
    std::vector<TimedEvent> larger(4 * (used + more));
    std::copy(next_, end_, larger.data());
    run_ = std::move(larger);
  } else {
    std::copy(next_, end_, run_.data());
  }
  next_ = run_.data(), end_ = next_ + used, room_ = next_ + run_.size();
}

void RadixHeap::top_up(std::ptrdiff_t in_view) {
  while (used_digits_ != 0 && end_ - next_ < in_view) {
    const auto digit = static_cast<std::size_t>(std::countr_zero(used_digits_));
    const auto value = static_cast<std::size_t>(std::countr_zero(used_values_[digit]));
    Bucket& bucket = buckets_[digit][value];
    const bool is_short = digit == 0 || bucket.size() <= short_bucket;
    if (next_ != end_ && !is_short) return;
    used_values_[digit] = used_values_[digit] & (used_values_[digit] - 1);
    if (used_values_[digit] == 0) used_digits_ = static_cast<std::uint16_t>(used_digits_ & (used_digits_ - 1));
    is_short ? append_sorted(bucket, digit) : deal_out(bucket);
  }
}

void RadixHeap::append_sorted(Bucket& bucket, std::size_t digit) {
  const std::uint64_t some = key(bucket.first->events[0].time), below = (std::uint64_t{1} << digit_bits * digit) - 1;
  if (next_ == end_) base_ = some & ~below;
  run_limit_ = (some | below) + 1;
  if (bucket.size() > static_cast<std::size_t>(room_ - end_)) make_room(bucket.size());
  const TimedEvent* const first = end_;
  empty_out(bucket, [&](const TimedEvent& e) {
    TimedEvent* at = end_++;
    if (digit > 0)  // else all are at one time
      for (; at != first && at[-1].time > e.time; --at) *at = at[-1];
    *at = e;
  });
}

void RadixHeap::deal_out(Bucket& bucket) {
  Seconds first = bucket.first->events[0].time;
  visit_all(bucket, [&](const TimedEvent& e) { first = std::min(first, e.time); });
  base_ = run_limit_ = key(first);
  empty_out(bucket, [&](const TimedEvent& e) { put(e.time, e, key(e.time) ^ base_); });
}

void RadixHeap::spill() {
  base_ = run_limit_ = key(taken_);
  const TimedEvent* const end = std::exchange(end_, next_);
  for (const TimedEvent* e = next_; e != end; ++e) put(e->time, *e, key(e->time) ^ base_);
}

void RadixHeap::insert_between(const TimedEvent& e) {
  if (end_ - next_ > long_run && end_[-long_run].time > e.time) {  // it would be moved too often
    spill();
    return push(e.time, e);
  }
  if (end_ == room_) make_room(1);
  TimedEvent* at = end_++;
  for (; at != next_ && at[-1].time > e.time; --at) *at = at[-1];
  *at = e;
}

}  // namespace quadrille::simulator
