#include "console/ticker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>

namespace quadrille::console {

namespace {

constexpr std::string_view wiped = "\r\x1b[K";
constexpr std::chrono::seconds patience{2};
std::atomic<bool> shown = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // it is read in a signal handler

void show(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Ticker::Ticker() {
  // Signals are for the thread that works: it may wait in a system call that they are to end.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { tick(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Ticker::tick() {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, patience, [this] { return over_; });
  while (!over_) {
    draw();
    ended_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; });
  }
}

void Ticker::draw() {
  const auto spent = std::chrono::steady_clock::now() - begun_;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(spent);
  shown = true;
  show(fmt::format("{}{}{}", wiped, what_, whole < patience ? "" : fmt::format(" ({} s)", whole.count())));
}

void Ticker::tell(std::string_view what) {
  const std::lock_guard lock(mutex_);
  if (over_) return;
  what_ = what;
  draw();
}

void Ticker::end() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
  wipe_ticker();
}

void wipe_ticker() noexcept {
  if (shown.exchange(false)) show(wiped);
}

}  // namespace quadrille::console
