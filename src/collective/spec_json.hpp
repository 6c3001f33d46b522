// A question as JSON, both ways: docs/schema/common.json, "spec".
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "quadrille/collective.hpp"

namespace quadrille::collective {

/// {"collective", "topology", "ranks", "bytes"}, "root" and "target" where there are any, and "sources" with
/// "source_bytes".
nlohmann::ordered_json to_json(const Spec& spec);
/// Reads that back. "ranks" may be missing; "sources" may be text such as "0,3:100". Throws Error(format) naming the
/// member that is missing or wrong.
Spec spec_from_json(const nlohmann::ordered_json& json);

}  // namespace quadrille::collective
