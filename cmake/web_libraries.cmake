# What the build for web pages is made with: the same libraries as elsewhere, by their headers alone, as what Debian has
# compiled of them is not for WebAssembly. Only their own folders are seen, none of the system's other headers.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(header IN ITEMS fmt/format-inl.h CLI/CLI.hpp nlohmann/json.hpp toml++/toml.h)
  get_filename_component(library ${header} DIRECTORY)
  find_path(${library}_folder ${header} PATHS /usr/include /usr/local/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  file(CREATE_LINK ${${library}_folder}/${library} ${headers}/${library} SYMBOLIC)
endforeach()

# quadrille_header_only(<target> [<definition>...])
function(quadrille_header_only target)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE ${headers})
  target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()
quadrille_header_only(fmt::fmt FMT_HEADER_ONLY=1)
quadrille_header_only(CLI11::CLI11)
quadrille_header_only(nlohmann_json::nlohmann_json)
quadrille_header_only(PkgConfig::TOMLPLUSPLUS)
add_library(PkgConfig::EXPAT INTERFACE IMPORTED)  # nothing: see src/web/absent.cpp
add_library(Threads::Threads INTERFACE IMPORTED)  # nor of these

# Files whose place src/web/absent.cpp takes.
set(not_in_the_web
    "/src/(algorithm/plugin|executor/team|formats/png_picture|interchange/xml_parse|cli/options/mpi_loading|cli/main)\\.cpp$")

add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)
