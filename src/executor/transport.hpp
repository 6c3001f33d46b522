// What a transport must offer so that a program can run on it, and the loop that runs it. Threads are one transport;
// processes that exchange messages can be another.
#pragma once

#include <concepts>
#include <functional>

#include "program/program.hpp"

namespace quadrille::executor {

/// One rank's end of a transport. Messages between two ranks are told apart by their round. Sends need no buffering:
/// a transport may leave the bytes where they are until the receiver comes for them.
template <class T>
concept Transport = requires(T& t, std::size_t n) {
  t.offer(n);       // the first n steps are done: the sends of Program::offered(n) may be taken from now on
  t.settle(n);      // returns when the first n sends have been taken
  t.receive(n);     // returns when receive n has landed in this rank's buffers
  t.move(n, n);     // performs the rank's own copies n .. n-1
  t.combine(n, n);  // performs the rank's own combinings n .. n-1
  t.barrier();      // returns when all ranks are there
  t.finish();       // the rank has nothing left to do: the transport may use it to help others with what it has sent
};

/// What may be looked at, or disturbed, while a rank runs.
struct Watch {
  std::function<void(Rank, Round)> enter, leave;  ///< called around every step; may be empty
};

/// Performs the program once. On return everything has been received; what the rank handed out may still be read until
/// the next barrier.
template <Transport T>
void perform(const program::Program& program, T& transport, const Watch& watch) {
  std::size_t moves = 0, combinings = 0, receives = 0;
  transport.offer(0);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const program::Step& step = program.steps[i];
    if (watch.enter) watch.enter(program.rank, step.round);
    if (step.barrier) transport.barrier();
    transport.settle(step.settle);
    transport.move(moves, step.moves);
    transport.combine(combinings, step.combinings);
    for (; receives < step.receives; ++receives) transport.receive(receives);
    moves = step.moves;
    combinings = step.combinings;
    transport.settle(step.sent);
    transport.offer(i + 1);
    if (watch.leave) watch.leave(program.rank, step.round);
  }
  transport.finish();
}

}  // namespace quadrille::executor
