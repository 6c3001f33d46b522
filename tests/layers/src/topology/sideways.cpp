#include "machine/keys.hpp"
#  include <quadrille/machine.hpp>
