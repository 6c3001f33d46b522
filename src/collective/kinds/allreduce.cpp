// All ranks get the product of what all contribute.
#include <fmt/format.h>

#include "collective/reduction.hpp"

namespace quadrille::collective::allreduce {

namespace {

class Allreduce final : public ReductionToAll {
 public:
  Allreduce()
      : ReductionToAll({.name = "allreduce",
                        .papers = "reduction-to-all",
                        .line = "all ranks get the product of all ranks' vectors (reduction to all)",
                        .flow = Flow::all_to_all,
                        .whole = true,
                        .combines = true}) {}

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    (void)spec;
    return fmt::format("all {} ranks to get the product of their vectors of {}", ranks, size);
  }
};

}  // namespace

const Traits& describe() {
  static const Allreduce traits;
  return traits;
}

}  // namespace quadrille::collective::allreduce
