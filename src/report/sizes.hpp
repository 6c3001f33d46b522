// Time against size, for every algorithm: which is best where.
#pragma once

#include <string>
#include <vector>

#include "quadrille/plan.hpp"

namespace quadrille::report {

/// The same request with blocks of another size; lengths of sources and of blocks that differ keep their proportions.
Spec with_bytes(const Spec& spec, Bytes bytes);

struct SizeSeries {
  struct Line {
    const Algorithm* algorithm;
    std::vector<Seconds> time;         ///< of the best variant, by size; not a number where none can run
    std::vector<std::string> variant;  ///< which that is
  };
  struct Threshold {
    Bytes from;  ///< the least size at which `above` is the faster one, to 1/256
    const Algorithm *below, *above;
  };
  std::vector<Bytes> bytes;  ///< an element times powers of two, to 2^24, and the plan's own size
  std::vector<Seconds> limit;
  std::vector<Line> lines;  ///< by name
  std::vector<Threshold> thresholds;
};
SizeSeries size_series(const Plan& plan);

}  // namespace quadrille::report
