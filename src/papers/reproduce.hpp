// A paper's experiments worked again: its figures and tables from our own formulas and schedules, and its claims one by
// one with what it says, what we get, and why where the two differ.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/svg.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::papers {

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
    formats::Chart chart;
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
  std::string open;               ///< what the paper leaves open, to introduce the readings
  std::vector<Reading> readings;  ///< the first is ours
  std::vector<Table> tables;
  std::vector<Figure> figures;
  std::vector<Claim> claims;
  std::string counted;     ///< what is counted message by message, to say that it costs what the closed forms say
  bool consistent = true;  ///< the counted prices equal the closed forms
};

/// What a reader may choose: values as typed, by name.
using Values = std::map<std::string, std::string>;
struct Value {
  std::string name, form, meaning;  ///< "N", "WORDS", "words in all; default ..."
};

struct Reproducible {
  std::string_view name, summary;
  Reproduction (*reproduce)(const Values&);
  std::vector<Value> values = {};
};
const std::vector<Reproducible>& reproducibles();
/// Throws Error(argument) naming the known papers, or the values that this one takes.
Reproduction reproduce(std::string_view name, const Values& values = {});

}  // namespace quadrille::papers
