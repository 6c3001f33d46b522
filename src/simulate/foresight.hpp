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
  /// The memory of some dozens of events at once, so that it is waited for once.
  template <class Net>
  void look_ahead(const EventQueue& queue, Flights& flights, const Places& places, const Net& net, const Feed& feed) {
    constexpr std::size_t at_once = 48, few = 1 << 13;
    if (expected_ > 0) --expected_;
    if (expected_ > 0 || places.size() < few) return;
    const std::span<const EventQueue::Event> coming = queue.coming(at_once);
    expected_ = coming.size();
    for (const EventQueue::Event& e : coming) e.what == wake ? places.expect(e.who) : flights.expect(e.who);
    for (const EventQueue::Event& e : coming) {
      if (e.what == wake)
        expect_rank(e.who, places, net, feed);
      else if (flights.known(e.who))
        expect_flight(flights[e.who], places, net);
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

  std::size_t expected_ = 0;  ///< events still to come whose memory was fetched
};

}  // namespace quadrille
