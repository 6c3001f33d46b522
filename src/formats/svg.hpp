// Line charts as SVG: one self-contained, deterministic file that can be read without colour.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::formats {

/// Points that cannot be drawn (not finite; not positive on a log scale) are left out, and the line is broken there.
struct Chart {
  enum class Scale { linear, log10, log2 };
  struct Axis {
    std::string label;  ///< with its unit: "time, ms"
    Scale scale = Scale::linear;
    std::optional<double> low = {}, high = {};  ///< else from the points; lines are cut off at the ends
  };
  struct Series {
    std::string name;  ///< written where the line ends; empty: no label
    std::vector<std::pair<double, double>> points;
    bool band = false;   ///< wide and pale, under the lines: to point at parts of them
    bool marks = false;  ///< a cross at each point, and no line
  };
  struct Marker {
    double x;  ///< a vertical line
    std::string label;
  };
  std::string title, subtitle;
  Axis x, y;
  std::vector<Series> series;
  std::vector<Marker> markers;
  int width = 760, height = 470;  ///< pixels
};

std::string svg(const Chart& chart);

}  // namespace quadrille::formats
