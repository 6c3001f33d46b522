// One process plans and says what is to be performed; all perform it.
#pragma once

#include "cli/options/request.hpp"
#include "mpi/door.hpp"

namespace quadrille::cli {

/// Of rank 0. The others follow as long as it lives, so that nobody decides anything alone.
class Leader {
 public:
  Leader(mpi::Door& door, const Spec& spec) : door_(door), spec_(spec) {}
  ~Leader();
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  RunResult run(const Built& built, const RunOptions& how);

 private:
  mpi::Door& door_;
  const Spec& spec_;
};

/// Of all other ranks: performs what rank 0 says, until its Leader is gone.
void follow(mpi::Door& door, const Task& task);

}  // namespace quadrille::cli
