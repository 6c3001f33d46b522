#include "report/naming.hpp"

#include "base/integer.hpp"
#include "topology/grid.hpp"

namespace quadrille::report {

Naming::Naming(const Topology& topology, Group group) : ranks_(topology.ranks()), names_(topology.nodes()) {
  const Topology::Structure structure = topology.structure();
  const auto* grid = structure.grid;
  const bool sides = structure.stages && structure.stages->two_sided;
  const bool switched = topology.nodes() == ranks_ && !sides;
  if (grid != nullptr) {
    kind_ = grid->wraps() ? Kind::torus : Kind::mesh;
    sides_ = grid->sides();
    if (!grid->wraps()) {
      names_ = 1;
      for (const Rank side : sides_) names_ *= 2 * side - 1;
    }
  } else if (topology.invariant(Group::xor_all) && group != Group::rotate && base::is_power_of_two(ranks_) &&
             switched) {
    kind_ = Kind::exclusive;
  } else if (switched) {
    kind_ = Kind::rotate;
  }
}

std::string_view Naming::text() const {
  switch (kind_) {
    case Kind::absolute:
      return "absolute";
    case Kind::rotate:
      return "rotate";
    case Kind::exclusive:
      return "xor";
    case Kind::torus:
      return "torus";
    case Kind::mesh:
      return "mesh";
  }
  return "";
}

std::int64_t Naming::name(Rank seen, Rank from) const {
  switch (kind_) {
    case Kind::absolute:
      return seen;
    case Kind::rotate:
      return seen >= from ? seen - from : seen - from + ranks_;
    case Kind::exclusive:
      return seen ^ from;
    case Kind::torus:
    case Kind::mesh:
      break;
  }
  std::int64_t name = 0, scale = 1;
  for (std::size_t i = sides_.size(); i-- > 0;) {
    const Rank side = sides_[i], step = seen % side - from % side;
    const bool wraps = kind_ == Kind::torus;
    name += scale * (!wraps ? step + side - 1 : step < 0 ? step + side : step);
    scale *= wraps ? side : 2 * side - 1;
    seen /= side;
    from /= side;
  }
  return name;
}

bool Naming::follows(Group group) const {
  return group != Group::none && (group == Group::rotate ? kind_ == Kind::rotate : kind_ == Kind::exclusive);
}

std::string_view to_string(BlockKind kind) {
  return kind == BlockKind::pair ? "pair" : kind == BlockKind::owner ? "owner" : "plain";
}

std::int64_t block_name(const Naming& naming, const BlockNames& blocks, Slot block, Rank ranks, Rank from) {
  switch (blocks.kind) {
    case BlockKind::pair:
      return naming.name(block / ranks, from) * naming.names() + naming.name(block % ranks, from);
    case BlockKind::owner:
      return naming.name(block, from);
    case BlockKind::plain:
      break;
  }
  return block;
}

}  // namespace quadrille::report
