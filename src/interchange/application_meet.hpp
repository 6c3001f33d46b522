// Which receive takes which message of an application: of two ranks and a tag the n-th the n-th.
#pragma once

#include <functional>

#include "interchange/application.hpp"

namespace quadrille::interchange {

/// Sets all partners, in whose places tags stand before, and counts messages. Messages that nobody receives, receives
/// of what nobody sends, and receives of less than is sent are told to `refuse`, which throws.
class Meeting {
 public:
  using Refuse = std::function<void(std::uint32_t op, const std::string& why)>;
  Meeting(Application& app, Refuse refuse) : app_(app), refuse_(std::move(refuse)) {}

  void meet();

 private:
  /// Receives of one sender and tag that wait for a message, first come, first served: `next` of each is in its
  /// partner meanwhile.
  struct Queue {
    std::uint64_t key = 0;
    std::uint32_t first = Application::none, last = Application::none;
    bool used = false;
  };

  void sort();
  void line_up(std::size_t r);
  void meet_at(std::size_t r);
  void refuse_missing(std::size_t r);
  Queue& queue(std::uint32_t from, std::uint32_t tag);
  Queue& place(std::uint64_t key);
  void grow();

  Application& app_;
  Refuse refuse_;
  std::vector<std::size_t> sends_to_, receives_of_;     ///< by rank, where its own begin; at last the end
  base::Table<std::uint32_t> sends_, receives_;         ///< operations by receiver
  std::vector<Queue> queues_ = std::vector<Queue>(64);  ///< of one rank: a table that is used again for the next
  std::size_t used_ = 0;
};

}  // namespace quadrille::interchange
