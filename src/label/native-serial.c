/* The papers' serial algorithms, for all types of cells and of labels. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "label/native_serial.h"

#define PASTE_(a, b, c, d) a##_##b##_##c##_##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define NAMED(name) PASTE(label, name, ELEMENT, LABEL)

#define JOINED(a, b) ((a) == (b))
#define LABEL int32_t
#define ELEMENT uint8_t
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT uint16_t
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT uint32_t
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT uint64_t
#include "label/native-serial.inc"
#undef ELEMENT
#undef LABEL
#define LABEL int64_t
#define ELEMENT uint8_t
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT uint16_t
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT uint32_t
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT uint64_t
#include "label/native-serial.inc"
#undef ELEMENT
#undef JOINED

/* Equal ones are asked for by themselves because of infinities. */
#define JOINED(a, b) ((a) == (b) || ((a) - (b) <= value && (b) - (a) <= value))
#define ELEMENT float
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT double
#include "label/native-serial.inc"
#undef ELEMENT
#undef LABEL
#define LABEL int32_t
#define ELEMENT float
#include "label/native-serial.inc"
#undef ELEMENT
#define ELEMENT double
#include "label/native-serial.inc"

static void label_kinds(const struct mw_native_call *call)
{
    const struct mw_label_serial *s = *(const struct mw_label_serial *const *)call->args[2];
    unsigned char *to = call->args[1];
    for (int64_t k = 0; k < s->lattice.cells; k += 64) {
        const int64_t n = s->lattice.cells - k < 64 ? s->lattice.cells - k : 64;
        int64_t other = -1;
        uint64_t bits;
        s->cells->classify(call->args[0], k, n, s->threshold, s->has_background, s->all, &other, &bits);
        for (int64_t i = 0; i < n; i++)
            to[k + i] = bits >> i & 1;
    }
}

#define KERNELS(element, label)                                                                                      \
    {                                                                                                                \
        { "label_raster", label_raster_##element##_##label },                                                        \
        { "label_equivalence", label_equivalence_##element##_##label },                                              \
        { "label_kinds", label_kinds },                                                                              \
        { NULL, NULL },                                                                                              \
    }
#define TYPES(label)                                                                                                 \
    {                                                                                                                \
        [MW_LABEL_SERIAL_1] = KERNELS(uint8_t, label), [MW_LABEL_SERIAL_2] = KERNELS(uint16_t, label),               \
        [MW_LABEL_SERIAL_4] = KERNELS(uint32_t, label), [MW_LABEL_SERIAL_8] = KERNELS(uint64_t, label),              \
        [MW_LABEL_SERIAL_F32] = KERNELS(float, label), [MW_LABEL_SERIAL_F64] = KERNELS(double, label),               \
    }

const struct mw_native_kernel mw_label_native_serial[2][MW_LABEL_SERIAL_TYPES][4] = { TYPES(int32_t), TYPES(int64_t) };
