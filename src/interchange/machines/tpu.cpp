// Slices of TPU pods: the variables of a worker, and what gcloud says of one.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::interchange {

namespace {

std::string small_letters(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return all;
}

/// KEY=VALUE or KEY: VALUE, with "export" before it, and quotes around the value.
class TpuFile {
 public:
  TpuFile(std::string_view text, const std::string& file) : file_(file) {
    while (!text.empty()) {
      ++line_;
      const auto end = std::min(text.find('\n'), text.size());
      read(base::trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  ImportedNetwork take() const {
    if (type_.text.empty()) refuse(1, "no accelerator type; expected TPU_ACCELERATOR_TYPE=v5p-512 or acceleratorType");
    if (twisted_.text == "true")
      refuse(twisted_.line, "the slice is twisted, and which links go where is not documented");
    const auto dash = type_.text.find('-');
    const std::string generation = type_.text.substr(0, dash);
    const std::string name =
        shape_.text.empty() ? "tpu:" + type_.text : fmt::format("tpu:{}:{}", generation, shape_.text);
    TopologyPtr made;
    try {
      made = parse_topology(name);
      check_number(*made, generation, dash);
    } catch (const Error& error) {
      refuse(type_.line, error.what());
    }
    check_wrap(made->text());
    ImportedNetwork network;
    network.form = "a TPU's variables";
    network.topology = made->text();
    network.understood.push_back(fmt::format("{}: {} chips, {}", type_.text, made->ranks(), made->text()));
    network.left_out.push_back("which chips a host has, and the network between hosts");
    return network;
  }

 private:
  struct Value {
    std::string text = {};
    std::int64_t line = 0;
  };
  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const { refuse_line(file_, line, why); }

  void read(std::string_view line) {
    if (line.starts_with("export ")) line = base::trimmed(line.substr(7));
    const auto sign = line.find_first_of("=:");
    if (line.starts_with("#") || sign == std::string_view::npos) return;
    const std::string key = small_letters(base::trimmed(line.substr(0, sign)));
    std::string_view value = base::trimmed(line.substr(sign + 1));
    if (value.size() > 1 && (value[0] == '\'' || value[0] == '"') && value.back() == value[0])
      value = value.substr(1, value.size() - 2);
    if (key == "tpu_accelerator_type" || key == "accelerator_type" || key == "acceleratortype") set(type_, value, key);
    if (key == "tpu_topology" || key == "topology") set(shape_, value, key);
    if (key == "tpu_topology_wrap" || key == "wrap") set(wrap_, value, key);
    if (key == "tpu_topology_alt" || key == "alt") set(twisted_, value, key);
  }
  void set(Value& place, std::string_view value, std::string_view key) {
    const std::string text = small_letters(value);
    if (text.empty() || text.size() > 64) refuse(line_, fmt::format("{} has no value", base::quoted(key)));
    if (!place.text.empty() && place.text != text)
      refuse(line_, fmt::format("{} is {}, and line {} says {}; expected one of them", base::quoted(key),
                                base::quoted(text), place.line, base::quoted(place.text)));
    place = {text, line_};
  }

  /// The type's own number says how many chips there are, too.
  void check_number(const Topology& made, const std::string& generation, std::size_t dash) const {
    if (shape_.text.empty() || dash == std::string::npos) return;
    const bool cores = generation == "v4" || generation == "v5p";
    const Rank number = base::parse_integer(type_.text.substr(dash + 1), 1, Rank{1} << 20, "size");
    if (number == made.ranks() * (cores ? 2 : 1)) return;
    throw Error(Error::Kind::format,
                fmt::format("{} and {} differ: expected {}-{}", base::quoted(type_.text), base::quoted(shape_.text),
                            generation, made.ranks() * (cores ? 2 : 1)));
  }

  /// Where the file says which sides wrap round, it must be those that are known to.
  void check_wrap(const std::string& topology) const {
    if (wrap_.text.empty()) return;
    const bool all = topology.starts_with("torus"), none = topology.starts_with("mesh");
    const bool says_all = wrap_.text.find("false") == std::string::npos,
               says_none = wrap_.text.find("true") == std::string::npos;
    const bool flat_pod = all && std::count(topology.begin(), topology.end(), 'x') == 1;  // the third side is none
    if ((all && (says_all || flat_pod)) || (none && says_none) || (!all && !none && !says_all && !says_none)) return;
    refuse(wrap_.line, fmt::format("sides wrap round as {}, and such a slice is {}; expected what its generation does",
                                   base::quoted(wrap_.text), topology));
  }

  const std::string& file_;
  std::int64_t line_ = 0;
  Value type_, shape_, wrap_, twisted_;
};

}  // namespace

ImportedNetwork import_tpu(const std::string& text, const std::string& file) { return TpuFile(text, file).take(); }

}  // namespace quadrille::interchange
