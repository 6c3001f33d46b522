#include "mpi/hosts.hpp"

#include <algorithm>
#include <map>

namespace quadrille::mpi {

namespace {

/// The lowest rank that this one shares memory with; -1 where MPI cannot tell.
std::int64_t lowest_beside(const Peers& peers) {
  MPI_Comm host = MPI_COMM_NULL;
  if (MPI_Comm_split_type(peers.comm(), MPI_COMM_TYPE_SHARED, peers.rank(), MPI_INFO_NULL, &host) != MPI_SUCCESS ||
      host == MPI_COMM_NULL)
    return -1;
  std::int64_t lowest = peers.rank();
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibcast(&lowest, 1, MPI_INT64_T, 0, host, &request), "who is on this host");
  wait_until([&] {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "who is on this host");
    return done != 0;
  });
  MPI_Comm_free(&host);
  return lowest;
}

}  // namespace

topology::Hosts hosts_of(const Peers& peers) {
  std::vector<std::int64_t> lowest = peers.gather_to_all({lowest_beside(peers)});
  if (std::find(lowest.begin(), lowest.end(), -1) != lowest.end()) {
    std::map<std::string, std::int64_t> numbers;
    const std::vector<std::string> names = hosts_of_ranks(peers);
    for (std::size_t r = 0; r < names.size(); ++r)
      lowest[r] = numbers.emplace(names[r], std::ssize(numbers)).first->second;
  }
  return topology::Hosts(lowest);
}

}  // namespace quadrille::mpi
