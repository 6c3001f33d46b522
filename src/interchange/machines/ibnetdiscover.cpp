// What ibnetdiscover prints of an InfiniBand network: switches and adapters, port by port, with the rate of each link.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::interchange {

namespace {

struct IbNode {
  std::string guid, name;
  bool is_switch = false;
  std::int64_t line = 0;
};

struct IbPort {
  std::string guid;
  std::int64_t port = 0;
  bool operator==(const IbPort&) const = default;
  // Spelled out for libraries whose strings have no three-way comparison.
  bool operator<(const IbPort& other) const { return std::tie(guid, port) < std::tie(other.guid, other.port); }
};

struct IbLink {
  IbPort from, to;
  std::string rate;  ///< "4xHDR"
  std::int64_t line = 0;
};

/// Gigabits a second of a lane, after coding.
constexpr std::pair<std::string_view, std::string_view> lanes[] = {{"SDR", "2"},    {"DDR", "4"},     {"QDR", "8"},
                                                                   {"FDR10", "10"}, {"FDR", "13.64"}, {"EDR", "25"},
                                                                   {"HDR", "50"},   {"NDR", "100"},   {"XDR", "200"}};

class IbReader {
 public:
  IbReader(const std::string& text, const std::string& file) : text_(text), file_(file), network_(file) {}

  ImportedNetwork read() {
    std::string_view rest = text_;
    for (std::int64_t line = 1; !rest.empty(); ++line) {
      const auto end = rest.find('\n');
      statement(rest.substr(0, std::min(end, rest.size())), line);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    if (nodes_.empty()) refuse_line(file_, 1, "no node; expected lines such as Switch 36 \"S-0002c90200001234\"");
    make_nodes();
    make_links();
    ImportedNetwork out{.form = "ibnetdiscover"};
    out.understood.push_back(network_.summary());
    for (const auto& [rate, count] : rates_)
      out.understood.push_back(fmt::format("{} links of {}: {} each way", count, rate, capacity(rate, 0)));
    if (several_ > 0)
      out.understood.push_back(
          fmt::format("{} adapters beyond the first of their hosts: such a host has several links", several_));
    out.left_out.push_back(
        "latencies, which it does not print; routes, which the subnet manager sets: here they are "
        "shortest ones, balanced over links");
    network_.balance_routes();
    if (routers_ > 0) out.left_out.push_back(fmt::format("{} routers to other subnets", routers_));
    if (half_ > 0)
      out.understood.push_back(fmt::format("{} links are listed at one end only, and taken all the same", half_));
    out.text = network_.take("ibnetdiscover " + base::quoted(file_, 200));
    return out;
  }

 private:
  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const { refuse_line(file_, line, why); }

  /// The text between the first two quotes from `at` on; moves `at` behind them.
  std::string quoted_word(std::string_view line, std::size_t& at, std::int64_t number) const {
    const auto open = line.find('"', at);
    const auto close = open == line.npos ? open : line.find('"', open + 1);
    if (close == line.npos) refuse(number, "expected a name in quotes, such as \"S-0002c90200001234\"");
    at = close + 1;
    return std::string(line.substr(open + 1, close - open - 1));
  }

  void statement(std::string_view line, std::int64_t number) {
    if (const auto end = line.find_last_not_of(" \t\r"); end == line.npos) return;
    const char first = line.front();
    if (first == '#') return;
    if (first == '[') return port(line, number);
    for (const std::string_view word : {"Switch", "Ca", "Rt"})
      if (line.starts_with(word) && line.size() > word.size() &&
          (line[word.size()] == '\t' || line[word.size()] == ' '))
        return node(word, line, number);
    for (const std::string_view word :
         {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Chassis", "DR path", "\t"})
      if (line.starts_with(word)) return;
    refuse(number,
           fmt::format("{}; expected a line of ibnetdiscover: Switch, Ca, [PORT] or KEY=0x...", base::quoted(line)));
  }

  void node(std::string_view word, std::string_view line, std::int64_t number) {
    std::size_t at = 0;
    const std::string guid = quoted_word(line, at, number);
    const std::string description = quoted_word(line, at, number);
    current_.clear();
    if (word == "Rt") {
      ++routers_;
      gone_.insert(guid);
      return;
    }
    if (!places_.emplace(guid, nodes_.size()).second)
      refuse(number, fmt::format("node {} comes twice; expected it once", base::quoted(guid)));
    nodes_.push_back({guid, description, word == "Switch", number});
    current_ = guid;
  }

  void port(std::string_view line, std::int64_t number) {
    const auto close = line.find(']');
    if (close == line.npos) refuse(number, "expected [PORT]");
    const std::int64_t own = whole(line.substr(1, close - 1), number);
    if (current_.empty()) return;  // of a router
    std::size_t at = close;
    const std::string peer = quoted_word(line, at, number);
    if (at >= line.size() || line[at] != '[') refuse(number, "expected [PORT] behind the peer");
    const auto end = line.find(']', at);
    if (end == line.npos) refuse(number, "expected [PORT] behind the peer");
    const std::int64_t other = whole(line.substr(at + 1, end - at - 1), number);
    const IbLink link{{current_, own}, {peer, other}, rate_in(line.substr(end), number), number};
    if (!links_.emplace(link.from, link).second)
      refuse(number, fmt::format("port {} of {} comes twice; expected it once", own, base::quoted(current_)));
  }

  std::int64_t whole(std::string_view text, std::int64_t number) const {
    try {
      return base::parse_integer(text, 0, 1 << 16, "port");
    } catch (const Error& error) {
      refuse(number, error.what());
    }
  }

  /// The last word that is a width and a speed; "" where there is none.
  std::string rate_in(std::string_view rest, std::int64_t number) const {
    std::string found;
    for (std::string_view word : base::split(rest, ' ')) {
      word = base::trimmed(word);
      const auto x = word.find('x');
      if (x == word.npos || x == 0 || x > 2 || word.substr(0, x).find_first_not_of("0123456789") != word.npos) continue;
      found = word;
    }
    if (found.empty()) refuse(number, "no rate; expected one such as 4xHDR at the end");
    capacity(found, number);
    return found;
  }

  /// "4xHDR" -> "200Gbit/s".
  std::string capacity(const std::string& rate, std::int64_t line) const {
    const auto x = rate.find('x');
    for (const auto& [name, lane] : lanes)
      if (rate.substr(x + 1) == name) {
        const double gigabits = base::parse_number(lane, "lane") * base::parse_number(rate.substr(0, x), "width");
        return fmt::format("{:g}Gbit/s", gigabits);
      }
    std::vector<std::string> known;
    for (const auto& [name, lane] : lanes) known.emplace_back(name);
    refuse(line, fmt::format("rate {}; expected a width and one of {}", base::quoted(rate), base::join(known, ", ")));
  }

  /// "n00 HCA-1" and "n00 mlx5_0" are adapters of n00; other descriptions are names as they are.
  static std::string host_of(const std::string& description) {
    const auto space = description.find(' ');
    const std::string second = space == description.npos ? "" : description.substr(space + 1);
    const bool adapter = second.starts_with("HCA") || second.starts_with("mlx") || second.starts_with("hfi");
    return adapter ? description.substr(0, space) : description;
  }
  static std::string plain(std::string name) {
    for (char& c : name) {
      const bool known = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         std::string_view("_.-:/+").find(c) != std::string_view::npos;
      if (!known) c = '_';
    }
    return name.empty() ? "unnamed" : name;
  }

  void make_nodes() {
    std::vector<const IbNode*> order;
    for (const IbNode& n : nodes_) order.push_back(&n);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const IbNode* n : order) {
      const std::string host = host_of(n->name);
      const bool adapter = host != n->name;
      std::string name = plain(host);
      if (network_.has(name) && !(adapter && !n->is_switch && adapters_.count(name) > 0)) name += "-" + plain(n->guid);
      names_[n->guid] = name;
      if (n->is_switch) {
        network_.add_switch(name, n->line);
      } else if (network_.has(name)) {
        ++several_;
      } else {
        network_.add_host(name, n->line);
        if (adapter) adapters_.insert(name);
      }
    }
  }

  void make_links() {
    for (const auto& [from, link] : links_) {
      if (gone_.count(link.to.guid) > 0) continue;
      if (places_.count(link.to.guid) == 0)
        refuse(link.line, fmt::format("the peer {} is not listed; expected a line Switch or Ca with it",
                                      base::quoted(link.to.guid)));
      const auto back = links_.find(link.to);
      if (back == links_.end()) {
        ++half_;
      } else {
        if (back->second.to != from)
          refuse(link.line, fmt::format("port {} of {} is joined to another port by line {}; expected this one",
                                        link.to.port, base::quoted(link.to.guid), back->second.line));
        if (back->second.rate != link.rate)
          refuse(link.line, fmt::format("rate {}; line {} says {} of the same link", link.rate, back->second.line,
                                        back->second.rate));
        if (link.to < from) continue;  // written at its other end
      }
      const std::string &a = names_[from.guid], &b = names_[link.to.guid];
      if (a == b) continue;
      network_.add_link(a, b, capacity(link.rate, link.line));
      ++rates_[link.rate];
    }
  }

  const std::string& text_;
  std::string file_, current_;
  NetworkText network_;
  std::vector<IbNode> nodes_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, std::string> names_;
  std::map<IbPort, IbLink> links_;
  std::map<std::string, std::int64_t> rates_;
  std::set<std::string> gone_, adapters_;
  std::int64_t routers_ = 0, several_ = 0, half_ = 0;
};

}  // namespace

ImportedNetwork import_ibnetdiscover(const std::string& text, const std::string& file) {
  return IbReader(text, file).read();
}

}  // namespace quadrille::interchange
