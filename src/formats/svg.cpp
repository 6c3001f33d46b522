#include "formats/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "formats/svg_axis.hpp"
#include "formats/svg_text.hpp"
#include "formats/xml.hpp"

namespace quadrille::formats {

namespace {

constexpr double line_height = 15, small = 12;
constexpr std::string_view ink = "#222222", grid_grey = "#e4e4e4", axis_grey = "#555555", band_colour = "#ffe08a";

/// Lines differ in their dashes first, then in colour (dark enough on white, and apart for the colour-blind).
struct Style {
  std::string_view dash, colour;
};
constexpr std::array<Style, 7> styles{{{"", "#0b5fa5"},
                                       {"9 4", "#b8420a"},
                                       {"2 3", "#00704f"},
                                       {"12 3 2 3", "#8f3a86"},
                                       {"5 2", "#6b5300"},
                                       {"16 3 5 3", "#333333"},
                                       {"7 2 2 2 2 2", "#a01030"}}};

Style style(std::size_t i) {
  return {styles[i % styles.size()].dash, styles[(i + i / styles.size()) % styles.size()].colour};
}

struct Point {
  double x, y;
};
struct Box {
  double left, top, right, bottom;
};

/// The part of a segment inside the box, by Liang and Barsky; false when there is none.
bool clip(const Box& box, Point& a, Point& b) {
  double from = 0, to = 1;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const auto cut = [&](double along, double room) {  // keep t with along * t <= room
    if (along == 0) return room >= 0;
    const double t = room / along;
    if (along < 0)
      from = std::max(from, t);
    else
      to = std::min(to, t);
    return from <= to;
  };
  if (!(cut(-dx, a.x - box.left) && cut(dx, box.right - a.x) && cut(-dy, a.y - box.top) && cut(dy, box.bottom - a.y)))
    return false;
  const Point start = a;
  if (to < 1) b = {start.x + to * dx, start.y + to * dy};
  if (from > 0) a = {start.x + from * dx, start.y + from * dy};
  return true;
}

/// Moves sorted centres apart so that neighbours keep `gap(i)` between i and i + 1, inside [low, high] as far as it
/// goes.
template <class Gap>
void spread(std::vector<double>& at, double low, double high, Gap gap) {
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::max(at[i], i == 0 ? low : at[i - 1] + gap(i - 1));
  for (std::size_t i = at.size(); i-- > 0;) at[i] = std::min(at[i], i + 1 == at.size() ? high : at[i + 1] - gap(i));
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        box_(plot_box(chart)),
        x_(chart.x, values(chart, true), box_.left, box_.right, static_cast<int>((box_.right - box_.left) / 70)),
        y_(chart.y, values(chart, false), box_.bottom, box_.top, static_cast<int>((box_.bottom - box_.top) / 45)) {}

  std::string text() {
    open();
    axes();
    for (const bool bands : {true, false}) {
      std::size_t i = 0;
      for (const Chart::Series& s : chart_.series)
        if (s.marks && !bands)
          marks(s);
        else if (!s.marks && s.band == bands)
          line(s, s.band ? Style{"", band_colour} : style(i++));
    }
    markers();
    labels();
    add("</svg>\n");
    return std::move(out_);
  }

 private:
  struct Label {
    Point end;
    std::string_view text, colour;
  };

  static Box plot_box(const Chart& chart) {
    double widest = 0;
    for (const Chart::Series& s : chart.series)  // those that leave at the top have their labels there
      if (!chart.y.high || s.points.empty() || s.points.back().second <= *chart.y.high)
        widest = std::max(widest, text_width(s.name));
    return {68, chart.subtitle.empty() ? 64.0 : 84.0, chart.width - std::clamp(widest + 22, 24.0, chart.width / 3.0),
            chart.height - 54.0};
  }
  static std::vector<double> values(const Chart& chart, bool x) {
    std::vector<double> all;
    for (const Chart::Series& s : chart.series)
      for (const auto& [a, b] : s.points) all.push_back(x ? a : b);
    return all;
  }

  template <class... T>
  void add(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }
  /// A length in pixels: two decimals, without trailing zeros or a negative zero.
  static std::string px(double v) {
    std::string s = fmt::format("{:.2f}", std::fabs(v) < 0.005 ? 0.0 : v);
    s.erase(s.find_last_not_of('0') + 1);
    if (s.back() == '.') s.pop_back();
    return s;
  }
  void write(Point at, std::string_view text, std::string_view attributes) {
    add("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", px(at.x), px(at.y), attributes, xml_escaped(text));
  }
  void stroke(Point a, Point b, std::string_view colour, std::string_view more = "") {
    add("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"{}/>\n", px(a.x), px(a.y), px(b.x), px(b.y), colour,
        more);
  }

  void open() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{2}\" fill=\"{3}\">\n",
        chart_.width, chart_.height, small, ink);
    add("<title>{}</title>\n<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", xml_escaped(chart_.title),
        chart_.width, chart_.height);
    write({box_.left, 26}, chart_.title, "font-size=\"16\" font-weight=\"bold\"");
    if (!chart_.subtitle.empty()) write({box_.left, 45}, chart_.subtitle, "fill=\"#555555\"");
  }

  void axes() {
    for (const Tick& t : x_.ticks()) {
      const double x = x_.pixel(t.value);
      stroke({x, box_.top}, {x, box_.bottom}, grid_grey);
      write({x, box_.bottom + 17}, t.label, "text-anchor=\"middle\"");
    }
    for (const Tick& t : y_.ticks()) {
      const double y = y_.pixel(t.value);
      stroke({box_.left, y}, {box_.right, y}, grid_grey);
      write({box_.left - 7, y + 4}, t.label, "text-anchor=\"end\"");
    }
    stroke({box_.left, box_.bottom}, {box_.right, box_.bottom}, axis_grey);
    stroke({box_.left, box_.top}, {box_.left, box_.bottom}, axis_grey);
    write({(box_.left + box_.right) / 2, box_.bottom + 40}, chart_.x.label, "text-anchor=\"middle\"");
    const double middle = (box_.top + box_.bottom) / 2;
    write({18, middle}, chart_.y.label,
          fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 18 {})\"", px(middle)));
  }

  /// Draws the visible parts of a series and notes where its label belongs: at the last visible point.
  void line(const Chart::Series& s, const Style& pen) {
    std::string path;
    std::optional<Point> last;
    for (std::size_t i = 1; i < s.points.size(); ++i) {
      const auto& [ax, ay] = s.points[i - 1];
      const auto& [bx, by] = s.points[i];
      if (!x_.drawable(ax) || !x_.drawable(bx) || !y_.drawable(ay) || !y_.drawable(by)) continue;
      Point a{x_.pixel(ax), y_.pixel(ay)}, b{x_.pixel(bx), y_.pixel(by)};
      if (!clip(box_, a, b)) continue;
      if (!last || last->x != a.x || last->y != a.y) path += fmt::format("M{} {}", px(a.x), px(a.y));
      path += fmt::format("L{} {}", px(b.x), px(b.y));
      last = b;
    }
    if (!last) return;
    add("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{}/>\n", path, pen.colour, s.band ? 9 : 2,
        pen.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", pen.dash),
        s.band ? " stroke-linejoin=\"round\"" : "");
    if (!s.name.empty()) labels_.push_back({*last, s.name, s.band ? ink : pen.colour});
  }

  /// Crosses at the points that can be seen; the last has the label.
  void marks(const Chart::Series& s) {
    std::string path;
    std::optional<Point> last;
    for (const auto& [x, y] : s.points) {
      if (!x_.drawable(x) || !y_.drawable(y)) continue;
      const Point at{x_.pixel(x), y_.pixel(y)};
      if (at.x < box_.left || at.x > box_.right || at.y < box_.top || at.y > box_.bottom) continue;
      path += fmt::format("M{} {}l8 8m0-8l-8 8", px(at.x - 4), px(at.y - 4));
      last = at;
    }
    if (!last) return;
    add("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, ink);
    if (!s.name.empty()) labels_.push_back({*last, s.name, ink});
  }

  /// Labels stand at the foot of their lines, in as many rows as they need.
  void markers() {
    std::vector<double> row_ends;
    std::vector<const Chart::Marker*> sorted;
    for (const Chart::Marker& m : chart_.markers)
      if (x_.drawable(m.x) && x_.pixel(m.x) >= box_.left && x_.pixel(m.x) <= box_.right) sorted.push_back(&m);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->x < b->x; });
    for (const Chart::Marker* m : sorted)
      stroke({x_.pixel(m->x), box_.top}, {x_.pixel(m->x), box_.bottom}, axis_grey, " stroke-dasharray=\"1 3\"");
    for (const Chart::Marker* m : sorted) {
      const double width = text_width(m->label);
      const double x = std::min(x_.pixel(m->x) + 4, std::max(box_.left, box_.right - width));
      std::size_t row = 0;
      while (row < row_ends.size() && row_ends[row] > x) ++row;
      if (row == row_ends.size()) row_ends.push_back(0);
      row_ends[row] = x + width;
      write({x, box_.bottom - 8 - line_height * static_cast<double>(row)}, m->label,
            "paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\"");
    }
  }

  void labels() {
    std::vector<Label> above, right;
    for (const Label& label : labels_) (label.end.y <= box_.top + 0.5 ? above : right).push_back(label);
    std::stable_sort(above.begin(), above.end(), [](const Label& a, const Label& b) { return a.end.x < b.end.x; });
    std::stable_sort(right.begin(), right.end(), [](const Label& a, const Label& b) { return a.end.y < b.end.y; });
    std::vector<double> at;
    for (const Label& l : above) at.push_back(l.end.x);
    spread(at, box_.left, box_.right,
           [&](std::size_t i) { return (text_width(above[i].text) + text_width(above[i + 1].text)) / 2 + 6; });
    for (std::size_t i = 0; i < above.size(); ++i) {
      stroke(above[i].end, {at[i], box_.top - 5}, above[i].colour);
      name({at[i], box_.top - 9}, above[i], "middle");
    }
    at.clear();
    for (const Label& l : right) at.push_back(l.end.y);
    spread(at, box_.top + 4, box_.bottom, [](std::size_t) { return line_height; });
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double x = right[i].end.x;
      if (std::fabs(at[i] - right[i].end.y) > 2) stroke({x + 1, right[i].end.y}, {x + 9, at[i]}, right[i].colour);
      name({x + 11, at[i] + 4}, right[i], "start");
    }
  }
  void name(Point at, const Label& label, std::string_view anchor) {
    write(at, label.text,
          fmt::format("text-anchor=\"{}\" font-weight=\"bold\" fill=\"{}\" paint-order=\"stroke\" stroke=\"#ffffff\" "
                      "stroke-width=\"3\"",
                      anchor, label.colour));
  }

  const Chart& chart_;
  Box box_;
  SvgAxis x_, y_;
  std::vector<Label> labels_;
  std::string out_;
};

}  // namespace

std::string svg(const Chart& chart) { return Drawing(chart).text(); }

}  // namespace quadrille::formats
