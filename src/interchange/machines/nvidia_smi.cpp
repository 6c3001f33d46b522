// The matrix that 'nvidia-smi topo -m' prints: which GPUs NVLinks join, and how near the others are.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::interchange {

namespace {

/// A GPU has no more NVLinks than these, so more than that to its peers go through NVSwitches.
constexpr std::int64_t most_nvlinks = 18;
constexpr std::size_t most_gpus = 1024;

/// How near two GPUs are where no NVLink joins them, the nearest first: the switch that joins such groups.
constexpr std::pair<std::string_view, std::string_view> nearness[] = {
    {"PIX", "pcie"}, {"PXB", "pcie"}, {"PHB", "numa"}, {"NODE", "numa"}, {"SYS", "sys"}};
constexpr std::string_view near_groups[] = {"pcie", "numa", "sys"};

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (auto at = line.find_first_not_of(" \t\r"); at != std::string_view::npos;) {
    const auto end = std::min(line.find_first_of(" \t\r", at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t\r", end);
  }
  return cells;
}

class SmiReader {
 public:
  SmiReader(const std::string& text, const std::string& file) : file_(file), network_(file) { read_rows(text); }

  ImportedNetwork read() {
    for (std::size_t i = 0; i < rows_.size(); ++i) network_.add_host(fmt::format("GPU{}", i), rows_[i].line);
    check_matrix();
    ImportedNetwork out{.form = "nvidia-smi topo -m"};
    const bool switched = has_switch();
    if (switched)
      join_by_switch();
    else
      join_directly();
    const bool all_joined = nvlinks_ == static_cast<std::int64_t>(rows_.size() * (rows_.size() - 1) / 2);
    if (!switched && !all_joined) join_by_bus();
    out.understood.push_back(network_.summary());
    if (switched)
      out.understood.push_back(
          fmt::format("{} NVLinks a GPU to all others are more than a GPU has: they go through "
                      "NVSwitches, written as one switch",
                      nvlink(0, 1)));
    out.left_out.push_back(
        "bandwidths, which the matrix does not have: a link's width is the number of its NVLinks; "
        "machine files price the kinds nvlink, pcie, numa and sys");
    if (others_) out.left_out.push_back("network cards, and what is behind the columns of GPUs");
    out.text = network_.take("nvidia-smi topo -m " + base::quoted(file_, 200));
    return out;
  }

 private:
  struct Row {
    std::vector<std::string> cells;
    std::int64_t line = 0;
  };

  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const { refuse_line(file_, line, why); }

  void read_rows(const std::string& text) {
    std::string_view rest = text;
    std::size_t gpus = 0;
    for (std::int64_t line = 1; !rest.empty(); ++line) {
      const auto end = rest.find('\n');
      const std::vector<std::string_view> cells = cells_of(rest.substr(0, std::min(end, rest.size())));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      if (cells.empty() || !cells[0].starts_with("GPU")) continue;
      if (gpus == 0) {
        while (gpus < cells.size() && cells[gpus] == fmt::format("GPU{}", gpus)) ++gpus;
        others_ = gpus < cells.size();
        if (gpus == 0 || gpus > most_gpus) refuse(line, "expected a head such as GPU0 GPU1, of at most 1024 GPUs");
        continue;
      }
      if (rows_.size() == gpus || cells[0] != fmt::format("GPU{}", rows_.size()))
        refuse(line, fmt::format("row {}; expected GPU{}", base::quoted(cells[0]), std::min(rows_.size(), gpus - 1)));
      if (cells.size() < gpus + 1) refuse(line, fmt::format("{} cells; expected {} at least", cells.size() - 1, gpus));
      rows_.push_back({{cells.begin() + 1, cells.begin() + 1 + static_cast<std::ptrdiff_t>(gpus)}, line});
    }
    if (gpus == 0 || rows_.size() != gpus)
      refuse(1, fmt::format("{} rows of GPUs; expected as many as the head has: {}", rows_.size(), gpus));
  }

  std::int64_t nvlink(std::size_t i, std::size_t j) const {
    const std::string& cell = rows_[i].cells[j];
    if (!cell.starts_with("NV")) return 0;
    try {
      return base::parse_integer(std::string_view(cell).substr(2), 1, 1 << 10, "NV");
    } catch (const Error& error) {
      refuse(rows_[i].line, error.what());
    }
  }

  /// Which of the groups the two are in together.
  std::size_t level(std::size_t i, std::size_t j) const {
    for (const auto& [cell, group] : nearness)
      if (rows_[i].cells[j] == cell)
        return static_cast<std::size_t>(std::find(std::begin(near_groups), std::end(near_groups), group) -
                                        std::begin(near_groups));
    refuse(rows_[i].line, fmt::format("cell {}; expected X, NV and a number, PIX, PXB, PHB, NODE or SYS",
                                      base::quoted(rows_[i].cells[j])));
  }

  void check_matrix() const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j < rows_.size(); ++j) {
        if (i == j && rows_[i].cells[j] != "X")
          refuse(rows_[i].line,
                 fmt::format("cell {} of GPU{} with itself; expected X", base::quoted(rows_[i].cells[j]), i));
        if (i == j) continue;
        if (nvlink(i, j) == 0) level(i, j);
        if (rows_[i].cells[j] != rows_[j].cells[i])
          refuse(rows_[i].line,
                 fmt::format("{} to GPU{}, and {} in line {}; expected the same both ways",
                             base::quoted(rows_[i].cells[j]), j, base::quoted(rows_[j].cells[i]), rows_[j].line));
      }
  }

  /// As many to every other GPU, and more in all than one GPU has.
  bool has_switch() const {
    if (rows_.size() < 3) return false;
    const std::int64_t links = nvlink(0, 1);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j < rows_.size(); ++j)
        if (i != j && nvlink(i, j) != links) return false;
    return links * static_cast<std::int64_t>(rows_.size() - 1) > most_nvlinks;
  }

  void join_by_switch() {
    network_.add_switch("nvswitch", rows_[0].line);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      network_.add_link(fmt::format("GPU{}", i), "nvswitch", fmt::format("{} kind=nvlink", nvlink(0, 1)));
  }

  void join_directly() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = i + 1; j < rows_.size(); ++j) {
        if (nvlink(i, j) == 0) continue;
        network_.add_link(fmt::format("GPU{}", i), fmt::format("GPU{}", j),
                          fmt::format("{} kind=nvlink", nvlink(i, j)));
        ++nvlinks_;
      }
  }

  /// GPUs that are near each other share a switch; groups of them the next one.
  void join_by_bus() {
    std::vector<std::size_t> group(rows_.size());
    std::iota(group.begin(), group.end(), 0);
    std::vector<std::string> top(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) top[i] = fmt::format("GPU{}", i);
    for (std::size_t at = 0; at < std::size(near_groups); ++at) {
      std::vector<std::size_t> joined = group;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t j = 0; j < rows_.size(); ++j)
          if (i != j && nvlink(i, j) == 0 && level(i, j) <= at) merge(joined, i, j);
      add_switches(near_groups[at], group, joined, top);
      group = joined;
    }
  }

  static void merge(std::vector<std::size_t>& group, std::size_t i, std::size_t j) {
    const std::size_t from = std::max(group[i], group[j]), to = std::min(group[i], group[j]);
    if (from != to) std::replace(group.begin(), group.end(), from, to);
  }

  void add_switches(std::string_view word, const std::vector<std::size_t>& before, const std::vector<std::size_t>& now,
                    std::vector<std::string>& top) {
    for (std::size_t g = 0; g < now.size(); ++g) {
      std::set<std::size_t> members;
      for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] == g) members.insert(before[i]);
      if (members.size() < 2) continue;
      const std::string name = fmt::format("{}{}", word, switches_++);
      network_.add_switch(name, rows_[g].line);
      for (const std::size_t m : members) network_.add_link(top[m], name, fmt::format("kind={}", word));
      top[g] = name;
    }
  }

  std::string file_;
  NetworkText network_;
  std::vector<Row> rows_;
  std::int64_t nvlinks_ = 0;
  int switches_ = 0;
  bool others_ = false;
};

}  // namespace

ImportedNetwork import_nvidia_smi(const std::string& text, const std::string& file) {
  return SmiReader(text, file).read();
}

}  // namespace quadrille::interchange
