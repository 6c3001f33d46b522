// Persistent or non-blocking calls of one operation and size class on one communicator: what is decided on them, and
// what plans have answered.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dropin/decide/row.hpp"

namespace quadrille::dropin {

struct LaterRow {
  bool native_only = false;  ///< MPI answers, and nothing is to be decided any more
  std::int64_t seen = 0;     ///< calls, of which the first are MPI's; where plans are possible
  std::string choice = {};   ///< the plan in use; empty: nothing is decided
  /// Seconds per byte of its trial's choices, by name; empty: there was none that has come to its end.
  std::vector<std::pair<std::string, double>> tried = {};

  // Of calls that plans have answered:
  std::atomic<std::int64_t> planned{0};  ///< that were started
  std::atomic<std::int64_t> over{0};     ///< that have ended
  std::atomic<Bytes> bytes{0};
  std::atomic<Seconds> inside{0};  ///< the calls that start them
  std::atomic<Seconds> lasted{0};  ///< from the start to the end
  std::atomic<Seconds> waited{0};  ///< of that, the program has been in calls that wait

  void began(Bytes more, Seconds took) {
    ++planned;
    bytes += more;
    inside += took;
  }
  void ended(Seconds whole, Seconds waiting) {
    ++over;
    lasted += whole;
    waited += waiting;
  }
};

/// All such rows of a communicator.
class LaterTable {
 public:
  LaterRow& row(Ending ending, Operation operation, Bytes bytes, bool rounds) {
    return *place(ending, RowTable::place(operation, bytes, rounds));
  }
  /// The same, for who may need it longer than the communicator is there.
  std::shared_ptr<LaterRow> shared_row(Ending ending, const Request& request) {
    return place(ending, RowTable::place(request));
  }
  /// Calls use(ending, operation, rounds, size class, row) for every row with a call that a plan answered, or a trial.
  template <class Use>
  void each(Use use) const {
    for (const Ending ending : {Ending::persistent, Ending::non_blocking}) {
      const std::unique_ptr<Rows>& some = rows_[place_of(ending)];
      for (std::size_t i = 0; some != nullptr && i < some->size(); ++i)
        if (const std::shared_ptr<LaterRow>& row = (*some)[i];
            row != nullptr && (row->planned > 0 || !row->tried.empty()))
          use(ending, static_cast<Operation>(i / size_classes % operations), i / size_classes >= operations,
              static_cast<int>(i % size_classes), *row);
    }
  }

 private:
  using Rows = std::array<std::shared_ptr<LaterRow>, 2 * operations * size_classes>;
  static std::size_t place_of(Ending ending) { return ending == Ending::persistent ? 0 : 1; }

  std::shared_ptr<LaterRow>& place(Ending ending, std::size_t at) {
    std::unique_ptr<Rows>& some = rows_[place_of(ending)];
    if (some == nullptr) [[unlikely]]
      some = std::make_unique<Rows>();
    std::shared_ptr<LaterRow>& known = (*some)[at];
    if (known == nullptr) [[unlikely]]
      known = std::make_shared<LaterRow>();
    return known;
  }

  std::array<std::unique_ptr<Rows>, 2> rows_;  ///< most communicators have none
};

}  // namespace quadrille::dropin
