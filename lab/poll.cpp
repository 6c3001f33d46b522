// A library for LD_PRELOAD that lets MPI ranks without work sleep. MPICH asks its sockets for news without end and
// never gives its core away; with more ranks than cores every message then waits for somebody's time slice. Here a
// question that had no answer twice becomes one that waits for it: up to a millisecond, or as many microseconds as
// QUADRILLE_LAB_NAP says where news may come through memory, of which sockets know nothing.
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

namespace {

constexpr int patience = 2;                              // questions in a row that may go unanswered
constexpr long usual_nap = 1000, longest_nap = 100'000;  // microseconds that the next one waits

thread_local int unanswered = 0;

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

}  // namespace

extern "C" {

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
