// The results of trials in the file that keeps them, which others read and write meanwhile.
#pragma once

#include <string>
#include <vector>

#include "dropin/report/file_state.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::dropin {

/// Adds these results to the file, under its lock.
void keep_trials(const std::string& path, const std::vector<TrialResult>& results);

/// A wisdom file as it would be with new results, for who cannot wait for a lock: it must be written only where the
/// file has not changed meanwhile.
class NextWisdom {
 public:
  struct Text {
    std::string text;   ///< empty: the file cannot be read
    FileState instead;  ///< of which file
  };
  /// Reads the file again where it has changed.
  Text with(const std::string& path, const std::vector<TrialResult>& results);

 private:
  Wisdom read_;
  FileState state_;
};

}  // namespace quadrille::dropin
