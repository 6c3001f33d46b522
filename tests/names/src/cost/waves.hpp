#pragma once

namespace quadrille::cost {

/// The other one has integers.
struct Stream {
  double items = 0;
};

inline double twice(double x) { return 2 * x; }

}  // namespace quadrille::cost

namespace quadrille {

enum class Kind { one, two };

}  // namespace quadrille
