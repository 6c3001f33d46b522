// Scales of a chart's axes: where a value is drawn, and which values get a tick.
#pragma once

#include <string>
#include <vector>

#include "formats/svg.hpp"

namespace quadrille::formats {

struct Tick {
  double value;
  std::string label;
};

/// A chart's axis laid out along an interval of pixels.
class SvgAxis {
 public:
  /// `values` decide the range where the axis does not; the axis ends at round values. `first` and `last` are where its
  /// low and high end are drawn; `most` is how many labels have room.
  SvgAxis(const Chart::Axis& axis, const std::vector<double>& values, double first, double last, int most);

  /// Whether the value has a place on the scale (which may be beyond the ends).
  bool drawable(double value) const;
  double pixel(double value) const;
  double low_pixel() const { return first_; }
  double high_pixel() const { return last_; }
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  double place(double value) const;  ///< linear in pixels
  void linear_ticks(const Chart::Axis& axis, int most);
  void log_ticks(const Chart::Axis& axis, int most);

  Chart::Scale scale_;
  double first_, last_, low_ = 0, high_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace quadrille::formats
