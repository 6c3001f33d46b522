// What trials on memory of our own combine by: MPI's operator, or one of ours in place of the program's.
#pragma once

#include "dropin/decide/request.hpp"
#include "quadrille/mpi.hpp"

namespace quadrille::dropin {

/// The program's operator is never called on data that are not the program's. Ours commutes where that one does, and
/// takes elements of as many bytes, so that MPI and plans do what they would do for it.
class StandIn {
 public:
  StandIn(const Request& request, const mpi::reduction& by);
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  const mpi::reduction& by() const { return by_; }

 private:
  const bool own_;
  mpi::reduction by_;
};

}  // namespace quadrille::dropin
