// Checks files of reference values: reference_check FILE... prints a line for each entry that fails and
// "N passed, M failed, K skipped"; exit status 0 when nothing failed.
#include "reference_check.hpp"

#include <cmath>
#include <fstream>

namespace quadrille::reference {

double rational(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string text = value.get<std::string>();
  const auto slash = text.find('/');
  const double top = std::stod(text.substr(0, slash));
  return slash == std::string::npos ? top : top / std::stod(text.substr(slash + 1));
}

void Comparison::equal(const std::string& name, const Json& expected, const Json& found) {
  if (expected != found) complain(fmt::format("{}: expected {}, found {}", name, expected.dump(), found.dump()));
}

void Comparison::near(const std::string& name, double expected, double found, double tolerance) {
  if (!(std::abs(expected - found) <= tolerance))  // also not a number
    complain(fmt::format("{}: expected {:.12g}, found {:.12g}", name, expected, found));
}

double tolerance(const Json& check, double expected) {
  const std::string text = check.at("tolerance");
  if (text == "exact") return 0;
  const auto space = text.find(' ');
  const double value = std::stod(text.substr(space + 1));
  return text.starts_with("rel") ? value * std::abs(expected) : value;
}

namespace {

void check_file(const std::string& path, Tally& tally) {
  std::ifstream stream(path);
  if (!stream) return tally.fail(path + ": cannot be read");
  Json file;
  try {
    file = Json::parse(stream);
  } catch (const Json::exception& e) {
    return tally.fail(path + ": not JSON: " + e.what());
  }
  if (file.is_array() && is_about_graphs(file)) return check_graphs(file, tally);
  if (file.is_array() && is_about_reductions(file)) return check_reductions(file, tally);
  if (file.is_array()) return check_saad_schultz(file, tally);
  if (file.is_object() && file.contains("checks")) return check_areas(file, tally);
  tally.fail(path + ": neither a list of entries nor an object with \"checks\"");
}

}  // namespace
}  // namespace quadrille::reference

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: reference_check FILE...\n");
    return 2;
  }
  quadrille::reference::Tally tally;
  for (int i = 1; i < argc; ++i) quadrille::reference::check_file(argv[i], tally);
  return tally.finish();
}
