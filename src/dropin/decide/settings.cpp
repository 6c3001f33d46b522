#include "dropin/decide/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "files/file.hpp"
#include "quadrille/placement.hpp"

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> mode_names{"off", "observe", "on", "trial"};
constexpr std::array<std::string_view, 3> bits_names{"kept", "free", "reproducible"};
constexpr std::array<std::string_view, 3> progress_names{"calls", "thread", "off"};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The value of a variable by its name; the first where nothing is said.
template <class Value, std::size_t count>
Value value_of(const char* of, const std::array<std::string_view, count>& names, std::string_view name) {
  if (name.empty()) return Value{};
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == name) return static_cast<Value>(i);
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  throw Error(Error::Kind::argument,
              fmt::format("{}={}: expected {} or {}", of, base::quoted(name), base::join(first, ", "), names.back()));
}

Mode mode_of(std::string_view name) { return value_of<Mode>("QUADRILLE", mode_names, name); }
Bits bits_of(std::string_view name) { return value_of<Bits>("QUADRILLE_BITS", bits_names, name); }
Progress progress_of(std::string_view name) { return value_of<Progress>("QUADRILLE_PROGRESS", progress_names, name); }

/// Of a variable that is on where nothing else is said.
bool is_on(const char* name) {
  const std::string text = variable(name);
  if (text.empty() || text == "on" || text == "off") return text != "off";
  throw Error(Error::Kind::argument, fmt::format("{}={}: expected on or off", name, base::quoted(text)));
}

/// "90", "90s", "5min", "1h"; 0: never.
Seconds interval_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 3> units{{{"min", 60}, {"h", 3600}, {"s", 1}}};
  std::string_view number = text;
  double scale = 1;
  for (const auto& [unit, seconds] : units)
    if (number.ends_with(unit)) {
      number.remove_suffix(unit.size());
      scale = seconds;
      break;
    }
  double value = -1;
  try {
    value = base::parse_number(number, "interval") * scale;
  } catch (const Error&) {  // said below
  }
  if (value >= 0 && value <= 1e9) return value;
  throw Error(Error::Kind::argument,
              fmt::format("QUADRILLE_EVERY={}: expected a time such as 90s, 5min or 1h, or 0 for only at the end",
                          base::quoted(text)));
}

std::int64_t after_of(std::string_view text) {
  constexpr std::int64_t most = 1'000'000'000;
  try {
    return base::parse_integer(text, 0, most, "number of calls");
  } catch (const Error&) {
    throw Error(Error::Kind::argument,
                fmt::format("QUADRILLE_AFTER={}: expected a number of calls from 0 to {}", base::quoted(text), most));
  }
}

Placement read_placement(const std::string& text, Rank ranks) {
  Placement placement = load_placement(text);
  const Topology& topology = *placement.topology;
  if (topology.nodes() != ranks)
    throw Error(Error::Kind::argument, fmt::format("{} is a network of {} nodes, and the program has {} ranks",
                                                   topology.text(), topology.nodes(), ranks));
  return placement;
}

/// The results of trials in it.
Wisdom read_wisdom(const std::string& path, Mode mode) {
  if (mode == Mode::trial && !std::filesystem::exists(path)) return {};  // it is written at the end
  Wisdom wisdom = load_wisdom(path);
  wisdom.forget([](const Wisdom::Entry&) { return true; });
  return wisdom;
}

/// Of a file to write, wherever the program may go meanwhile.
std::string full_name(const std::string& name) {
  std::error_code none;
  if (name.empty() || files::is_standard_output(name)) return name;
  const std::filesystem::path full = std::filesystem::absolute(name, none);
  return none ? name : full.string();
}

}  // namespace

std::string_view to_string(Bits bits) { return bits_names[static_cast<std::size_t>(bits)]; }
std::string_view to_string(Mode mode) { return mode_names[static_cast<std::size_t>(mode)]; }

Settings read_settings(Rank ranks) {
  Settings s;
  if (const std::string mode = variable("QUADRILLE"); !mode.empty()) s.mode = mode_of(mode);
  if (s.mode == Mode::off) return s;
  s.topology = variable("QUADRILLE_TOPOLOGY");
  if (!s.topology.empty()) {
    const Placement placement = from_variable("QUADRILLE_TOPOLOGY", [&] { return read_placement(s.topology, ranks); });
    s.topology = placement.text();
    s.hosts = placement.hosts;
  }
  if (const std::string machine = variable("QUADRILLE_MACHINE"); !machine.empty()) s.machine = machine;
  s.constants =
      from_variable("QUADRILLE_MACHINE", [&] { return load_machine(s.machine.empty() ? "localhost" : s.machine); });
  if (const std::string file = variable("QUADRILLE_WISDOM"); !file.empty()) {
    s.wisdom = from_variable("QUADRILLE_WISDOM", [&] { return read_wisdom(file, s.mode); });
    s.wisdom_file = full_name(file);
  }
  s.report_file = full_name(variable("QUADRILLE_REPORT"));
  if (const std::string segment = variable("QUADRILLE_SEGMENT"); !segment.empty())
    s.segment = from_variable("QUADRILLE_SEGMENT", [&] { return base::parse_bytes(segment); });
  if (const std::string every = variable("QUADRILLE_EVERY"); !every.empty()) s.every = interval_of(every);
  if (const std::string budget = variable("QUADRILLE_BUDGET"); !budget.empty())
    s.budget = from_variable("QUADRILLE_BUDGET", [&] { return parse_budget(budget); });
  if (const std::string after = variable("QUADRILLE_AFTER"); !after.empty()) s.after = after_of(after);
  s.watch = is_on("QUADRILLE_WATCH");
  s.shared = is_on("QUADRILLE_SHARED");
  s.bits = bits_of(variable("QUADRILLE_BITS"));
  s.progress = progress_of(variable("QUADRILLE_PROGRESS"));
  return s;
}

std::string to_text(const Settings& s) {
  return Json{{"mode", to_string(s.mode)},
              {"topology", s.topology},
              {"hosts", s.hosts},
              {"machine", s.machine},
              {"constants", s.mode == Mode::off ? "" : to_text(s.constants)},
              {"wisdom", s.wisdom.text()},
              {"segment", s.segment},
              {"after", s.after},
              {"wisdom_file", s.wisdom_file},
              {"report_file", s.report_file},
              {"every", s.every},
              {"limited", s.budget.limited},
              {"share", s.budget.share},
              {"watch", s.watch},
              {"shared", s.shared},
              {"bits", to_string(s.bits)},
              {"progress", progress_names[static_cast<std::size_t>(s.progress)]}}
      .dump();
}

Settings parse_settings(std::string_view text) {
  const Json j = Json::parse(text);
  Settings s;
  s.mode = mode_of(j.at("mode").get<std::string>());
  if (s.mode == Mode::off) return s;
  s.topology = j.at("topology").get<std::string>();
  s.hosts = j.at("hosts").get<std::vector<std::string>>();
  s.machine = j.at("machine").get<std::string>();
  s.constants = parse_machine(j.at("constants").get<std::string>(), s.machine);
  s.wisdom = Wisdom::parse(j.at("wisdom").get<std::string>(), "of rank 0");
  s.segment = j.at("segment").get<Bytes>();
  s.after = j.at("after").get<std::int64_t>();
  s.wisdom_file = j.at("wisdom_file").get<std::string>();
  s.report_file = j.at("report_file").get<std::string>();
  s.every = j.at("every").get<double>();
  s.budget = {.share = j.at("share").get<double>(), .limited = j.at("limited").get<bool>()};
  s.watch = j.at("watch").get<bool>();
  s.shared = j.at("shared").get<bool>();
  s.bits = bits_of(j.at("bits").get<std::string>());
  s.progress = progress_of(j.at("progress").get<std::string>());
  return s;
}

}  // namespace quadrille::dropin
