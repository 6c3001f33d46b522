// The version: of the library, and of whatever is compiled for it. CMakeLists.txt reads it here.
#pragma once

#define QUADRILLE_VERSION "0.2.0"
