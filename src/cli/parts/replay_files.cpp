#include "cli/parts/replay_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/text.hpp"
#include "files/file.hpp"
#include "interchange/application.hpp"

namespace quadrille::cli {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_trace_files = std::size_t{1} << 20, longest_trace_name = 4096;

/// Beside the list, else as it stands; empty: there is none.
std::string trace_file_of(std::string_view line, const fs::path& folder) {
  if (line.empty() || line.size() > longest_trace_name || line.find('\0') != std::string_view::npos) return {};
  std::error_code ignored;
  const fs::path name{std::string(line)};
  for (const fs::path& path : {folder / name, name})
    if (fs::is_regular_file(path, ignored)) return path.string();
  return {};
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = base::trimmed(text.substr(0, end)); !line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

TraceText read_trace(const std::string& path) {
  TraceText trace{files::MappedFile(path, interchange::most_application_bytes, "trace"), {}, path};
  const fs::path folder = fs::path(path).parent_path();
  const std::string_view list = trace.file.text();
  if (trace_file_of(base::trimmed(list.substr(0, list.find('\n'))), folder).empty()) return trace;
  const std::vector<std::string_view> names = lines_in(list);
  if (names.size() > most_trace_files)
    throw Error(Error::Kind::budget, fmt::format("{}: more than {} files", base::quoted(path, 200), most_trace_files));
  trace.name = fmt::format("{} and its {} files one after the other", path, names.size());
  for (const std::string_view name : names) {
    const std::string file = trace_file_of(name, folder);
    if (file.empty())
      throw Error(Error::Kind::argument,
                  fmt::format("{}: there is no file {}; expected a name of a rank's trace in each line",
                              base::quoted(path, 200), base::quoted(name, 200)));
    trace.joined += files::read_file(file, interchange::most_application_bytes, "trace");
    if (!trace.joined.ends_with('\n')) trace.joined += '\n';
    if (trace.joined.size() > interchange::most_application_bytes)
      throw Error(Error::Kind::budget,
                  fmt::format("{}: more than {}", base::quoted(path, 200),
                              base::format_bytes(static_cast<Bytes>(interchange::most_application_bytes))));
  }
  return trace;
}

}  // namespace quadrille::cli
