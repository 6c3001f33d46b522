#include "dropin/ranks/graph_neighbours.hpp"

namespace quadrille::dropin {

namespace {

GraphNeighbours in_grid(MPI_Comm comm) {
  GraphNeighbours all;
  int axes = 0;
  if (PMPI_Cartdim_get(comm, &axes) != MPI_SUCCESS) return {};
  for (int axis = 0; axis < axes; ++axis) {
    int before = MPI_PROC_NULL, after = MPI_PROC_NULL;
    if (PMPI_Cart_shift(comm, axis, 1, &before, &after) != MPI_SUCCESS) return {};
    all.to.insert(all.to.end(), {before, after});
  }
  all.from = all.to;
  all.there = true;
  return all;
}

GraphNeighbours in_graph(MPI_Comm comm) {
  GraphNeighbours all;
  int rank = 0, count = 0;
  PMPI_Comm_rank(comm, &rank);
  if (PMPI_Graph_neighbors_count(comm, rank, &count) != MPI_SUCCESS) return {};
  all.to.resize(static_cast<std::size_t>(count));
  if (PMPI_Graph_neighbors(comm, rank, count, all.to.data()) != MPI_SUCCESS) return {};
  all.from = all.to;
  all.there = true;
  return all;
}

GraphNeighbours in_distributed_graph(MPI_Comm comm) {
  GraphNeighbours all;
  int from = 0, to = 0, weighted = 0;
  if (PMPI_Dist_graph_neighbors_count(comm, &from, &to, &weighted) != MPI_SUCCESS) return {};
  all.from.resize(static_cast<std::size_t>(from));
  all.to.resize(static_cast<std::size_t>(to));
  std::vector<int> in_weights(all.from.size() + 1), out_weights(all.to.size() + 1);
  if (PMPI_Dist_graph_neighbors(comm, from, all.from.data(), in_weights.data(), to, all.to.data(),
                                out_weights.data()) != MPI_SUCCESS)
    return {};
  all.there = true;
  return all;
}

}  // namespace

GraphNeighbours GraphNeighbours::of(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS) return {};
  if (kind == MPI_CART) return in_grid(comm);
  if (kind == MPI_GRAPH) return in_graph(comm);
  return kind == MPI_DIST_GRAPH ? in_distributed_graph(comm) : GraphNeighbours();
}

}  // namespace quadrille::dropin
