// The collectives that rules files are about, called as any program calls them, every byte checked: exit status 1 for a
// wrong one.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

int rank, ranks;

/// What rank `from` has for rank `to` in element i.
int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

bool right_bcast(int n) {
  std::vector<int> data(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < n && rank == 0; ++i) data[static_cast<std::size_t>(i)] = value(0, 0, i);
  MPI_Bcast(data.data(), n, MPI_INT, 0, MPI_COMM_WORLD);
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && data[static_cast<std::size_t>(i)] == value(0, 0, i);
  return right;
}

bool right_exchange(int n, bool all) {
  std::vector<int> in, out(static_cast<std::size_t>(n * ranks), -1);
  for (int to = 0; to < (all ? ranks : 1); ++to)
    for (int i = 0; i < n; ++i) in.push_back(value(rank, to, i));
  if (all)
    MPI_Alltoall(in.data(), n, MPI_INT, out.data(), n, MPI_INT, MPI_COMM_WORLD);
  else
    MPI_Allgather(in.data(), n, MPI_INT, out.data(), n, MPI_INT, MPI_COMM_WORLD);
  bool right = true;
  for (int from = 0; from < ranks; ++from)
    for (int i = 0; i < n; ++i)
      right = right && out[static_cast<std::size_t>(from * n + i)] == value(from, all ? rank : 0, i);
  return right;
}

bool right_sum(int n, bool scatter) {
  const int length = scatter ? n * ranks : n;
  std::vector<int> in, out(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < length; ++i) in.push_back(rank + i);
  const std::vector<int> counts(static_cast<std::size_t>(ranks), n);
  if (scatter)
    MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  else
    MPI_Allreduce(in.data(), out.data(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  bool right = true;
  for (int i = 0; i < n; ++i)
    right =
        right && out[static_cast<std::size_t>(i)] == ranks * (ranks - 1) / 2 + ranks * (i + (scatter ? rank * n : 0));
  return right;
}

/// To and from the last rank.
bool right_rooted(int n) {
  const int root = ranks - 1;
  std::vector<int> own, all(static_cast<std::size_t>(n * ranks), -1), sums(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < n; ++i) own.push_back(value(rank, root, i));
  MPI_Gather(own.data(), n, MPI_INT, all.data(), n, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Reduce(own.data(), sums.data(), n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  bool right = true;
  for (int from = 0; rank == root && from < ranks; ++from)
    for (int i = 0; i < n; ++i) right = right && all[static_cast<std::size_t>(from * n + i)] == value(from, root, i);
  for (int i = 0; rank == root && i < n; ++i) {
    int sum = 0;
    for (int from = 0; from < ranks; ++from) sum += value(from, root, i);
    right = right && sums[static_cast<std::size_t>(i)] == sum;
  }
  std::vector<int> back(static_cast<std::size_t>(n), -1);
  MPI_Scatter(all.data(), n, MPI_INT, back.data(), n, MPI_INT, root, MPI_COMM_WORLD);
  return right && back == own;
}

/// One call for who counts messages: "alltoall:64".
int called_once(const std::string& what) {
  const auto colon = what.find(':');
  const int bytes = std::atoi(what.c_str() + colon + 1);
  const std::string name = what.substr(0, colon);
  std::vector<char> in(static_cast<std::size_t>(bytes * ranks)), out(in.size());
  if (name == "alltoall")
    MPI_Alltoall(in.data(), bytes, MPI_CHAR, out.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
  else
    MPI_Bcast(in.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1) return called_once(argv[1]);
  int wrong = 0;
  for (int n = 1; n <= 1 << 16; n *= 4) {
    const bool right = right_bcast(n) && right_exchange(n, false) && right_exchange(n, true) && right_sum(n, false) &&
                       right_sum(n, true) && right_rooted(n);
    if (!right) wrong = 1, std::printf("rank %d: wrong with %d elements\n", rank, n);
  }
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}
