/* Labelling by runs with labels of 64 bits, native. */
#define LABEL_64 1
#define NATIVE_TABLE mw_label_native_runs_64
#include "label/native-runs.inc"
