#include "dropin/decide/circumstances.hpp"

namespace quadrille::dropin {

Trial trial_of(const Circumstances& where, Operation operation, int size_class) {
  Trial trial{.operation = std::string(to_string(operation)),
              .topology = where.topology,
              .mpi = where.mpi,
              .segment = where.segment};
  const Bytes beyond = size_class < 63 ? Bytes{1} << size_class : Trial::any_size;
  trial.from = differs_by_rank(operation) ? 0 : beyond / 2;
  trial.to = differs_by_rank(operation) ? Trial::any_size : beyond - 1;
  return trial;
}

}  // namespace quadrille::dropin
