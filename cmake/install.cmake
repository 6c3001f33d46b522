# cmake --install: what was built, and only that. The program with its manual, the libraries with their headers, and what
# finds them: a CMake package and pkg-config files. Targets are quadrille::quadrille (plans, proofs, prices, threads) and,
# for every MPI there was, quadrille::mpi_openmpi and quadrille::mpi_mpich, which hold all of that too.
#
# A component is a package of its own (cmake/packages.cmake): command, openmpi, mpich, development, python, lab.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Quadrille)

# Each library has a list of targets of its own, as any of them may be missing.
function(quadrille_export list)
  install(EXPORT ${list} NAMESPACE quadrille:: DESTINATION ${package_dir})
endfunction()

# OPTIONAL: a target that was not built is left out.
install(DIRECTORY include/quadrille DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS quadrille EXPORT QuadrilleTargets DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
quadrille_export(QuadrilleTargets)
foreach(name IN LISTS quadrille_mpis)
  install(TARGETS quadrille_mpi_${name} EXPORT Quadrille_${name}_Targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name} NAMELINK_COMPONENT development OPTIONAL
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  quadrille_export(Quadrille_${name}_Targets)
  install(TARGETS quadrille_dropin_${name}  # is loaded, and linked with by nobody
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name} OPTIONAL)
endforeach()
install(TARGETS quadrille_cli RUNTIME COMPONENT command OPTIONAL)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
install(DIRECTORY docs/guide docs/how-it-works docs/reference docs/schema DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
        COMPONENT command)
install(FILES docs/design.md docs/tuning.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT command)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/quadrille-dev)
install(DIRECTORY packaging/slurm DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/quadrille COMPONENT command)  # scripts for jobs

# A program says of itself what its man pages and completions are: quadrille_manual(<target> <component>)
function(quadrille_manual target component)
  install(CODE "
    set(program \"$<TARGET_FILE:${target}>\")
    if(EXISTS \"\${program}\")
      set(zsh site-functions)
      if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
        set(zsh vendor-completions)  # where Debian's zsh looks
      endif()
      execute_process(COMMAND \"\${program}\" manual --zsh \${zsh}
                              \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}\"
                      COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
    endif()" COMPONENT ${component})
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
  quadrille_manual(quadrille_cli command)
endif()

# A module file, for sites that have them: module use <prefix>/share/quadrille/modulefiles; module load quadrille
set(module_file ${CMAKE_INSTALL_DATAROOTDIR}/quadrille/modulefiles/quadrille/${PROJECT_VERSION})
install(CODE "
    set(prefix \"\${CMAKE_INSTALL_PREFIX}\")
    set(version ${PROJECT_VERSION})
    set(description \"${PROJECT_DESCRIPTION}\")
    set(libraries ${CMAKE_INSTALL_LIBDIR})
    configure_file(\"${PROJECT_SOURCE_DIR}/packaging/modulefile.in\"
                   \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${module_file}\" @ONLY)" COMPONENT command)

configure_package_config_file(cmake/QuadrilleConfig.cmake.in ${generated_dir}/QuadrilleConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${generated_dir}/QuadrilleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated_dir}/QuadrilleConfig.cmake ${generated_dir}/QuadrilleConfigVersion.cmake
        DESTINATION ${package_dir})

# quadrille_pkg_config(<name> <what it is> <compiler flags> <libraries>): paths follow the file, wherever it is moved.
function(quadrille_pkg_config name what cflags libs)
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  file(WRITE ${generated_dir}/${name}.pc
"prefix=\${pcfiledir}/${up}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: ${name}
Description: ${what}
Version: ${PROJECT_VERSION}
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR} ${cflags}
Libs: -L\${libdir} ${libs}
")
  install(FILES ${generated_dir}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

quadrille_pkg_config(quadrille "${PROJECT_DESCRIPTION}" "" "-lquadrille -lfmt -ltomlplusplus -lexpat -pthread")
foreach(name IN LISTS quadrille_mpis)
  get_target_property(folders quadrille_${name} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(link quadrille_${name} INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM folders PREPEND -I)
  list(JOIN folders " " cflags)
  list(JOIN link " " libs)
  quadrille_pkg_config(quadrille-mpi-${name} "Collectives over ${name}, planned once and performed many times"
                       "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX ${cflags}" "-lquadrille-mpi-${name} ${libs}")
endforeach()
