// Slices of TPU pods: meshes of chips, whose sides wrap round where they are long enough.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::tpu {

namespace {

/// What Cloud TPU's documents say of a generation. https://docs.cloud.google.com/tpu/docs/v4 and its neighbours.
struct Generation {
  std::string_view name, also;  ///< as accelerator types begin
  std::size_t sides;
  Rank cores;  ///< TensorCores of a chip, which accelerator types count
  Rank chips;  ///< of the largest slice
};
constexpr std::array<Generation, 4> generations{
    {{"v4", "v4", 3, 2, 4096}, {"v5p", "v5p", 3, 2, 6144}, {"v5e", "v5litepod", 2, 1, 256}, {"v6e", "v6e", 2, 1, 256}}};

/// Of a cube or larger each side wraps round, of smaller ones none; of flat ones each that is as long as a pod.
constexpr Rank cube_side = 4, pod_side = 16;

constexpr std::string_view flat_slices[] = {"1x1", "2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16"};
constexpr std::string_view small_slices[] = {"2x2x1", "2x2x2", "2x2x4", "2x4x4"};
/// What a number of chips means by itself.
constexpr std::string_view large_slices[] = {"4x4x4",  "4x4x8",   "4x8x8",    "8x8x8",
                                             "8x8x16", "8x16x16", "16x16x16", "16x16x24"};

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(Error::Kind::argument, fmt::format("topology tpu:{}: {}", base::quoted(text), why));
}

std::vector<Rank> sides_of(std::string_view shape, std::string_view text) {
  std::vector<Rank> sides;
  for (const std::string_view side : base::split(shape, 'x'))
    sides.push_back(base::parse_integer(side, 1, base::bit(12), fmt::format("sides of tpu:{}", base::quoted(text))));
  return sides;
}
Rank chips_of(const std::vector<Rank>& sides) {
  Rank chips = 1;
  for (const Rank side : sides) chips = std::min(chips * side, base::bit(30));
  return chips;
}

/// "v5p-512": the shape of so many cores.
std::string_view shape_of(const Generation& g, Rank cores, std::string_view text) {
  const auto has = [&](std::string_view shape) { return chips_of(sides_of(shape, text)) * g.cores == cores; };
  const auto among = [&](const auto& shapes) -> std::string_view {
    const auto found = std::find_if(std::begin(shapes), std::end(shapes), has);
    return found == std::end(shapes) ? std::string_view() : *found;
  };
  std::string_view shape = g.sides == 2 ? among(flat_slices) : among(small_slices);
  if (shape.empty() && g.sides == 3) shape = among(large_slices);
  if (shape.empty() || cores > g.chips * g.cores)
    refuse(text, fmt::format("no usual slice has {} {}; expected its sides, such as tpu:{}:{}", cores,
                             g.cores == 1 ? "chips" : "TensorCores", g.name, g.sides == 2 ? "4x8" : "4x4x8"));
  return shape;
}

void check_shape(const Generation& g, const std::vector<Rank>& sides, std::string_view text) {
  if (sides.size() != g.sides)
    refuse(text, fmt::format("slices of {} have {} sides; expected such as {}", g.name, g.sides,
                             g.sides == 2 ? "4x8" : "4x4x8"));
  std::vector<Rank> sorted = sides;
  std::sort(sorted.begin(), sorted.end());
  const auto is = [&](std::string_view shape) {
    std::vector<Rank> other = sides_of(shape, text);
    std::sort(other.begin(), other.end());
    return other == sorted;
  };
  if (g.sides == 2) {
    if (std::any_of(std::begin(flat_slices), std::end(flat_slices), is)) return;
    refuse(text,
           fmt::format("{} has no such slice; expected one of {}", g.name,
                       base::join(std::vector<std::string>(std::begin(flat_slices), std::end(flat_slices)), ", ")));
  }
  const bool cubes = std::all_of(sides.begin(), sides.end(), [](Rank side) { return side % cube_side == 0; });
  if (!cubes && std::none_of(std::begin(small_slices), std::end(small_slices), is))
    refuse(text,
           fmt::format("expected sides that are multiples of 4, or one of {}",
                       base::join(std::vector<std::string>(std::begin(small_slices), std::end(small_slices)), ", ")));
  if (chips_of(sides) > g.chips)
    refuse(text, fmt::format("{} chips; the largest slice of {} has {}", chips_of(sides), g.name, g.chips));
}

/// A grid of which only some sides wrap round.
TopologyPtr partly_wrapped(const std::vector<Rank>& sides, const std::vector<bool>& wraps, const std::string& name) {
  const Rank ranks = chips_of(sides);
  Network network{.vertices = ranks, .ranks = ranks};
  for (Rank r = 0; r < ranks; ++r) {
    Rank step = 1;
    for (std::size_t axis = sides.size(); axis-- > 0; step *= sides[axis]) {
      const Rank at = r / step % sides[axis];
      if (at + 1 < sides[axis])
        network.join(r, r + step);
      else if (wraps[axis] && sides[axis] > 2)
        network.join(r, r - at * step);
    }
  }
  return make_graph(std::move(network), {"tpu", "tpu:" + name, "a slice of a TPU pod"});
}

TopologyPtr make(std::string_view text) {
  const auto end = std::min(text.find_first_of(":-"), text.size());
  const std::string_view name = text.substr(0, end);
  const auto* const found = std::find_if(generations.begin(), generations.end(),
                                         [&](const Generation& g) { return g.name == name || g.also == name; });
  if (found == generations.end() || end + 1 >= text.size())
    refuse(text, "expected a generation and a size: tpu:v4:4x4x8, tpu:v5p-512, tpu:v5e:4x8 or tpu:v6e-64");
  std::string_view shape = text.substr(end + 1);
  if (shape.ends_with("_twisted"))
    refuse(text, "which links of a twisted slice go where is not documented; expected one that is not twisted");
  if (text[end] == '-')
    shape = shape_of(
        *found, base::parse_integer(shape, 1, base::bit(20), fmt::format("size of tpu:{}", base::quoted(text))), text);
  const std::vector<Rank> sides = sides_of(shape, text);
  check_shape(*found, sides, text);
  std::vector<bool> wraps;
  const bool cube = std::all_of(sides.begin(), sides.end(), [](Rank side) { return side >= cube_side; });
  for (const Rank side : sides) wraps.push_back(found->sides == 2 ? side == pod_side : cube);
  const auto wrapped = std::count(wraps.begin(), wraps.end(), true);
  if (wrapped > 0 && wrapped < std::ssize(wraps))
    return partly_wrapped(sides, wraps, fmt::format("{}:{}", found->name, shape));
  return parse_topology(fmt::format("{}:{}", wrapped > 0 ? "torus" : "mesh", shape));
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {
      {.name = "tpu",
       .form = "tpu:V:AxBxC",
       .summary =
           "a slice of V = v4, v5p, v5e or v6e by the sides in chips, or tpu:v5p-512 as accelerator types count it; "
           "the torus or mesh that it is",
       .make = make,
       .examples = {},
       .place = 450}};
}

}  // namespace quadrille::topology::tpu
