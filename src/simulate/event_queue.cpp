#include "simulate/event_queue.hpp"

#include <algorithm>

namespace quadrille {

void EventQueue::lengthen(Bucket& bucket, std::size_t digit, std::size_t value) {
  if (unused_ == nullptr) {
    const std::size_t count = std::clamp<std::size_t>(size_ / (8 * chunk_size), 4, 1024);
    Chunk* fresh = chunks_.emplace_back(new Chunk[count]).get();
    for (std::size_t i = 0; i < count; ++i) fresh[i].next = unused_, unused_ = &fresh[i];
  }
  Chunk* chunk = unused_;
  unused_ = chunk->next;
  chunk->next = nullptr, chunk->count = 0;
  if (bucket.last == nullptr) {
    bucket.first = chunk;
    used_values_[digit] = used_values_[digit] | std::uint64_t{1} << value;
    used_digits_ = static_cast<std::uint16_t>(used_digits_ | 1U << digit);
  } else {
    bucket.last->next = chunk;
  }
  bucket.last = chunk;
}

/// Calls visit for all events, in order; their memory may be used again meanwhile.
template <class Visit>
void EventQueue::empty_out(Bucket& bucket, Visit visit) {
  Chunk* chunk = bucket.first;
  bucket = {};
  while (chunk != nullptr) {
    for (std::size_t i = 0; i < chunk->count; ++i) visit(chunk->events[i]);
    Chunk* next = chunk->next;
    chunk->next = unused_, unused_ = chunk;
    chunk = next;
  }
}

void EventQueue::refill() {
  run_.clear();
  next_ = 0;
  const auto digit = static_cast<std::size_t>(std::countr_zero(used_digits_));
  const auto value = static_cast<std::size_t>(std::countr_zero(used_values_[digit]));
  used_values_[digit] = used_values_[digit] & (used_values_[digit] - 1);
  if (used_values_[digit] == 0) used_digits_ = static_cast<std::uint16_t>(used_digits_ & (used_digits_ - 1));
  Bucket& bucket = buckets_[digit][value];
  if (digit == 0 || bucket.size <= short_bucket) {
    run_bits_ = digit_bits * digit;
    now_ = key(bucket.first->events[0].time) >> run_bits_ << run_bits_;
    if (bucket.size > run_.capacity()) run_ = {}, run_.reserve(bucket.size);  // not twice as much, with both at a time
    return empty_out(bucket, [&](const Event& e) {
      run_.push_back(e);
      if (digit == 0) return;  // all at one time
      std::size_t i = run_.size() - 1;
      for (; i > 0 && run_[i - 1].time > e.time; --i) run_[i] = run_[i - 1];
      run_[i] = e;
    });
  }
  Seconds first = bucket.first->events[0].time;
  for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next)
    for (std::size_t i = 0; i < chunk->count; ++i) first = std::min(first, chunk->events[i].time);
  now_ = key(first);
  run_bits_ = 0;
  empty_out(bucket, [&](const Event& e) { put(e); });
}

void EventQueue::insert_between(const Event& e) {
  if (run_.size() - next_ > long_run) {  // it would be moved too often: back to the buckets, but for the time it is
    const std::vector<Event> rest(run_.begin() + static_cast<std::ptrdiff_t>(next_), run_.end());
    run_.resize(next_);
    now_ = key(last_);
    run_bits_ = 0;
    for (const Event& other : rest) put(other);
    return put(e);
  }
  run_.push_back(e);
  std::size_t i = run_.size() - 1;
  for (; i > next_ && run_[i - 1].time > e.time; --i) run_[i] = run_[i - 1];
  run_[i] = e;
}

}  // namespace quadrille
