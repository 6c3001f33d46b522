// Maps as SVG: rows and columns of cells of a few kinds, each told by its letter as well as by its colour.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace quadrille::formats {

struct CellMap {
  struct Cell {
    std::size_t kind;  ///< index into kinds
    std::string text;  ///< a few characters under the letter
  };
  struct Row {
    std::string name;
    std::vector<std::optional<Cell>> cells;  ///< one a column; none: blank
  };
  std::string title, subtitle;
  std::string x;                     ///< what columns are: "block size"
  std::vector<std::string> columns;  ///< written below as far as there is room
  std::vector<Row> rows;
  std::vector<std::string> kinds;  ///< told below the map
};

std::string svg(const CellMap& map);

}  // namespace quadrille::formats
