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
enum class Collective {
  sendrecv,
  bcast,
  multibcast,
  allgather,
  scatter,
  gather,
  alltoall,
  alltoallv,
  transpose,
  reduce,
  allreduce,
  reduce_scatter,
  scan,
  exscan,
  barrier
};

/// What is known of a reduction's operator besides that it is associative: whether its operands may change places.
enum class Operands : std::uint8_t { commutative, ordered };

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

/// What one rank has for another.
struct Demand {
  Rank from = 0, to = 0;
  Bytes bytes = 0;
  bool operator==(const Demand&) const = default;
};
/// Who has how much for whom, in an alltoallv. A schedule moves words, which it never cuts: every length is a whole
/// number of them, rounded up where the common divisor of all lengths is so small that there would be millions.
struct Demands {
  static constexpr std::size_t most_pairs = std::size_t{1} << 22;
  std::vector<Demand> pairs = {};  ///< by sender, then receiver; with bytes, and between different ranks
  Bytes word = 0;                  ///< 0: there are no pairs
  std::vector<Slot> first = {};  ///< words of all pairs before the i-th; one entry more than pairs, the last is the sum
  std::vector<Slot> arrives = {};          ///< words that the i-th pair's receiver takes from ranks before its sender
  std::vector<std::size_t> sent = {};      ///< pairs whose sender is before the rank; an entry more than ranks
  std::vector<std::size_t> received = {};  ///< the same of receivers, in `incoming`
  std::vector<std::size_t> incoming = {};  ///< pairs by receiver, then sender
  Slot words(std::size_t pair) const { return first[pair + 1] - first[pair]; }
  /// Words of the pair's sender for ranks before its receiver: where it begins in the sender's buffer.
  Slot leaves(std::size_t pair) const { return first[pair] - first[sent[static_cast<std::size_t>(pairs[pair].from)]]; }
  std::size_t find(Rank from, Rank to) const;  ///< which pair this is; as many as there are pairs: none
  Slot most_sent() const;                      ///< words of the rank that has most
  Slot most_received() const;
  Slot sent_words(Rank r) const;
  Slot received_words(Rank r) const;
};
using DemandsPtr = std::shared_ptr<const Demands>;
/// In any order; pairs without bytes and what a rank has for itself are left out. Throws Error(argument) for ranks out
/// of range, a pair named twice, negative bytes or more than 2^22 pairs.
DemandsPtr make_demands(Rank ranks, std::vector<Demand> pairs);

struct Spec {
  Collective collective = Collective::alltoall;
  TopologyPtr topology;
  Bytes bytes = 0;   ///< one block: the whole message of sendrecv and bcast; the whole vector of reduce, allreduce and
                     ///< scans; what one rank contributes or receives per peer elsewhere; the largest block of a
                     ///< multibcast, and of a reduce_scatter with blocks of unequal lengths; the most that one rank
                     ///< has for another in an alltoallv
  Rank root = 0;     ///< sendrecv: the source
  Rank target = -1;  ///< sendrecv only; -1: the rank farthest from the root (the first of them)
  SourcesPtr sources = {};  ///< multibcast only
  DemandsPtr demands = {};  ///< alltoallv only
  // Reductions only.
  Operands operands = Operands::commutative;
  Bytes element = 1;       ///< bytes that the operator takes as one: no cut divides them
  bool identical = true;   ///< allreduce: all ranks must end with the same bits, also where sums are rounded
  bool canonical = false;  ///< reduce, allreduce, reduce_scatter: the bits of one expression, whatever the algorithm
  std::shared_ptr<const std::vector<Bytes>> offsets = {};  ///< reduce_scatter: where blocks of unequal lengths start

  Rank ranks() const { return topology->ranks(); }
};

/// Fills in the default target and the bytes of a multibcast; throws Error(argument) for a root, target or source out
/// of range, negative bytes, ranks that form no square (transpose), or a volume that does not fit 62 bits.
Spec checked(Spec spec);

/// The same question on the network whose ways the schedule's messages take.
Spec on_ways_of(const Spec& spec, const Schedule& schedule);
/// The same question on a network whose schedules take its routes, also where they could choose ways.
Spec by_routes(const Spec& spec);

/// Block names. A block is what one rank has for another (alltoall: source * ranks + destination), for all
/// (allgather, gather, transpose: its owner), gets (scatter: its owner), the number of a source (multibcast) or of a
/// word (alltoallv), or 0 (sendrecv, bcast). Nodes that are no ranks, such as a shared memory, start and end with
/// nothing.
constexpr Slot no_block = -1;
/// Blocks in a rank's buffer; 0: the rank has no such buffer.
Slot blocks(const Spec& spec, Buffer buffer, Rank r);
/// Bytes of a rank's buffer, and where in it block `index` starts.
Bytes buffer_bytes(const Spec& spec, Buffer buffer, Rank r);
Bytes block_offset(const Spec& spec, Slot index);

/// Whether ranks contribute to results, which an operator makes of them: then `in` is a vector at every rank, the same
/// number of bytes at all, and a schedule numbers the blocks of `in` and `out` alike.
bool combines(const Spec& spec);
/// Whether a contribution may come into a result more than once: a barrier only asks who has entered.
bool idempotent(const Spec& spec);
/// Bytes of the vector that every rank contributes.
Bytes vector_bytes(const Spec& spec);
/// Ranks first .. end-1, whose contributions a result is made of.
struct Contributions {
  Rank first = 0, end = 0;
  bool none() const { return first == end; }
  bool operator==(const Contributions&) const = default;
};
/// What rank r must hold at the end at `label` of out, of as many labels as the schedule makes of the vector.
Contributions wanted_contributions(const Spec& spec, Rank r, Slot label);
/// Bytes of the vector before the rank's part of it in a buffer: a rank's `out` of a reduce_scatter holds its block
/// only.
Bytes buffer_start(const Spec& spec, Buffer buffer, Rank r);
/// Whether a node may have scratch memory: any rank, but where there is a shared memory that alone; in reductions ranks
/// may have some there, too, because the memory cannot combine.
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
