// The order of events: a priority queue for times that never fall below the last one taken.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

/// A radix heap. Non-negative doubles compare as their bit patterns do, so an event waits in the bucket of the highest
/// bit in which its time differs from the current one; when the current time is used up, the lowest bucket in use is
/// dealt out to lower ones. Every event moves down at most once a bit, in practice a few times, and all memory is
/// walked through in order, where a heap of a million events misses the cache at every level. Events of equal time
/// leave in the order they came.
class EventQueue {
 public:
  struct Event {
    Seconds time;
    std::uint32_t who, what;
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Whether the next event is at the time of the last one taken.
  bool more_now() const { return next_ < buckets_[0].size(); }
  /// `time` is not before the time of the last event taken.
  void push(Seconds time, std::uint32_t who, std::uint32_t what) {
    put({time, who, what});
    ++size_;
  }
  Event pop() {
    if (next_ == buckets_[0].size()) refill();
    --size_;
    return buckets_[0][next_++];
  }

 private:
  static std::uint64_t key(Seconds time) { return std::bit_cast<std::uint64_t>(time + 0.0); }
  void put(const Event& e) {
    const auto bucket = static_cast<std::size_t>(std::bit_width(key(e.time) ^ now_));
    std::vector<Event>& into = buckets_[bucket];
    if (into.empty() && bucket != 0) {
      used_ |= std::uint64_t{1} << (bucket - 1);
      into.swap(spare_);
    }
    into.push_back(e);
  }
  void refill();

  std::array<std::vector<Event>, 65> buckets_;
  std::vector<Event> spare_;  ///< the memory of the last bucket dealt out, for the next one: else all would keep theirs
  std::uint64_t now_ = 0, used_ = 0;  ///< used_: bit b - 1 for bucket b
  std::size_t next_ = 0, size_ = 0;
};

}  // namespace quadrille
