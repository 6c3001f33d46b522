// The word that stands for a network which the surroundings name.
#pragma once

#include <string>

namespace quadrille::cli {

/// Of "slurm" the network of the job that this was started in, such as "star:4*8"; any other text as it is. Throws
/// Error(argument) where there is no job.
std::string network_named(const std::string& typed);

}  // namespace quadrille::cli
