#include "dropin/decide/trials.hpp"

namespace quadrille::dropin {

Trial trial_of(const Circumstances& where, Operation operation, int size_class) {
  Trial trial{.operation = std::string(to_string(operation)),
              .topology = where.topology,
              .mpi = where.mpi,
              .segment = where.segment};
  const Bytes beyond = size_class < 63 ? Bytes{1} << size_class : Trial::any_size;
  trial.from = operation == Operation::alltoallv ? 0 : beyond / 2;
  trial.to = operation == Operation::alltoallv ? Trial::any_size : beyond - 1;
  return trial;
}

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
