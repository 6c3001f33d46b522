#include "dropin/later/progress_hook.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <atomic>

#include "mpi/peers.hpp"

namespace quadrille::dropin {

namespace {

std::atomic<ProgressHook::Advance> hooked{nullptr};
std::atomic<long> visits{0};  ///< of this library by MPI, while it is found out whether there are any

void count_visit() { visits.store(visits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

/// Whether a look for news comes here. There is no such message.
bool comes_here() {
  const long before = visits.load(std::memory_order_relaxed);
  int rank = 0, there = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int look = 0; look < 3; ++look) PMPI_Iprobe(rank, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  return visits.load(std::memory_order_relaxed) > before;
}

}  // namespace

#ifdef OMPI_MAJOR_VERSION

namespace {

int visited() {
  const ProgressHook::Advance advance = hooked.load(std::memory_order_relaxed);
  if (advance != nullptr) return std::max(advance(), 0);
  count_visit();
  return 0;
}

/// Of Open MPI, since its first version.
int in_list(const char* name) {
  using InList = int (*)(int (*)());
  const auto change = reinterpret_cast<InList>(dlsym(RTLD_DEFAULT, name));
  return change == nullptr ? -1 : change(visited);
}

}  // namespace

bool ProgressHook::open(Advance advance) {
  if (in_list("opal_progress_register") != 0) return false;
  if (!comes_here()) {
    in_list("opal_progress_unregister");
    return false;
  }
  hooked = advance;
  return true;
}

void ProgressHook::close() {
  if (hooked.exchange(nullptr) != nullptr) in_list("opal_progress_unregister");
}

#else

/// MPICH holds a lock when it comes here, if threads may call it at once, and would wait for itself.
bool ProgressHook::open(Advance advance) {
  int threads = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&threads);
  if (threads == MPI_THREAD_MULTIPLE || !comes_here()) return false;
  hooked = advance;
  return true;
}

void ProgressHook::close() { hooked = nullptr; }

#endif

}  // namespace quadrille::dropin

#ifndef OMPI_MAJOR_VERSION

extern "C" {

/// UCX's, by which MPICH looks for news. MPICH never gives its core away in that, so it is given away here while plans
/// are under way and nothing has happened for long: where ranks share cores, others have the next message.
__attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  using quadrille::dropin::hooked;
  using Progress = unsigned (*)(void*);
  static const auto real = reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  static thread_local int idle = 0;
  unsigned events = real(worker);
  const quadrille::dropin::ProgressHook::Advance advance = hooked.load(std::memory_order_relaxed);
  if (advance == nullptr) {
    quadrille::dropin::count_visit();
    return events;
  }
  const int more = advance();
  if (more < 0) return events;  // nothing is under way
  events += static_cast<unsigned>(more);
  idle = events > 0 ? 0 : idle + 1;
  if (idle > quadrille::mpi::looks_before_yielding.load(std::memory_order_relaxed)) sched_yield();
  return events;
}

}  // extern "C"

#endif
