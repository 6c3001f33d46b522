// Fetches the memory of events before they are handled: a million ranks and links do not fit in the cache, and the
// simulator would wait for them most of the time, event by event.
#pragma once

#include "simulator/event_queue.hpp"
#include "simulator/feed.hpp"
#include "simulator/flight.hpp"
#include "simulator/networks/router.hpp"
#include "simulator/place.hpp"
#include "simulator/watch/watch.hpp"

namespace quadrille::simulator {

/// A network's part, all optional:
///   void expect(const Event&)        an event of its own comes: fetches what it will look at; else its flight is
///   fetched; Lane next(const Event&)          as Router::next(): whether the event will look at its flight, and at the
///   receiver's
///                                    place, which is `where`;
///   bool expect_sender(rank, peer)   a rank that sends soon, to that one as far as is known, else `none`; says whether
///                                    its message will have arrived with its first link.
class Foresight {
 public:
  /// After each event that was taken: what an event names that comes later, and what is then known to be needed by one
  /// that comes sooner. Later is some dozens of events at the same time, or, where times have few events, of times.
  template <class Net>
  [[gnu::always_inline]] void look_ahead(const EventQueue& queue, Flights& flights, const Places& places,
                                         const Net& net, const Feed& feed, const Watcher* watch) const {
    constexpr std::size_t far = EventQueue::farthest, near = 12, few = 1 << 13;
    constexpr std::ptrdiff_t far_times = 15, near_times = 8;
    if (places.size() < few) return;
    if (queue.begins()) {
      queue.each_soon(far_times, [&](const Event& e) { look_far(&e, 1, flights, places, net, watch); });
      queue.each_soon(near_times, [&](const Event& e) { look_near(&e, flights, places, net, feed, watch); });
      if (queue.begins_many()) {
        for (std::size_t n = 1; n < far; ++n) look_far(queue.ahead(n), n, flights, places, net, watch);
        for (std::size_t n = 1; n < near; ++n) look_near(queue.ahead(n), flights, places, net, feed, watch);
      }
    }
    look_far(queue.ahead(far), far, flights, places, net, watch);
    look_near(queue.ahead(near), flights, places, net, feed, watch);
  }

 private:
  static constexpr std::uint32_t wake = 0;
  // GCC takes a call of a function that only fetches for one without an effect, and drops it unless it is inlined.
  template <class Net>
  [[gnu::always_inline]] static void look_far(const Event* e, std::size_t places_ahead, Flights& flights,
                                              const Places& places, const Net& net, const Watcher* watch) {
    if (e == nullptr) return;
    if (e->what == wake) {
      places.expect(e->who), flights.expect_new(places_ahead);
      if (watch == nullptr) return;
      watch->expect_rank(e->who);
      watch->expect_new(flights.new_one(places_ahead));
    } else if constexpr (requires { net.expect(*e); })
      net.expect(*e);
    else
      flights.expect(e->who);
  }
  template <class Net>
  [[gnu::always_inline]] static void look_near(const Event* e, Flights& flights, const Places& places, const Net& net,
                                               const Feed& feed, const Watcher* watch) {
    if (e == nullptr) return;
    if (e->what == wake) {
      if (watch != nullptr) watch->expect_arrival(e->who);
      return expect_rank(e->who, places, net, feed, watch);
    }
    if constexpr (requires { net.next(*e); }) {
      const Lane on = net.next(*e);
      if (on == Router::none || on == Router::turns) flights.expect(e->who);
      if (on != Router::none) return;
      places.expect(e->where);
      if (watch != nullptr) watch->expect_receiver(e->where);
    }
  }
  template <class Net>
  [[gnu::always_inline]] static void expect_rank(std::uint32_t r, const Places& places, const Net& net,
                                                 const Feed& feed, const Watcher* watch) {
    if constexpr (requires { net.expect_sender(r, r); }) {
      const std::uint32_t to = feed.peer(places[r].round + 1, r);
      if (!net.expect_sender(r, to)) return;
      places.expect(to);
      if (watch != nullptr) watch->expect_receiver(to);
    }
  }
};

}  // namespace quadrille::simulator
