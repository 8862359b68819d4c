/* Building adjacency where what bins leave of keys has more than 32 bits, native. */
#define NATIVE_TABLE mw_graph_native_build_64
#define KEY_64 1
#include "graph/build/native-build.inc"
