#include "dropin/report/trial_results.hpp"

namespace quadrille::dropin {

void keep_trials(const std::string& path, const std::vector<TrialResult>& results) {
  update_wisdom(path, [&](Wisdom& wisdom) {
    for (const TrialResult& result : results) wisdom.put(result);
  });
}

NextWisdom::Text NextWisdom::with(const std::string& path, const std::vector<TrialResult>& results) {
  try {
    if (const FileState now = state_of(path.c_str()); now != state_) {
      read_ = now.there ? load_wisdom(path) : Wisdom{};
      state_ = now;
    }
    Wisdom next = read_;
    for (const TrialResult& result : results) next.put(result);
    return {next.text(), state_};
  } catch (const Error&) {  // it is said at the end, where the file is still like that
    return {};
  }
}

}  // namespace quadrille::dropin
