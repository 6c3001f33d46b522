// The kinds of errors by name.
#include "quadrille/base.hpp"

namespace quadrille {

std::string_view to_string(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::argument:
      return "argument";
    case Error::Kind::illegal:
      return "illegal";
    case Error::Kind::format:
      return "format";
    case Error::Kind::budget:
      return "budget";
    case Error::Kind::transport:
      return "transport";
    case Error::Kind::internal:
      return "internal";
  }
  return "internal";
}

}  // namespace quadrille
