// The Omega network: stages of 2x2 switches with a perfect shuffle before each.
#include <fmt/format.h>

#include <string>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::omega {

namespace {

/// 2^n ranks, which send into level 0 and receive from level n. A message from s to d is on wire
/// ((s << i) | (d >> (n - i))) mod 2^n of level i, which is link i * 2^n + wire: messages pass together in one round
/// iff no wire carries two. tail() and head() of a link are the rank with the wire's number.
class Omega final : public Topology {
 public:
  explicit Omega(int stages) : n_(stages) {}

  std::string_view family() const override { return "omega"; }
  std::string text() const override { return "omega:" + std::to_string(n_); }
  std::string describe() const override { return "an Omega network"; }
  Rank ranks() const override { return base::bit(n_); }
  Link links() const override { return (n_ + 1) * base::bit(n_); }
  int diameter() const override { return n_ + 1; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : n_ + 1; }
  Rank farthest(Rank from) const override { return from == 0 ? 1 : 0; }
  int degree() const override { return 1; }
  bool direct() const override { return false; }
  Structure structure() const override {
    return {.stages = Stages{.stages = n_, .shuffled = true}, .switches_shifts = true};
  }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link & (base::bit(n_) - 1); }
  Rank head(Link link) const override { return tail(link); }
  Link reverse(Link link) const override { return link; }
  std::string name(Link link) const override;
  /// The first wires of half the ranks.
  std::int64_t bisection() const override { return base::bit(n_ - 1); }
  std::int64_t total_distance(Rank) const override { return (n_ + 1) * (base::bit(n_) - 1); }
  std::optional<int> colour(Rank) const override { return std::nullopt; }
  /// Ranks renamed by xor b: a wire of level i is renamed by xor of b turned left by i bits.
  bool invariant(Group group) const override { return group != Group::rotate; }
  Link representative(Link link, Group group) const override {
    return group == Group::none ? link : (link >> n_ << n_) + representative_rank(tail(link), group);
  }

 private:
  int n_;
};

void Omega::route(Rank from, Rank to, std::vector<Link>& path) const {
  if (from == to) return;
  for (int i = 0; i <= n_; ++i)
    path.push_back((Link{i} << n_) + (((from << i) | (to >> (n_ - i))) & (base::bit(n_) - 1)));
}

std::string Omega::name(Link link) const { return fmt::format("level {} wire {}", link >> n_, tail(link)); }

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "omega",
           .form = "omega:N",
           .summary = "2^N ranks, N = 1..30, through N stages of 2x2 switches with a perfect shuffle before each",
           .make = [](std::string_view text) -> TopologyPtr {
             return std::make_shared<Omega>(static_cast<int>(base::parse_integer(text, 1, 30, "omega stages")));
           },
           .shape = stages_of_size,
           .examples = {"3", "1", "2", "4"},
           .place = 90}};
}

}  // namespace quadrille::topology::omega
