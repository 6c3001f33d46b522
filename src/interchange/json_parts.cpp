#include "interchange/json_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "collective/spec_json.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::int64_t version = 1;
constexpr Slot most_slots = Slot{1} << 40;
constexpr std::array<std::pair<Buffer, const char*>, 3> buffers{
    {{Buffer::in, "in"}, {Buffer::out, "out"}, {Buffer::tmp, "tmp"}}};

const char* name_of(Buffer buffer) { return buffers[static_cast<std::size_t>(buffer)].second; }

/// [3], [0, 4] or [0, 8, 2, 16]: what has its default at the end is left out.
std::string slots_text(const Slots& s) {
  if (s.size == 1) return fmt::format("[{}]", s.first);
  if (s.run >= s.size || s.stride == s.run) return fmt::format("[{}, {}]", s.first, s.size);
  return fmt::format("[{}, {}, {}, {}]", s.first, s.size, s.run, s.stride);
}

Json cut_json(const Cut& cut) {
  if (cut.edges) return {{"bytes", cut.bytes}, {"edges", *cut.edges}};
  if (cut.packet_bytes > 0) return {{"bytes", cut.bytes}, {"packet_bytes", cut.packet_bytes}};
  return {{"bytes", cut.bytes}, {"parts", cut.parts}, {"packets", cut.packets}};
}

Slots slots_from(const Json& json, const char* key) {
  const Json& list = base::member(json, key);
  const auto value = [&](std::size_t i, Slot low) {
    return base::whole_member(Json{{key, list[i]}}, key, low, most_slots);
  };
  if (!list.is_array() || (list.size() != 1 && list.size() != 2 && list.size() != 4))
    throw base::wrong_member(key, "[first], [first, size] or [first, size, run, stride] of slots");
  const Slot first = value(0, 0), size = list.size() > 1 ? value(1, 1) : 1;
  if (list.size() < 4) return contiguous(first, size);
  return {first, value(2, 1), value(3, 1), size};
}

/// The one buffer that an object names.
std::pair<Buffer, const char*> buffer_in(const Json& json) {
  const std::pair<Buffer, const char*>* found = nullptr;
  for (const auto& buffer : buffers)
    if (json.contains(buffer.second)) {
      if (found != nullptr) throw base::wrong_member(buffer.second, "one of in, out and tmp");
      found = &buffer;
    }
  if (found == nullptr) throw base::wrong_member("out", "slots of in, out or tmp");
  return *found;
}

Combine combine_from(const Json& json) {
  Combine combine;
  if (json.contains("again")) {
    if (!json.at("again").is_boolean()) throw base::wrong_member("again", "true or false");
    combine.again = json.at("again").get<bool>();
  }
  if (!json.contains("incoming")) return combine;
  const std::string side = base::text_member(json, "incoming");
  if (side != "left" && side != "right") throw base::wrong_member("incoming", "left or right");
  combine.incoming = side == "left" ? Combine::Incoming::left : Combine::Incoming::right;
  const Json& with = base::member(json, "with");
  if (!with.is_object()) throw base::wrong_member("with", R"(an object such as {"in": 3})");
  const auto [buffer, key] = buffer_in(with);
  combine.buffer = buffer;
  combine.with = base::whole_member(with, key, 0, most_slots);
  return combine;
}

std::vector<std::int64_t> whole_list(const Json& json, const char* key, std::int64_t high) {
  const Json& list = base::member(json, key);
  if (!list.is_array()) throw base::wrong_member(key, "a list of whole numbers");
  std::vector<std::int64_t> all;
  for (const Json& item : list) all.push_back(base::whole_member(Json{{key, item}}, key, 0, high));
  return all;
}

/// Increasing offsets from 0 to `end`, one more than there are parts.
std::shared_ptr<const std::vector<Bytes>> edges_from(const Json& json, const char* key, Bytes end) {
  std::vector<Bytes> edges = whole_list(json, key, std::int64_t{1} << 62);
  if (edges.size() < 2 || edges.front() != 0 || edges.back() != end || !std::is_sorted(edges.begin(), edges.end()))
    throw base::wrong_member(key, fmt::format("offsets that increase from 0 to {}", end));
  return std::make_shared<std::vector<Bytes>>(std::move(edges));
}

Cut cut_from(const Json& json, const Spec& spec) {
  const Json& members = base::member(json, "cut");
  Cut cut{.bytes = base::whole_member(members, "bytes", 0, std::int64_t{1} << 62)};
  cut.unit = spec.element;
  if (members.contains("edges")) {
    cut.edges = edges_from(members, "edges", cut.bytes);
  } else if (members.contains("packet_bytes")) {
    cut.packet_bytes = base::whole_member(members, "packet_bytes", 1, std::int64_t{1} << 62);
  } else {
    cut.parts = base::whole_member(members, "parts", 1, most_slots);
    cut.packets = base::whole_member(members, "packets", 1, most_slots / cut.parts);
  }
  return cut;
}

Shape shape_from(const Json& json, const Spec& spec) {
  Shape shape;
  shape.ranks = spec.ranks();
  shape.rounds = base::whole_member(json, "rounds", 0, most_rounds);
  shape.cut = cut_from(json, spec);
  const Json& blocks = base::member(json, "blocks");
  const Slot pieces = std::max<Slot>(1, shape.cut.pieces());
  shape.in = base::whole_member(blocks, "in", 0, most_slots / pieces);
  shape.out = base::whole_member(blocks, "out", 0, most_slots / pieces);
  shape.tmp = base::whole_member(blocks, "tmp", 0, most_slots / pieces);
  if (const Slot all = shape.in + shape.out + shape.tmp; all > most_places / pieces / shape.ranks)
    throw base::wrong_member("blocks", fmt::format("at most {} pieces in the blocks of all {} ranks together",
                                                   base::format_count(most_places), base::format_count(shape.ranks)));
  if (!json.contains("offsets")) return shape;
  const std::vector<Bytes> all = whole_list(json, "offsets", std::int64_t{1} << 62);
  if (static_cast<Slot>(all.size()) != shape.out + 1 || all.front() != 0 || !std::is_sorted(all.begin(), all.end()))
    throw base::wrong_member("offsets", "the start of every block of out, from 0, and the end of the last");
  shape.offsets = std::make_shared<std::vector<Bytes>>(all);
  return shape;
}

Spec spec_from(const Json& json) {
  Json spec = base::member(json, "spec");
  const Rank ranks = base::whole_member(spec, "ranks", 1, most_schedule_ranks);
  spec["topology"] = fmt::format("crossbar:{}", ranks);  // the file's own network may not be there, or be another
  return collective::spec_from_json(spec);
}

/// Whether offsets say more than that all blocks are alike.
bool differ(const Shape& shape) {
  if (!shape.offsets) return false;
  for (std::size_t i = 0; i < shape.offsets->size(); ++i)
    if ((*shape.offsets)[i] != static_cast<Bytes>(i) * shape.cut.bytes) return true;
  return false;
}

}  // namespace

std::string transfer_text(const Transfer& x) {
  std::string text = fmt::format(R"({{"{}": {}, "{}": {})", x.kind == Kind::send ? "send" : "recv", x.peer,
                                 name_of(x.buffer), slots_text(x.slots));
  if (x.combine.combines())
    text += fmt::format(R"(, "incoming": "{}", "with": {{"{}": {}}})",
                        x.combine.incoming == Combine::Incoming::left ? "left" : "right", name_of(x.combine.buffer),
                        x.combine.with);
  if (x.combine.again) text += R"(, "again": true)";
  return text + "}";
}

Transfer transfer_from_json(const Json& json) {
  if (!json.is_object() || json.contains("send") == json.contains("recv"))
    throw base::wrong_member("send", "an object with either send or recv");
  const bool sends = json.contains("send");
  Transfer x{sends ? Kind::send : Kind::recv,
             Buffer::in,
             base::whole_member(json, sends ? "send" : "recv", 0, most_schedule_ranks),
             {},
             {}};
  const auto [buffer, key] = buffer_in(json);
  x.buffer = buffer;
  x.slots = slots_from(json, key);
  if (sends && (json.contains("incoming") || json.contains("again")))
    throw base::wrong_member("send", "a receive where a message is combined");
  if (!sends) x.combine = combine_from(json);
  return x;
}

Json head_json(const Written& w) {
  const Shape& shape = w.schedule.shape();
  std::vector<Round> barriers;
  for (Round t = 0; t < shape.rounds; ++t)
    if (w.schedule.barrier(t)) barriers.push_back(t);
  Json json{{"quadrille_schedule", version}, {"spec", collective::to_json(w.spec)}};
  if (!w.choice.empty()) json["algorithm"] = w.choice;
  json["cut"] = cut_json(shape.cut);
  json["blocks"] = {{"in", shape.in}, {"out", shape.out}, {"tmp", shape.tmp}};
  if (differ(shape)) json["offsets"] = *shape.offsets;
  json["rounds"] = shape.rounds;
  if (!barriers.empty()) json["barriers"] = barriers;
  for (const auto& [buffer, key] : {std::pair(Buffer::in, "in_blocks"), {Buffer::out, "out_blocks"}})
    if (const schedule::BlockNames names = schedule::block_names(w.schedule, buffer); !names.empty()) json[key] = names;
  return json;
}

ScheduleFile head_from_json(const Json& json) {
  base::whole_member(json, "quadrille_schedule", version, version);
  ScheduleFile file{.form = "JSON of Quadrille", .spec = spec_from(json)};
  file.collective = file.spec->collective;
  file.ranks = file.spec->ranks();
  file.table.shape = shape_from(json, *file.spec);
  const Cut& cut = file.table.shape.cut;
  file.any_size = !file.spec->demands && cut.bytes == file.spec->bytes && !cut.edges && cut.packet_bytes == 0 &&
                  !file.table.shape.offsets;
  if (json.contains("barriers")) file.table.barriers = whole_list(json, "barriers", most_rounds);
  if (json.contains("in_blocks")) file.table.in = whole_list(json, "in_blocks", most_slots);
  if (json.contains("out_blocks")) file.table.out = whole_list(json, "out_blocks", most_slots);
  return file;
}

}  // namespace quadrille::interchange
