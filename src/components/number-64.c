/* Labels of 64 bits from roots of 64 bits, native. */
#define NATIVE_TABLE mw_native_number_64
#define ROOT_64 1
#include "components/number.inc"
