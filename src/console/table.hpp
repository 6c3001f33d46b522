// Aligned columns for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "console/command.hpp"

namespace quadrille::console {

/// Where text wraps.
constexpr std::size_t line_width = 80;

/// Rows of cells under a heading; every column as wide as its widest cell, two blanks between columns, two before the
/// first. The last column, when left-aligned, is wrapped instead of running past line_width.
class Table {
 public:
  enum Align { left, right };
  struct Column {
    std::string heading;
    Align align = left;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Makes the row added last stand out on a terminal.
  void emphasise() { strong_ = rows_.size(); }
  bool empty() const { return rows_.empty(); }
  /// Leaves out columns while rows are wider than line_width, but for the first `most_wanted` and the last; those on
  /// the right go first. A last column too wide for any choice runs past the line, so that figures before it stay.
  void fit(std::size_t most_wanted);
  void print(Context& context) const;

 private:
  std::vector<std::size_t> widths() const;
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t strong_ = 0;  ///< one more than the row's number; 0: none
};

/// Words of `text` in lines of at most `width` characters; all but the first start with `indent` blanks. The first is
/// taken to start at column `indent` already.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = line_width);

}  // namespace quadrille::console
