#include "report/measured.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "base/text.hpp"

namespace quadrille::report {

namespace {

constexpr std::size_t most_points = 10'000, most_bytes_of_times = std::size_t{1} << 22;

double positive(std::string_view text, const std::string& what) {
  const double value = base::parse_number(text, what);
  if (!(value > 0)) throw Error(Error::Kind::format, fmt::format("{}: expected a number above 0", what));
  return value;
}

}  // namespace

std::vector<Measurement> parse_measurements(std::string_view text, const std::string& where) {
  std::vector<Measurement> points;
  std::size_t number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    line = base::trimmed(line);
    if (line.empty() || line.front() == '#' || (number == 1 && line.starts_with("bytes"))) continue;
    const std::vector<std::string_view> cells = base::split(line, ',');
    const std::string at = fmt::format("{}: line {}", where, number);
    if (cells.size() < 2 || cells.size() > 3)
      throw Error(Error::Kind::format, fmt::format("{}: {}; expected bytes,seconds[,label]", at, base::quoted(line)));
    if (points.size() == most_points)
      throw Error(Error::Kind::argument, fmt::format("{}: at most {} points can be drawn", at, most_points));
    points.push_back({positive(base::trimmed(cells[0]), at + ": bytes"),
                      positive(base::trimmed(cells[1]), at + ": seconds"),
                      cells.size() > 2 ? std::string(base::trimmed(cells[2])) : std::string()});
  }
  return points;
}

std::vector<Measurement> read_measurements(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Error::Kind::argument, fmt::format("cannot read the measurements {}", base::quoted(path)));
  std::string text;
  for (char c; text.size() <= most_bytes_of_times && file.get(c);) text += c;
  if (text.size() > most_bytes_of_times)
    throw Error(Error::Kind::argument, fmt::format("measurements {}: more than 4 MiB", base::quoted(path)));
  return parse_measurements(text, base::quoted(path));
}

}  // namespace quadrille::report
