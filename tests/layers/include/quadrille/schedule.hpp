#include "quadrille/verify.hpp"
#include "quadrille/base.hpp"
