#include "incumbents/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace quadrille::incumbents {

namespace {

/// The values of MPIR_CVAR_<collective>_INTRA_ALGORITHM of MPICH 4.0, from 0. Its tools interface tells no names.
struct Values {
  Collective collective;
  std::vector<std::string_view> names;
};
const std::vector<Values>& mpich_values() {
  using C = Collective;
  static const std::vector<Values> all{
      {C::bcast, {"auto", "binomial", "nb", "smp", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"}},
      {C::gather, {"auto", "binomial", "nb"}},
      {C::scatter, {"auto", "binomial", "nb"}},
      {C::allgather, {"auto", "brucks", "nb", "recursive_doubling", "ring"}},
      {C::alltoall, {"auto", "brucks", "nb", "pairwise", "pairwise_sendrecv_replace", "scattered"}},
      {C::reduce, {"auto", "binomial", "nb", "smp", "reduce_scatter_gather"}},
      {C::allreduce, {"auto", "nb", "smp", "recursive_doubling", "reduce_scatter_allgather"}},
      {C::reduce_scatter, {"auto", "nb", "noncommutative", "pairwise", "recursive_doubling", "recursive_halving"}}};
  return all;
}

Setting mpich_setting(Collective collective, std::string_view algorithm) {
  std::string word(to_string(collective));
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto values = std::find_if(mpich_values().begin(), mpich_values().end(),
                                   [&](const Values& v) { return v.collective == collective; });
  if (values == mpich_values().end()) throw Error(Error::Kind::internal, "MPICH has no such setting");
  const auto name = std::find(values->names.begin(), values->names.end(), algorithm);
  if (name == values->names.end()) throw Error(Error::Kind::internal, "MPICH has no such algorithm");
  return {fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM", word), static_cast<int>(name - values->names.begin())};
}

std::vector<Setting> openmpi_settings(Collective collective, int id, Bytes segment, std::int64_t fanout) {
  const std::string name = fmt::format("coll_tuned_{}_algorithm", to_string(collective));
  std::vector<Setting> all{{name, id}};
  const bool cut = collective == Collective::bcast || collective == Collective::reduce ||
                   collective == Collective::allreduce || collective == Collective::alltoall;
  if (cut) all.push_back({name + "_segmentsize", static_cast<int>(segment)});
  constexpr int chains = 2;  // of bcast and reduce; what a tree branches by is as rules files leave it
  if (cut && id == chains && fanout > 0) all.push_back({name + "_chain_fanout", static_cast<int>(fanout)});
  return all;
}

}  // namespace

std::vector<Setting> settings_for(const Candidate& candidate) {
  const Own& own = *candidate.own;
  const Collective collective = own.algorithm.collective;
  if (own.mpi == Mpi::mpich) return {mpich_setting(collective, own.name)};
  return openmpi_settings(collective, own.id, candidate.segment(), candidate.fanout());
}

std::vector<Setting> settings_for_own_choice(Mpi mpi, Collective collective) {
  if (mpi == Mpi::mpich) return {mpich_setting(collective, "auto")};
  return openmpi_settings(collective, 0, 0, 0);
}

}  // namespace quadrille::incumbents
