// When each of many things is due, where most are put off or brought forward again and again before they are.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

/// A 4-ary heap of numbered things that knows where each of them is. Of equal times the lower number is first.
class IndexedHeap {
 public:
  bool empty() const { return heap_.empty(); }
  std::uint32_t top() const { return heap_.front().who; }
  Seconds time() const { return heap_.front().time; }

  void set(std::uint32_t who, Seconds time) {
    if (who >= place_.size()) place_.resize(who + 1, absent);
    if (place_[who] == absent) {
      place_[who] = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({time, who});
      return up(heap_.size() - 1);
    }
    const std::size_t at = place_[who];
    const bool sooner = time < heap_[at].time;
    heap_[at].time = time;
    sooner ? up(at) : down(at);
  }
  void erase(std::uint32_t who) {
    if (who >= place_.size() || place_[who] == absent) return;
    const std::size_t at = place_[who];
    place_[who] = absent;
    const Due last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    heap_[at] = last;
    up(at);
    down(place_[last.who]);
  }

 private:
  struct Due {
    Seconds time;
    std::uint32_t who;
    bool operator<(const Due& o) const { return std::pair(time, who) < std::pair(o.time, o.who); }
  };
  void put(std::size_t at, const Due& due) {
    heap_[at] = due;
    place_[due.who] = static_cast<std::uint32_t>(at);
  }
  void up(std::size_t at) {
    const Due due = heap_[at];
    for (; at > 0 && due < heap_[(at - 1) / 4]; at = (at - 1) / 4) put(at, heap_[(at - 1) / 4]);
    put(at, due);
  }
  void down(std::size_t at) {
    const Due due = heap_[at];
    for (;;) {
      std::size_t least = 4 * at + 1;
      const std::size_t end = std::min(least + 4, heap_.size());
      if (least >= end) break;
      for (std::size_t child = least + 1; child < end; ++child)
        if (heap_[child] < heap_[least]) least = child;
      if (!(heap_[least] < due)) break;
      put(at, heap_[least]);
      at = least;
    }
    put(at, due);
  }

  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  std::vector<Due> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace quadrille
