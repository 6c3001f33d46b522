#include "cli/options/network.hpp"

#include <cstdlib>

#include "topology/hosts/slurm.hpp"

namespace quadrille::cli {

std::string network_named(const std::string& typed) {
  if (typed != "slurm") return typed;
  const topology::SlurmJob job = topology::slurm_job([](const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  });
  return topology::slurm_hosts(job).star();
}

}  // namespace quadrille::cli
