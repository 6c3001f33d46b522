# Sources made from lists of files, so that adding an algorithm, a topology, a collective (and its name in
# the enum) or a machine preset is adding one file.
set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(generated_sources ${generated_dir}/collectives.cpp ${generated_dir}/registry.cpp ${generated_dir}/families.cpp
                      ${generated_dir}/presets.cpp ${generated_dir}/templates.cpp ${generated_dir}/errata.cpp)

# Writes only what changed, so that a configure run does not recompile.
function(write_if_different path content)
  if(EXISTS ${path})
    file(READ ${path} old)
    if(old STREQUAL content)
      return()
    endif()
  endif()
  file(WRITE ${path} "${content}")
endfunction()

# src/collective/kinds/<name>.cpp defines `const Traits& describe()` in namespace quadrille::collective::<name>; the enum
# has the same name. A value without a file, or a file without a value, is an error of the compiler.
file(GLOB collective_files CONFIGURE_DEPENDS src/collective/kinds/*.cpp)
set(declarations "")
set(cases "")
set(values "")
foreach(path IN LISTS collective_files)
  get_filename_component(name ${path} NAME_WE)
  string(APPEND declarations "namespace ${name} {\nconst Traits& describe();\n}\n")
  string(APPEND cases "    case Collective::${name}:\n      return ${name}::describe();\n")
  string(APPEND values "      Collective::${name},\n")
endforeach()
write_if_different(${generated_dir}/collectives.cpp
"// Generated from the files in src/collective/kinds/; do not edit.
#include <algorithm>
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
file(GLOB algorithm_files CONFIGURE_DEPENDS src/algorithm/*/*.cpp)
list(FILTER algorithm_files EXCLUDE REGEX "/src/algorithm/(kit|pattern)/")
set(declarations "")
set(entries "")
foreach(path IN LISTS algorithm_files)
  get_filename_component(name ${path} NAME_WE)
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(collective ${folder} NAME)
  string(APPEND declarations "namespace ${collective}_${name} {\nAlgorithm describe();\n}\n")
  string(APPEND entries "  all.push_back(OnRoutes<OnOneRank<${collective}_${name}::describe>::made>::made());\n"
                        "  all.back().file = \"src/algorithm/${collective}/${name}.cpp\";\n")
endforeach()
write_if_different(${generated_dir}/registry.cpp
"// Generated from the files in src/algorithm/; do not edit.
#include \"algorithm/on_routes.hpp\"
#include \"algorithm/one_rank.hpp\"
#include \"algorithm/registry.hpp\"
namespace quadrille::algorithm {
${declarations}
std::vector<Algorithm> generated_registry() {
  std::vector<Algorithm> all;
${entries}  return all;
}
}  // namespace quadrille::algorithm
")

# src/topology/<name>.cpp defines `std::vector<TopologyFamily> families()` in namespace quadrille::topology::<name>.
file(GLOB topology_files CONFIGURE_DEPENDS src/topology/*.cpp)
list(FILTER topology_files EXCLUDE REGEX "/topology\\.cpp$")
set(declarations "")
set(entries "")
foreach(path IN LISTS topology_files)
  get_filename_component(name ${path} NAME_WE)
  string(APPEND declarations "namespace ${name} {\nstd::vector<TopologyFamily> families();\n}\n")
  string(APPEND entries "  for (const TopologyFamily& family : ${name}::families()) all.push_back(family);\n")
endforeach()
write_if_different(${generated_dir}/families.cpp
"// Generated from the files in src/topology/; do not edit.
#include \"topology/families.hpp\"
namespace quadrille::topology {
${declarations}
std::vector<TopologyFamily> generated_families() {
  std::vector<TopologyFamily> all;
${entries}  return all;
}
}  // namespace quadrille::topology
")

# machines/<name>.toml becomes a preset of that name.
file(GLOB machine_files CONFIGURE_DEPENDS machines/*.toml)
set(entries "")
foreach(path IN LISTS machine_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND entries "    {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
write_if_different(${generated_dir}/presets.cpp
"// Generated from the files in machines/; do not edit.
#include \"machine/presets.hpp\"
namespace quadrille::machine {
const std::vector<Preset>& generated_presets() {
  static const std::vector<Preset> all{
${entries}  };
  return all;
}
}  // namespace quadrille::machine
")

# src/papers/errata/*.toml, in the order of their names, which begin with a number.
file(GLOB errata_files CONFIGURE_DEPENDS src/papers/errata/*.toml)
set(entries "")
foreach(path IN LISTS errata_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  get_filename_component(name ${path} NAME)
  file(READ ${path} text)
  string(APPEND entries "      {\"src/papers/errata/${name}\", R\"toml(${text})toml\"},\n")
endforeach()
write_if_different(${generated_dir}/errata.cpp
"// Generated from the files in src/papers/errata/; do not edit.
#include \"papers/errata.hpp\"
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
write_if_different(${generated_dir}/templates.cpp
"// Generated from web/dist/; do not edit.
#include \"report/template.hpp\"
namespace quadrille::report {
${functions}}  // namespace quadrille::report
")
