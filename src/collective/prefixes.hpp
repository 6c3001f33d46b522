// What scans with and without the own contribution share: every rank wants what the ranks below it contribute.
#pragma once

#include "collective/reduction.hpp"

namespace quadrille::collective {

class Prefixes : public Reduction {
 public:
  /// "the ranks up to itself": whose contributions a rank wants.
  Prefixes(Facts facts, std::string_view whose) : Reduction(std::move(facts)), whose_(whose) {}

  int farthest(const Spec& spec) const override { return reach(*spec.topology, 0); }
  /// All ranks but the last send their vector, all but the first receive one, and those between do both.
  PortNeed port(const Spec& spec) const override;
  Crossings crossings(const Spec& spec) const override { return {spec.ranks() - 1, spec.bytes}; }
  Accesses accesses(const Spec& spec) const override;
  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override;

 protected:
  bool by_rank(const Spec&) const override { return true; }

 private:
  std::string_view whose_;
};

}  // namespace quadrille::collective
