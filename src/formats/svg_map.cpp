#include "formats/svg_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "formats/svg_text.hpp"
#include "formats/xml.hpp"

namespace quadrille::formats {

namespace {

constexpr double cell_height = 36, top = 66;
constexpr std::size_t alphabet = 26;
constexpr std::array<std::string_view, 8> fills{"#cfe3f5", "#ffd9c2", "#cdebdd", "#ecd6ea",
                                                "#f3e6b8", "#dde1e6", "#f7cdd6", "#d9ecc4"};

/// "A", ..., "Z", "A2", ...
std::string letter(std::size_t kind) {
  const auto round = kind / alphabet;
  const char first = static_cast<char>('A' + kind % alphabet);
  return round == 0 ? std::string(1, first) : fmt::format("{}{}", first, round + 1);
}

class MapDrawing {
 public:
  explicit MapDrawing(const CellMap& map) : map_(map) {
    for (const CellMap::Row& row : map.rows) left_ = std::max(left_, text_width(row.name) + 26);
    const double columns = static_cast<double>(std::max<std::size_t>(map.columns.size(), 1));
    wide_ = std::clamp((760 - left_ - 24) / columns, 38.0, 120.0);
    width_ = std::max({left_ + wide_ * columns + 24, 380.0, text_width(map.title) * 1.35 + left_ + 24,
                       text_width(map.subtitle) + left_ + 24});
    bottom_ = top + cell_height * static_cast<double>(map.rows.size());
    height_ = bottom_ + 62 + 18 * static_cast<double>(map.kinds.size());
  }

  std::string text() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222222\">\n",
        width_, height_);
    add("<title>{}</title>\n<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n", xml_escaped(map_.title),
        width_, height_);
    write(left_, 26, map_.title, "font-size=\"16\" font-weight=\"bold\"");
    write(left_, 45, map_.subtitle, "fill=\"#555555\"");
    for (std::size_t i = 0; i < map_.rows.size(); ++i) row(map_.rows[i], top + cell_height * static_cast<double>(i));
    axis();
    key();
    add("</svg>\n");
    return std::move(out_);
  }

 private:
  template <class... T>
  void add(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }
  void write(double x, double y, std::string_view text, std::string_view attributes) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, xml_escaped(text));
  }
  void box(double x, double y, double width, double height, std::size_t kind) {
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#ffffff\"/>\n", x, y,
        width, height, fills[kind % fills.size()]);
  }

  void row(const CellMap::Row& row, double y) {
    write(left_ - 8, y + cell_height / 2 + 4, row.name, "text-anchor=\"end\"");
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      if (!row.cells[c]) continue;
      const double x = left_ + wide_ * static_cast<double>(c);
      box(x, y, wide_, cell_height, row.cells[c]->kind);
      write(x + wide_ / 2, y + 15, letter(row.cells[c]->kind), "text-anchor=\"middle\" font-weight=\"bold\"");
      write(x + wide_ / 2, y + 30, row.cells[c]->text, "text-anchor=\"middle\" font-size=\"11\"");
    }
  }

  void axis() {
    double free = 0;
    for (std::size_t c = 0; c < map_.columns.size(); ++c) {
      const double middle = left_ + wide_ * (static_cast<double>(c) + 0.5), half = text_width(map_.columns[c]) / 2;
      if (middle - half < free) continue;
      write(middle, bottom_ + 16, map_.columns[c], "text-anchor=\"middle\"");
      free = middle + half + 6;
    }
    write(left_ + wide_ * static_cast<double>(map_.columns.size()) / 2, bottom_ + 34, map_.x,
          "text-anchor=\"middle\" fill=\"#555555\"");
  }

  void key() {
    for (std::size_t i = 0; i < map_.kinds.size(); ++i) {
      const double y = bottom_ + 44 + 18 * static_cast<double>(i);
      box(left_, y, 22, 16, i);
      write(left_ + 11, y + 12, letter(i), "text-anchor=\"middle\" font-weight=\"bold\"");
      write(left_ + 30, y + 12, map_.kinds[i], "");
    }
  }

  const CellMap& map_;
  double left_ = 60, wide_ = 40, width_ = 0, height_ = 0, bottom_ = 0;
  std::string out_;
};

}  // namespace

std::string svg(const CellMap& map) { return MapDrawing(map).text(); }

}  // namespace quadrille::formats
