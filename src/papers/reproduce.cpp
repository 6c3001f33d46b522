#include "papers/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "papers/foster.hpp"
#include "papers/hambrusch.hpp"
#include "papers/nicol_bokhari.hpp"
#include "papers/saad_schultz.hpp"

namespace quadrille::papers {

const std::vector<Reproducible>& reproducibles() {
  static const std::vector<Reproducible> all{
      {"nicol-bokhari",
       "Nicol & Bokhari 1994, section 4: multiphase complete exchange on 32 and 64 nodes of an iPSC/860",
       [](const Values&) { return reproduce_nicol_bokhari(); }},
      {"hambrusch", "Hambrusch, Khokhar & Liu 1995, figures 2 to 9: s-to-p broadcasts on meshes of an Intel Paragon",
       [](const Values&) { return reproduce_hambrusch(); }},
      {"foster", "Foster 1995, section 3.7: messages that compete for wires, S on many networks, two worked examples",
       [](const Values&) { return reproduce_foster(); }},
      {"saad-schultz",
       "Saad & Schultz 1986, tables 1 and 2: five operations on six machines, as printed and as schedules cost",
       reproduce_saad_schultz, saad_schultz::setting_values()}};
  return all;
}

namespace {

void check_names(const Reproducible& r, const Values& values) {
  std::vector<std::string> known;
  for (const Value& v : r.values) known.push_back(v.name);
  for (const auto& [name, text] : values)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(Error::Kind::argument,
                  fmt::format("reproduce {}: takes no {}; {}", r.name, name,
                              known.empty() ? "there is nothing to choose" : "it takes " + base::join(known, ", ")));
}

}  // namespace

Reproduction reproduce(std::string_view name, const Values& values) {
  std::vector<std::string> known;
  for (const Reproducible& r : reproducibles()) {
    if (r.name == name) {
      check_names(r, values);
      return r.reproduce(values);
    }
    known.emplace_back(r.name);
  }
  base::unknown_name("reproduce", name, "paper", known);
}

}  // namespace quadrille::papers
