// The steps that led every rank and every message to where it is, in chains that share their beginnings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/huge_pages.hpp"
#include "quadrille/audit.hpp"

namespace quadrille::simulator {

/// Steps have numbers, and 0 is the start of all chains. Whoever names a step uses it; a step that nobody uses any more
/// is used again. When there are too many, chains are given up: from then on a step has the parts of its whole chain.
class Chains {
 public:
  /// Two lines of the cache.
  struct alignas(64) Link {
    TimeParts parts;  ///< of the step; of the whole chain once chains are given up
    Seconds end;
    Bytes bytes;
    std::uint32_t rank, from, to, round;
    std::uint32_t before, users : 24;
    Stay::Why why : 8;
  };
  static_assert(sizeof(Link) == 128);
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `most` steps are kept as chains.
  explicit Chains(std::size_t most);
  bool kept() const { return kept_; }

  /// A new step after `before`, with one user. `hand_over`: who names `before` no longer does.
  std::uint32_t add(const Link& step, std::uint32_t before, bool hand_over) {
    if (free_ == 0) make_room();
    const std::uint32_t i = free_;
    Link& added = (*this)[i];
    free_ = added.before;
    added = step;
    added.users = 1;
    if (kept_) {
      added.before = before;
      if (!hand_over) use(before);
      return i;
    }
    added.before = 0;
    added.parts = (*this)[before].parts;
    added.parts += step.parts;
    if (hand_over) drop(before);
    return i;
  }
  void use(std::uint32_t i) {
    if (i != 0) ++(*this)[i].users;
  }
  void drop(std::uint32_t i) {
    while (i != 0) {
      Link& step = (*this)[i];
      if (--step.users > 0) return;
      const std::uint32_t before = step.before;
      step.before = free_;
      free_ = i;
      i = before;
    }
  }
  [[gnu::always_inline]] void expect(std::uint32_t i) const {
    const Link& step = (*this)[i];
    __builtin_prefetch(&step, 1);
    __builtin_prefetch(&step.end, 1);
  }

  /// Who uses it, where only that is looked at.
  [[gnu::always_inline]] void expect_end(std::uint32_t i) const { __builtin_prefetch(&(*this)[i].end, 1); }

  /// From the start to that step; empty when chains are given up.
  std::vector<Audit::Step> to(std::uint32_t i) const;
  /// The parts of all its steps, added up in their order.
  TimeParts parts(std::uint32_t i) const;

 private:
  static constexpr std::uint32_t block = 1 << 14;  ///< 2 MiB
  struct Free {
    void operator()(Link* links) const { base::HugePages<Link>().deallocate(links, block); }
  };
  void add_block() { blocks_.emplace_back(base::HugePages<Link>().allocate(block)); }
  Link& operator[](std::uint32_t i) const { return blocks_[i / block][i % block]; }
  void make_room();
  void give_up();

  std::size_t most_;
  bool kept_ = true;
  std::uint32_t free_ = 0;  ///< the first of those to be used again
  std::uint32_t count_ = 1;
  std::vector<std::unique_ptr<Link[], Free>> blocks_;
};

}  // namespace quadrille::simulator
