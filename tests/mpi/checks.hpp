// What the test programs for MPI share: every rank counts what it finds wrong, and rank 0 says so in the end.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <string>

#include "quadrille/base.hpp"

namespace quadrille::testing {

/// MPI, and the tests of this process.
class Checks {
 public:
  Checks(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }

  void expect(bool holds, const std::string& what) {
    ++checks_;
    if (holds) return;
    ++failures_;
    std::fputs(fmt::format("rank {}: {}\n", rank, what).c_str(), stderr);
  }
  /// Expects an error of that kind whose text has all the parts in it.
  void expect_error(const std::function<void()>& work, Error::Kind kind, const std::vector<std::string>& parts) {
    try {
      work();
    } catch (const Error& error) {
      expect(error.kind() == kind, fmt::format("{} error: {}", to_string(error.kind()), error.what()));
      for (const std::string& part : parts)
        expect(std::string(error.what()).find(part) != std::string::npos,
               fmt::format("'{}' is not in: {}", part, error.what()));
      return;
    }
    expect(false, fmt::format("no error, expected one with '{}'", parts.front()));
  }

  /// The exit status of the program, the same on all ranks.
  int finish(const std::string& what) {
    long counts[2]{checks_, failures_};
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%s on %d ranks: %ld checks, %ld failed\n", what.c_str(), ranks, counts[0], counts[1]);
    MPI_Finalize();
    return counts[1] > 0 || counts[0] == 0 ? 1 : 0;
  }

  int rank = 0, ranks = 1;

 private:
  long checks_ = 0, failures_ = 0;
};

}  // namespace quadrille::testing
