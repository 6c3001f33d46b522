// An application's operations on a network: each as soon as those are over, or begun, that it waits for.
#pragma once

#include <limits>

#include "interchange/application.hpp"
#include "quadrille/simulate.hpp"

namespace quadrille::simulator {

/// What an application took, rank by rank.
struct Replayed {
  Timeline line;
  std::vector<Seconds> ends;    ///< when every rank was through
  std::vector<Seconds> worked;  ///< for how long it computed
};
/// Order has no meaning here, and observers are not told. Throws Error(illegal) naming a rank that waits for ever.
Replayed replay(const interchange::Application& application, const TopologyPtr& topology, const Machine& machine,
                const SimulateOptions& options);

/// For the networks: a schedule without rounds, behind which an application stands.
class Performed final : public Schedule {
 public:
  Performed(const interchange::Application& application, Replayed& result)
      : application_(application), result_(result), shape_{.ranks = application.ranks, .cut = {}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank, Steps&) const override {}
  const interchange::Application& application() const { return application_; }
  Replayed& result() const { return result_; }

 private:
  const interchange::Application& application_;
  Replayed& result_;
  Shape shape_;
};

}  // namespace quadrille::simulator
