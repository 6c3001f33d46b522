// The order of events: the earliest first, those of equal time in the order they came.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "simulate/radix_heap.hpp"

namespace quadrille {

/// Most events of a kind come as long after the one that makes them, and so in the order in which they will leave: they
/// line up. A lane takes an event that is not before the last one it took; what the first lane does not take goes to
/// the second, and so on, and what none takes to a heap. An event in a lane moves once.
///
/// An event before the last one of a lane is also before all that the lane will ever take. So of equal times those in
/// the first lane came first, then those in the second, at last those in the heap.
class EventQueue {
 public:
  EventQueue() { fronts_.fill(never); }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// `time` is not before the time of the last event taken.
  void push(Seconds time, std::uint32_t who, std::uint32_t what) {
    ++size_;
    for (std::size_t l = 0; l < lanes; ++l) {
      Lane& lane = lanes_[l];
      if (time < lane.back) continue;
      if (lane.empty()) fronts_[l] = time, others_ = std::min(others_, time);
      return lane.append(time, who, what);
    }
    others_ = std::min(others_, time);
    heap_.push(time, who, what);
  }
  Event pop() {
    --size_;
    if (!(fronts_[from_] < others_)) choose();
    const Event e = from_ == lanes ? heap_.pop() : lanes_[from_].take(fronts_[from_]);
    last_ = e.time;
    return e;
  }
  /// Whether the next event is at the time of the last one taken.
  bool more_now() {
    for (const Seconds front : fronts_)
      if (front == last_) return true;
    return heap_.due(last_);
  }
  /// An event that comes soon, if no other is pushed before it: the nth after the last one taken, from 1, of those that
  /// waited where it did; null where that is not known yet.
  const Event* ahead(std::size_t n) const {
    if (from_ == lanes) return heap_.ahead(n);
    const Lane& lane = lanes_[from_];
    return n <= lane.tail - lane.head ? &lane.at(lane.head + (n - 1)) : nullptr;
  }

 private:
  static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();
  static constexpr std::size_t lanes = 4;
  /// Events from number `head` to the one before `tail`, in a ring.
  struct Lane {
    std::unique_ptr<Event[]> ring = std::make_unique_for_overwrite<Event[]>(64);
    std::size_t mask = 63, head = 0, tail = 0;
    Seconds back = 0;  ///< time of the last one that it took

    bool empty() const { return head == tail; }
    Event& at(std::size_t n) const { return ring[n & mask]; }
    void append(Seconds time, std::uint32_t who, std::uint32_t what) {
      if (tail - head > mask) grow();
      Event& e = at(tail++);
      e.time = back = time, e.who = who, e.what = what;
    }
    /// `front`: set to the time of the one after it.
    Event take(Seconds& front) {
      const Event e = at(head++);
      front = empty() ? never : at(head).time;
      return e;
    }
    [[gnu::noinline]] void grow() {
      const std::size_t room = 2 * (mask + 1);
      auto larger = std::make_unique_for_overwrite<Event[]>(room);
      for (std::size_t n = head; n < tail; ++n) larger[n & (room - 1)] = at(n);
      ring = std::move(larger);
      mask = room - 1;
    }
  };

  /// Finds out where the next event is.
  void choose() {
    from_ = 0;
    for (std::size_t l = 1; l < lanes; ++l) from_ = fronts_[l] < fronts_[from_] ? l : from_;
    others_ = never;
    if (!heap_.empty()) {
      if (heap_.before(fronts_[from_])) {
        from_ = lanes;
        return;
      }
      others_ = heap_.bound();
    }
    for (std::size_t l = 0; l < lanes; ++l)
      if (l != from_) others_ = std::min(others_, fronts_[l]);
  }

  std::array<Lane, lanes> lanes_;
  std::array<Seconds, lanes + 1> fronts_;  ///< of the first event in each lane; the last one is never
  RadixHeap heap_;
  std::size_t size_ = 0, from_ = 0;  ///< from_: the lane that the last event was taken from; `lanes`: the heap
  Seconds others_ = 0;               ///< no event elsewhere is earlier
  Seconds last_ = 0;
};

}  // namespace quadrille
