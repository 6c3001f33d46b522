# cmake --install: the program, the libraries with their headers, and what finds them: a CMake package and pkg-config
# files. Targets are quadrille::quadrille (plans, proofs, prices, threads) and, for every MPI there was,
# quadrille::mpi_openmpi and quadrille::mpi_mpich, which hold all of that too.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Quadrille)

install(DIRECTORY include/quadrille DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS quadrille EXPORT QuadrilleTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(name IN LISTS quadrille_mpis)
  install(TARGETS quadrille_mpi_${name} EXPORT QuadrilleTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS quadrille_dropin_${name})  # is loaded, and linked with by nobody
endforeach()
install(TARGETS quadrille_cli)

install(EXPORT QuadrilleTargets NAMESPACE quadrille:: DESTINATION ${package_dir})
configure_package_config_file(cmake/QuadrilleConfig.cmake.in ${generated_dir}/QuadrilleConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
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
