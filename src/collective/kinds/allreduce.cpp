// All ranks get what an operator makes of all contributions.
#include <fmt/format.h>

#include "collective/reduction.hpp"

namespace quadrille::collective::allreduce {

namespace {

class Allreduce final : public ReductionToAll {
 public:
  Allreduce()
      : ReductionToAll({.name = "allreduce",
                        .papers = "reduction-to-all",
                        .line = "all ranks get the vectors of all ranks, combined by an operator (reduction to all)",
                        .flow = Flow::all_to_all,
                        .whole = true,
                        .same_result = true,
                        .combines = true,
                        .from_all = true,
                        .calls = {"allreduce"}}) {}

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    (void)spec;
    return fmt::format("all {} ranks to combine their vectors of {} and get the result", ranks, size);
  }
};

}  // namespace

const Traits& describe() {
  static const Allreduce traits;
  return traits;
}

}  // namespace quadrille::collective::allreduce
