# cpack -G DEB: Debian packages of what was built. Comes last, as it looks at which components there are.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quadrille)
set(CPACK_PACKAGE_CONTACT "The authors of Quadrille <quadrille@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # which packages libraries come from, and which version at least
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)

# quadrille_package(<component> <package> <summary> <depends on packages>)
set(quadrille_components "")
macro(quadrille_package component package summary depends)
  string(TOUPPER ${component} upper)
  list(APPEND quadrille_components ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}")
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} RENAME copyright COMPONENT ${component})
endmacro()

find_package(Python3 QUIET COMPONENTS Interpreter)
quadrille_package(command quadrille
  "collective communication: planned, proven, priced, run and explained
 The command quadrille with its manual, completion for shells and documents." "")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "man-db, bash-completion")
quadrille_package(development quadrille-dev
  "development files of Quadrille
 Headers, the static library, and what finds them from CMake and pkg-config. Examples." "libfmt-dev, libtomlplusplus-dev, libexpat1-dev")
foreach(name IN LISTS quadrille_mpis)
  string(TOUPPER ${name} upper)
  quadrille_package(${name} quadrille-${name}
    "collectives of Quadrille over ${name}
 The library for programs, and the drop-in for programs that stay as they are." "")
  list(APPEND suggested quadrille-${name})
endforeach()
list(JOIN suggested ", " CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS)
if(TARGET quadrille_python)
  math(EXPR python_after "${Python3_VERSION_MINOR} + 1")
  quadrille_package(python python3-quadrille
    "Quadrille in Python
 Plans, proofs and schedules of your own; plans over the ranks of mpi4py."
    "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}), python3 (<< ${Python3_VERSION_MAJOR}.${python_after})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-numpy, python3-mpi4py, quadrille-openmpi")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
endif()
if(TARGET quadrille_lab)
  quadrille_package(lab quadrille-lab
    "emulated networks on one machine
 Hosts and links of network namespaces, for comparing predictions with times." "iproute2")
endif()
set(CPACK_COMPONENTS_ALL ${quadrille_components})
include(CPack)
