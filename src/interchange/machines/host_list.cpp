// Lists of names as SLURM writes them: n[00-03,7],m1.
#include <fmt/format.h>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::size_t most_names = std::size_t{1} << 20;

class HostList {
 public:
  HostList(std::string_view text, std::string_view file, std::int64_t line) : text_(text), file_(file), line_(line) {}

  std::vector<std::string> names() {
    for (const std::string_view item : items()) add_item(item);
    return std::move(all_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    refuse_line(file_, line_, fmt::format("list {}: {}", base::quoted(text_), why));
  }

  /// Parts between commas that stand in no brackets.
  std::vector<std::string_view> items() const {
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    bool inside = false;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      const char c = i < text_.size() ? text_[i] : ',';
      if (i == text_.size() && inside) refuse("a bracket that does not close; expected ]");
      if (c == '[' && inside) refuse("a bracket in a bracket");
      if (c == ']' && !inside) refuse("a ] without its [");
      inside = c == '[' || (inside && c != ']');
      if (c != ',' || inside) continue;
      parts.push_back(text_.substr(start, i - start));
      start = i + 1;
    }
    return parts;
  }

  /// The first bracket varies slowest.
  void add_item(std::string_view item) {
    if (item.empty()) refuse("a name is missing between commas");
    std::vector<std::string> made{""};
    while (!item.empty()) {
      const auto open = item.find('[');
      for (std::string& name : made) name += item.substr(0, open);
      if (open == std::string_view::npos) break;
      const auto close = item.find(']', open);
      std::vector<std::string> longer;
      const std::vector<std::string> numbers = range_list(item.substr(open + 1, close - open - 1));
      if (made.size() * numbers.size() + all_.size() > most_names) refuse("more than 2^20 names");
      for (const std::string& name : made)
        for (const std::string& number : numbers) longer.push_back(name + number);
      made = std::move(longer);
      item = item.substr(close + 1);
    }
    if (made.size() + all_.size() > most_names) refuse("more than 2^20 names");
    all_.insert(all_.end(), made.begin(), made.end());
  }

  std::vector<std::string> range_list(std::string_view text) const {
    std::vector<std::string> numbers;
    for (const std::string_view range : base::split(text, ',')) {
      const auto dash = range.find('-');
      const std::string_view low = range.substr(0, dash), high = dash == range.npos ? low : range.substr(dash + 1);
      const std::int64_t first = number(low), last = number(high);
      if (first > last) refuse(fmt::format("the range {} falls; expected the lower number first", base::quoted(range)));
      if (last - first >= static_cast<std::int64_t>(most_names)) refuse("more than 2^20 names");
      for (std::int64_t n = first; n <= last; ++n) numbers.push_back(fmt::format("{:0{}}", n, low.size()));
      if (numbers.size() > most_names) refuse("more than 2^20 names");
    }
    return numbers;
  }

  std::int64_t number(std::string_view text) const {
    if (text.empty() || text.size() > 15 || text.find_first_not_of("0123456789") != text.npos)
      refuse(fmt::format("{} is no number; expected ranges such as [00-07,9]", base::quoted(text)));
    return base::parse_integer(text, 0, std::int64_t{1} << 60, "number");
  }

  std::string_view text_, file_;
  std::int64_t line_;
  std::vector<std::string> all_;
};

}  // namespace

std::vector<std::string> parse_host_list(std::string_view text, std::string_view file, std::int64_t line) {
  return HostList(text, file, line).names();
}

}  // namespace quadrille::interchange
