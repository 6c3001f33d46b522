#include "validate/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace quadrille::validate {

namespace {

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

bool counts(const Row& row) {
  return row.predicted > 0 && row.bytes >= (row.collective == "alltoall" ? 16 : 64) * 1024;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::string csv_heading() {
  return "network,mpi,collective,bytes,way,chosen,predicted_s,measured_s,least_s,most_s,repetitions\n";
}

std::string to_csv(const Row& row) {
  const bool quotes = row.network.find(',') != std::string::npos;  // "xgft:2;4,2;1,1"
  return fmt::format("{},{},{},{},\"{}\",{},{:.9g},{:.9g},{:.9g},{:.9g},{}\n",
                     quotes ? fmt::format("\"{}\"", row.network) : row.network, row.mpi, row.collective, row.bytes,
                     row.way, row.chosen ? 1 : 0, row.predicted, row.measured, row.least, row.most, row.repetitions);
}

Row parse_csv(std::string_view text) {
  const std::size_t close = text.rfind('"'), open = close == 0 ? close : text.rfind('"', close - 1);
  const auto refuse = [&] {
    throw Error(Error::Kind::format,
                fmt::format("validation {}: not a line that this program wrote", base::quoted(text)));
  };
  if (close == std::string_view::npos || open == std::string_view::npos || open == close) refuse();
  // A network with commas in its name is in quotes, too.
  const std::size_t quoted = text.starts_with('"') ? text.find('"', 1) : 0;
  if (quoted >= open && quoted > 0) refuse();
  std::vector<std::string_view> front = base::split(text.substr(quoted, open - quoted), ',');
  if (quoted > 0) front.front() = text.substr(1, quoted - 1);
  std::string_view rest = text.substr(close + 1);
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
  const std::vector<std::string_view> back = base::split(rest, ',');
  if (front.size() != 5 || back.size() != 7) refuse();
  const auto number = [&](std::size_t i) { return base::parse_number(back[i], "validation"); };
  return {.network = std::string(front[0]),
          .mpi = std::string(front[1]),
          .collective = std::string(front[2]),
          .bytes = base::parse_integer(front[3], 0, Bytes{1} << 62, "validation: bytes"),
          .way = std::string(text.substr(open + 1, close - open - 1)),
          .predicted = number(2),
          .measured = number(3),
          .least = number(4),
          .most = number(5),
          .repetitions = static_cast<int>(base::parse_integer(back[6], 1, 1 << 30, "validation: repetitions")),
          .chosen = back[1] == "1"};
}

std::vector<Cell> cells(const std::vector<Row>& rows) {
  std::vector<Cell> all;
  for (const Row& row : rows) {
    auto cell = std::find_if(all.begin(), all.end(),
                             [&](const Cell& c) { return c.collective == row.collective && c.bytes == row.bytes; });
    if (cell == all.end()) cell = all.insert(all.end(), Cell{.collective = row.collective, .bytes = row.bytes});
    if (row.way == "native") {
      cell->native = &row;
      continue;
    }
    if (row.chosen) cell->choice = &row;
    if (cell->best == nullptr || row.measured < cell->best->measured) cell->best = &row;
  }
  std::erase_if(all, [](const Cell& c) { return c.native == nullptr || c.choice == nullptr; });
  return all;
}

Summary summarise(const std::vector<Row>& rows) {
  Summary summary;
  std::vector<double> errors, ratios, regrets;
  for (const Row& row : rows)
    if (counts(row)) errors.push_back(std::abs(row.error()));
  std::sort(errors.begin(), errors.end());
  summary.predictions = static_cast<int>(errors.size());
  summary.median_error = median(errors);
  if (!errors.empty()) summary.ninth_decile = errors[(errors.size() * 9 - 1) / 10];
  for (const Cell& cell : cells(rows)) {
    ratios.push_back(cell.ratio());
    regrets.push_back(cell.regret());
  }
  if (ratios.empty()) return summary;
  summary.least_ratio = *std::min_element(ratios.begin(), ratios.end());
  summary.mean_ratio = geometric_mean(ratios);
  summary.mean_regret = geometric_mean(regrets);
  return summary;
}

}  // namespace quadrille::validate
