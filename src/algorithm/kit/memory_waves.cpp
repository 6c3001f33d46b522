#include "algorithm/kit/memory_waves.hpp"

#include <algorithm>
#include <memory>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// One access, as the rank and as the memory see it.
void transfer(Steps& out, Rank memory, Rank self, Rank rank, bool writes,
              const std::function<void(const Copied&)>& copy) {
  const Rank peer = self == memory ? rank : memory;
  const Kind kind = (self == memory) == writes ? Kind::recv : Kind::send;
  if (!out.wants(kind, peer)) return;
  copy([&](Buffer buffer, const Slots& own, const Slots& stored) {
    out.add(self == memory ? Transfer{kind, Buffer::tmp, peer, stored} : Transfer{kind, buffer, peer, own});
  });
}

class Waves final : public Schedule {
 public:
  Waves(Rank ranks, std::int64_t at_once, Accesses writes, Accesses reads, const Shape& shape)
      : memory_(ranks), at_once_(at_once), writes_(std::move(writes)), reads_(std::move(reads)), shape_(shape) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Round write_waves = base::ceil_div(writes_.count, at_once_);
    const bool writing = t < write_waves;
    const Accesses& a = writing ? writes_ : reads_;
    const Rank first = (writing ? t : t - write_waves) * at_once_, end = std::min(first + at_once_, a.count);
    const auto access = [&](Rank rank) {
      transfer(out, memory_, r, rank, writing, [&](const Copied& copied) { a.copy(rank, copied); });
    };
    if (r == memory_)
      for (Rank i = first; i < end; ++i) access(a.rank(i));
    else if (const Rank i = a.index(r); i >= first && i < end)
      access(r);
  }

 private:
  Rank memory_;
  std::int64_t at_once_;
  Accesses writes_, reads_;
  Shape shape_;
};

class Streaming final : public Schedule {
 public:
  Streaming(const Spec& spec, std::int64_t at_once, AccessStream stream, const Shape& shape)
      : memory_(spec.ranks()), root_(spec.root), at_once_(at_once), stream_(std::move(stream)), shape_(shape) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (stream_.items == 0) return;
    const Rank from_root = r == memory_ ? 0 : base::wrap(r - root_, memory_);
    if (t == 0) {
      if (r == memory_ || r == root_) write(0, r, out);
      return;
    }
    const std::int64_t first = (t - 1) * at_once_, end = std::min(first + at_once_, stream_.accesses());
    const std::int64_t group = stream_.readers + 1;
    for (Slot item = first / group; item < stream_.items && item * group < end; ++item) {
      const std::int64_t start = item * group, lead = item + 1 < stream_.items ? 1 : 0;
      const auto now = [&](std::int64_t at) { return at >= first && at < end; };
      if (lead > 0 && now(start) && (r == memory_ || r == root_)) write(item + 1, r, out);
      const Rank readers = lead > 0 ? stream_.readers : stream_.last_readers;
      const auto place = [&](Rank i) { return start + lead + i; };
      if (r == memory_) {
        const Rank from = std::max<Rank>(0, first - place(0)), to = std::min(readers, end - place(0));
        for (Rank i = from; i < to; ++i) read(item, stream_.reader(item, i), r, out);
      } else if (r != root_) {
        if (const Rank i = stream_.place(item, from_root); i >= 0 && i < readers && now(place(i)))
          read(item, from_root, r, out);
      }
    }
  }

 private:
  void write(Slot item, Rank self, Steps& out) const {
    transfer(out, memory_, self, root_, true, [&](const Copied& copied) { stream_.write(item, copied); });
  }
  void read(Slot item, Rank reader, Rank self, Steps& out) const {
    transfer(out, memory_, self, (root_ + reader) % memory_, false,
             [&](const Copied& copied) { stream_.read(item, reader, copied); });
  }

  Rank memory_, root_;
  std::int64_t at_once_;
  AccessStream stream_;
  Shape shape_;
};

}  // namespace

Accesses by_all(Rank ranks, std::function<void(Rank, const Copied&)> copy) {
  const auto same = [](Rank r) { return r; };
  return {ranks, same, same, std::move(copy)};
}

Accesses by_others(Rank ranks, Rank but, std::function<void(Rank, const Copied&)> copy) {
  return {ranks - 1, [=](Rank i) { return (but + 1 + i) % ranks; },
          [=](Rank r) { return base::wrap(r - but - 1, ranks); }, std::move(copy)};
}

void copy_others(Buffer buffer, Slot own, Slot blocks, Slot memory, Slot stride, const Copied& copied) {
  const auto some = [&](Slot first, Slot count) {
    if (count > 0) copied(buffer, contiguous(first, count), {memory + first * stride, 1, stride, count});
  };
  some(0, own);
  some(own + 1, blocks - own - 1);
}

Rank waves_that_pack(Rank ranks, std::int64_t at_once) {
  if (ranks < 3) return 0;  // the first and the last rank leave an end out
  return base::ceil_div(ranks, at_once) - (at_once == 1 ? 1 : 0) - ((ranks - 1) % at_once == 0 ? 1 : 0);
}

SchedulePtr waves_schedule(const Spec& spec, const Machine& machine, Slot blocks_in_memory, Accesses writes,
                           Accesses reads) {
  Shape shape{.in = blocks(spec, Buffer::in, 0), .out = blocks(spec, Buffer::out, 0), .cut = {.bytes = spec.bytes}};
  if (spec.demands) shape = shape_of_words(spec);
  shape.ranks = spec.ranks();
  shape.rounds = base::ceil_div(writes.count, machine.shared) + base::ceil_div(reads.count, machine.shared);
  shape.tmp = blocks_in_memory;
  if (spec.sources) shape.offsets = {spec.sources, &spec.sources->offset};
  return std::make_shared<Waves>(spec.ranks(), machine.shared, std::move(writes), std::move(reads), shape);
}

Cost waves_cost(const Machine& machine, Rank writes, Bytes written, Rank reads, Bytes read) {
  const Round first = base::ceil_div(writes, machine.shared), second = base::ceil_div(reads, machine.shared);
  return neighbour_cost(first + second, base::checked_add(base::checked_multiply(first, written, "bytes written"),
                                                          base::checked_multiply(second, read, "bytes read"), "bytes"));
}

Round AccessStream::rounds(const Machine& machine) const {
  return items == 0 ? 0 : 1 + base::ceil_div(accesses(), at_once(machine));
}

SchedulePtr stream_schedule(const Spec& spec, const Machine& machine, AccessStream stream, const Shape& shape) {
  const std::int64_t at_once = stream.at_once(machine);
  return std::make_shared<Streaming>(spec, at_once, std::move(stream), shape);
}

}  // namespace quadrille::algorithm::kit
