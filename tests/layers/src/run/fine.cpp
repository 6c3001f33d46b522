#include <mpi.h>
#include "run/data.hpp"
#include "algorithm/tree.hpp"
