// Fetches the memory of events before they are handled: a million ranks and links do not fit in the cache, and the
// simulator would wait for them most of the time, event by event.
#pragma once

#include "simulate/event_queue.hpp"
#include "simulate/feed.hpp"
#include "simulate/flight.hpp"
#include "simulate/place.hpp"

namespace quadrille {

/// A network's part, both optional:
///   bool expect(const Flight&)                a flight of which an event comes; says whether it will arrive somewhere;
///   bool expect_sender(rank, peer)            a rank that sends soon, to that one as far as is known, else `none`;
///                                             says whether its message will have arrived with its first link.
class Foresight {
 public:
  /// After each event that was taken: what an event names that comes in some dozens, and what is then known to be
  /// needed by one that comes in fewer.
  template <class Net>
  [[gnu::always_inline]] void look_ahead(const EventQueue& queue, Flights& flights, const Places& places,
                                         const Net& net, const Feed& feed) const {
    constexpr std::size_t far = 32, near = 12, few = 1 << 13;
    if (places.size() < few) return;
    if (const Event* e = queue.ahead(far)) {
      if (e->what == wake)
        places.expect(e->who), flights.expect_new(far);
      else
        flights.expect(e->who);
    }
    if (const Event* e = queue.ahead(near)) {
      if (e->what == wake)
        expect_rank(e->who, places, net, feed);
      else if (flights.known(e->who))
        expect_flight(flights[e->who], places, net);
    }
  }

 private:
  static constexpr std::uint32_t wake = 0;
  // GCC takes a call of a function that only fetches for one without an effect, and drops it unless it is inlined.
  template <class Net>
  [[gnu::always_inline]] static void expect_flight(const Flight& f, const Places& places, const Net& net) {
    if constexpr (requires { net.expect(f); })
      if (net.expect(f)) places.expect(f.to);
  }
  template <class Net>
  [[gnu::always_inline]] static void expect_rank(std::uint32_t r, const Places& places, const Net& net,
                                                 const Feed& feed) {
    if constexpr (requires { net.expect_sender(r, r); }) {
      const std::uint32_t to = feed.peer(places[r].round + 1, r);
      if (net.expect_sender(r, to)) places.expect(to);
    }
  }
};

}  // namespace quadrille
