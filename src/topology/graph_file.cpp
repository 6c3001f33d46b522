// Any network, from a file: graph:PATH.
#include <fmt/format.h>

#include "base/text.hpp"
#include "files/file.hpp"
#include "topology/families.hpp"
#include "topology/file/build.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::graph_file {

namespace {

constexpr std::string_view expected =
    "expected graph:FILE, in whose name ! @ ~ * # % : and blanks are written as %21 %40 %7E %2A %23 %25 %3A %20";

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// "a%20b" -> "a b".
std::string path_of(std::string_view written) {
  std::string path;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '%') {
      path += written[i];
      continue;
    }
    const int high = i + 2 < written.size() ? hexadecimal(written[i + 1]) : -1;
    const int low = high >= 0 ? hexadecimal(written[i + 2]) : -1;
    if (low < 0 || high + low == 0)
      throw Error(Error::Kind::argument, fmt::format("topology graph:{}: {}", base::quoted(written, 200), expected));
    path += static_cast<char>(16 * high + low);
    i += 2;
  }
  return path;
}

std::string written(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("/._-+=,").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

/// "FILE", or "FILE#HASH" with at least eight digits of what the content must be.
TopologyPtr make(std::string_view arguments) {
  const auto hash_at = arguments.rfind('#');
  const std::string path = path_of(arguments.substr(0, hash_at));
  if (path.empty() || path.find('\0') != std::string::npos)
    throw Error(Error::Kind::argument, fmt::format("topology graph: no file; {}", expected));
  Network network = parse_network(files::read_file(path, most_network_bytes, "network file"), path);
  const std::string hash = fingerprint(network);
  if (hash_at != std::string_view::npos) {
    const std::string_view known = arguments.substr(hash_at + 1);
    if (known.size() < 8 || !std::string_view(hash).starts_with(known))
      throw Error(
          Error::Kind::argument,
          fmt::format("network file {} is another one than {} was said of: its content has the hash {}; expected "
                      "that one, or no hash",
                      base::quoted(path, 200), base::quoted(known), hash));
  }
  const bool switches = network.vertices > network.ranks;
  return make_graph(std::move(network), {"graph", fmt::format("graph:{}#{}", written(path), hash),
                                         switches ? "a network of hosts and switches" : "a network of hosts"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "graph",
           .form = "graph:FILE",
           .summary = "any network, from a file with lines such as 'link g0 s0 25GB/s'; routes are shortest ones",
           .make = make,
           .place = 2000}};
}

}  // namespace quadrille::topology::graph_file
