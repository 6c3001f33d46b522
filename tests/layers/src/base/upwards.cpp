// The tree in tests/layers breaks the rules on purpose: tools/check_layers must name these lines.
#include "base/text.hpp"
#include "plan/plan.hpp"
#include <mpi.h>
#include "text.hpp"
