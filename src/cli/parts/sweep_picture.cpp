#include "cli/parts/sweep_picture.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.hpp"
#include "console/picture.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

/// Times the best from which on a shade is darker; the first shade is of what nothing can be compared with.
constexpr std::array<double, 8> steps{0, 1.005, 1.1, 1.25, 1.5, 2, 3, 5};

/// The points of one network, by column; null where the sweep has none yet.
struct Line {
  std::string topology;
  std::vector<const SweepPoint*> cells;
};

class Map {
 public:
  Map(const std::vector<SweepPoint>& points, const std::vector<SweepFixed>& fixed, bool unicode,
      console::Context& context)
      : fixed_(fixed), unicode_(unicode), context_(context) {
    for (const SweepPoint& point : points) sizes_.push_back(point.rows.front()->bytes);
    std::sort(sizes_.begin(), sizes_.end());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    columns_ = std::min(sizes_.size(), console::most_columns);
    wide_ = std::min<std::size_t>(console::most_columns / columns_, 8);
    for (const SweepPoint& point : points) place(point);
    for (const Line& line : lines_) {
      name_ = std::max(name_, line.topology.size());
      for (const SweepPoint* point : line.cells)
        if (point != nullptr && point->best != nullptr) letter(point->best->algorithm);
    }
  }

  void print() {
    print_winners();
    print_leads();
    print_losses();
    context_.print("\n  {:<{}}  {}\n", "", name_, key());
  }

 private:
  void place(const SweepPoint& point) {
    const SweepRow& row = *point.rows.front();
    if (lines_.empty() || lines_.back().topology != row.topology)
      lines_.push_back({row.topology, std::vector<const SweepPoint*>(columns_)});
    const auto at = std::lower_bound(sizes_.begin(), sizes_.end(), row.bytes) - sizes_.begin();
    const SweepPoint*& cell = lines_.back().cells[static_cast<std::size_t>(at) * columns_ / sizes_.size()];
    if (cell == nullptr) cell = &point;  // of sizes that share a column the least
  }

  char letter(const std::string& algorithm) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const auto at = std::find(winners_.begin(), winners_.end(), algorithm);
    const auto i = static_cast<std::size_t>(at - winners_.begin());
    if (at == winners_.end()) winners_.push_back(algorithm);
    return i < letters.size() ? letters[i] : '?';
  }

  /// Sizes above the columns, as many as there is room for.
  void print_axis() {
    std::string text;
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::string size = base::format_bytes(sizes_[(c * sizes_.size() + columns_ - 1) / columns_]);
      if (!text.empty() && c * wide_ < text.size() + 1) continue;
      text.resize(c * wide_, ' ');
      text += size;
    }
    context_.print("  {:<{}}  {}\n", "", name_, text);
  }

  template <class Cell>
  void print_rows(const Cell& cell, const std::function<std::string(const Line&)>& beside) {
    print_axis();
    const std::size_t shown = std::min(lines_.size(), console::most_rows);
    for (std::size_t i = 0; i < shown; ++i) {
      std::string text;
      for (std::size_t c = 0; c < columns_; ++c) text += cell(lines_[i], c);
      context_.print("  {:<{}}  {}{}\n", lines_[i].topology, name_, text, beside(lines_[i]));
    }
    if (shown < lines_.size())
      context_.print("  and {}\n", console::some(static_cast<std::int64_t>(lines_.size() - shown), "more network"));
  }

  void print_winners() {
    context_.print("\nthe fastest\n");
    const auto same = [](const SweepPoint* a, const SweepPoint* b) {
      return a != nullptr && b != nullptr && a->best != nullptr && b->best != nullptr &&
             a->best->algorithm == b->best->algorithm;
    };
    print_rows(
        [&](const Line& line, std::size_t c) {
          const SweepPoint* here = line.cells[c];
          if (here == nullptr || here->best == nullptr) return std::string(wide_, ' ');
          const std::string_view rule = unicode_ ? "\u2500" : "-";
          std::string text(c > 0 && same(line.cells[c - 1], here) ? std::string(rule)
                                                                  : std::string(1, letter(here->best->algorithm)));
          for (std::size_t i = 1; i < wide_; ++i) text += rule;
          return text;
        },
        [](const Line&) { return std::string(); });
    for (std::size_t i = 0; i < winners_.size(); ++i)
      context_.print("  {:<{}}  {} {}\n", "", name_, letter(winners_[i]), winners_[i]);
  }

  std::string shade(std::optional<double> times) const {
    const auto level = times ? std::upper_bound(steps.begin(), steps.end(), *times) - steps.begin() : 0;
    std::string text;
    for (std::size_t i = 0; i < wide_; ++i) text += console::shades(unicode_)[static_cast<std::size_t>(level)];
    return text;
  }

  void print_leads() {
    context_.print("\nhow many times as long the second best algorithm takes\n");
    print_rows(
        [&](const Line& line, std::size_t c) {
          const SweepPoint* here = line.cells[c];
          if (here == nullptr || here->best == nullptr) return std::string(wide_, ' ');
          return shade(here->runner_up == nullptr ? std::nullopt : here->loss(here->runner_up->algorithm));
        },
        [](const Line&) { return std::string(); });
  }

  const SweepFixed* fixed(const Line& line) const {
    for (const SweepFixed& f : fixed_)
      if (f.topology == line.topology) return &f;
    return nullptr;
  }

  void print_losses() {
    context_.print("\nhow many times as long as the best one algorithm for all sizes takes\n");
    print_rows(
        [&](const Line& line, std::size_t c) {
          const SweepPoint* here = line.cells[c];
          if (here == nullptr || here->best == nullptr || fixed(line) == nullptr) return std::string(wide_, ' ');
          return shade(here->loss(fixed(line)->algorithm));
        },
        [&](const Line& line) {
          return fixed(line) == nullptr ? "none can run at every size" : "  " + fixed(line)->algorithm;
        });
  }

  std::string key() const {
    std::string text = console::shades(unicode_).front() + ": nothing else can run";
    for (std::size_t i = 0; i < steps.size(); ++i)
      text += fmt::format("  {}: {}", console::shades(unicode_)[i + 1],
                          i == 0   ? "as long"
                          : i == 1 ? "more"
                                   : fmt::format("{:g}", steps[i]));
    return text + " and more";
  }

  const std::vector<SweepFixed>& fixed_;
  bool unicode_;
  console::Context& context_;
  std::vector<Bytes> sizes_;
  std::size_t columns_ = 1, wide_ = 1, name_ = 0;
  std::vector<Line> lines_;
  std::vector<std::string> winners_;
};

}  // namespace

void print_sweep_map(const std::vector<SweepRow>& rows, bool unicode, console::Context& context) {
  const std::vector<SweepPoint> points = points_of(rows);
  if (points.empty()) return;
  const std::vector<SweepFixed> fixed = best_fixed(rows);
  Map(points, fixed, unicode, context).print();
}

}  // namespace quadrille::cli
