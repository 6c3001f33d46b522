// Prefixes digit by digit, with and without the rank's own contribution.
#pragma once

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::scan {

Algorithm by_digits(Collective collective, const kit::Description& description);

}  // namespace quadrille::algorithm::scan
