#include "plan/reproduce.hpp"

#include "base/text.hpp"
#include "plan/foster.hpp"
#include "plan/hambrusch.hpp"
#include "plan/nicol_bokhari.hpp"

namespace quadrille {

const std::vector<Reproducible>& reproducibles() {
  static const std::vector<Reproducible> all{
      {"nicol-bokhari",
       "Nicol & Bokhari 1994, section 4: multiphase complete exchange on 32 and 64 nodes of an iPSC/860",
       reproduce_nicol_bokhari},
      {"hambrusch", "Hambrusch, Khokhar & Liu 1995, figures 2 to 9: s-to-p broadcasts on meshes of an Intel Paragon",
       reproduce_hambrusch},
      {"foster", "Foster 1995, section 3.7: messages that compete for wires, S on many networks, two worked examples",
       reproduce_foster}};
  return all;
}

Reproduction reproduce(std::string_view name) {
  std::vector<std::string> known;
  for (const Reproducible& r : reproducibles()) {
    if (r.name == name) return r.reproduce();
    known.emplace_back(r.name);
  }
  unknown_name("reproduce", name, "paper", known);
}

}  // namespace quadrille
