// How programs of the project end; docs/reference/exit-statuses.md says it to their users.
#pragma once

#include "quadrille/base.hpp"

namespace quadrille::console {

enum Status : int {
  yes = 0,           ///< done; the answer is yes where there is a question
  no = 1,            ///< the answer is no: a counterexample, wrong data, values that differ
  bad = 2,           ///< bad usage or input: nothing was answered
  undecided = 3,     ///< an answer would take more work or memory than allowed
  interrupted = 130  ///< stopped by a signal before the whole answer was there, as shells say it
};

/// A signal asked a program to stop that cleans up first.
class Interrupted : public Error {
 public:
  Interrupted() : Error(Kind::transport, "stopped by a signal") {}
};

constexpr Status status_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::transport:
      return no;
    case Error::Kind::budget:
      return undecided;
    default:
      return bad;
  }
}

/// For --help.
inline constexpr const char* status_help =
    "Exit status: 0 done (the answer is yes), 1 the answer is no, 2 bad usage or input, 3 not decided within the work "
    "or "
    "memory allowed, 130 interrupted.";

}  // namespace quadrille::console
