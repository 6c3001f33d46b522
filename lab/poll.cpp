// A library for LD_PRELOAD that lets MPI ranks without work sleep. MPICH asks its sockets for news without end and
// never gives its core away; with more ranks than cores every message then waits for somebody's time slice. Here a
// question that had no answer twice becomes one that waits up to a millisecond for it.
#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>

namespace {

constexpr int patience = 2;      // questions in a row that may go unanswered
constexpr int milliseconds = 1;  // that the next one waits

thread_local int unanswered = 0;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// `ask(timeout)` is the call itself.
template <class Ask>
int patient(Ask ask, int timeout) {
  int events = ask(timeout);
  if (timeout != 0) return events;
  if (events == 0 && ++unanswered > patience) events = ask(milliseconds);
  if (events != 0) unanswered = 0;
  return events;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int epoll_wait(int set, struct epoll_event* events, int most, int timeout) {
  static const auto real = next<decltype(&epoll_wait)>("epoll_wait");
  return patient([&](int t) { return real(set, events, most, t); }, timeout);
}

__attribute__((visibility("default"))) int poll(struct pollfd* files, nfds_t count, int timeout) {
  static const auto real = next<decltype(&poll)>("poll");
  return patient([&](int t) { return real(files, count, t); }, timeout);
}
}
