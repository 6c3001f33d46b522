// How a rank names others so that ranks which do alike read alike: the step from it to them. A schedule told in such
// names is a handful of actions instead of one for every rank and round.
#pragma once

#include <string_view>
#include <vector>

#include "collective/traits.hpp"

namespace quadrille::report {

/// A name for a rank as seen from another one. The page turns names back with the same four rules
/// (docs/reference/report.md).
class Naming {
 public:
  enum class Kind {
    absolute,   ///< the rank itself
    rotate,     ///< how far on, modulo ranks
    exclusive,  ///< the bits that differ
    torus,      ///< how far on along every axis, modulo its side; read as digits, the last axis fastest
    mesh        ///< the same without modulo, each digit plus side - 1, and 2 side - 1 of them
  };
  /// What suits the network; on those that look alike in several ways, the symmetry of the schedule.
  Naming(const Topology& topology, Group group);

  Kind kind() const { return kind_; }
  std::string_view text() const;
  const std::vector<Rank>& sides() const { return sides_; }
  /// Names are 0 .. names() - 1.
  std::int64_t names() const { return names_; }
  std::int64_t name(Rank seen, Rank from) const;
  /// Whether ranks that `group` maps to each other give the same names.
  bool follows(Group group) const;

 private:
  Kind kind_ = Kind::absolute;
  Rank ranks_;
  std::int64_t names_;
  std::vector<Rank> sides_;
};

using collective::BlockKind;
using collective::BlockNames;
std::string_view to_string(BlockKind kind);
/// A block's name as seen from a rank: both its ranks, its owner, or itself.
std::int64_t block_name(const Naming& naming, const BlockNames& blocks, Slot block, Rank ranks, Rank from);

}  // namespace quadrille::report
