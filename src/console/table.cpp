#include "console/table.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace quadrille::console {

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool pads_right = columns_[i].align == left && i + 1 < cells.size();
    text += "  ";
    if (columns_[i].align == right)
      text += fmt::format("{:>{}}", cells[i], widths[i]);
    else
      text += pads_right ? fmt::format("{:<{}}", cells[i], widths[i])
                         : wrapped(cells[i], text.size(), std::max(line_width, text.size() + 32));
  }
  return text;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = columns_[i].heading.size();
    for (const auto& row : rows_) width = std::max(width, row[i].size());
    widths.push_back(width);
  }
  return widths;
}

void Table::fit(std::size_t most_wanted) {
  constexpr std::size_t longest = 48, at_least = 24;
  const auto wide = [&] {
    std::vector<std::size_t> widths = this->widths();
    if (widths.back() > longest) widths.back() = at_least;
    std::size_t all = 0;
    for (const std::size_t width : widths) all += width + 2;
    return all > line_width;
  };
  while (columns_.size() > most_wanted + 1 && wide()) {
    columns_.erase(columns_.end() - 2);
    for (auto& row : rows_) row.erase(row.end() - 2);
  }
}

void Table::print(Context& context) const {
  const std::vector<std::size_t> widths = this->widths();
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  context.print("{}\n", context.faint(line(headings, widths)));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const std::string text = line(rows_[r], widths);
    context.print("{}\n", r + 1 == strong_ ? context.bold(text) : text);
  }
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  for (const std::string_view word : base::split(text, ' ')) {
    if (column > indent && column + 1 + word.size() > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace quadrille::console
