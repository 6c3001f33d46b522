// One line about long work, on a terminal: it says that the program lives, and for how long it has worked.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace quadrille::console {

/// Shows nothing for the first two seconds unless told something; then also the time, once a second.
class Ticker {
 public:
  Ticker();
  ~Ticker() { end(); }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  void tell(std::string_view what);
  /// Wipes the line; nothing follows it.
  void end();

 private:
  void tick();
  void draw();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::string what_ = "at work";
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::thread thread_;
};

/// Wipes the line if there is one. For signal handlers that end the program.
void wipe_ticker() noexcept;

}  // namespace quadrille::console
