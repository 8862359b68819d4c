/* Labels of 32 bits from roots of 32 bits, native. */
#define NATIVE_TABLE mw_native_number_32
#include "components/number.inc"
