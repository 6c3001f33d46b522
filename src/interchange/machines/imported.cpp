#include "interchange/machines/imported.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "topology/file/build.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::size_t most_nodes = std::size_t{1} << 20;

bool is_node_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_.-:/+").find(c) != std::string_view::npos;
  });
}

std::string lowered(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return all;
}

ImportedNetwork import_xml(const std::string& text, const std::string& file) {
  const XmlElement root = parse_xml(text, file);
  if (root.is("topology")) return import_hwloc(root, file);
  if (root.is("system")) return import_nccl(root, file);
  if (root.is("platform")) return import_simgrid(root, file);
  refuse_line(file, root.line,
              fmt::format("<{}>; expected <topology> of hwloc, <system> of NCCL or <platform> of SimGrid",
                          base::quoted(root.name)));
}

}  // namespace

void NetworkText::add_node(const std::string& name, std::int64_t line) {
  if (!is_node_name(name))
    refuse_line(
        file_, line,
        fmt::format("node {}; expected a name of at most 255 letters, digits and _ . - : / +", base::quoted(name)));
  if (nodes_.size() >= most_nodes) refuse_line(file_, line, "more than 2^20 nodes, the most there can be");
  if (!nodes_.insert(name).second)
    refuse_line(file_, line, fmt::format("node {} comes twice; expected it once", base::quoted(name)));
}

void NetworkText::add_host(const std::string& name, std::int64_t line) {
  add_node(name, line);
  hosts_.push_back(name);
}

void NetworkText::add_switch(const std::string& name, std::int64_t line) {
  add_node(name, line);
  switches_.push_back(name);
}

void NetworkText::add_link(const std::string& a, const std::string& b, const std::string& words) {
  links_.push_back(fmt::format("link {} {}{}{}", a, b, words.empty() ? "" : " ", words));
}

std::string NetworkText::summary() const {
  if (hosts_.empty()) return "no hosts";
  const auto some = [](std::size_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  return fmt::format("{}, {}{}, {} and {}", some(hosts_.size(), "host", "hosts"), hosts_.front(),
                     hosts_.size() == 1 ? "" : " to " + hosts_.back(), some(switches_.size(), "switch", "switches"),
                     some(links_.size(), "link", "links"));
}

std::string NetworkText::take(const std::string& form) {
  std::string text = fmt::format("# made of {}\n", form);
  const auto lines = [&](std::string_view word, const std::vector<std::string>& names) {
    constexpr std::size_t a_line = 16;
    for (std::size_t i = 0; i < names.size(); ++i)
      text += (i % a_line == 0 ? std::string(word) : std::string()) + " " + names[i] +
              (i % a_line == a_line - 1 || i + 1 == names.size() ? "\n" : "");
  };
  lines("host", hosts_);
  lines("switch", switches_);
  for (const std::string& link : links_) text += link + "\n";
  if (balanced_) text += "routes balanced\n";
  try {
    topology::check(topology::parse_network(text, "made"), "the network");
  } catch (const Error& error) {
    throw Error(Error::Kind::format, fmt::format("{}: what it says makes no network: {}", base::quoted(file_, 200),
                                                 base::quoted(error.what(), 400)));
  }
  return text;
}

ImportedNetwork import_network(const std::string& text, const std::string& file) {
  const std::string_view begin = base::trimmed(std::string_view(text).substr(0, std::size_t{1} << 16));
  if (begin.starts_with("<")) return import_xml(text, file);
  const std::string some = lowered(begin);
  if (some.find("switchname=") != std::string::npos || some.find("blockname=") != std::string::npos)
    return import_slurm(text, file);
  if (some.find("guid=") != std::string::npos || some.find("switch\t") != std::string::npos)
    return import_ibnetdiscover(text, file);
  if (some.find("accelerator_type") != std::string::npos || some.find("acceleratortype") != std::string::npos)
    return import_tpu(text, file);
  if (some.find("gpu0") != std::string::npos) return import_nvidia_smi(text, file);
  throw Error(
      Error::Kind::format,
      fmt::format("{}: begins with {}; expected topology.conf of SLURM, what ibnetdiscover or nvidia-smi topo -m "
                  "print, a TPU's variables, or XML of hwloc, NCCL or SimGrid",
                  base::quoted(file, 200), base::quoted(begin.substr(0, 30))));
}

}  // namespace quadrille::interchange
