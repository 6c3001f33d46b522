#include "mpi/peers.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>

namespace quadrille::mpi {

void check(int code, std::string_view what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw MpiError(fmt::format("{}: {}", what, std::string_view(text.data(), static_cast<std::size_t>(length))));
}

void last_words(const std::string& line) {
  std::fputs(line.c_str(), stderr);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

bool all_done(std::vector<MPI_Request>& requests, std::size_t first, std::size_t last) {
  if (first == last) return true;
  constexpr std::string_view what = "messages between ranks";
  for (std::size_t i = last; i-- > first;) {
    int done = 0;
    check(MPI_Request_get_status(requests[i], &done, MPI_STATUS_IGNORE), what);
    if (done == 0) return false;
  }
  check(MPI_Waitall(static_cast<int>(last - first), requests.data() + first, MPI_STATUSES_IGNORE), what);
  return true;
}

Peers::Peers(MPI_Comm comm) {
  int between = 0;
  if (comm == MPI_COMM_NULL || MPI_Comm_test_inter(comm, &between) != MPI_SUCCESS || between != 0)
    throw Error(Error::Kind::argument,
                "a communicator of one group of ranks is needed, not null and no inter-communicator");
  // A duplicate would run the copy functions of whatever the user keeps with the communicator.
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  const int code = MPI_Comm_create(comm, all, &comm_);
  MPI_Group_free(&all);
  check(code, "making a private communicator");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks_);
  int* largest = nullptr;
  int known = 0;
  MPI_Comm_get_attr(comm_, MPI_TAG_UB, static_cast<void*>(&largest), &known);
  if (known != 0) largest_tag_ = *largest;
}

Peers::~Peers() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&comm_);
}

void Peers::wait(MPI_Request& request, std::string_view what) const {
  wait_until([&] {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    return done != 0;
  });
}

void Peers::barrier() const {
  const int tag = largest_tag_;  // plans end below it
  for (int away = 1; away < ranks_; away *= 2) {
    const int to = (rank_ + away) % ranks_, from = (rank_ - away + ranks_) % ranks_;
    std::vector<MPI_Request> both(2, MPI_REQUEST_NULL);
    check(MPI_Irecv(nullptr, 0, MPI_BYTE, from, tag, comm_, &both[0]), "a barrier");
    check(MPI_Isend(nullptr, 0, MPI_BYTE, to, tag, comm_, &both[1]), "a barrier");
    wait_until([&] { return all_done(both, 0, both.size()); });
  }
}

void Peers::all_reduce(void* values, int count, MPI_Datatype type, MPI_Op op) const {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, comm_, &request), "a reduction");
  wait(request, "a reduction");
}

std::vector<std::int64_t> Peers::gather_to_all(const std::vector<std::int64_t>& values) const {
  const int count = static_cast<int>(values.size());
  std::vector<std::int64_t> all(values.size() * static_cast<std::size_t>(ranks_));
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallgather(values.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, comm_, &request),
        "an exchange of all ranks");
  wait(request, "an exchange of all ranks");
  return all;
}

std::string Peers::broadcast(std::string text, int from) const {
  auto length = static_cast<std::int64_t>(text.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibcast(&length, 1, MPI_INT64_T, from, comm_, &request), "a broadcast");
  wait(request, "a broadcast");
  text.resize(static_cast<std::size_t>(length));
  check(MPI_Ibcast(text.data(), static_cast<int>(length), MPI_CHAR, from, comm_, &request), "a broadcast");
  wait(request, "a broadcast");
  return text;
}

int Peers::lowest(bool chosen) const {
  std::vector<std::int64_t> first{chosen ? rank_ : ranks_};
  reduce_to_all(first, MPI_MIN);
  return static_cast<int>(first.front());
}

std::vector<std::string> hosts_of_ranks(const Peers& peers) {
  constexpr std::size_t words = MPI_MAX_PROCESSOR_NAME / sizeof(std::int64_t) + 1;
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  const auto ranks = static_cast<std::size_t>(peers.ranks());
  std::vector<std::int64_t> all(words * ranks, 0);
  std::memcpy(&all[words * static_cast<std::size_t>(peers.rank())], name.data(), static_cast<std::size_t>(length));
  peers.reduce_to_all(all, MPI_BOR);
  std::vector<std::string> hosts;
  for (std::size_t r = 0; r < ranks; ++r) hosts.emplace_back(reinterpret_cast<const char*>(&all[words * r]));
  return hosts;
}

void Peers::agree(const std::function<std::string()>& prepare) const {
  std::string mine, trouble;
  auto kind = Error::Kind::internal;
  try {
    mine = prepare();
  } catch (const Error& error) {
    trouble = error.what();
    kind = error.kind();
  } catch (const std::bad_alloc&) {
    trouble = "out of memory; use smaller blocks or fewer ranks";
    kind = Error::Kind::budget;
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>()(mine) >> 2);
  std::vector<std::int64_t> extremes{hash, -hash, trouble.empty() ? 0 : 1};
  reduce_to_all(extremes, MPI_MAX);
  if (extremes[2] != 0) {
    const int first = lowest(!trouble.empty());
    std::vector<std::int64_t> its_kind{rank_ == first ? static_cast<std::int64_t>(kind) : 0};
    reduce_to_all(its_kind, MPI_MAX);
    const bool shared = lowest(trouble.empty()) == ranks_;
    const std::string text = broadcast(trouble, first);
    // What all ranks say of themselves needs no rank; what they say of their data names it already.
    const bool named = shared || text.find("rank ") != std::string::npos;
    throw Error(static_cast<Error::Kind>(its_kind.front()), named ? text : fmt::format("rank {}: {}", first, text));
  }
  if (extremes[0] == -extremes[1]) return;
  const std::string reference = broadcast(mine, 0);
  const int other = lowest(mine != reference);
  const std::string text = broadcast(mine, other);
  throw Error(Error::Kind::argument,
              fmt::format("ranks ask for different things: rank 0 for '{}', rank {} for '{}'", reference, other, text));
}

void Peers::together(const std::function<void()>& work) const {
  agree([&] {
    work();
    return std::string();
  });
}

}  // namespace quadrille::mpi
