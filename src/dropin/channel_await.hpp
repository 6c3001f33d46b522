// How a channel waits.
#pragma once

#include "dropin/channel.hpp"

namespace quadrille::dropin {

template <class Ready>
void Channel::await(Ready ready) {
  constexpr int tries_between = 256;  // looks at the clock
  constexpr Seconds patience = 2;     // until a rank asks what the others wait for
  constexpr Seconds long_time = 60;   // until it says so
  Clock::time_point begin{};
  int tries = 0;
  mpi::wait_until([&] {
    if (ready()) return true;
    if (++tries % tries_between != 0) return false;
    if (begin == Clock::time_point{}) begin = Clock::now();
    if (since(begin) > patience) look_around();
    if (since(begin) > long_time) complain();
    return false;
  });
}

}  // namespace quadrille::dropin
