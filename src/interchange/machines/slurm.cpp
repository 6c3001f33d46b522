// topology.conf of SLURM, and what 'scontrol show topology' prints: switches, what they lead to, no bandwidths.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::interchange {

namespace {

struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes, children;
  std::int64_t line = 0;
  int level = 0;  ///< 0: its hosts are at it
};

class SlurmReader {
 public:
  SlurmReader(const std::string& text, const std::string& file) : text_(text), file_(file), network_(file) {}

  ImportedNetwork read() {
    std::string_view rest = text_;
    for (std::int64_t line = 1; !rest.empty(); ++line) {
      const auto end = rest.find('\n');
      statement(base::trimmed(rest.substr(0, std::min(end, rest.size()))), line);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    if (switches_.empty()) refuse_line(file_, 1, "no switch; expected a line such as SwitchName=leaf0 Nodes=n[00-03]");
    find_levels();
    make();
    ImportedNetwork out{.form = "topology.conf of SLURM"};
    out.understood.push_back(network_.summary());
    if (most_level_ > 0)
      out.understood.push_back(fmt::format("links are of kind host, and of level1 {}between switches",
                                           most_level_ > 1 ? fmt::format("to level{} ", most_level_) : ""));
    out.left_out.push_back(
        "bandwidths and the number of cables: SLURM does not know them. Every link is one of width 1; "
        "write x4 behind those of four cables, or rates such as 25GB/s behind all");
    if (speeds_) out.left_out.push_back("LinkSpeed, which SLURM ignores too");
    out.text = network_.take(out.form + " " + base::quoted(file_, 200));
    return out;
  }

 private:
  static std::string lower(std::string_view text) {
    std::string all(text);
    for (char& c : all)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return all;
  }

  void statement(std::string_view line, std::int64_t number) {
    line = base::trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    SlurmSwitch s{.name = {}, .nodes = {}, .children = {}, .line = number};
    bool both = false;
    for (std::string_view rest = line; !rest.empty();) {
      const auto end = std::min(rest.find_first_of(" \t"), rest.size());
      both |= member(rest.substr(0, end), s);
      rest = base::trimmed(rest.substr(end));
    }
    if (s.name.empty()) refuse_line(file_, number, "a line without SwitchName; expected SwitchName=NAME first");
    if (s.nodes.empty() && s.children.empty())
      refuse_line(file_, number,
                  fmt::format("switch {} leads nowhere; expected Nodes= or Switches=", base::quoted(s.name)));
    if (both && !s.children.empty()) s.nodes.clear();  // scontrol repeats the nodes of all switches below
    if (!numbers_.emplace(s.name, switches_.size()).second)
      refuse_line(file_, number, fmt::format("switch {} comes twice; expected it once", base::quoted(s.name)));
    switches_.push_back(std::move(s));
  }

  /// Whether the line is one of scontrol's.
  bool member(std::string_view word, SlurmSwitch& s) {
    const auto equals = word.find('=');
    const std::string key = lower(word.substr(0, equals));
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
    if (value.empty())
      refuse_line(file_, s.line, fmt::format("{}; expected KEY=VALUE, such as Nodes=n[00-03]", base::quoted(word)));
    if (key == "switchname")
      s.name = value;
    else if (key == "nodes")
      s.nodes = parse_host_list(value, file_, s.line);
    else if (key == "switches")
      s.children = value == "(null)" ? std::vector<std::string>{} : parse_host_list(value, file_, s.line);
    else if (key == "linkspeed")
      speeds_ = true;
    else if (key == "blockname" || key == "blocksizes" || key == "ringname")
      refuse_line(file_, s.line,
                  fmt::format("{}, which names nodes and no switches; expected a tree of SwitchName lines",
                              base::quoted(word.substr(0, equals))));
    else if (key != "level")
      base::unknown_name(fmt::format("{}, line {}: key", base::quoted(file_, 200), s.line), word.substr(0, equals),
                         "key", {"SwitchName", "Nodes", "Switches", "LinkSpeed", "Level"});
    return key == "level";
  }

  SlurmSwitch& child(const std::string& name, const SlurmSwitch& parent) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end())
      refuse_line(file_, parent.line,
                  fmt::format("switch {} leads to {}, which no line defines; expected its SwitchName",
                              base::quoted(parent.name), base::quoted(name)));
    return switches_[found->second];
  }

  /// One more than the switches below; a circle never ends.
  void find_levels() {
    for (bool moved = true; moved;) {
      moved = false;
      for (SlurmSwitch& s : switches_)
        for (const std::string& name : s.children) {
          const int least = child(name, s).level + 1;
          if (s.level >= least) continue;
          if (least > static_cast<int>(switches_.size()))
            refuse_line(file_, s.line, fmt::format("switch {} is below itself; expected a tree", base::quoted(s.name)));
          s.level = least;
          most_level_ = std::max(most_level_, least);
          moved = true;
        }
    }
  }

  void make() {
    for (const SlurmSwitch& s : switches_)
      for (const std::string& host : s.nodes)
        if (!network_.has(host)) network_.add_host(host, s.line);
    std::vector<const SlurmSwitch*> order;
    for (const SlurmSwitch& s : switches_) order.push_back(&s);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->level < b->level; });
    for (const SlurmSwitch* s : order) network_.add_switch(s->name, s->line);
    for (const SlurmSwitch* s : order) {
      for (const std::string& host : s->nodes) network_.add_link(host, s->name, "kind=host");
      for (const std::string& name : s->children)
        network_.add_link(name, s->name, fmt::format("kind=level{}", s->level));
    }
  }

  const std::string& text_;
  std::string file_;
  NetworkText network_;
  std::vector<SlurmSwitch> switches_;
  std::map<std::string, std::size_t> numbers_;
  int most_level_ = 0;
  bool speeds_ = false;
};

}  // namespace

ImportedNetwork import_slurm(const std::string& text, const std::string& file) {
  return SlurmReader(text, file).read();
}

}  // namespace quadrille::interchange
