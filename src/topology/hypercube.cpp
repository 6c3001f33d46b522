// The binary n-cube: ranks are joined when their numbers differ in one bit.
#include <bit>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::hypercube {

namespace {

/// 2^n ranks; link u*n + b leads from u to u xor 2^b; e-cube routes flip the differing bits lowest first.
class Hypercube final : public Topology {
 public:
  explicit Hypercube(int dimension) : n_(dimension) {}

  std::string_view family() const override { return "hypercube"; }
  std::string text() const override { return "hypercube:" + std::to_string(n_); }
  std::string describe() const override { return base::with_article(std::to_string(n_) + "-dimensional hypercube"); }
  Rank ranks() const override { return base::bit(n_); }
  Link links() const override { return n_ * base::bit(n_); }
  int diameter() const override { return n_; }
  int distance(Rank from, Rank to) const override { return base::popcount(from ^ to); }
  Rank farthest(Rank from) const override { return from ^ (base::bit(n_) - 1); }
  int degree() const override { return n_; }
  Structure structure() const override { return {.cube = n_}; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link / n_; }
  Rank head(Link link) const override { return tail(link) ^ base::bit(static_cast<int>(link % n_)); }
  Link reverse(Link link) const override { return head(link) * n_ + link % n_; }
  std::int64_t bisection() const override { return n_ == 0 ? 0 : base::bit(n_ - 1); }
  std::int64_t total_distance(Rank) const override { return n_ == 0 ? 0 : n_ * base::bit(n_ - 1); }
  std::optional<int> colour(Rank rank) const override { return base::popcount(rank) & 1; }
  bool invariant(Group group) const override { return group != Group::rotate; }
  Link representative(Link link, Group group) const override {
    return representative_rank(tail(link), group) * n_ + link % n_;
  }

 private:
  int n_;
};

void Hypercube::route(Rank from, Rank to, std::vector<Link>& path) const {
  for (auto rest = static_cast<std::uint64_t>(from ^ to); rest != 0; rest &= rest - 1) {
    const int b = std::countr_zero(rest);
    path.push_back(from * n_ + b);
    from ^= base::bit(b);
  }
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "hypercube",
           .form = "hypercube:D",
           .summary = "2^D ranks, D = 0..30; neighbours differ in one bit; e-cube routes, lowest bit first",
           .make = [](std::string_view text) -> TopologyPtr {
             const std::int64_t dimension = base::parse_integer(text, 0, 30, "hypercube dimension");
             return std::make_shared<Hypercube>(static_cast<int>(dimension));
           },
           .shape = log_of_size,
           .examples = {"3", "1", "2", "4"},
           .place = 20}};
}

}  // namespace quadrille::topology::hypercube
