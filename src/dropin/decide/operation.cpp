#include "dropin/decide/operation.hpp"

namespace quadrille::dropin {

std::optional<Operation> find_operation(std::string_view name) {
  for (const OperationFacts& facts : operation_facts)
    if (facts.name == name) return facts.operation;
  return {};
}

}  // namespace quadrille::dropin
