// A priority queue of events for times that never fall below the last one taken.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

struct Event {
  Seconds time;
  std::uint32_t who, what;
};

/// With digits of six bits. Non-negative doubles compare as their bit patterns do, so an event waits in the bucket of
/// the highest digit in which its time differs from the current one, and of the value it has there. When the current
/// run is used up, the lowest bucket in use becomes the next one: sorted, where it is short, else dealt out to lower
/// buckets first. An event moves two or three times, and all memory is walked through in order, where a heap of a
/// million events misses the cache at every level. Events of equal time leave in the order they came.
class RadixHeap {
 public:
  RadixHeap() { make_room(long_run); }
  RadixHeap(const RadixHeap&) = delete;
  RadixHeap& operator=(const RadixHeap&) = delete;

  bool empty() const { return next_ == end_ && used_digits_ == 0; }
  // Not as one Event: it would be written in parts and read at once, which the processor waits for.
  void push(Seconds time, std::uint32_t who, std::uint32_t what) {
    const std::uint64_t bits = key(time), differs = bits ^ now_;
    if (differs >> run_bits_ == 0) return insert(time, who, what);
    const std::size_t digit = digit_of_width[static_cast<std::size_t>(std::bit_width(differs))];
    const std::size_t value = bits >> (digit_bits * digit) & (values - 1);
    Bucket& bucket = buckets_[digit][value];
    if (bucket.full()) return lengthen(digit, value, {time, who, what});
    Event& e = *bucket.free++;
    e.time = time, e.who = who, e.what = what;
  }
  /// Whether the next event is before `limit`. When nothing is before the next event or `limit`, whichever is first,
  /// nothing may be pushed that is.
  bool before(Seconds limit) {
    while (next_ == end_ && bucket_bound() < limit) refill(limit);
    return next_ != end_ && next_->time < limit;
  }
  /// The same for an event at `time` or before.
  bool due(Seconds time) {
    while (next_ == end_ && bucket_bound() <= time) refill(time);
    return next_ != end_ && next_->time <= time;
  }
  /// No event is earlier; infinite when there is none.
  Seconds bound() const { return next_ != end_ ? next_->time : bucket_bound(); }
  /// After before() or due() was true.
  Event pop() { return *next_++; }
  /// The nth event after the last one taken, from 1; null where that is not known yet.
  const Event* ahead(std::size_t n) const {
    return n <= static_cast<std::size_t>(end_ - next_) ? next_ + (n - 1) : nullptr;
  }

 private:
  static constexpr std::size_t digit_bits = 6, digits = 11;
  static constexpr std::size_t values = std::size_t{1} << digit_bits, chunk_bytes = 512;
  static constexpr std::size_t short_bucket = 48, long_run = 32;
  /// Buckets are lists of chunks, which go from one to the other: no bucket keeps memory that it does not use. All but
  /// the last chunk of a bucket are full.
  struct alignas(chunk_bytes) Chunk {
    static constexpr std::size_t size = chunk_bytes / sizeof(Event) - 1;
    Chunk* next;
    alignas(sizeof(Event)) std::array<Event, size> events;
    const Event* end() const { return events.data() + size; }
  };
  static_assert(sizeof(Chunk) == chunk_bytes);
  struct Bucket {
    Event* free = nullptr;  ///< in the last chunk; its end when that is full
    Chunk *first = nullptr, *last = nullptr;
    std::size_t chunks = 0;
    std::size_t size() const { return chunks * Chunk::size - static_cast<std::size_t>(last->end() - free); }
    /// Chunks end where addresses are a multiple of their size. Also true without chunks.
    bool full() const { return reinterpret_cast<std::uintptr_t>(free) % chunk_bytes == 0; }
  };
  static constexpr std::array<std::uint8_t, 65> digit_of_width = [] {
    std::array<std::uint8_t, 65> digit{};
    for (std::size_t width = 1; width < 65; ++width) digit[width] = static_cast<std::uint8_t>((width - 1) / digit_bits);
    return digit;
  }();

  static std::uint64_t key(Seconds time) { return std::bit_cast<std::uint64_t>(time + 0.0); }
  Seconds bucket_bound() const {
    if (used_digits_ == 0) return std::numeric_limits<Seconds>::infinity();
    const auto digit = static_cast<std::size_t>(std::countr_zero(used_digits_));
    const auto value = static_cast<std::uint64_t>(std::countr_zero(used_values_[digit]));
    const std::size_t below = digit_bits * digit;
    return std::bit_cast<Seconds>((now_ >> below >> digit_bits << digit_bits | value) << below);
  }
  /// Into the run, behind those of equal time.
  void insert(Seconds time, std::uint32_t who, std::uint32_t what) {
    if (end_ == room_ || (next_ != end_ && end_[-1].time > time)) return insert_between({time, who, what});
    end_->time = time, end_->who = who, end_->what = what;
    ++end_;
  }
  void make_room(std::size_t events);
  [[gnu::noinline]] void insert_between(const Event& e);
  /// Another chunk for the bucket, with that in it.
  [[gnu::noinline]] void lengthen(std::size_t digit, std::size_t value, const Event& e);
  void refill(Seconds limit);
  [[gnu::always_inline]] static inline void expect(const Chunk* chunk);
  template <class Visit>
  static void visit_all(const Bucket& bucket, Visit visit);
  template <class Visit>
  void empty_out(Bucket& bucket, Visit visit);

  std::array<std::array<Bucket, values>, digits> buckets_;
  std::array<std::uint64_t, digits> used_values_{};           ///< bit v: the bucket of value v is not empty
  std::uint16_t used_digits_ = 0;                             ///< bit d: a bucket of digit d is not empty
  std::vector<Event> run_;                                    ///< what comes next, in order: from next_ to end_
  Event *next_ = nullptr, *end_ = nullptr, *room_ = nullptr;  ///< room_: the end of run_
  std::uint64_t now_ = 0;  ///< times that differ from it in the lowest run_bits_ bits only belong in the run
  std::size_t run_bits_ = 0;
  Chunk* unused_ = nullptr;
  std::size_t made_ = 0;  ///< chunks
  std::vector<std::unique_ptr<Chunk[]>> chunks_;
};

}  // namespace quadrille
