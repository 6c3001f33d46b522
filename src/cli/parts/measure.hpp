// One process plans and says what is to be performed; all perform it.
#pragma once

#include "cli/options/request.hpp"
#include "mpi/mpi_library.hpp"

namespace quadrille::cli {

/// Of rank 0. The others follow as long as it lives, so that nobody decides anything alone.
class Leader {
 public:
  Leader(mpi::MpiLibrary& library, const Spec& spec) : library_(library), spec_(spec) {}
  ~Leader();
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  RunResult run(const Built& built, const RunOptions& how);

 private:
  mpi::MpiLibrary& library_;
  const Spec& spec_;
};

/// Of all other ranks: performs what rank 0 says, until its Leader is gone.
void follow(mpi::MpiLibrary& library, const Task& task);

}  // namespace quadrille::cli
