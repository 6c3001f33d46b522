// One medium for all ranks: a bus, or an Ethernet that is one.
#include <fmt/format.h>

#include <string>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::bus {

namespace {

/// P ranks on link 0, which every route consists of. The link has no ends: tail() is the first rank on it and head()
/// the last.
class Bus final : public Topology {
 public:
  Bus(Rank ranks, std::string_view family) : p_(ranks), family_(family) {}

  std::string_view family() const override { return family_; }
  std::string text() const override { return std::string(family_) + ":" + std::to_string(p_); }
  Rank ranks() const override { return p_; }
  Link links() const override { return 1; }
  int diameter() const override { return p_ > 1 ? 1 : 0; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : 1; }
  Rank farthest(Rank from) const override { return from == 0 && p_ > 1 ? 1 : 0; }
  int degree() const override { return 1; }
  bool shared_medium() const override { return true; }
  bool direct() const override { return false; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    if (from != to) path.push_back(0);
  }
  Rank tail(Link) const override { return 0; }
  Rank head(Link) const override { return p_ - 1; }
  Link reverse(Link link) const override { return link; }
  std::string name(Link) const override { return "the bus"; }
  std::int64_t bisection() const override { return p_ > 1 ? 1 : 0; }
  std::int64_t total_distance(Rank) const override { return p_ - 1; }
  std::optional<int> colour(Rank) const override { return std::nullopt; }
  /// Every renaming leaves the link where it is, so one rank cannot stand for what all put on it.
  bool invariant(Group group) const override { return group == Group::none; }
  Link representative(Link link, Group) const override { return link; }

 private:
  Rank p_;
  std::string_view family_;  // a literal
};

TopologyPtr make_bus(std::string_view family, std::string_view text) {
  return std::make_shared<Bus>(base::parse_integer(text, 1, base::bit(30), fmt::format("{} size", family)), family);
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "bus",
           .form = "bus:P",
           .summary = "P ranks, P = 1..2^30, on one medium that all messages share",
           .make = [](std::string_view text) { return make_bus("bus", text); },
           .shape = any_size,
           .examples = {"8", "2", "3", "9"},
           .place = 60},
          {.name = "ethernet",
           .form = "ethernet:P",
           .summary = "the same under another name: P workstations on one cable",
           .make = [](std::string_view text) { return make_bus("ethernet", text); },
           .shape = any_size,
           .examples = {"8", "2"},
           .like = "bus",
           .place = 70}};
}

}  // namespace quadrille::topology::bus
