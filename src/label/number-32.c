/* Labels of 32 bits from roots, native. */
#define NATIVE_TABLE mw_native_number_32
#include "label/number.inc"
