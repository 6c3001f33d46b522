// Memory of our own for the trial of a persistent exchange.
#pragma once

#include <vector>

#include "dropin/later/later_trial.hpp"

namespace quadrille::dropin {

class ExchangeMemory {
 public:
  /// Collective, as is its end. MPI's own call is on a communicator of neighbours where the operation is theirs.
  ExchangeMemory(Operation operation, DemandsPtr demands, RankGroup& group);
  ~ExchangeMemory();
  ExchangeMemory(const ExchangeMemory&) = delete;
  ExchangeMemory& operator=(const ExchangeMemory&) = delete;

  /// For a LaterTrial that ends before this does.
  TrialCall call();

 private:
  /// Blocks one after the other: of an operation among neighbours for those that there is something for, else for all.
  struct Side {
    std::vector<std::byte> memory;
    std::vector<int> partners, counts, places;
    void add(Rank partner, Bytes bytes);
    ExchangeSide blocks();
  };
  int native(MPI_Request* handle);

  const Operation operation_;
  const DemandsPtr demands_;
  RankGroup& group_;
  Side in_, out_;
  MPI_Comm neighbours_ = MPI_COMM_NULL;
};

}  // namespace quadrille::dropin
