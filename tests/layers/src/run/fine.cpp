#include <mpi.h>
#include "executor/data.hpp"
#include "algorithm/pattern/tree.hpp"
