# The program as a WebAssembly module: quadrille.wasm, and quadrille.js that starts it. tools/build_web makes the npm
# package and the page of it.
list(FILTER cli_sources EXCLUDE REGEX "${not_in_the_web}")
file(GLOB web_sources CONFIGURE_DEPENDS src/web/*.cpp)
add_executable(quadrille_web ${cli_sources} ${web_sources})
quadrille_grouped(quadrille_web)
target_include_directories(quadrille_web PRIVATE src)
target_link_libraries(quadrille_web PRIVATE quadrille_console)
set_target_properties(quadrille_web PROPERTIES OUTPUT_NAME quadrille)
target_link_options(quadrille_web PRIVATE
  -O1  # the compiler has optimized; going over nine megabytes once more takes minutes and gains little
  --no-entry
  -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=worker
  -sEXPORTED_FUNCTIONS=_quadrille_run,_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,stringToUTF8,lengthBytesUTF8
  -sDYNAMIC_EXECUTION=0       # for pages whose policy forbids text that becomes script
  -sINITIAL_MEMORY=64MB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=1GB
  -sABORTING_MALLOC=0         # what needs more is told so, as by the program
  -sTOTAL_STACK=4MB)
