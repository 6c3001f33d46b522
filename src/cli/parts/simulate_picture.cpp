#include "cli/parts/simulate_picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "console/picture.hpp"
#include "console/words.hpp"
#include "topology/grid.hpp"

namespace quadrille::cli {

namespace {

/// Lines with names, equal ones in a row as one.
class Lines {
 public:
  explicit Lines(console::Context& context) : context_(context) {}
  ~Lines() { end(); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void add(std::string_view name, std::string text) {
    if (count_ > 0 && text == text_) return ++count_, void();
    end();
    context_.print("  {:<16} {}\n", name, text);
    text_ = std::move(text), count_ = 1;
  }
  /// What comes next is not compared with what was before.
  void end() {
    if (count_ > 1) context_.print("  and {} like it\n", console::some(count_ - 1, "line"));
    count_ = 0;
  }

 private:
  console::Context& context_;
  std::string text_;
  std::int64_t count_ = 0;
};

class Heat {
 public:
  Heat(const Audit& audit, bool unicode, console::Context& context)
      : audit_(audit), shades_(console::shades(unicode)), lines_(context) {}
  void end() { lines_.end(); }

  /// Cells share a character when there are more than fit; the busiest of them is shown.
  void row(std::string_view name, std::size_t cells, const std::function<Link(std::size_t)>& link) {
    const std::size_t columns = std::min(cells, console::most_columns);
    std::string text;
    for (std::size_t c = 0; c < columns; ++c) {
      double most = -1;
      for (std::size_t i = c * cells / columns; i < (c + 1) * cells / columns; ++i)
        if (const Link l = link(i); l >= 0) most = std::max(most, share(l));
      text += most < 0 ? " " : shade(most);
    }
    lines_.add(name, std::move(text));
  }

 private:
  double share(Link link) const {
    return audit_.links.empty() ? 0 : audit_.links[static_cast<std::size_t>(link)].busy / audit_.makespan;
  }
  const std::string& shade(double share) const {
    const auto top = shades_.size() - 1;
    if (share <= 0) return shades_.front();
    return shades_[std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(share * static_cast<double>(top))), 1,
                                           top)];
  }

  const Audit& audit_;
  const std::vector<std::string>& shades_;
  Lines lines_;
};

/// Rows of ranks along the last axis, one picture per axis and direction.
void grid_heat(const topology::Grid& grid, Heat& heat, console::Context& context) {
  const auto axes = static_cast<int>(grid.sides().size());
  const auto columns = static_cast<std::size_t>(grid.sides().back());
  const auto rows = static_cast<std::size_t>(grid.ranks()) / columns;
  for (int axis = 0; axis < axes; ++axis)
    for (const int sign : {1, -1}) {
      heat.end();
      context.print("  along axis {}, {}\n", axis, sign > 0 ? "up" : "down");
      for (std::size_t row = 0; row < std::min(rows, console::most_rows); ++row)
        heat.row(fmt::format("ranks {}..", row * columns), columns, [&](std::size_t column) {
          const auto r = static_cast<Rank>(row * columns + column);
          return grid.neighbour(r, axis, sign) < 0 ? Link{-1} : 2 * (r * axes + axis) + (sign > 0 ? 0 : 1);
        });
      heat.end();
      if (rows > console::most_rows) context.print("  and {} more rows\n", rows - console::most_rows);
    }
}

}  // namespace

void print_heat(const Audit& audit, const Topology& topology, bool unicode, console::Context& context) {
  if (audit.links.empty()) return context.print("\nno links to show: this network model has none\n");
  const std::vector<std::string>& all = console::shades(unicode);
  context.print("\nhow busy each link was: {} never, {} to {} up to all the time\n", all.front(), all[1], all.back());
  Heat heat(audit, unicode, context);
  const auto ranks = static_cast<std::size_t>(topology.ranks());
  if (topology.shared_medium())
    return heat.row("the medium", 1, [&](std::size_t) { return static_cast<Link>(audit.links.size()) - 1; });
  const Topology::Structure structure = topology.structure();
  if (structure.grid != nullptr) return grid_heat(*structure.grid, heat, context);
  if (structure.ring && ranks > 2) {
    heat.row("up from rank", ranks, [](std::size_t r) { return static_cast<Link>(2 * r); });
    return heat.row("down from rank", ranks, [](std::size_t r) { return static_cast<Link>(2 * r + 1); });
  }
  if (structure.cube > 0) {
    for (int d = 0; d < structure.cube; ++d)
      heat.row(fmt::format("dimension {}", d), ranks,
               [&](std::size_t r) { return static_cast<Link>(r) * structure.cube + d; });
    return;
  }
  const auto links = static_cast<std::size_t>(topology.links());
  const std::size_t rows = std::min(console::most_rows, (links + console::most_columns - 1) / console::most_columns);
  for (std::size_t row = 0; row < rows; ++row)
    heat.row(fmt::format("links {}..", row * links / rows), (row + 1) * links / rows - row * links / rows,
             [&](std::size_t i) { return static_cast<Link>(row * links / rows + i); });
}

void print_round_bars(const Audit& audit, bool unicode, console::Context& context) {
  if (audit.rounds.empty() || !(audit.makespan > 0)) return;
  context.print("\nfrom when to when rounds had messages under way\n");
  const std::size_t rows = std::min(audit.rounds.size(), console::most_rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row * audit.rounds.size() / rows, end = (row + 1) * audit.rounds.size() / rows;
    Seconds asked = audit.makespan, arrived = 0;
    std::int64_t messages = 0;
    for (std::size_t i = first; i < end; ++i) {
      asked = std::min(asked, audit.rounds[i].asked);
      arrived = std::max(arrived, audit.rounds[i].arrived);
      messages += audit.rounds[i].messages;
    }
    const auto column = [&](Seconds t) {
      return std::min(console::most_columns - 1,
                      static_cast<std::size_t>(t / audit.makespan * static_cast<double>(console::most_columns)));
    };
    std::string bar(column(asked), ' ');
    for (std::size_t c = column(asked); c <= column(arrived); ++c) bar += console::full.text(unicode);
    const std::string name = end - first == 1 ? fmt::format("round {}", audit.rounds[first].first)
                                              : fmt::format("from round {}", audit.rounds[first].first);
    const std::size_t shown = column(arrived) + 1;
    context.print("  {:<16} {}{} {}\n", name, bar, std::string(console::most_columns - shown, ' '),
                  console::some(messages, "message"));
  }
}

void print_rank_bars(const Audit& audit, bool unicode, console::Context& context) {
  if (audit.ranks.empty() || !(audit.makespan > 0)) return;
  context.print("\nwhat ranks did: {} had messages leaving, {} waited for others\n", console::full.text(unicode),
                console::light.text(unicode));
  const std::size_t ranks = audit.ranks.size(), rows = std::min(ranks, console::most_rows);
  Lines lines(context);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row * ranks / rows, end = (row + 1) * ranks / rows;
    Seconds sending = 0, waiting = 0;
    for (std::size_t i = first; i < end; ++i) sending += audit.ranks[i].sending, waiting += audit.ranks[i].waiting;
    const auto share = [&](Seconds sum) { return sum / static_cast<double>(end - first) / audit.makespan; };
    console::Bar bar(console::most_columns, 1, unicode);
    bar.add(share(sending), console::full);
    bar.add(share(waiting), console::light);
    const std::string name =
        end - first == 1 ? fmt::format("rank {}", first) : fmt::format("ranks {}-{}", first, end - 1);
    lines.add(name, fmt::format("{}{} {:.0f} % waiting", bar.text(), bar.rest(), 100 * share(waiting)));
  }
}

}  // namespace quadrille::cli
