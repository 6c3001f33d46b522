#pragma once

namespace quadrille::cost {

struct Stream {
  int items = 0;
};

inline int twice(int x) {
  return 2 * x;
}

}  // namespace quadrille::cost
