/* Labels of 64 bits from roots of 32 bits, native. */
#define NATIVE_TABLE mw_native_number_32_64
#define LABEL_64 1
#include "components/number.inc"
