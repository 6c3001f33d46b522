// What reductions, which are broadcasts run backwards, need of them.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::bcast_lin {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_halving {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_chain {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_binomial {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_pipelined {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_two_trees {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_two_edst {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_esbt {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_adst {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_exchange {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_circulant {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_relayed {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_packed {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_earliest {
Algorithm describe();
}
namespace quadrille::algorithm::bcast_rarest {
Algorithm describe();
}
