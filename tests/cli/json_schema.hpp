// The part of JSON Schema that docs/schema/ is written in.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace quadrille {

class JsonSchemas {
 public:
  explicit JsonSchemas(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// What is wrong with a value, each by its place in it; nothing when it is as `name`.json says.
  std::vector<std::string> complaints(const std::string& name, const nlohmann::json& value);
  /// Names of members that a schema knows.
  std::set<std::string> names(const std::string& name);

 private:
  struct Place {
    std::string file;
    const nlohmann::json* schema;
  };
  const nlohmann::json& file(const std::string& name);
  Place resolved(Place at);
  void check(Place at, const nlohmann::json& value, const std::string& where, std::vector<std::string>& wrong);
  void check_object(const Place& at, const nlohmann::json& value, const std::string& where,
                    std::vector<std::string>& wrong);
  std::filesystem::path folder_;
  std::map<std::string, nlohmann::json> files_;
};

}  // namespace quadrille
