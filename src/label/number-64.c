/* Labels of 64 bits from roots, native. */
#define LABEL_64 1
#define NATIVE_TABLE mw_native_number_64
#include "label/number.inc"
