// The computer this program runs on, as far as it concerns who shares what.
#pragma once

#include <string>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::cli {

struct Here {
  struct Cache {
    int level = 1;
    Bytes bytes = 0;
    int count = 0, threads = 1;  ///< how many there are; hardware threads that share one
  };
  bool known = false;  ///< false: built without hwloc, and only the hardware threads are told
  int sockets = 0, memories = 0, cores = 0, threads = 1;
  std::vector<Cache> caches;  ///< of data, the nearest first
};

Here here();

}  // namespace quadrille::cli
