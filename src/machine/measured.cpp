// What constants were measured on: read, written, put into words, and compared with where they are used.
#include "machine/measured.hpp"

#include <algorithm>
#include <array>

namespace quadrille {

namespace {

constexpr std::int64_t most_measured = std::int64_t{1} << 40;  // hosts, ranks, cores

struct Text {
  std::string_view name;
  std::string MeasuredOn::*member;
};
constexpr std::array<Text, 4> texts{{{"transport", &MeasuredOn::transport},
                                     {"library", &MeasuredOn::library},
                                     {"topology", &MeasuredOn::topology},
                                     {"date", &MeasuredOn::date}}};
struct Number {
  std::string_view name;
  std::int64_t MeasuredOn::*member;
};
constexpr std::array<Number, 3> whole_numbers{
    {{"hosts", &MeasuredOn::hosts}, {"ranks", &MeasuredOn::ranks}, {"cores", &MeasuredOn::cores}}};

bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  return true;
}

std::string counted(std::int64_t n, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

}  // namespace

}  // namespace quadrille

namespace quadrille::machine {

MeasuredOn read_measured(const toml::node& node, const Place& place) {
  const toml::table* table = node.as_table();
  if (table == nullptr) place.fail(node.source(), fmt::format("measured is {}; expected a table", type_name(node)));
  MeasuredOn measured;
  std::vector<std::string> known;
  for (const Text& text : texts) known.emplace_back(text.name);
  for (const Number& number : whole_numbers) known.emplace_back(number.name);
  for (const auto& [key_node, value] : *table) {
    const std::string_view key = key_node.str();
    const auto text = std::find_if(texts.begin(), texts.end(), [&](const Text& t) { return t.name == key; });
    const auto number =
        std::find_if(whole_numbers.begin(), whole_numbers.end(), [&](const Number& n) { return n.name == key; });
    if (text != texts.end()) {
      measured.*text->member = read_line(value, fmt::format("measured.{}", text->name), place);
    } else if (number != whole_numbers.end()) {
      const auto given = value.value_exact<std::int64_t>();
      if (!given || *given < 1 || *given > most_measured)
        place.fail(value.source(), fmt::format("measured.{}: expected a whole number from 1 to 2^40", number->name));
      measured.*number->member = *given;
    } else {
      base::unknown_name(fmt::format("{}: member of measured", place.line(key_node.source())), key, "name", known);
    }
  }
  if (measured.transport != "threads" && measured.transport != "mpi")
    place.fail(node.source(), "measured.transport is missing or unknown; expected threads or mpi");
  if (!measured.date.empty() && !is_date(measured.date))
    place.fail(node.source(), "measured.date: expected a day such as 2026-11-22");
  return measured;
}

std::string measured_toml(const MeasuredOn& measured) {
  if (!measured.known()) return {};
  std::string out = "\n[measured]\n";
  for (const Text& text : texts)
    if (const std::string& value = measured.*text.member; !value.empty())
      out += fmt::format("{} = {}\n", text.name, toml_string(value));
  for (const Number& number : whole_numbers)
    if (const std::int64_t value = measured.*number.member; value > 0)
      out += fmt::format("{} = {}\n", number.name, value);
  return out;
}

}  // namespace quadrille::machine

namespace quadrille {

std::string words_of(const MeasuredOn& m) {
  if (!m.known()) return {};
  std::string out = "between ";
  if (m.transport == "threads")
    out += m.ranks > 0 ? counted(m.ranks, "thread", "threads") : "threads";
  else
    out += (m.ranks > 0 ? counted(m.ranks, "process", "processes") : "processes") + " of " +
           (m.library.empty() ? "an MPI" : m.library);
  if (m.transport != "threads" && m.hosts > 0) out += " on " + counted(m.hosts, "host", "hosts");
  if (m.cores > 0)
    out += fmt::format("{} {}", m.hosts > 0 && m.transport != "threads" ? " with" : " on",
                       counted(m.cores, "core", "cores"));
  if (!m.topology.empty()) out += ", " + m.topology;
  return out;
}

std::string used_elsewhere(const MachineFile& file, const UsedOn& use) {
  const MeasuredOn& m = file.measured;
  if (!m.known()) return {};
  const bool one_computer = m.transport == "threads" || m.hosts == 1;
  std::vector<std::string> differences;
  if (use.hosts > 1 && one_computer)
    differences.push_back(fmt::format("ranks on {} hosts", use.hosts));
  else if (use.hosts == 1 && m.hosts > 1)
    differences.emplace_back("ranks on one host");
  if (!use.transport.empty() && use.transport != m.transport && (use.hosts <= 1 || !one_computer))
    differences.emplace_back(use.transport == "threads" ? "threads" : "processes");
  if (one_computer && m.cores > 0 && use.ranks > m.cores)
    differences.push_back(fmt::format("{} ranks, more than its cores", use.ranks));
  if (!m.topology.empty() && !use.topology.empty() && use.topology != m.topology) differences.push_back(use.topology);
  if (differences.empty()) return {};
  return fmt::format("constants of {} were measured {}; here are {}", file.machine.name, words_of(m),
                     base::join(differences, ", "));
}

}  // namespace quadrille

namespace quadrille::machine {

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if ((c >= 0 && c < 32) || c == 127) {
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace quadrille::machine
