// A library for LD_PRELOAD that lets MPI ranks without work sleep. MPICH asks its sockets for news without end and
// never gives its core away; with more ranks than cores every message then waits for somebody's time slice. Here a
// question that had no answer twice becomes one that waits for it: up to a millisecond, or as many microseconds as
// QUADRILLE_LAB_NAP says where news may come through memory, of which sockets know nothing.
// And it ends a deadlock in MPI_Finalize of MPICH before 4.2 (pmodels/mpich#6596): ranks that have closed their
// connections wait for the process manager in read(2), and do not answer those that are still closing theirs.
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr int patience = 2;                              // questions in a row that may go unanswered
constexpr long usual_nap = 1000, longest_nap = 100'000;  // microseconds that the next one waits

thread_local int unanswered = 0;

using Worker = struct ucp_worker*;
using Progress = unsigned (*)(Worker);
Progress progress = nullptr;           // UCX's own
thread_local Worker worker = nullptr;  // that this thread last asked for progress

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

timespec nap() {
  static const long microseconds = [] {
    const char* const text = getenv("QUADRILLE_LAB_NAP");
    const long asked = text == nullptr ? 0 : strtol(text, nullptr, 10);
    return asked > 0 && asked <= longest_nap ? asked : usual_nap;
  }();
  return {microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
}

/// `ask(timeout)` is the call itself, `wait(time)` the same with a finer clock.
template <class Ask, class Wait>
int patient(Ask ask, Wait wait, int timeout) {
  int events = ask(timeout);
  if (timeout != 0) return events;
  if (events == 0 && ++unanswered > patience) events = wait(nap());
  if (events != 0) unanswered = 0;
  return events;
}

/// The socket on which the process manager of MPICH answers; -1 without one.
int manager() {
  static const int file = [] {
    const char* const text = getenv("PMI_FD");
    return text == nullptr ? -1 : static_cast<int>(strtol(text, nullptr, 10));
  }();
  return file;
}

/// Until `file` has news, messages of others go on.
void progress_until_readable(int file) {
  static const auto wait = next<decltype(&ppoll)>("ppoll");
  const timespec moment{0, 1'000'000};
  for (pollfd one{file, POLLIN, 0}; wait(&one, 1, &moment, nullptr) == 0;) progress(worker);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) unsigned ucp_worker_progress(Worker of) {
  if (progress == nullptr) progress = next<Progress>("ucp_worker_progress");
  worker = of;
  return progress(of);
}

__attribute__((visibility("default"))) void ucp_worker_destroy(Worker of) {
  static const auto real = next<void (*)(Worker)>("ucp_worker_destroy");
  if (of == worker) worker = nullptr;
  real(of);
}

__attribute__((visibility("default"))) ssize_t read(int file, void* to, size_t most) {
  static const auto real = next<decltype(&read)>("read");
  if (worker != nullptr && file == manager()) progress_until_readable(file);
  return real(file, to, most);
}

__attribute__((visibility("default"))) int epoll_wait(int set, struct epoll_event* events, int most, int timeout) {
  static const auto real = next<decltype(&epoll_wait)>("epoll_wait");
  return patient([&](int t) { return real(set, events, most, t); },
                 [&](timespec t) { return epoll_pwait2(set, events, most, &t, nullptr); }, timeout);
}

__attribute__((visibility("default"))) int poll(struct pollfd* files, nfds_t count, int timeout) {
  static const auto real = next<decltype(&poll)>("poll");
  return patient([&](int t) { return real(files, count, t); },
                 [&](timespec t) { return ppoll(files, count, &t, nullptr); }, timeout);
}
}
