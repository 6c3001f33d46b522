#include "simulate/radix_heap.hpp"

#include <algorithm>
#include <utility>

namespace quadrille {

void RadixHeap::lengthen(std::size_t digit, std::size_t value, const Event& e) {
  if (unused_ == nullptr) {
    const std::size_t count = std::clamp<std::size_t>(made_ / 8, 4, 1024);
    made_ += count;
    Chunk* fresh = chunks_.emplace_back(new Chunk[count]).get();
    for (std::size_t i = 0; i < count; ++i) fresh[i].next = unused_, unused_ = &fresh[i];
  }
  Chunk* chunk = unused_;
  unused_ = chunk->next;
  chunk->next = nullptr;
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

/// The memory of a chunk, which may not be there.
void RadixHeap::expect(const Chunk* chunk) {
  for (std::size_t line = 0; line < sizeof(Chunk) / 64 && chunk != nullptr; ++line)
    __builtin_prefetch(reinterpret_cast<const char*>(chunk) + 64 * line);
}

/// Calls visit for all events, in order.
template <class Visit>
void RadixHeap::visit_all(const Bucket& bucket, Visit visit) {
  for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next) {
    expect(chunk->next);
    const Event* end = chunk == bucket.last ? bucket.free : chunk->end();
    for (const Event* e = chunk->events.data(); e != end; ++e) visit(*e);
  }
}

/// The same; their memory may be used again meanwhile.
template <class Visit>
void RadixHeap::empty_out(Bucket& bucket, Visit visit) {
  const Bucket all = std::exchange(bucket, {});
  for (Chunk* chunk = all.first; chunk != nullptr;) {
    expect(chunk->next);
    const Event* end = chunk == all.last ? all.free : chunk->end();
    for (const Event* e = chunk->events.data(); e != end; ++e) visit(*e);
    Chunk* next = std::exchange(chunk->next, unused_);
    unused_ = std::exchange(chunk, next);
  }
}

void RadixHeap::make_room(std::size_t events) {
  const auto taken = next_ - run_.data(), used = end_ - run_.data();
  run_.resize(events);
  next_ = run_.data() + taken, end_ = run_.data() + used, room_ = run_.data() + events;
}

void RadixHeap::refill(Seconds limit) {
  next_ = end_ = run_.data();
  const auto digit = static_cast<std::size_t>(std::countr_zero(used_digits_));
  const auto value = static_cast<std::size_t>(std::countr_zero(used_values_[digit]));
  used_values_[digit] = used_values_[digit] & (used_values_[digit] - 1);
  if (used_values_[digit] == 0) used_digits_ = static_cast<std::uint16_t>(used_digits_ & (used_digits_ - 1));
  Bucket& bucket = buckets_[digit][value];
  if (digit == 0 || bucket.size() <= short_bucket) {
    run_bits_ = digit_bits * digit;
    now_ = key(bucket.first->events[0].time) >> run_bits_ << run_bits_;
    if (bucket.size() > run_.size()) {
      run_ = std::vector<Event>();
      next_ = end_ = nullptr;
      make_room(bucket.size());
    }
    return empty_out(bucket, [&](const Event& e) {
      Event* at = end_++;
      if (digit > 0)  // else all are at one time
        for (; at != next_ && at[-1].time > e.time; --at) *at = at[-1];
      *at = e;
    });
  }
  Seconds first = bucket.first->events[0].time;
  visit_all(bucket, [&](const Event& e) { first = std::min(first, e.time); });
  now_ = key(std::min(first, limit));
  run_bits_ = 0;
  empty_out(bucket, [&](const Event& e) { push(e.time, e.who, e.what); });
}

void RadixHeap::insert_between(const Event& e) {
  if (end_ - next_ > static_cast<std::ptrdiff_t>(long_run) && end_[-1].time > e.time) {
    // It would be moved too often: back to the buckets.
    const std::vector<Event> rest(next_, end_);
    end_ = next_;
    run_bits_ = 0;
    for (const Event& other : rest) push(other.time, other.who, other.what);
    return push(e.time, e.who, e.what);
  }
  if (end_ == room_) {  // what was taken makes room, if it is much
    if (next_ - run_.data() > room_ - next_)
      end_ = std::copy(next_, end_, run_.data()), next_ = run_.data();
    else
      make_room(2 * run_.size());
  }
  Event* at = end_++;
  for (; at != next_ && at[-1].time > e.time; --at) *at = at[-1];
  *at = e;
}

}  // namespace quadrille
