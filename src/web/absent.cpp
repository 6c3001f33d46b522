// What a web page does not have, each with a refusal that says so: threads, shared libraries, MPI, other programs, and
// a reader of XML. The rooms' own files for these are left out of the build.
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/options/transport.hpp"
#include "executor/team.hpp"
#include "interchange/xml_tree.hpp"
#include "quadrille/plugin.hpp"

namespace quadrille {

void load_plugin(const std::string& path) {
  throw Error(
      Error::Kind::argument,
      fmt::format("plug-in {}: a web page loads no shared libraries; use the program for that", base::quoted(path)));
}

namespace executor {

int usable_cores() { return 1; }

void check_team_size(Rank ranks) {
  throw Error(
      Error::Kind::budget,
      fmt::format("{} ranks: every rank runs as a thread, and a web page has none; use the program for that, or "
                  "verify, price and simulate here",
                  ranks));
}

void run_team(Rank ranks, const std::function<void(Rank)>&, const std::function<void()>&, bool) {
  check_team_size(ranks);
}

}  // namespace executor

namespace cli {

mpi::MpiLibrary* open_transport(const std::string& transport, console::Context&) {
  if (transport == "threads") return nullptr;
  throw Error(Error::Kind::argument,
              fmt::format("--transport {}: a web page has no MPI; use the program for that", transport));
}

}  // namespace cli

namespace formats {

std::string png_picture(const std::string&) {
  throw Error(Error::Kind::argument, "plot: a web page makes no PNG; an .svg needs nothing");
}

}  // namespace formats

namespace interchange {

XmlElement parse_xml(const std::string&, std::string_view file) {
  throw Error(Error::Kind::format,
              fmt::format("{}: a web page reads no XML; use the program for that", base::quoted(file, 200)));
}

}  // namespace interchange

}  // namespace quadrille
