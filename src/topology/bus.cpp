#include "topology/bus.hpp"

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

TopologyFamily bus_family() {
  return {"bus", "bus:P", "P ranks, P = 2..2^30, on one medium that all messages share",
          [](std::string_view text) -> TopologyPtr {
            return std::make_shared<Bus>(base::parse_integer(text, 2, base::bit(30), "bus size"), "bus");
          }};
}

TopologyFamily ethernet_family() {
  return {"ethernet", "ethernet:P", "the same under another name: P workstations on one cable",
          [](std::string_view text) -> TopologyPtr {
            return std::make_shared<Bus>(base::parse_integer(text, 2, base::bit(30), "ethernet size"), "ethernet");
          }};
}

}  // namespace quadrille::topology
