// MPI's names for requests: starting and freeing persistent ones, and waiting, whose time is taken. All other calls of
// requests are MPI's own, as these are its requests.
#include "dropin/calls/fortran.hpp"
#include "dropin/later/engine.hpp"

using namespace quadrille::dropin;

// The library's own calls of these have other names (pmpi.hpp); here they are those of the program.
#undef MPI_Request_free
#undef MPI_Startall
#undef MPI_Waitall

extern "C" {

int MPI_Start(MPI_Request* request) {
  int code = MPI_SUCCESS;
  if (request != nullptr && Engine::has_persistent() && Engine::get().start_again(request, code)) return code;
  return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  bool ours = false;
  for (int i = 0; Engine::has_persistent() && requests != nullptr && !ours && i < count; ++i)
    ours = Engine::get().is_persistent(requests[i]);
  if (!ours) return PMPI_Startall(count, requests);
  for (int i = 0; i < count; ++i)
    if (const int code = MPI_Start(&requests[i]); code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
  if (request != nullptr && Engine::has_persistent()) Engine::get().forget(*request);
  return PMPI_Request_free(request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Engine::Waiting waiting;
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const Engine::Waiting waiting;
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const Engine::Waiting waiting;
  return PMPI_Waitany(count, requests, index, status);
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  const Engine::Waiting waiting;
  return PMPI_Waitsome(count, requests, done, indices, statuses);
}

}  // extern "C"

namespace {

using namespace fortran;

/// Statuses and their sentinels are MPI's own business.
template <class Native>
int waiting(const Native& native) {
  const Engine::Waiting waits;
  return native();
}

void fortran_startall(MPI_Fint* count, MPI_Fint* handles, MPI_Fint* error) {
  std::vector<MPI_Request> requests;
  for (MPI_Fint i = 0; i < *count; ++i) requests.push_back(PMPI_Request_f2c(handles[i]));
  const int code = MPI_Startall(*count, requests.data());
  for (std::size_t i = 0; i < requests.size(); ++i) handles[i] = PMPI_Request_c2f(requests[i]);
  set(error, code);
}

}  // namespace

FORTRAN(1, Start, start, START)
FORTRAN(1, Request_free, request_free, REQUEST_FREE)
FORTRAN_NAMES(startall, STARTALL, (F a, F b, F c), (a, b, c))
FORTRAN_PASSED_ON(2, waiting, wait, WAIT)
FORTRAN_PASSED_ON(3, waiting, waitall, WAITALL)
FORTRAN_PASSED_ON(4, waiting, waitany, WAITANY)
FORTRAN_PASSED_ON(5, waiting, waitsome, WAITSOME)
