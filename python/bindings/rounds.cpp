#include "rounds.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

namespace quadrille::python {

namespace {

using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
constexpr Round most_rounds = Round{1} << 24;

[[noreturn]] void refuse(Round t, const std::string& why) {
  throw Error(Error::Kind::argument, "round " + std::to_string(t) + ": " + why);
}

Buffer buffer_of(const py::handle& given, Round t) {
  const auto name = given.cast<std::string>();
  if (name == "in") return Buffer::in;
  if (name == "out") return Buffer::out;
  if (name == "tmp") return Buffer::tmp;
  refuse(t, "buffer '" + name + "': expected 'in', 'out' or 'tmp'");
}

std::vector<Slot> slots_of(const py::handle& given) {
  if (py::isinstance<py::int_>(given)) return {given.cast<Slot>()};
  return given.cast<std::vector<Slot>>();
}

/// Calls use(place, length) for every stretch in which `follows` holds from each place to the next.
template <class Follows, class Use>
void each_stretch(std::size_t count, Follows follows, Use use) {
  for (std::size_t i = 0, next = 0; i < count; i = next) {
    next = i + 1;
    while (next < count && follows(next)) ++next;
    use(i, static_cast<Slot>(next - i));
  }
}

class Collector {
 public:
  Collector(const Spec& spec, Slot pieces, Slot scratch) {
    Shape& shape = table_.shape;
    shape = {
        .ranks = spec.ranks(), .tmp = scratch, .cut = {.bytes = spec.bytes, .parts = pieces, .unit = spec.element}};
    if (spec.demands) shape.cut.bytes = spec.demands->word;
    for (Rank r = 0; r < spec.ranks(); ++r) {
      shape.in = std::max(shape.in, blocks(spec, Buffer::in, r));
      shape.out = std::max(shape.out, blocks(spec, Buffer::out, r));
    }
    if (spec.sources) shape.offsets = {spec.sources, &spec.sources->offset};
    if (spec.offsets) shape.offsets = spec.offsets;
    table_.ranks.resize(static_cast<std::size_t>(spec.ranks()));
  }

  void add_round(const py::handle& round) {
    if (table_.shape.rounds == most_rounds) refuse(most_rounds, "more rounds than 2^24; does the generator end?");
    try {
      if (py::hasattr(round, "__array_interface__"))  // without numpy there is none, and nothing loads it
        add_rows(whole_numbers(round));
      else
        for (const py::handle message : py::cast<py::iterable>(round)) add_message(py::cast<py::sequence>(message));
    } catch (const py::builtin_exception&) {  // of another type than expected; what the generator raises is not one
      refuse(now(), "expected messages (source, target, slots) of whole numbers, or quadrille.Message");
    }
    ++table_.shape.rounds;
  }
  schedule::Table take() { return schedule::checked(std::move(table_)); }

 private:
  struct Ends {
    std::vector<Slot> from, to;
    Buffer source, arrival;
    Combine combine = {};
    std::vector<Slot> with = {};
  };

  Round now() const { return table_.shape.rounds; }

  Numbers whole_numbers(const py::handle& round) const {
    const auto array = py::array::ensure(round);
    if (!array || (array.dtype().kind() != 'i' && array.dtype().kind() != 'u'))
      refuse(now(), "an array of other things; expected whole numbers");
    return Numbers::ensure(array);
  }

  std::vector<Transfer>& of(Rank r) {
    if (r < 0 || r >= table_.shape.ranks)
      refuse(now(),
             "rank " + std::to_string(r) + " does not exist; expected 0 to " + std::to_string(table_.shape.ranks - 1));
    std::vector<schedule::Entry>& entries = table_.ranks[static_cast<std::size_t>(r)];
    if (entries.empty() || entries.back().round != now()) entries.push_back({now(), {}});
    return entries.back().transfers;
  }

  void add(Rank source, Rank target, const Ends& ends) {
    std::vector<Transfer>& sends = of(source);
    const auto next_to = [](const std::vector<Slot>& slots) {
      return [&slots](std::size_t i) { return slots[i] == slots[i - 1] + 1; };
    };
    each_stretch(ends.from.size(), next_to(ends.from), [&](std::size_t i, Slot length) {
      sends.push_back({Kind::send, ends.source, target, contiguous(ends.from[i], length), {}});
    });
    std::vector<Transfer>& receives = of(target);
    const bool combines = ends.combine.combines();
    const auto follows = [&](std::size_t i) {
      return ends.to[i] == ends.to[i - 1] + 1 && (!combines || ends.with[i] == ends.with[i - 1] + 1);
    };
    each_stretch(ends.to.size(), follows, [&](std::size_t i, Slot length) {
      Combine combine = ends.combine;
      if (combines) combine.with = ends.with[i];
      receives.push_back({Kind::recv, ends.arrival, source, contiguous(ends.to[i], length), combine});
    });
  }

  /// source, target, slots[, buffer, to, to_buffer, combine, operand, operand_buffer]
  void add_message(const py::sequence& message) {
    const std::size_t count = message.size();
    if (count < 3 || count > 9)
      refuse(now(), "a message of " + std::to_string(count) + " items; expected (source, target, slots) or a Message");
    const auto given = [&](std::size_t i) { return i < count && !message[i].is_none(); };
    Ends ends{.from = slots_of(message[2]), .to = {}, .source = Buffer::out, .arrival = Buffer::out};
    if (given(3)) ends.source = buffer_of(message[3], now());
    ends.to = given(4) ? slots_of(message[4]) : ends.from;
    ends.arrival = given(5) ? buffer_of(message[5], now()) : ends.source;
    if (ends.to.size() != ends.from.size())
      refuse(now(), std::to_string(ends.from.size()) + " slots are sent and " + std::to_string(ends.to.size()) +
                        " received; expected as many");
    if (given(6)) {
      const auto how = message[6].cast<std::string>();
      if (how != "left" && how != "right")
        refuse(now(), "combine '" + how + "': expected 'left' or 'right', the place of what comes in");
      ends.combine.incoming = how == "left" ? Combine::Incoming::left : Combine::Incoming::right;
      ends.with = given(7) ? slots_of(message[7]) : ends.to;
      ends.combine.buffer = given(8) ? buffer_of(message[8], now()) : Buffer::in;
      if (ends.with.size() != ends.to.size()) refuse(now(), "expected as many operands as slots that are received");
    }
    add(message[0].cast<Rank>(), message[1].cast<Rank>(), ends);
  }

  void add_rows(const Numbers& rows) {
    if (rows.ndim() != 2 || (rows.shape(1) != 3 && rows.shape(1) != 6))
      refuse(now(), "an array of another shape; expected (messages, 3) or (messages, 6)");
    const auto at = rows.unchecked<2>();
    const auto buffer = [&](std::int64_t number) {
      if (number < 0 || number > 2) refuse(now(), "buffer " + std::to_string(number) + "; expected IN, OUT or TMP");
      return static_cast<Buffer>(number);
    };
    const bool full = rows.shape(1) == 6;
    for (py::ssize_t i = 0; i < rows.shape(0); ++i)
      add(at(i, 0), at(i, 1),
          full ? Ends{{at(i, 3)}, {at(i, 5)}, buffer(at(i, 2)), buffer(at(i, 4))}
               : Ends{{at(i, 2)}, {at(i, 2)}, Buffer::out, Buffer::out});
  }

  schedule::Table table_;
};

}  // namespace

schedule::Table table_of_rounds(const Spec& spec, const py::iterable& rounds, Slot pieces, Slot scratch) {
  if (pieces < 1) throw Error(Error::Kind::argument, "pieces: expected at least 1");
  if (scratch < 0) throw Error(Error::Kind::argument, "scratch: expected at least 0 blocks");
  if (spec.topology->nodes() != spec.ranks())
    throw Error(Error::Kind::illegal,
                "on a shared memory schedules are for its node, too; expected a network of ranks");
  Collector collector(spec, pieces, scratch);
  for (const py::handle round : rounds) collector.add_round(round);
  return collector.take();
}

}  // namespace quadrille::python
