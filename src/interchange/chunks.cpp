#include "interchange/chunks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::interchange {

namespace {

constexpr char buffer_letters[] = {'i', 'o', 's'};

void check_chunk_size(std::string_view form, Bytes size, Bytes first) {
  if (size == first) return;
  throw Error(
      Error::Kind::illegal,
      fmt::format("{}: buffers are cut in equal chunks, and the schedule has pieces of {} and {} bytes; expected "
                  "a size that its pieces divide",
                  form, first, size));
}

bool follows(const Chunk& before, Slot count, const Chunk& next) {
  return before.buffer == next.buffer && before.at + count == next.at;
}

}  // namespace

ChunkPlaces::ChunkPlaces(const Written& w, std::string_view form)
    : w_(w), shape_(w.schedule.shape()), pieces_(shape_.cut.pieces()) {
  const Bytes size = shape_.cut.size(0);
  for (Slot piece = 0; piece < pieces_; ++piece) check_chunk_size(form, shape_.cut.size(piece), size);
  if (!shape_.offsets) return;
  for (Slot label = 0; label < shape_.out; ++label)
    check_chunk_size(form, shape_.block_offset(Buffer::out, label + 1) - shape_.block_offset(Buffer::out, label),
                     shape_.cut.bytes);
}

Chunk ChunkPlaces::of(Buffer buffer, Slot slot, Rank r) const {
  const Slot blocks = shape_.blocks(buffer), piece = slot / blocks;
  if (buffer == Buffer::tmp) return {'s', slot % blocks * pieces_ + piece};
  Slot block = w_.schedule.block(buffer, slot % blocks, piece);
  if (w_.spec.collective == Collective::reduce_scatter && buffer == Buffer::out) block -= r;  // its own block alone
  return {buffer_letters[static_cast<std::size_t>(buffer)], block * pieces_ + piece};
}

Slot ChunkPlaces::chunks(char buffer) const {
  const Collective c = w_.spec.collective;
  if (buffer == 's') return shape_.slots(Buffer::tmp);
  if (c == Collective::bcast) return pieces_;
  if (c == Collective::allgather && buffer == 'i') return pieces_;
  if (c == Collective::gather && buffer == 'i') return pieces_;
  if (c == Collective::scatter && buffer == 'o') return pieces_;
  if (c == Collective::reduce_scatter && buffer == 'o') return pieces_ * shape_.out / w_.spec.ranks();
  return shape_.blocks(buffer == 'i' ? Buffer::in : Buffer::out) * pieces_;
}

std::optional<ChunkRun> ChunkPlaces::own(Rank r) const {
  const Collective c = w_.spec.collective;
  if (c != Collective::alltoall && c != Collective::gather && c != Collective::scatter) return std::nullopt;
  if (c != Collective::alltoall && r != w_.spec.root) return std::nullopt;
  const Slot from = c == Collective::gather ? 0 : r, to = c == Collective::scatter ? 0 : r;
  return ChunkRun{.from = {'i', from * pieces_}, .to = {'o', to * pieces_}, .count = pieces_};
}

bool ChunkPlaces::joins(const ChunkRun& run, const ChunkRun& next, Slot most) {
  return run.count < most && run.incoming == next.incoming && run.again == next.again &&
         run.first + run.count == next.first && follows(run.from, run.count, next.from) &&
         follows(run.to, run.count, next.to) &&
         (run.incoming == Combine::Incoming::stored || follows(run.with, run.count, next.with));
}

std::vector<ChunkRun> ChunkPlaces::message(Round t, Rank r, Rank peer, Slot most) {
  std::vector<Chunk> from;
  for (const Transfer& x : collected_.one(w_.schedule, t, r, Kind::send, peer))
    for_each_slot(x.slots, [&](Slot slot) { from.push_back(of(x.buffer, slot, r)); });
  std::vector<ChunkRun> runs;
  std::size_t k = 0, before = 0;  // `before`: where the segment before began
  for (const Transfer& x : collected_.one(w_.schedule, t, peer, Kind::recv, r)) {
    if (x.combine.again) k = before;
    before = k;
    for (Slot i = 0; i < x.slots.size && k < from.size(); ++i, ++k) {
      const ChunkRun one{.from = from[k],
                         .to = of(x.buffer, x.slots[i], peer),
                         .with = x.combine.combines() ? of(x.combine.buffer, x.operand()[i], peer) : Chunk{},
                         .incoming = x.combine.incoming,
                         .first = static_cast<Slot>(k),
                         .again = x.combine.again};
      if (!runs.empty() && joins(runs.back(), one, most))
        ++runs.back().count;
      else
        runs.push_back(one);
    }
  }
  return runs;
}

std::vector<Rank> receivers_of(const std::vector<Transfer>& all) {
  std::vector<Rank> peers;
  for (const Transfer& x : all)
    if (x.kind == Kind::send && std::find(peers.begin(), peers.end(), x.peer) == peers.end()) peers.push_back(x.peer);
  return peers;
}

}  // namespace quadrille::interchange
