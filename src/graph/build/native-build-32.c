/* Building adjacency where what bins leave of keys has 32 bits, native. */
#define NATIVE_TABLE mw_graph_native_build_32
#include "graph/build/native-build.inc"
