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
  EventQueue() { make_room(long_run); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  struct Event {
    Seconds time;
    std::uint32_t who, what;
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Whether the next event is at the time of the last one taken.
  bool more_now() const { return next_ != end_ && next_->time == last_; }
  /// `time` is not before the time of the last event taken.
  void push(Seconds time, std::uint32_t who, std::uint32_t what) {
    put(time, who, what);
    ++size_;
  }
  Event pop() {
    if (next_ == end_) refill();
    --size_;
    last_ = next_->time;
    return *next_++;
  }
  /// The next events, as far as they are known to come, unless others are pushed between them; at most so many.
  std::span<const Event> coming(std::size_t most) const {
    return {next_, std::min(most, static_cast<std::size_t>(end_ - next_))};
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
  // Not as one Event: it would be written in parts and read at once, which the processor waits for.
  void put(Seconds time, std::uint32_t who, std::uint32_t what) {
    const std::uint64_t bits = key(time), differs = bits ^ now_;
    if (differs >> run_bits_ == 0) return insert(time, who, what);
    const std::size_t digit = digit_of_width[static_cast<std::size_t>(std::bit_width(differs))];
    const std::size_t value = bits >> (digit_bits * digit) & (values - 1);
    Bucket& bucket = buckets_[digit][value];
    if (bucket.full()) return lengthen(digit, value, {time, who, what});
    Event& e = *bucket.free++;
    e.time = time, e.who = who, e.what = what;
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
  void refill();
  template <class Visit>
  static void visit_all(const Bucket& bucket, Visit visit);
  template <class Visit>
  void empty_out(Bucket& bucket, Visit visit);

  std::array<std::array<Bucket, values>, digits> buckets_;
  std::array<std::uint64_t, digits> used_values_{};           ///< bit v: the bucket of value v is not empty
  std::uint16_t used_digits_ = 0;                             ///< bit d: a bucket of digit d is not empty
  std::vector<Event> run_;                                    ///< what comes next, in order: from next_ to end_
  Event *next_ = nullptr, *end_ = nullptr, *room_ = nullptr;  ///< room_: the end of run_
  std::size_t size_ = 0;
  std::uint64_t now_ = 0;  ///< times that differ from it in the lowest run_bits_ bits only belong in the run
  std::size_t run_bits_ = 0;
  Seconds last_ = 0;
  Chunk* unused_ = nullptr;
  std::vector<std::unique_ptr<Chunk[]>> chunks_;
};

}  // namespace quadrille
