// A priority queue of events for times that never fall below the last one taken.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/bits.hpp"
#include "quadrille/base.hpp"
#include "simulator/chunk_pool.hpp"

namespace quadrille::simulator {

/// `what` happens to `who`. The rest is for those who made the event: what they need to know when it comes. Of a
/// million that wait, all that is needed is then read in order, where each would look somewhere else in memory.
struct Event {
  std::uint32_t who, what;
  std::uint32_t where = 0, size = 0;
};
struct TimedEvent : Event {
  Seconds time;
};

/// With digits of six bits. Non-negative doubles compare as their bit patterns do, so an event waits in the bucket of
/// the highest digit in which its time differs from a base, and of the value it has there. What comes next is in a run,
/// in order: the lowest buckets, as long as they are short, each sorted. When the run is used up and
/// the lowest bucket is long, that is dealt out to lower buckets, with its first time as the new base. An event moves
/// two or three times, and all memory is walked through in order, where a heap of a million misses the cache at every
/// level. Events of equal time leave in the order they came.
class RadixHeap {
 public:
  RadixHeap() { make_room(2 * long_run); }
  RadixHeap(const RadixHeap&) = delete;
  RadixHeap& operator=(const RadixHeap&) = delete;

  bool empty() const { return next_ == end_ && used_digits_ == 0; }
  /// `time` is not before that of the last one taken.
  void push(Seconds time, Event e) {
    const std::uint64_t bits = key(time);
    if (bits < run_limit_) return insert(time, e);
    put(time, e, bits ^ base_);
  }
  /// `in_view`: of how many ahead() shall tell from now on: some are then put in order earlier.
  /// What it gives is valid until the next call.
  const TimedEvent& pop(std::ptrdiff_t in_view = 1) {
    if (end_ - next_ < in_view) top_up(in_view);
    taken_ = next_->time;
    return *next_++;
  }
  /// Whether the next one is at the time of the last one taken.
  bool more_now() {
    if (next_ == end_ && bucket_bound() <= taken_) top_up(1);
    return next_ != end_ && next_->time <= taken_;
  }
  /// The nth after the last one taken, from 1; null where that is not known yet, which is rare for those in view.
  const TimedEvent* ahead(std::ptrdiff_t n) const { return n <= end_ - next_ ? next_ + (n - 1) : nullptr; }

 private:
  static constexpr std::size_t digit_bits = 6, digits = 11;
  static constexpr std::size_t values = std::size_t{1} << digit_bits, chunk_bytes = 512;
  static constexpr std::size_t short_bucket = 48;
  static constexpr std::ptrdiff_t long_run = 32;
  /// Buckets are lists of chunks. All but the last chunk of a bucket are full.
  struct alignas(chunk_bytes) Chunk {
    static constexpr std::size_t size = (chunk_bytes - alignof(TimedEvent)) / sizeof(TimedEvent);
    Chunk* next;
    std::array<TimedEvent, size> events;
    const TimedEvent* end() const { return events.data() + size; }
  };
  static_assert(sizeof(Chunk*) <= alignof(TimedEvent) &&
                    sizeof(Chunk) == alignof(TimedEvent) + Chunk::size * sizeof(TimedEvent),
                "full() looks at the end");
  using Pool = ChunkPool<Chunk>;
  struct Bucket {
    TimedEvent* free = nullptr;  ///< in the last chunk; its end when that is full
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

  /// Nothing in buckets is earlier.
  Seconds bucket_bound() const {
    if (used_digits_ == 0) return std::numeric_limits<Seconds>::infinity();
    const auto digit = static_cast<std::size_t>(std::countr_zero(used_digits_));
    const auto value = static_cast<std::uint64_t>(std::countr_zero(used_values_[digit]));
    const std::size_t below = digit_bits * digit;
    return base::bit_cast<Seconds>((base_ >> below >> digit_bits << digit_bits | value) << below);
  }
  // Not as one: it would be put together in parts and copied at once, which the processor waits for.
  static void write(TimedEvent* place, Seconds time, Event e) {
    static_cast<Event&>(*place) = e;
    place->time = time;
  }
  static std::uint64_t key(Seconds time) { return base::bit_cast<std::uint64_t>(time + 0.0); }
  void put(Seconds time, Event e, std::uint64_t differs) {
    const std::size_t digit = digit_of_width[static_cast<std::size_t>(std::bit_width(differs))];
    const auto value = static_cast<std::size_t>(key(time) >> (digit_bits * digit) & (values - 1));
    Bucket& bucket = buckets_[digit][value];
    if (bucket.full()) return lengthen(digit, value, {e, time});
    write(bucket.free++, time, e);
  }
  /// Into the run, behind those of equal time.
  void insert(Seconds time, Event e) {
    if (end_ == room_ || (next_ != end_ && end_[-1].time > time)) return insert_between({e, time});
    write(end_++, time, e);
  }
  void make_room(std::size_t more);
  [[gnu::noinline]] void insert_between(const TimedEvent& e);
  /// Another chunk for the bucket, with that in it.
  [[gnu::noinline]] void lengthen(std::size_t digit, std::size_t value, const TimedEvent& e);
  [[gnu::noinline]] void top_up(std::ptrdiff_t in_view);
  void append_sorted(Bucket& bucket, std::size_t digit);
  void deal_out(Bucket& bucket);
  /// The run goes back to buckets, to lower ones than it was made of.
  void spill();
  template <class Visit>
  static void visit_all(const Bucket& bucket, Visit visit);
  template <class Visit>
  void empty_out(Bucket& bucket, Visit visit);

  std::array<std::array<Bucket, values>, digits> buckets_;
  std::array<std::uint64_t, digits> used_values_{};                ///< bit v: the bucket of value v is not empty
  std::uint16_t used_digits_ = 0;                                  ///< bit d: a bucket of digit d is not empty
  std::vector<TimedEvent> run_;                                    ///< what comes next, in order: from next_ to end_
  TimedEvent *next_ = nullptr, *end_ = nullptr, *room_ = nullptr;  ///< room_: the end of run_
  std::uint64_t base_ = 0;       ///< not after the last one taken, but within top_up()
  std::uint64_t run_limit_ = 0;  ///< earlier times belong in the run, later ones in buckets
  Seconds taken_ = 0;            ///< time of the last one taken
  Pool pool_;
};

}  // namespace quadrille::simulator
