#include "executor/sleep.hpp"

#include <chrono>
#include <thread>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#endif

namespace quadrille::executor {

void yield_core() {
  using Clock = std::chrono::steady_clock;
  using std::chrono::nanoseconds;
  constexpr nanoseconds long_time(1'000'000), for_now(100'000'000), usual(100'000);
  static std::atomic<std::int64_t> calls{0}, again_at{0};  // of all threads
  const nanoseconds begin = Clock::now().time_since_epoch();
  if (begin.count() < again_at.load(std::memory_order_relaxed)) return;
  const std::int64_t before = calls.fetch_add(1, std::memory_order_relaxed);
  std::this_thread::yield();
  const nanoseconds end = Clock::now().time_since_epoch();
  // Threads that wait for each other call this often, if they run at all.
  if (end - begin > long_time && calls.load(std::memory_order_relaxed) - before < (end - begin) / usual)
    again_at.store((end + for_now).count(), std::memory_order_relaxed);
}

#ifdef __linux__

// The standard library's wait() yields by itself before it sleeps.
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr);
}
void wake_one(std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1); }
void wake_all(std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX); }

#else

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) { word.wait(value); }
void wake_one(std::atomic<std::uint32_t>& word) { word.notify_one(); }
void wake_all(std::atomic<std::uint32_t>& word) { word.notify_all(); }

#endif

}  // namespace quadrille::executor
