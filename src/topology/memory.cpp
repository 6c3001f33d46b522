#include "topology/memory.hpp"

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

TopologyFamily memory_family() {
  return {"memory", "memory:P",
          "P ranks, P = 2..2^30, around one memory, node P: what one writes, others read; also shared-memory:P",
          [](std::string_view text) -> TopologyPtr {
            return std::make_shared<Memory>(base::parse_integer(text, 2, base::bit(30), "memory size"));
          }};
}

}  // namespace quadrille::topology
