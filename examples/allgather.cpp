// An allgather on a ring, planned once and performed a hundred times, with work of one's own in between.
//   mpirun -n 4 allgather_openmpi
#include <iostream>
#include <vector>

#include "quadrille/mpi.hpp"

namespace {

/// Sums over all ranks and rounds, and what they should be.
bool gather(const quadrille::mpi::communicator& all) {
  const auto ranks = static_cast<double>(all.ranks());
  std::vector<double> in(1000), out(in.size() * static_cast<std::size_t>(all.ranks()));
  const auto bytes = static_cast<quadrille::Bytes>(in.size() * sizeof(double));
  auto plan = all.init(quadrille::Collective::allgather, bytes);
  double sum = 0, expected = 0;
  for (int round = 0; round < 100; ++round) {
    for (double& x : in) x = static_cast<double>(all.rank() + round);
    plan.start(in.data(), out.data());
    expected += 1000 * (ranks * (ranks - 1) / 2 + ranks * round);  // while the blocks travel
    plan.wait();
    for (const double x : out) sum += x;
  }
  if (all.rank() == 0)
    std::cout << plan.algorithm() << " on " << all.topology()->text() << ": " << plan.predicted() * 1e6
              << " us predicted, at least " << plan.bound() * 1e6 << " us; sums are "
              << (sum == expected ? "right" : "wrong") << "\n";
  return sum == expected;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const quadrille::mpi::communicator all(MPI_COMM_WORLD, {.topology = "ring:" + std::to_string(ranks)});
    status = gather(all) ? 0 : 1;
  } catch (const quadrille::Error& error) {
    std::cerr << error.what() << "\n";
    status = 2;
  }
  MPI_Finalize();
  return status;
}
