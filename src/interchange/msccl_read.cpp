// MSCCL's XML, read: thread blocks become what ranks send and receive in rounds.
#include <fmt/format.h>

#include <algorithm>

#include "interchange/msccl_parse.hpp"

namespace quadrille::interchange {

namespace {

class MscclTable {
 public:
  explicit MscclTable(MscclText text) : text_(std::move(text)) {
    const Collective kind = text_.kind.collective;
    copied_ = text_.in_place && (kind == Collective::allreduce || kind == Collective::reduce_scatter);
    out_.form = "MSCCL's XML";
    out_.collective = kind;
    out_.ranks = text_.ranks;
    out_.table.barriers = text_.barriers;
  }

  ScheduleFile take() {
    make_table();
    return std::move(out_);
  }

 private:
  // Places: chunk c of a buffer of ours is block c / pieces, piece c % pieces.

  struct Place {
    Buffer buffer = Buffer::in;
    Slot chunk = 0;
    bool operator==(const Place&) const = default;
  };

  /// Where a chunk is here. Own blocks of an allgather, a gather and a broadcast are in place in `out`.
  Place place(Rank r, const Chunk& c) const {
    const auto at_own = [&](bool here) {
      return here ? Place{Buffer::out, c.at + r * text_.pieces} : Place{Buffer::in, c.at};
    };
    if (c.buffer == 't') return {Buffer::tmp, scratch_ + c.at};
    if (c.buffer == 's') return {Buffer::tmp, c.at};
    if (copied_) return {Buffer::tmp, most_scratch_ + c.at};
    const Collective kind = *out_.collective;
    if (c.buffer == 'i') {
      if (kind == Collective::bcast) return {Buffer::out, c.at};
      if (kind == Collective::gather) return at_own(r == text_.root);
      return at_own(kind == Collective::allgather);
    }
    return {Buffer::out, kind == Collective::reduce_scatter ? c.at + r * text_.pieces : c.at};
  }

  void check_chunks(const ReadStep& s, Rank r, const Chunk& c) const {
    const GpuChunks& have = text_.chunks[static_cast<std::size_t>(r)];
    const Slot chunks = c.buffer == 'i'   ? have.in
                        : c.buffer == 'o' ? have.out
                        : c.buffer == 's' ? have.scratch
                                          : text_.fresh;
    const Place p = place(r, c);
    const Slot here = p.buffer == Buffer::tmp ? chunks_in_tmp() : out_.table.shape.blocks(p.buffer) * text_.pieces;
    if (c.at + s.count > chunks || p.chunk + s.count > here)
      refuse_line(text_.file, s.line,
                  fmt::format("chunks {} to {} of buffer {}; gpu {} has {} that a {} uses", c.at, c.at + s.count - 1,
                              c.buffer, r, std::min(chunks, here), text_.kind.name));
  }
  Slot chunks_in_tmp() const { return out_.table.shape.tmp * text_.pieces; }

  void make_shape() {
    for (const GpuChunks& c : text_.chunks) most_scratch_ = std::max(most_scratch_, c.scratch);
    const Slot kept = copied_ ? text_.labels * text_.pieces : 0;
    scratch_ = most_scratch_ + kept;
    Shape& shape = out_.table.shape;
    const Collective kind = *out_.collective;
    shape.ranks = out_.ranks;
    shape.cut.parts = text_.pieces;
    shape.out = kind == Collective::scatter ? 1 : text_.labels;
    shape.in = kind == Collective::bcast || kind == Collective::allgather ? 0
               : kind == Collective::gather                               ? 1
                                                                          : text_.labels;
    shape.tmp = (scratch_ + text_.fresh + text_.pieces - 1) / text_.pieces;
    if (text_.mixes_pieces && kind != Collective::bcast) out_.mixed_scratch = scratch_ + text_.fresh;
  }

  void make_table() {
    make_shape();
    for (std::size_t r = 0; r < text_.blocks.size(); ++r)
      for (const ReadBlock& block : text_.blocks[r])
        for (const ReadStep& s : block.steps) check_places(s, static_cast<Rank>(r));
    check_order(text_.blocks, text_.file);
    if (!text_.says_rounds) give_rounds(text_.blocks, text_.file);
    add_transfers();
  }
  void check_places(const ReadStep& s, Rank r) const {
    if (s.nothing()) return;
    if (s.combines || !s.receives) check_chunks(s, r, s.from);
    if (s.receives || s.copies) check_chunks(s, r, s.to);
  }

  struct Part {
    Round round;
    std::int64_t channel;
    std::vector<Transfer> transfers;
  };

  void add_transfers() {
    Round rounds = 0;
    std::vector<std::vector<Part>> parts(text_.blocks.size());
    for (std::size_t r = 0; r < text_.blocks.size(); ++r)
      for (const ReadBlock& block : text_.blocks[r])
        for (const ReadStep& s : block.steps) add_parts(s, block, static_cast<Rank>(r), parts[r]);
    for (const std::vector<Part>& all : parts)
      for (const Part& p : all) rounds = std::max(rounds, p.round + 1);
    rounds = std::max(rounds, text_.rounds);
    if (copied_) add_copies(parts, rounds);
    out_.table.shape.rounds = rounds;
    out_.table.ranks.resize(parts.size());
    for (std::size_t r = 0; r < parts.size(); ++r) {
      std::stable_sort(parts[r].begin(), parts[r].end(), [](const Part& a, const Part& b) {
        return std::pair(a.round, a.channel) < std::pair(b.round, b.channel);
      });
      std::vector<schedule::Entry>& entries = out_.table.ranks[r];
      for (const Part& p : parts[r]) {
        if (entries.empty() || entries.back().round != p.round) entries.push_back({p.round, {}});
        for (const Transfer& x : p.transfers) add_transfer(x, entries.back().transfers);
      }
    }
    out_.table = schedule::checked(std::move(out_.table));
  }

  /// A step has few chunks: those of the next one may go on in the same block.
  void add_transfer(const Transfer& x, std::vector<Transfer>& list) const {
    const Slot blocks = out_.table.shape.blocks(x.buffer);
    const auto steps_by_blocks = [&](const Slots& s) { return s.size == 1 || (s.run == 1 && s.stride == blocks); };
    if (!list.empty() && !x.combine.combines() && blocks > 1) {
      Transfer& last = list.back();
      const bool follows = last.kind == x.kind && last.buffer == x.buffer && last.peer == x.peer &&
                           !last.combine.combines() && steps_by_blocks(last.slots) && steps_by_blocks(x.slots) &&
                           x.slots.first == last.slots.first + last.slots.size * blocks;
      if (follows) {
        last.slots = {last.slots.first, 1, blocks, last.slots.size + x.slots.size};
        return;
      }
    }
    list.push_back(x);
  }

  /// A reduction in place works on a copy, as contributions here stay what they are: one round more at each end.
  void add_copies(std::vector<std::vector<Part>>& parts, Round& rounds) const {
    const Slot all = text_.labels * text_.pieces;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto r = static_cast<Rank>(i);
      for (Part& p : parts[i]) ++p.round;
      parts[i].push_back({0, 0, {}});
      move_chunks(r, {Buffer::in, 0}, {Buffer::tmp, most_scratch_}, all, parts[i].back());
      const bool whole_vector = *out_.collective == Collective::allreduce;
      const Slot first = whole_vector ? 0 : r * text_.pieces;
      parts[i].push_back({rounds + 1, 0, {}});
      move_chunks(r, {Buffer::tmp, most_scratch_ + first}, {Buffer::out, first}, whole_vector ? all : text_.pieces,
                  parts[i].back());
    }
    rounds += 2;
  }
  void move_chunks(Rank r, Place from, Place to, Slot count, Part& part) const {
    for (Slot i = 0; i < count; ++i) {
      part.transfers.push_back({Kind::send, from.buffer, r, contiguous(slot({from.buffer, from.chunk + i}), 1), {}});
      part.transfers.push_back({Kind::recv, to.buffer, r, contiguous(slot({to.buffer, to.chunk + i}), 1), {}});
    }
  }

  /// Whether a chunk's place says nothing of its piece.
  bool is_mixed(const Place& p) const { return p.buffer == Buffer::tmp && out_.mixed_scratch > 0; }
  Slot slot(const Place& p) const {
    if (is_mixed(p)) return p.chunk;
    return p.chunk % text_.pieces * out_.table.shape.blocks(p.buffer) + p.chunk / text_.pieces;
  }

  /// Slots of chunks in a row, as few segments as there are runs.
  std::vector<Slots> segments(const Place& first, Slot count, Slot most) const {
    std::vector<Slots> all;
    const Slot blocks = out_.table.shape.blocks(first.buffer);
    for (Slot i = 0; i < count;) {
      const Place p{first.buffer, first.chunk + i};
      const bool row = text_.pieces == 1 || is_mixed(p);
      const Slot size = std::min(count - i, row ? most : std::min(most, text_.pieces - p.chunk % text_.pieces));
      all.push_back(row || size == 1 ? contiguous(slot(p), size) : Slots{slot(p), 1, blocks, size});
      i += size;
    }
    return all;
  }

  void add_parts(const ReadStep& s, const ReadBlock& block, Rank r, std::vector<Part>& parts) const {
    if (s.nothing() || is_in_place(s, r)) return;
    const Place to = place(r, s.to), from = place(r, s.from);
    if (s.receives || s.copies) {
      Part part{s.round, block.channel, {}};
      if (s.copies)
        for (const Slots& slots : segments(from, s.count, s.count))
          part.transfers.push_back({Kind::send, from.buffer, r, slots, {}});
      const Rank peer = s.copies ? r : block.recv;
      const Place operand = s.copies ? to : from;
      Slot done = 0;
      // Where the operand's chunks have another rhythm, one by one.
      for (const Slots& slots : segments(to, s.count, s.combines && operand != to && text_.pieces > 1 ? 1 : s.count)) {
        Transfer x{Kind::recv, to.buffer, peer, slots, {}};
        if (s.combines) x.combine = {s.incoming, false, operand.buffer, slot({operand.buffer, operand.chunk + done})};
        part.transfers.push_back(x);
        done += slots.size;
      }
      parts.push_back(std::move(part));
    }
    if (!s.sends) return;
    const Place source = s.receives ? to : from;
    Part part{s.receives ? s.send_round : s.round, block.channel, {}};
    for (const Slots& slots : segments(source, s.count, s.count))
      part.transfers.push_back({Kind::send, source.buffer, block.send, slots, {}});
    parts.push_back(std::move(part));
  }

  /// A copy of what is in place before the schedule begins.
  bool is_in_place(const ReadStep& s, Rank r) const {
    if (!s.copies || s.combines) return false;
    const Place from = place(r, s.from), to = place(r, s.to);
    if (from == to) return true;
    if (s.from.buffer != 'i' || s.to.buffer != 'o') return false;
    const Slot own = r * text_.pieces;
    if (out_.collective == Collective::alltoall)
      return s.from.at == s.to.at && s.from.at >= own && s.from.at + s.count <= own + text_.pieces;
    return out_.collective == Collective::scatter && r == text_.root && s.from.at == own + s.to.at;
  }

  MscclText text_;
  ScheduleFile out_;
  Slot most_scratch_ = 0, scratch_ = 0;
  bool copied_ = false;
};

}  // namespace

ScheduleFile read_msccl(const std::string& text, const std::string& name) {
  return MscclTable(parse_msccl(text, name)).take();
}

}  // namespace quadrille::interchange
