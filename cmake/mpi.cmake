# One shared library for every MPI that is installed, of one source: libquadrille-mpi-openmpi and libquadrille-mpi-mpich.
# Their ABIs differ, so both can be wanted at once; each is asked for by its own compiler wrapper, whichever of them the
# system calls mpicc. Sets quadrille_mpis to what is there, and for each quadrille_mpi_<name>_launcher.
set(quadrille_mpis "")

# quadrille_find_mpi(<name> <what its mpi.h defines> <launchers...>)
function(quadrille_find_mpi name mark)
  find_program(QUADRILLE_${name}_WRAPPER NAMES mpicc.${name} mpicc
               DOC "Compiler wrapper that says where this MPI is")
  find_program(QUADRILLE_${name}_LAUNCHER NAMES ${ARGN} DOC "What starts programs with this MPI")
  mark_as_advanced(QUADRILLE_${name}_WRAPPER QUADRILLE_${name}_LAUNCHER)
  if(NOT QUADRILLE_${name}_WRAPPER)
    return()
  endif()
  execute_process(COMMAND ${QUADRILLE_${name}_WRAPPER} -show OUTPUT_VARIABLE line ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${line}")
  set(folders "")
  set(link "")
  foreach(word IN LISTS words)
    if(word MATCHES "^-I(.+)")
      list(APPEND folders ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-[lL]" OR word MATCHES "^-Wl,-rpath")
      list(APPEND link ${word})
    endif()
  endforeach()
  find_file(header mpi.h PATHS ${folders} NO_DEFAULT_PATH NO_CACHE)
  if(NOT header)
    return()
  endif()
  file(STRINGS ${header} defined REGEX "define ${mark}" LIMIT_COUNT 1)
  if(NOT defined)  # mpicc belongs to another MPI
    return()
  endif()
  add_library(quadrille_${name} INTERFACE)
  target_include_directories(quadrille_${name} SYSTEM INTERFACE ${folders})
  # Without what MPI had for C++ before 2012, which would need another library.
  target_compile_definitions(quadrille_${name} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(quadrille_${name} INTERFACE ${link})
  set(quadrille_mpis ${quadrille_mpis} ${name} PARENT_SCOPE)
endfunction()

if(QUADRILLE_MPI)
  quadrille_find_mpi(openmpi OMPI_MAJOR_VERSION mpirun.openmpi mpirun)
  quadrille_find_mpi(mpich MPICH_VERSION mpiexec.mpich mpiexec.hydra mpiexec)
endif()
foreach(name IN ITEMS openmpi mpich)
  if(NOT name IN_LIST quadrille_mpis)
    message(STATUS "No ${name} found: libquadrille-mpi-${name} is left out")
  endif()
endforeach()

# How tests over an MPI launch it.
set(openmpi_options --oversubscribe --allow-run-as-root --mca btl self,vader --mca mpi_yield_when_idle 1)
set(mpich_options "")

file(GLOB mpi_sources CONFIGURE_DEPENDS src/mpi/*.cpp)
foreach(name IN LISTS quadrille_mpis)
  add_library(quadrille_mpi_${name} SHARED ${mpi_sources})
  set_target_properties(quadrille_mpi_${name} PROPERTIES OUTPUT_NAME quadrille-mpi-${name} EXPORT_NAME mpi_${name}
                        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  quadrille_grouped(quadrille_mpi_${name})
  target_include_directories(quadrille_mpi_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> PRIVATE src)
  # Who includes quadrille/mpi.hpp includes the mpi.h of the MPI that this library was built with.
  get_target_property(folders quadrille_${name} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(link quadrille_${name} INTERFACE_LINK_LIBRARIES)
  target_compile_definitions(quadrille_mpi_${name} INTERFACE $<INSTALL_INTERFACE:OMPI_SKIP_MPICXX>
                             $<INSTALL_INTERFACE:MPICH_SKIP_MPICXX>)
  target_include_directories(quadrille_mpi_${name} SYSTEM INTERFACE "$<INSTALL_INTERFACE:${folders}>")
  # All of the library, so that who uses this one needs no other.
  target_link_libraries(quadrille_mpi_${name} PUBLIC $<BUILD_INTERFACE:quadrille_${name}> "$<INSTALL_INTERFACE:${link}>"
                        PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,quadrille> fmt::fmt quadrille_options)
endforeach()

# The drop-in: the same again, with nothing to be seen of it but MPI's names, as it is loaded into programs that may use
# any library themselves.
file(GLOB_RECURSE dropin_sources CONFIGURE_DEPENDS src/dropin/*.cpp)
set(dropin_words ${dropin_sources})  # rooms that know no MPI are compiled once
list(FILTER dropin_words INCLUDE REGEX "/src/dropin/(decide|report|timing)/")
list(REMOVE_ITEM dropin_sources ${dropin_words})
# What pmpi.hpp says for the library's own calls these take back, which must not reach other sources of a group.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/dropin/calls/counted.cpp
                            ${PROJECT_SOURCE_DIR}/src/dropin/calls/fortran.cpp
                            ${PROJECT_SOURCE_DIR}/src/dropin/calls/fortran_names.cpp
                            ${PROJECT_SOURCE_DIR}/src/dropin/calls/frees.cpp
                            ${PROJECT_SOURCE_DIR}/src/dropin/calls/later_names.cpp
                            ${PROJECT_SOURCE_DIR}/src/dropin/calls/life.cpp
                            ${PROJECT_SOURCE_DIR}/src/dropin/calls/requests.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
if(quadrille_mpis)
  add_library(quadrille_dropin_words OBJECT ${dropin_words})
  set_target_properties(quadrille_dropin_words PROPERTIES POSITION_INDEPENDENT_CODE ON)
  quadrille_grouped(quadrille_dropin_words)
  target_include_directories(quadrille_dropin_words PRIVATE src)
  target_link_libraries(quadrille_dropin_words PRIVATE quadrille fmt::fmt nlohmann_json::nlohmann_json quadrille_options)
endif()
foreach(name IN LISTS quadrille_mpis)
  add_library(quadrille_dropin_${name} SHARED ${dropin_sources} $<TARGET_OBJECTS:quadrille_dropin_words>
              src/mpi/arena.cpp src/mpi/basic_types.cpp src/mpi/communicator.cpp src/mpi/execution.cpp
              src/mpi/between_hosts.cpp src/mpi/fetching.cpp src/mpi/hosts.cpp src/mpi/job.cpp src/mpi/neighbours.cpp src/mpi/packing.cpp src/mpi/peers.cpp
              src/mpi/plan_handle.cpp src/mpi/reducer.cpp)
  set_target_properties(quadrille_dropin_${name} PROPERTIES OUTPUT_NAME quadrille-${name})
  quadrille_grouped(quadrille_dropin_${name})
  target_include_directories(quadrille_dropin_${name} PRIVATE include src)
  target_compile_options(quadrille_dropin_${name} PRIVATE -include ${PROJECT_SOURCE_DIR}/src/dropin/calls/pmpi.hpp)
  target_link_options(quadrille_dropin_${name} PRIVATE
                      -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/dropin/calls/names.map -Wl,-z,defs)
  set_target_properties(quadrille_dropin_${name} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/dropin/calls/names.map)
  target_link_libraries(quadrille_dropin_${name} PRIVATE quadrille_${name} quadrille fmt::fmt
                        nlohmann_json::nlohmann_json quadrille_options ${CMAKE_DL_LIBS})
endforeach()
