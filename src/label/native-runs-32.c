/* Labelling by runs with labels of 32 bits, native. */
#define NATIVE_TABLE mw_label_native_runs_32
#include "label/native-runs.inc"
