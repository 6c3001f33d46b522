// The order of events: the earliest first, those of equal time in the order they came.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "simulator/chunk_pool.hpp"
#include "simulator/radix_heap.hpp"

namespace quadrille::simulator {

/// What happens at a moment mostly happens to many ranks: of a million events that wait, few have a time of their own.
/// The first event of a time goes to a heap. The second one begins a list, which goes to the heap in its place; those
/// after it line up there. So most events are moved once, and who comes next is known long before.
///
/// Which times are waited for is remembered in a table that has room for one time in each place: the later one drives
/// the earlier out, and what comes then for the one driven out begins anew. The heap keeps the order of equal
/// times, and only the list that began last takes any more, so events leave in order all the same.
class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// `time` is not before the time of the last event taken, `e.what` not the greatest number.
  void push(Seconds time, Event e) {
    ++size_;
    Known& known = known_[place(time)];
    if (known.time != time) return first_of(known, time, e);
    if (known.list == none) known.list = begin_list(time);
    append(lists_[known.list], e);
  }
  Event pop() {
    --size_;
    begins_ = list_ == none;
    if (begins_) {
      expect_lists();
      const TimedEvent& e = heap_.pop(size_ < few ? 1 : in_view);
      now_ = e.time;
      if (e.what != of_list) return e;
      list_ = e.who;
      entry_ = 0;
      Pool::expect(lists_[list_].first->next);
    }
    List& list = lists_[list_];
    const Event e = list.first->entries[entry_++];
    if (list.first == list.last) {
      if (entry_ == list.used) end_list();
    } else if (entry_ == Chunk::size) {
      Chunk* over = list.first;
      list.first = over->next;
      pool_.give_back(over);
      Pool::expect(list.first->next);
      entry_ = 0;
    }
    return e;
  }
  /// Of the last event taken. Apart from it, so that it goes from hand to hand in registers.
  Seconds time() const { return now_; }
  /// Whether the next event is at the time of the last one taken.
  bool more_now() { return list_ != none || heap_.more_now(); }

  static constexpr std::size_t farthest = 31;
  static constexpr std::ptrdiff_t farthest_time = 16;
  /// The nth event after the last one taken, from 1 to `farthest`, if it is at the same time.
  const Event* ahead(std::size_t n) const {
    if (list_ == none) return nullptr;
    const List& list = lists_[list_];
    const Chunk* chunk = list.first;
    std::size_t at = entry_ + n - 1;
    if (at >= Chunk::size) {
      if (chunk == list.last) return nullptr;
      chunk = chunk->next, at -= Chunk::size;
    }
    return chunk != list.last || at < list.used ? &chunk->entries[at] : nullptr;
  }
  /// Whether the last event taken was by itself or the first one of a list; if so, whether the list is a long one.
  bool begins() const { return begins_; }
  bool begins_many() const { return list_ != none && lists_[list_].first != lists_[list_].last; }
  /// Calls visit(event) for the event, or the first ones of the list, that is nth in the heap now, where that is known
  /// already; n is at most `farthest_time`. A time of several events is there twice: its first one, then their list.
  template <class Visit>
  [[gnu::always_inline]] void each_soon(std::ptrdiff_t n, Visit visit) const {
    const TimedEvent* e = heap_.ahead(n);
    if (e == nullptr) return;
    if (e->what != of_list) return visit(*e);
    const List& list = lists_[e->who];
    const std::size_t count = list.first == list.last ? list.used : Chunk::size;
    for (std::size_t i = 0; i < count; ++i) visit(list.first->entries[i]);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0}, of_list = none;
  /// All but the last chunk of a list are full.
  struct alignas(64) Chunk {
    static constexpr std::size_t size = 31;
    Chunk* next;
    std::array<Event, size> entries;
  };
  static_assert(sizeof(Chunk) == 512);
  using Pool = ChunkPool<Chunk>;
  struct List {
    Chunk *first, *last;
    std::size_t used;  ///< of the last chunk
  };
  struct Known {
    Seconds time = -1;
    std::uint32_t list = none;  ///< what more of that time comes to
  };
  static constexpr std::ptrdiff_t in_view = farthest_time + 8;
  static constexpr std::size_t few = 1 << 12;  ///< events, whose memory is in the cache anyway
  static constexpr int table_bits = 8;
  static std::size_t place(Seconds time) {
    return base::bit_cast<std::uint64_t>(time) * 0x9e3779b97f4a7c15U >> (64 - table_bits);
  }

  // Rare, both: by themselves they leave the way that most events take short.
  [[gnu::noinline]] void first_of(Known& known, Seconds time, Event e) {
    known = {time, none};
    heap_.push(time, e);
  }
  [[gnu::noinline]] std::uint32_t begin_list(Seconds time) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(lists_.size()));
      lists_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    Chunk* chunk = pool_.take();
    lists_[number] = {chunk, chunk, 0};
    heap_.push(time, {number, of_list});
    return number;
  }
  void append(List& list, Event e) {
    if (list.used == Chunk::size) {
      list.last = list.last->next = pool_.take();
      list.used = 0;
    }
    list.last->entries[list.used++] = e;
  }
  void end_list() {
    pool_.give_back(lists_[list_].first);
    free_.push_back(list_);
    if (Known& known = known_[place(now_)]; known.list == list_) known = {};
    list_ = none;
  }
  /// Of lists that come in some times: where they are, and then what is in them.
  [[gnu::always_inline]] void expect_lists() const {
    if (const TimedEvent* e = heap_.ahead(in_view); e != nullptr && e->what == of_list)
      __builtin_prefetch(&lists_[e->who], 1);
    if (const TimedEvent* e = heap_.ahead(farthest_time + 4); e != nullptr && e->what == of_list)
      Pool::expect(lists_[e->who].first);
  }

  RadixHeap heap_;  ///< events, and lists: `who` is the number, `what` is of_list
  std::array<Known, std::size_t{1} << table_bits> known_;
  std::vector<List> lists_;
  std::vector<std::uint32_t> free_;  ///< lists that are not in use
  Pool pool_;
  std::size_t size_ = 0, entry_ = 0;  ///< entry_: of the first chunk of list_, to be taken next
  std::uint32_t list_ = none;         ///< being taken from
  bool begins_ = true;
  Seconds now_ = 0;  ///< time of the last event taken
};

}  // namespace quadrille::simulator
