// Network files with one thing a line: "link g0 s0 25GB/s 1us x4".
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/file/amount.hpp"
#include "topology/file/description.hpp"
#include "topology/hosts/node_list.hpp"

namespace quadrille::topology {

namespace {

/// Reads into a description whose text it splits.
class Reader {
 public:
  explicit Reader(Description& d) : d_(d) {}

  void read() {
    std::string_view rest = d_.written.front();
    while (!rest.empty()) {
      ++line_;
      const auto end = rest.find('\n');
      statement(words(rest.substr(0, end)));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }

 private:
  using Words = std::vector<Word>;

  /// Up to a comment: # and what follows, but for the number of a link: #2.
  Words words(std::string_view line) const {
    Words all;
    constexpr std::string_view blanks = " \t\r";
    for (auto at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
      const auto end = std::min(line.find_first_of(blanks, at), line.size());
      const std::string_view word = line.substr(at, end - at);
      const bool which = word.size() > 1 && word[0] == '#' && digit(word[1]) && !all.empty() && all[0].text == "fail";
      const auto comment = which ? std::string_view::npos : word.find('#');
      if (comment != 0) all.push_back({word.substr(0, comment), line_});
      if (comment != std::string_view::npos) break;
      at = line.find_first_not_of(blanks, end);
    }
    return all;
  }

  void statement(const Words& w) {
    if (w.empty()) return;
    const std::string_view word = w[0].text;
    if (word == "network") return once(d_.network, w, "network NAME");
    if (word == "unit") return once(d_.unit, w, "unit 1GB/s");
    if (word == "routes") return once(d_.routes, w, "routes shortest, updown, balanced or chosen");
    if (word == "host") return several(d_.hosts, w, "host NAME ...");
    if (word == "switch") return several(d_.switches, w, "switch NAME ...");
    if (word == "link" || word == "arc") return link(w);
    if (word == "nic") return nic(w);
    if (word == "fail") return fail(w);
    if (word == "job") return job(w);
    base::unknown_name(fmt::format("{}, line {}: word", d_.name, line_), word, "word",
                       {"network", "unit", "host", "switch", "link", "arc", "nic", "fail", "job", "routes"});
  }

  [[noreturn]] void expect(std::string_view form) const { d_.refuse(line_, fmt::format("expected {}", form)); }

  void once(Word& place, const Words& w, std::string_view form) {
    if (place.line != 0)
      d_.refuse(line_, fmt::format("{} once more; line {} has said it; expected it once", w[0].text, place.line));
    if (w.size() != 2) expect(form);
    place = w[1];
  }

  void several(Words& place, const Words& w, std::string_view form) {
    if (w.size() < 2) expect(form);
    for (auto word = w.begin() + 1; word != w.end(); ++word) d_.add_names(place, *word);
  }

  void set(std::string_view& place, std::string_view word, std::string_view what) {
    if (!place.empty()) d_.refuse(line_, fmt::format("{} is a second {}; expected one", base::quoted(word), what));
    place = word;
  }

  void link(const Words& w) {
    if (w.size() < 3) expect(fmt::format("{} FROM TO [25GB/s] [1us] [x4] [kind=NAME]", w[0].text));
    LinkLine l{.a = w[1], .b = w[2], .both_ways = w[0].text == "link", .line = line_};
    for (std::size_t i = 3; i < w.size(); ++i) {
      const std::string_view word = w[i].text;
      if (word.starts_with("kind="))
        set(l.kind, word.substr(5), "kind");
      else if (word.size() > 1 && word[0] == 'x' && digit(word[1]))
        set(l.count, word.substr(1), "count");
      else if (looks_like_latency(word))
        set(l.latency, word, "latency");
      else
        set(l.capacity, word, "capacity");
    }
    d_.links.push_back(l);
  }

  void nic(const Words& w) {
    if (w.size() < 3 || w.size() > 4) expect("nic HOST 12.5GB/s [1us]");
    d_.nics.push_back({w[1], w[2].text, w.size() == 4 ? w[3].text : std::string_view()});
  }

  void fail(const Words& w) {
    const bool which = w.size() == 4 && w[3].text.starts_with('#');
    if (w.size() < 2 || w.size() > 4 || (w.size() == 4 && !which))
      expect("fail NODE, or fail FROM TO, or fail FROM TO #2");
    if (w.size() > 2) return d_.fails.push_back({w[1], w[2], which ? w[3].text.substr(1) : std::string_view()});
    Words nodes;
    d_.add_names(nodes, w[1]);
    for (const Word& node : nodes) d_.fails.push_back({node, {}, {}});
  }

  void job(const Words& w) {
    const bool said = w.size() > 1 && (w[1].text == "removed" || w[1].text == "relay");
    if (!d_.job.empty()) d_.refuse(line_, fmt::format("a second job; line {} has one", d_.job[0].line));
    if (w.size() < (said ? 3U : 2U)) expect("job HOST ..., or job removed HOST ... where other hosts are gone");
    d_.others = said ? w[1] : Word{"relay", line_};
    for (auto word = w.begin() + (said ? 2 : 1); word != w.end(); ++word) d_.add_names(d_.job, *word);
  }

  Description& d_;
  std::int64_t line_ = 0;
};

}  // namespace

void Description::refuse(std::int64_t line, const std::string& why) const {
  throw Error(Error::Kind::format,
              line == 0 ? fmt::format("{}: {}", name, why) : fmt::format("{}, line {}: {}", name, line, why));
}

void Description::add_names(std::vector<Word>& place, const Word& word) {
  if (!is_node_list(word.text)) return place.push_back(word);
  const auto refuse_list = [&](const std::string& expected) {
    refuse(word.line, fmt::format("list {}: expected {}", base::quoted(word.text, 100), expected));
  };
  for (std::string& made : node_list(word.text, refuse_list)) {
    written.push_back(std::move(made));
    place.push_back({written.back(), word.line});
  }
}

Description describe_text(std::string text, const std::string& where) {
  Description d{.name = "network file " + base::quoted(where, 200)};
  d.written.push_back(std::move(text));
  if (d.written.front().size() > most_network_bytes)
    d.refuse(0, fmt::format("longer than the {} that are read", base::format_bytes(most_network_bytes)));
  Reader(d).read();
  return d;
}

}  // namespace quadrille::topology
