// XML of hwloc: the cores of a computer, and what they share.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::interchange {

namespace {

/// Types that hold processors; the word of the switch that stands for what they share.
constexpr std::pair<std::string_view, std::string_view> sharing[] = {
    {"Machine", "machine"}, {"Group", "group"},   {"Package", "package"}, {"Die", "die"},      {"NUMANode", "numa"},
    {"MemCache", "memory"}, {"L5Cache", "l5"},    {"L4Cache", "l4"},      {"L3Cache", "l3"},   {"L2Cache", "l2"},
    {"L1Cache", "l1"},      {"L3iCache", "l3i"},  {"L2iCache", "l2i"},    {"L1iCache", "l1i"}, {"Core", "core"},
    {"PU", "pu"},           {"Socket", "package"}};

std::optional<std::string_view> word_of(std::string_view type) {
  for (const auto& [name, word] : sharing)
    if (name == type) return word;
  return std::nullopt;
}

/// A part of the computer with processors: a core, or what several of them share.
struct Part {
  std::string word;
  std::vector<Part> parts = {};
  std::int64_t line = 0;
  bool core = false;
};

class HwlocReader {
 public:
  HwlocReader(const XmlElement& root, const std::string& file) : root_(root), file_(file), network_(file) {}

  ImportedNetwork read() {
    const std::string written = root_.text("version", "1.0");
    if (!written.starts_with("1.") && !written.starts_with("2.") && !written.starts_with("3."))
      refuse(root_, fmt::format("version {}; expected 1.x, 2.x or 3.x of hwloc's XML", base::quoted(written)));
    const auto machine =
        std::find_if(root_.children.begin(), root_.children.end(), [](const XmlElement& e) { return e.is("object"); });
    if (machine == root_.children.end() || machine->text("type") != "Machine")
      refuse(root_, "no object of type Machine; expected one first");
    std::optional<Part> all = part_of(*machine);
    if (!all) refuse(*machine, "no processors; expected objects of type Core or PU");
    const std::string top = join(*all);
    ImportedNetwork out{.form = "hwloc XML"};
    out.understood.push_back(network_.summary());
    std::string shared;
    for (const auto& [word, count] : counts_)
      shared += fmt::format("{}{} x {}", shared.empty() ? "" : ", ", count, word);
    out.understood.push_back(fmt::format(
        "a rank is a core, with its {}; what they share: {}",
        threads_ == network_.hosts() ? "one hardware thread" : fmt::format("share of {} hardware threads", threads_),
        shared.empty() ? "nothing" : shared));
    out.left_out.push_back(
        "bandwidths and latencies, which the file does not have: machine files price the kinds of links, "
        "which are named after what is shared");
    if (devices_ > 0) out.left_out.push_back(fmt::format("devices and bridges: {}", devices_));
    if (distances_ > 0) out.left_out.push_back(fmt::format("matrices of distances: {}", distances_));
    out.text = network_.take("hwloc XML " + base::quoted(file_, 200));
    return out;
  }

 private:
  [[noreturn]] void refuse(const XmlElement& at, const std::string& why) const { refuse_line(file_, at.line, why); }

  static bool has_processors(const XmlElement& e) {
    return e.text("type") == "PU" || std::any_of(e.children.begin(), e.children.end(), has_processors);
  }

  /// None for what has no processors. What only wraps one part is that part.
  std::optional<Part> part_of(const XmlElement& e) {
    const std::string type = e.text("type");
    if (type == "Bridge" || type == "PCIDev" || type == "OSDev" || type == "Misc") ++devices_;
    const auto word = word_of(type);
    if (!word) {
      if (has_processors(e))
        refuse(e, fmt::format("type {} around processors; expected Package, L3Cache, Core or the like",
                              base::quoted(type)));
      return std::nullopt;
    }
    Part part{.word = std::string(*word), .line = e.line, .core = type == "Core" || type == "PU"};
    for (const XmlElement& child : e.children) {
      if (child.is("distances2") || child.is("distances")) ++distances_;
      if (!child.is("object")) continue;
      if (std::optional<Part> one = part_of(child)) part.parts.push_back(std::move(*one));
    }
    if (type == "PU") ++threads_;
    if (type == "Core" || type == "PU") {
      part.parts.clear();  // threads of a core are one rank
      return part;
    }
    if (part.parts.empty()) return std::nullopt;
    if (part.parts.size() == 1) return std::move(part.parts.front());
    return part;
  }

  /// The name of the part's node.
  std::string join(const Part& part) {
    if (part.core) {
      const std::string name = fmt::format("core{}", network_.hosts());
      network_.add_host(name, part.line);
      return name;
    }
    std::vector<std::string> below;
    for (const Part& one : part.parts) below.push_back(join(one));
    const std::string name = fmt::format("{}.{}", part.word, counts_[part.word]++);
    network_.add_switch(name, part.line);
    for (const std::string& one : below) network_.add_link(one, name, fmt::format("kind={}", part.word));
    return name;
  }

  const XmlElement& root_;
  std::string file_;
  NetworkText network_;
  std::map<std::string, std::int64_t> counts_;
  std::size_t threads_ = 0;
  std::int64_t devices_ = 0, distances_ = 0;
};

}  // namespace

ImportedNetwork import_hwloc(const XmlElement& root, const std::string& file) { return HwlocReader(root, file).read(); }

}  // namespace quadrille::interchange
