// A library for LD_PRELOAD under MPICH, whose ranks ask for news without end and never give their core away. With more
// ranks than cores a message then waits for somebody's time slice, and tests take fifty times as long. Here a rank
// that has heard of nothing for some time lets others go first. Where MPICH was built without UCX, nobody calls this.
#include <dlfcn.h>
#include <sched.h>

namespace {

constexpr int patience = 20;  // questions in a row that may go unanswered

thread_local int unanswered = 0;

}  // namespace

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  static const auto real = reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  const unsigned events = real(worker);
  unanswered = events != 0 ? 0 : unanswered + 1;
  if (unanswered > patience) sched_yield();
  return events;
}
