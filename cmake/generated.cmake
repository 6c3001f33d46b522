# Sources made from lists of files, so that adding an algorithm, a topology, a collective (and its name in
# the enum) or a machine preset is adding one file.
set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(generated_sources "")

# Writes only what changed, so that a configure run does not recompile.
function(write_generated name from content)
  set(path ${generated_dir}/${name})
  set(generated_sources ${generated_sources} ${path} PARENT_SCOPE)
  set(content "// Generated from ${from}; do not edit.\n${content}")
  if(EXISTS ${path})
    file(READ ${path} old)
    if(old STREQUAL content)
      return()
    endif()
  endif()
  file(WRITE ${path} "${content}")
endfunction()

# The template once for each file that follows, with the file's @name@, its @folder@, its @path@ in the project and, where
# the template asks for it, its @text@.
function(for_each_file result template)
  set(all "")
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME_WE)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    if(template MATCHES "@text@")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(READ ${file} text)
    endif()
    string(CONFIGURE "${template}" one @ONLY)
    string(APPEND all "${one}")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# src/collective/kinds/<name>.cpp defines `const Traits& describe()` in namespace quadrille::collective::<name>; the enum
# has the same name. A value without a file, or a file without a value, is an error of the compiler.
file(GLOB files CONFIGURE_DEPENDS src/collective/kinds/*.cpp)
for_each_file(declarations "namespace @name@ {\nconst Traits& describe();\n}\n" ${files})
for_each_file(cases "    case Collective::@name@:\n      return @name@::describe();\n" ${files})
for_each_file(values "      Collective::@name@,\n" ${files})
write_generated(collectives.cpp "the files in src/collective/kinds/" "#include <algorithm>
#include <stdexcept>
#include \"collective/traits.hpp\"
namespace quadrille::collective {
${declarations}
namespace {
const Traits& described(Collective c) {
  switch (c) {
${cases}  }
  throw std::out_of_range(\"no such collective\");
}
}  // namespace
const Traits& traits(Collective c) {
  static const std::vector<const Traits*> all = [] {
    std::vector<const Traits*> list;
    for (const Collective each : collectives()) list.push_back(&described(each));
    return list;
  }();
  return *all[static_cast<std::size_t>(c)];
}
}  // namespace quadrille::collective
namespace quadrille {
const std::vector<Collective>& collectives() {
  static const std::vector<Collective> all = [] {
    std::vector<Collective> list{
${values}    };
    std::sort(list.begin(), list.end());
    return list;
  }();
  return all;
}
}  // namespace quadrille
")

# src/algorithm/<collective>/<name>.cpp defines `Algorithm describe()` in namespace quadrille::algorithm::<collective>_<name>.
file(GLOB files CONFIGURE_DEPENDS src/algorithm/*/*.cpp)
list(FILTER files EXCLUDE REGEX "/src/algorithm/(kit|pattern|mpis)/")
for_each_file(declarations "namespace @folder@_@name@ {\nAlgorithm describe();\n}\n" ${files})
for_each_file(entries "    {@folder@_@name@::describe, Anywhere<@folder@_@name@::describe>::list, \"@path@\"},\n" ${files})
write_generated(registry.cpp "the files in src/algorithm/" "#include \"algorithm/anywhere.hpp\"
#include \"algorithm/registry.hpp\"
namespace quadrille::algorithm {
${declarations}
namespace {
struct Entry {
  Algorithm (*describe)();
  void (*list)(const Algorithm& described, Algorithm& listed);
  std::string_view file;
};
constexpr Entry entries[] = {
${entries}};
}  // namespace
std::vector<Algorithm> generated_registry() {
  static const std::vector<Algorithm> described = [] {
    std::vector<Algorithm> all;
    for (const Entry& entry : entries) {
      all.push_back(entry.describe());
      all.back().file = entry.file;
    }
    return all;
  }();
  std::vector<Algorithm> all = described;
  for (std::size_t i = 0; i < all.size(); ++i) entries[i].list(described[i], all[i]);
  return all;
}
}  // namespace quadrille::algorithm
")

# src/topology/<name>.cpp defines `std::vector<TopologyFamily> families()` in namespace quadrille::topology::<name>.
file(GLOB files CONFIGURE_DEPENDS src/topology/*.cpp)
list(FILTER files EXCLUDE REGEX "/topology\\.cpp$")
for_each_file(declarations "namespace @name@ {\nstd::vector<TopologyFamily> families();\n}\n" ${files})
for_each_file(entries "  for (const TopologyFamily& family : @name@::families()) all.push_back(family);\n" ${files})
write_generated(families.cpp "the files in src/topology/" "#include \"topology/families.hpp\"
namespace quadrille::topology {
${declarations}
std::vector<TopologyFamily> generated_families() {
  std::vector<TopologyFamily> all;
${entries}  return all;
}
}  // namespace quadrille::topology
")

# machines/<name>.toml becomes a preset of that name.
file(GLOB files CONFIGURE_DEPENDS machines/*.toml)
for_each_file(entries "    {\"@name@\", R\"toml(@text@)toml\"},\n" ${files})
write_generated(presets.cpp "the files in machines/" "#include \"machine/presets.hpp\"
namespace quadrille::machine {
const std::vector<Preset>& generated_presets() {
  static const std::vector<Preset> all{
${entries}  };
  return all;
}
}  // namespace quadrille::machine
")

# src/papers/errata/*.toml, in the order of their names, which begin with a number.
file(GLOB files CONFIGURE_DEPENDS src/papers/errata/*.toml)
for_each_file(entries "      {\"@path@\", R\"toml(@text@)toml\"},\n" ${files})
write_generated(errata.cpp "the files in src/papers/errata/" "#include \"papers/errata.hpp\"
namespace quadrille::papers {
const std::vector<ErrataFile>& generated_errata() {
  static const std::vector<ErrataFile> all{
${entries}  };
  return all;
}
}  // namespace quadrille::papers
")

# Files that the program carries: web/dist/report.html, built from web/ and committed, becomes report_template(), and so
# on. In chunks: a literal has a limit.
set(functions "")
foreach(carried IN ITEMS report_template=web/dist/report.html papers_template=web/dist/papers.html)
  string(REGEX MATCH "^(.*)=(.*)$" unused ${carried})
  set(name ${CMAKE_MATCH_1})
  set(path ${PROJECT_SOURCE_DIR}/${CMAKE_MATCH_2})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${hex}")
  string(REGEX REPLACE "((\\\\x..)(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?)" "\"\\1\"\n" literal "${escaped}")
  string(APPEND functions "std::string_view ${name}() {\n  return {\n${literal}, ${bytes}};\n}\n")
endforeach()
write_generated(templates.cpp "web/dist/" "#include \"report/template.hpp\"
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
namespace quadrille::report {
${functions}}  // namespace quadrille::report
")
