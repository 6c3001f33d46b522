// Network files in TOML, with the words of the other form: [[link]] a = "g0", b = "s0", bandwidth = "25GB/s".
#include "base/toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "topology/file/description.hpp"

namespace quadrille::topology {

namespace {

std::int64_t line_of(const toml::node& node) { return static_cast<std::int64_t>(node.source().begin.line); }

/// Copies what the table says: words of the description live in it, not in the table.
class TomlReader {
 public:
  TomlReader(Description& d, const toml::table& table) : d_(d), table_(table) {}

  void read() {
    known(table_, {"network", "unit", "routes", "host", "switch", "link", "arc", "nic", "fail", "job", "others"});
    d_.network = word(table_, "network"), d_.unit = word(table_, "unit"), d_.routes = word(table_, "routes");
    list("host", d_.hosts), list("switch", d_.switches), list("job", d_.job);
    d_.others = word(table_, "others");
    for (const bool both_ways : {true, false})
      each(both_ways ? "link" : "arc", [&](const toml::table& t) { link(t, both_ways); });
    each("nic", [&](const toml::table& t) {
      known(t, {"host", "bandwidth", "latency"});
      d_.nics.push_back({needed(t, "host"), needed(t, "bandwidth").text, word(t, "latency").text});
    });
    each("fail", [&](const toml::table& t) { fail(t); });
  }

 private:
  void known(const toml::table& table, const std::vector<std::string>& keys) const {
    for (const auto& [key, node] : table)
      if (std::find(keys.begin(), keys.end(), std::string(key.str())) == keys.end())
        base::unknown_name(fmt::format("{}, line {}: key", d_.name, key.source().begin.line), key.str(), "key", keys);
  }

  Word kept(std::string text, const toml::node& node) {
    d_.written.push_back(std::move(text));
    return {d_.written.back(), line_of(node)};
  }

  Word written(const toml::node& node, std::string_view what) {
    if (const auto* text = node.as_string()) return kept(text->get(), node);
    if (const auto* integer = node.as_integer()) return kept(fmt::format("{}", integer->get()), node);
    if (const auto* number = node.as_floating_point()) return kept(fmt::format("{}", number->get()), node);
    d_.refuse(line_of(node), fmt::format("{} is neither a text nor a number; expected \"25GB/s\", \"g0\" or 4", what));
  }

  Word word(const toml::table& table, std::string_view key) {
    const toml::node* const node = table.get(key);
    return node == nullptr ? Word{} : written(*node, key);
  }

  Word needed(const toml::table& table, std::string_view key) {
    const Word found = word(table, key);
    if (found.line == 0) d_.refuse(line_of(table), fmt::format("{} is missing; expected {} = ...", key, key));
    return found;
  }

  void list(std::string_view key, std::vector<Word>& words) {
    const toml::node* const node = table_.get(key);
    if (node == nullptr) return;
    const toml::array* const array = node->as_array();
    if (array == nullptr) d_.refuse(line_of(*node), fmt::format("{0}: expected a list: {0} = [\"a\", \"b\"]", key));
    for (const toml::node& each : *array) d_.add_names(words, written(each, key));
  }

  template <class Visit>
  void each(std::string_view key, Visit visit) {
    const toml::node* const node = table_.get(key);
    if (node == nullptr) return;
    const toml::array* const array = node->as_array();
    if (array == nullptr) d_.refuse(line_of(*node), fmt::format("{0}: expected tables: [[{0}]]", key));
    for (const toml::node& entry : *array) {
      if (!entry.is_table()) d_.refuse(line_of(entry), fmt::format("{0}: expected tables: [[{0}]]", key));
      visit(*entry.as_table());
    }
  }

  void link(const toml::table& t, bool both_ways) {
    known(t, {"a", "b", "bandwidth", "latency", "count", "kind"});
    d_.links.push_back({needed(t, "a"), needed(t, "b"), word(t, "bandwidth").text, word(t, "latency").text,
                        word(t, "count").text, word(t, "kind").text, both_ways, line_of(t)});
  }

  void fail(const toml::table& t) {
    known(t, {"node", "a", "b", "which"});
    if (t.contains("node") == t.contains("a"))
      d_.refuse(line_of(t), "expected node = \"s0\", or a = \"g0\" and b = \"s0\"");
    if (t.contains("node")) {
      std::vector<Word> nodes;
      d_.add_names(nodes, needed(t, "node"));
      for (const Word& node : nodes) d_.fails.push_back({node, {}, {}});
    } else {
      d_.fails.push_back({needed(t, "a"), needed(t, "b"), word(t, "which").text});
    }
  }

  Description& d_;
  const toml::table& table_;
};

}  // namespace

Description describe_toml(std::string text, const std::string& where) {
  Description d{.name = "network file " + base::quoted(where, 200)};
  const toml::table table = base::parse_toml(text, where, d.name);
  TomlReader(d, table).read();
  return d;
}

}  // namespace quadrille::topology
