#include "dropin/decide/circumstances.hpp"

namespace quadrille::dropin {

namespace {

/// As MPI names its calls.
std::string name_of(Operation operation, Ending ending) {
  const std::string name(to_string(operation));
  return ending == Ending::at_once ? name : ending == Ending::persistent ? name + "_init" : "i" + name;
}

}  // namespace

Trial trial_of(const Circumstances& where, Operation operation, int size_class, Ending ending) {
  Trial trial{
      .operation = name_of(operation, ending), .topology = where.topology, .mpi = where.mpi, .segment = where.segment};
  const Bytes beyond = size_class < 63 ? Bytes{1} << size_class : Trial::any_size;
  trial.from = differs_by_rank(operation) ? 0 : beyond / 2;
  trial.to = differs_by_rank(operation) ? Trial::any_size : beyond - 1;
  return trial;
}

}  // namespace quadrille::dropin
