// Finished answers as commands write them, for tests of what reads them.
#pragma once

#include <string>
#include <vector>

#include "quadrille/sweep.hpp"
#include "sweeps/row.hpp"

namespace quadrille {

/// An answer on four ranks of machine unit; `rest` are the members after the machine.
inline std::string task_json(const std::string& rest, const std::string& collective = "alltoall",
                             const std::string& more = "") {
  return R"({"spec": {"collective": ")" + collective + R"(", "topology": "mesh:2x2", "ranks": 4, "bytes": 8)" + more +
         R"(}, "machine": {"name": "unit", "description": "d", "alpha_s": 1.0, "per_hop_s": 0.0,)"
         R"( "beta_s_per_byte": 1.0, "gamma_s_per_byte": 0.0, "rho_s_per_byte": 0.0, "barrier_s": 0.0,)"
         R"( "barrier_log2_s": 0.0, "ports": "all", "duplex": "full", "switching": "store-and-forward",)"
         R"( "circuit": "average", "multicast": false, "shared": 1}, )" +
         rest + "}";
}
inline const std::string run_json =
    task_json(R"("choice": "alltoall_cycle", "transport": "threads", "median_s": 20.5)");
inline const std::string simulate_json =
    task_json(R"("choice": "alltoall_cycle", "order": "dataflow", "network": "cut-through", "makespan_s": 24.0)");
inline const std::string plan_json = task_json(
    R"("order": "lockstep", "network": "free", "candidates": [{"choice": "alltoall_cycle", "simulated_s": 30.0},)"
    R"( {"choice": "alltoall_cycle", "simulated_s": null}])");
inline const std::string verify_json = task_json(R"("holds": true, "proofs": [{"choice": "alltoall_cycle"}])");
inline const std::string price_json = task_json(R"("choice": "alltoall_cycle", "formula": {})");
inline const std::string validated_csv =
    "network,mpi,collective,bytes,way,chosen,predicted_s,measured_s,least_s,most_s,repetitions\n"
    "mesh:2x2,mpich,alltoall,8,\"native\",0,0,0.5,0.4,0.6,5\n"
    "mesh:2x2,mpich,alltoall,8,\"alltoall_cycle\",1,0.2,0.25,0.2,0.3,5\n";

/// A sweep of two sizes and one algorithm, as its file is.
inline std::string sweep_text(SweepForm form) {
  SweepQuestion question;
  question.machine = load_machine("unit");
  question.choices = {parse_choice("alltoall_cycle")};
  question.effort = Effort::simulate;
  for (const Bytes bytes : {8, 64})
    question.points.push_back(
        checked({.collective = Collective::alltoall, .topology = parse_topology("mesh:2x2"), .bytes = bytes}));
  const sweeps::SweepText text{form};
  std::string all = text.head(to_text(question));
  for (std::size_t i = 0; i < 2; ++i) all += text.row(sweep_point(question, i).front(), i == 0);
  return all + std::string(text.tail());
}

}  // namespace quadrille
