#include "topology/hosts/node_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"

namespace quadrille::topology {

namespace {

constexpr std::size_t longest_listed = 255, listed_digits = 9;

/// Commas within brackets separate numbers, those outside nodes.
std::vector<std::string_view> entries_of(std::string_view list) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] == '[') inside = true;
    if (i < list.size() && list[i] == ']') inside = false;
    if (i < list.size() && (list[i] != ',' || inside)) continue;
    found.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return found;
}

class NodeList {
 public:
  NodeList(std::string_view list, const RefuseList& refuse) : list_(list), refuse_(refuse) {}

  std::vector<std::string> read() const {
    std::vector<std::string> all;
    for (const std::string_view entry : entries_of(list_))
      for (std::string& name : names(entry)) {
        check_name(name);
        all.push_back(std::move(name));
        check_count(all.size());
      }
    return all;
  }

 private:
  [[noreturn]] void refuse(const std::string& expected = "names of nodes such as n[01-03,07],login1") const {
    refuse_(expected);
    throw Error(Error::Kind::internal, "a list of nodes that nobody refused");
  }
  void check_count(std::size_t count) const {
    if (count > most_listed_nodes) refuse(fmt::format("{} nodes at most", most_listed_nodes));
  }
  void check_name(std::string_view name) const {
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
             c == '.';
    };
    if (name.empty() || name.size() > longest_listed || !std::all_of(name.begin(), name.end(), allowed)) refuse();
  }

  /// The names of "n[1-2]r[1-2]": every number of one bracket with every number of the next.
  std::vector<std::string> names(std::string_view entry) const {
    std::vector<std::string> all{""};
    while (!entry.empty()) {
      const auto bracket = std::min(entry.find('['), entry.size());
      for (std::string& name : all) name += entry.substr(0, bracket);
      entry.remove_prefix(bracket);
      if (entry.empty()) break;
      const auto end = entry.find(']');
      if (end == std::string_view::npos) refuse();
      const std::vector<std::string> some = numbers(entry.substr(1, end - 1));
      check_count(all.size() * some.size());
      std::vector<std::string> more;
      for (const std::string& name : all)
        for (const std::string& number : some) more.push_back(name + number);
      all = std::move(more);
      if (all.front().size() > longest_listed) refuse();
      entry.remove_prefix(end + 1);
    }
    return all;
  }

  /// "01-03,07" is 01, 02, 03, 07: as wide as they are written.
  std::vector<std::string> numbers(std::string_view runs) const {
    std::vector<std::string> all;
    for (const std::string_view run : base::split(runs, ',')) {
      const auto dash = run.find('-');
      const std::string_view begin = run.substr(0, dash);
      const std::int64_t first = number(begin);
      const std::int64_t last = dash == std::string_view::npos ? first : number(run.substr(dash + 1));
      if (last < first) refuse();
      check_count(all.size() + static_cast<std::size_t>(last - first) + 1);
      for (std::int64_t n = first; n <= last; ++n) all.push_back(fmt::format("{:0{}}", n, begin.size()));
    }
    return all;
  }

  std::int64_t number(std::string_view digits) const {
    if (digits.empty() || digits.size() > listed_digits || digits.find_first_not_of("0123456789") != digits.npos)
      refuse();
    return base::parse_integer(digits, 0, std::numeric_limits<std::int64_t>::max(), "number of a node");
  }

  std::string_view list_;
  const RefuseList& refuse_;
};

}  // namespace

bool is_node_list(std::string_view word) { return word.find('[') != std::string_view::npos; }

std::vector<std::string_view> list_entries(std::string_view list) { return entries_of(list); }

std::vector<std::string> node_list(std::string_view list, const RefuseList& refuse) {
  return NodeList(list, refuse).read();
}

std::string in_runs(const std::vector<Rank>& numbers) {
  std::vector<std::string> runs;
  for (std::size_t i = 0, end = 0; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    runs.push_back(end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]));
  }
  return base::join(runs, ",");
}

}  // namespace quadrille::topology
