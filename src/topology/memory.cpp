// Ranks around one memory: what one writes there, others read.
#include <string>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::memory {

namespace {

/// P ranks and, as node P, the memory. Link 2r: rank r writes; link 2r + 1: rank r reads.
class Memory final : public Topology {
 public:
  explicit Memory(Rank ranks) : p_(ranks) {}

  std::string_view family() const override { return "memory"; }
  std::string text() const override { return "memory:" + std::to_string(p_); }
  std::string describe() const override { return "a shared memory"; }
  Rank ranks() const override { return p_; }
  Rank nodes() const override { return p_ + 1; }
  Link links() const override { return 2 * p_; }
  int diameter() const override { return p_ > 1 ? 2 : 1; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : from == p_ || to == p_ ? 1 : 2; }
  Rank farthest(Rank from) const override { return from == 0 && p_ > 1 ? 1 : 0; }
  int degree() const override { return 1; }
  bool shared_medium() const override { return true; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    if (from == to) return;
    if (from != p_) path.push_back(2 * from);
    if (to != p_) path.push_back(2 * to + 1);
  }
  Rank tail(Link link) const override { return link % 2 == 0 ? link / 2 : p_; }
  Rank head(Link link) const override { return link % 2 == 0 ? p_ : link / 2; }
  Link reverse(Link link) const override { return link ^ 1; }
  std::string name(Link link) const override {
    return (link % 2 == 0 ? "write of " : "read of ") + std::to_string(link / 2);
  }
  std::int64_t bisection() const override { return p_ / 2; }
  std::int64_t total_distance(Rank from) const override { return from == p_ ? p_ : 2 * (p_ - 1); }
  std::optional<int> colour(Rank rank) const override { return rank == p_ ? 1 : 0; }
  /// The memory is a node of its own, which no rank stands for.
  bool invariant(Group group) const override { return group == Group::none; }
  Link representative(Link link, Group) const override { return link; }

 private:
  Rank p_;
};

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "memory",
           .form = "memory:P",
           .summary = "P ranks, P = 1..2^30, around one memory, node P: what one writes, others read; also "
                      "shared-memory:P",
           .make = [](std::string_view text) -> TopologyPtr {
             return std::make_shared<Memory>(base::parse_integer(text, 1, base::bit(30), "memory size"));
           },
           .shape = any_size,
           .examples = {"8", "2", "3", "9"},
           .also = {"shared-memory"},
           .place = 80}};
}

}  // namespace quadrille::topology::memory
