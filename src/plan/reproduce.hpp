// A paper's experiments worked again: its figures and tables from our own formulas and schedules, and its claims one by
// one with what it says, what we get, and why where the two differ.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/svg.hpp"
#include "quadrille/machine.hpp"

namespace quadrille {

struct Reproduction {
  /// A value for people, and the number behind it: seconds, bytes, a ratio or a count.
  struct Cell {
    std::string text;
    std::optional<double> value = {};
  };
  struct Column {
    std::string key;  ///< stable; ends in _s or _bytes for quantities
    std::string heading;
    bool number = false;  ///< cells have values
  };
  struct Table {
    std::string key, title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
  };
  struct Figure {
    std::string file;  ///< suggested name, ending in .svg
    Chart chart;
  };
  struct Claim {
    std::string key, text;
    std::string unit;  ///< of the values: "bytes", "s", "ratio"; empty for claims without a number
    Cell paper;
    std::vector<Cell> ours;  ///< one per reading; an empty text where the reading has nothing to say
    bool holds = false;      ///< in the first reading; numbers to 10 %
    std::string why;         ///< what to know about it; never empty when it does not hold
  };
  /// One way to take what the paper leaves open.
  struct Reading {
    std::string key, name, meaning;
  };

  std::string name, title, source;
  Machine machine;
  std::string about_readings;     ///< why there are several
  std::vector<Reading> readings;  ///< the first is ours
  std::vector<Table> tables;
  std::vector<Figure> figures;
  std::vector<Claim> claims;
  bool consistent = true;  ///< the schedules' counted prices equal the closed forms
};

struct Reproducible {
  std::string_view name, summary;
  Reproduction (*reproduce)();
};
const std::vector<Reproducible>& reproducibles();
/// Throws Error(argument) naming the known ones.
Reproduction reproduce(std::string_view name);

}  // namespace quadrille
