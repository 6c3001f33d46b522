// What reductions, which are all-gathers run backwards, need of them.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::allgather_daisy {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_twoway {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_doubling {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_adea {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_adea_rotated {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_axes {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_axes_rotated {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_flood {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_linear {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_lines {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_lin {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_cycles {
Algorithm describe();
}
namespace quadrille::algorithm::allgather_rarest {
Algorithm describe();
}
