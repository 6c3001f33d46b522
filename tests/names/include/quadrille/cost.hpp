// Breaks the rules of names on purpose: tests/CMakeLists.txt expects tools/check_names to say so.
#pragma once

namespace quadrille {

struct Price {
  double startups = 0;
};

}  // namespace quadrille
