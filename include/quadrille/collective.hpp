// What is asked for: an operation, its ranks and sizes; who holds which block before and who must hold it after.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"
#include "quadrille/schedule.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// MPI's names where it has one; sendrecv is one-to-one, multibcast the s-to-p broadcast, transpose that of a square of
/// ranks with a block each. What each is, says its file in src/collective/kinds/; the papers' names are in describe().
enum class Collective { sendrecv, bcast, multibcast, allgather, scatter, gather, alltoall, transpose };

/// Who broadcasts in a multibcast, and how much.
struct Sources {
  std::vector<Rank> ranks;    ///< increasing
  std::vector<Bytes> offset;  ///< bytes of all sources before the i-th; one entry more than ranks, the last is the sum
  Slot count() const { return static_cast<Slot>(ranks.size()); }
  Bytes bytes(Slot i) const { return offset[static_cast<std::size_t>(i) + 1] - offset[static_cast<std::size_t>(i)]; }
  Slot find(Rank r) const;  ///< which source the rank is; -1: none
  Rank givers() const;      ///< sources that have bytes; the others send nothing
};
using SourcesPtr = std::shared_ptr<const Sources>;
/// Sources in any order; throws Error(argument) for none at all, one named twice or negative bytes.
SourcesPtr make_sources(std::vector<std::pair<Rank, Bytes>> sources);

struct Spec {
  Collective collective = Collective::alltoall;
  TopologyPtr topology;
  Bytes bytes = 0;   ///< one block: the whole message of sendrecv and bcast; what one rank contributes or receives per
                     ///< peer elsewhere; the largest block of a multibcast
  Rank root = 0;     ///< sendrecv: the source
  Rank target = -1;  ///< sendrecv only; -1: the rank farthest from the root (the first of them)
  SourcesPtr sources = {};  ///< multibcast only

  Rank ranks() const { return topology->ranks(); }
};

/// Fills in the default target and the bytes of a multibcast; throws Error(argument) for a root, target or source out
/// of range, negative bytes, ranks that form no square (transpose), or a volume that does not fit 62 bits.
Spec checked(Spec spec);

/// Block names. A block is what one rank has for another (alltoall: source * ranks + destination), for all
/// (allgather, gather, transpose: its owner), gets (scatter: its owner), the number of a source (multibcast) or 0
/// (sendrecv, bcast). Nodes that are no ranks, such as a shared memory, start and end with nothing.
constexpr Slot no_block = -1;
/// Blocks in a rank's buffer; 0: the rank has no such buffer.
Slot blocks(const Spec& spec, Buffer buffer, Rank r);
/// Bytes of a rank's buffer, and where in it block `index` starts.
Bytes buffer_bytes(const Spec& spec, Buffer buffer, Rank r);
Bytes block_offset(const Spec& spec, Slot index);
/// Whether a node may have scratch memory: any rank, but where there is a shared memory that alone.
bool has_scratch(const Spec& spec, Rank node);
/// The rank across the diagonal of the square of ranks, row by row.
Rank transposed(const Spec& spec, Rank r);
/// What rank r holds at `index` of its in or out buffer before the schedule starts. A rank's own block is in place in
/// `out` from the start: own blocks never move. [decision 2]
Slot held_before(const Spec& spec, Buffer buffer, Rank r, Slot index);
/// What rank r must hold at `index` of out at the end; every index of out is wanted.
Slot wanted_after(const Spec& spec, Rank r, Slot index);
/// The name `block` gets when ranks are renamed by `by` under `group`.
Slot renamed_block(const Spec& spec, Group group, Slot block, Rank by);
/// "block 3->7", "block of rank 5", "the message".
std::string describe_block(const Spec& spec, Slot block);

/// "bcast ring:8 bytes=65536 root=3", "sendrecv mesh:3x4 bytes=1000 root=0 target=11", "multibcast ring:8 bytes=1024
/// sources=0,5:100": what wisdom files keep, and parse_spec reads back to the same question.
std::string to_text(const Spec& spec);
/// The same without the size, for questions of which only the size may vary.
std::string text_without_size(const Spec& spec);
/// Reads that back; also "allgather torus:8x8 64KiB", where the size needs no name and what has a default may be
/// missing: 1 KiB, root 0, the farthest target. Throws Error(argument or format) naming what would be accepted.
Spec parse_spec(std::string_view text);

bool has_root(Collective collective);
std::string_view to_string(Collective collective);
std::string_view describe(Collective collective);                  ///< one line, with the papers' names
std::optional<Collective> find_collective(std::string_view name);  ///< accepts the papers' names too
const std::vector<Collective>& collectives();

}  // namespace quadrille
