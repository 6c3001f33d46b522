// The order of events: a priority queue for times that never fall below the last one taken.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

/// A radix heap with digits of six bits. Non-negative doubles compare as their bit patterns do, so an event waits in
/// the bucket of the highest digit in which its time differs from the current one, and of the value it has there. When
/// the current run is used up, the lowest bucket in use becomes the next one: sorted, where it is short, else dealt out
/// to lower buckets first. An event moves two or three times, and all memory is walked through in order, where a heap
/// of a million events misses the cache at every level. Events of equal time leave in the order they came.
class EventQueue {
 public:
  struct Event {
    Seconds time;
    std::uint32_t who, what;
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Whether the next event is at the time of the last one taken.
  bool more_now() const { return next_ < run_.size() && run_[next_].time == last_; }
  /// `time` is not before the time of the last event taken.
  void push(Seconds time, std::uint32_t who, std::uint32_t what) {
    put({time, who, what});
    ++size_;
  }
  Event pop() {
    if (next_ == run_.size()) refill();
    --size_;
    last_ = run_[next_].time;
    return run_[next_++];
  }
  /// The next events, as far as they are known to come, unless others are pushed between them; at most so many.
  std::span<const Event> coming(std::size_t most) const {
    return {run_.data() + next_, std::min(most, run_.size() - next_)};
  }

 private:
  static constexpr std::size_t digit_bits = 6, digits = 11;
  static constexpr std::size_t values = 64, chunk_size = 31, short_bucket = 48, long_run = 64;
  /// Buckets are lists of chunks, which go from one to the other: no bucket keeps memory that it does not use.
  struct Chunk {
    std::array<Event, chunk_size> events;
    Chunk* next;
    std::size_t count;
  };
  struct Bucket {
    Chunk *first = nullptr, *last = nullptr;
    std::size_t size = 0;
  };

  static std::uint64_t key(Seconds time) { return std::bit_cast<std::uint64_t>(time + 0.0); }
  void put(const Event& e) {
    const std::uint64_t differs = key(e.time) ^ now_;
    if (differs >> run_bits_ == 0) return insert(e);
    const std::size_t at = (static_cast<std::size_t>(std::bit_width(differs)) - 1) / digit_bits;
    const std::size_t value = key(e.time) >> (digit_bits * at) & (values - 1);
    Bucket& bucket = buckets_[at][value];
    if (bucket.last == nullptr || bucket.last->count == chunk_size) lengthen(bucket, at, value);
    bucket.last->events[bucket.last->count++] = e;
    ++bucket.size;
  }
  /// Into the run, behind those of equal time.
  void insert(const Event& e) {
    if (next_ < run_.size() && run_.back().time > e.time) return insert_between(e);
    run_.push_back(e);
  }
  void insert_between(const Event& e);
  void lengthen(Bucket& bucket, std::size_t digit, std::size_t value);
  void refill();
  template <class Visit>
  void empty_out(Bucket& bucket, Visit visit);

  std::array<std::array<Bucket, values>, digits> buckets_;
  std::array<std::uint64_t, digits> used_values_{};  ///< bit v: the bucket of value v is not empty
  std::uint16_t used_digits_ = 0;                    ///< bit d: a bucket of digit d is not empty
  std::vector<Event> run_;                           ///< what comes next, in order, from next_ on
  std::size_t next_ = 0, size_ = 0;
  std::uint64_t now_ = 0;  ///< times that differ from it in the lowest run_bits_ bits only belong in the run
  std::size_t run_bits_ = 0;
  Seconds last_ = 0;
  Chunk* unused_ = nullptr;
  std::vector<std::unique_ptr<Chunk[]>> chunks_;
};

}  // namespace quadrille
