/* Fourier transforms on one device, $MESHWORK_TEST_DEVICE: random lengths in 1 to 4 dimensions, compared with a direct
 * transform in long double, with themselves backward, and bit by bit with native:serial and all other forms. */
#include <complex.h>
#include <math.h>

#include "tests/device/device.h"

#include "fft/fft.h"

#define PI 3.14159265358979323846264338327950288L

struct mesh_case {
    unsigned dims;
    size_t length[MW_DIMS_MAX], batch;
    bool fp64;
};

static size_t cells_of(const struct mesh_case *c)
{
    size_t cells = 1;
    for (unsigned d = 0; d < c->dims; d++)
        cells *= c->length[d];
    return cells;
}

/* Transforms an array of complex numbers along one dimension, by definition. */
static void transform_plainly(const struct mesh_case *c, unsigned d, long double _Complex *u)
{
    const size_t n = c->length[d], cells = cells_of(c);
    size_t stride = 1;
    long double _Complex *line = room(n, sizeof *line), *root = room(n, sizeof *root);
    for (unsigned e = 0; e < d; e++)
        stride *= c->length[e];
    for (size_t k = 0; k < n; k++)
        root[k] = cosl(2 * PI * (long double)k / (long double)n) - I * sinl(2 * PI * (long double)k / (long double)n);
    for (size_t first = 0; first < cells; first++) {
        if (first / stride % n)
            continue;
        for (size_t k = 0; k < n; k++) {
            line[k] = 0;
            for (size_t x = 0; x < n; x++)
                line[k] += u[first + x * stride] * root[k * x % n];
        }
        for (size_t k = 0; k < n; k++)
            u[first + k * stride] = line[k];
    }
    free(line);
    free(root);
}

static double number(const void *array, bool fp64, size_t i)
{
    return fp64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

/* Computes spectra and the arrays that come back from them. */
static void transform_on(struct mw_device *on, enum mw_fft_form form, const struct mesh_case *c, const void *array,
                         struct mw_fft **fft, void **spectrum, void **back)
{
    const size_t real = c->fp64 ? 8 : 4, bytes = cells_of(c) * c->batch * real;
    struct mw_buffer *from, *to;
    OK(mw_fft_new(on, c->dims, c->length, c->batch, c->fp64, form, fft));
    const size_t spectra = (*fft)->numbers * c->batch * real;
    OK(mw_buffer_new(on, bytes, &from));
    OK(mw_buffer_new(on, spectra, &to));
    OK(mw_buffer_fill(to, 0, spectra, 0));
    OK(mw_buffer_write(from, 0, bytes, array, NULL));
    *spectrum = room(spectra, 1);
    *back = room(bytes, 1);
    for (int turn = 0; turn < 2; turn++) { /* scratch memory then has old numbers */
        OK(mw_fft_forward(*fft, from, to, 0));
        OK(mw_buffer_read(to, 0, spectra, *spectrum, NULL));
        OK(mw_fft_backward(*fft, to, from));
        OK(mw_buffer_read(from, 0, bytes, *back, NULL));
        OK(mw_buffer_write(from, 0, bytes, array, NULL));
        OK(mw_buffer_fill(to, 0, spectra, 0));
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
}

/* Advances to the next wave vector of the half spectrum; returns false after the last one. */
static bool next_wave(const struct mesh_case *c, size_t *k)
{
    for (unsigned d = 0; d < c->dims; d++) {
        if (++k[d] < (d + 1 == c->dims ? c->length[d] / 2 + 1 : c->length[d]))
            return true;
        k[d] = 0;
    }
    return false;
}

static size_t index_of(const struct mesh_case *c, const size_t *k)
{
    size_t at = 0;
    for (unsigned d = c->dims; d-- > 0;)
        at = at * c->length[d] + k[d];
    return at;
}

/* Checks one array's spectrum by the definition, Parseval's sum, and the array that came back. */
static void check_array(const struct mesh_case *c, const struct mw_fft *fft, const void *array, const void *spectrum,
                        const void *back, const char *name)
{
    const size_t cells = cells_of(c);
    long double _Complex *u = room(cells, sizeof *u);
    long double error = 0, sum = 0, energy = 0, difference = 0, all = 0, hardness = 1;
    size_t k[MW_DIMS_MAX] = { 0 };
    for (size_t i = 0; i < cells; i++) {
        u[i] = number(array, c->fp64, i);
        sum += creall(u[i]) * creall(u[i]);
        const long double off = number(back, c->fp64, i) / (long double)cells - creall(u[i]);
        difference += off * off;
    }
    for (unsigned d = 0; d < c->dims; d++) {
        int32_t radix[FFT_PASSES_MAX];
        for (int i = mw_fft_radices(c->length[d], radix); i-- > 0;)
            hardness += 1 + sqrtl(radix[i]) / 2;
        transform_plainly(c, d, u);
    }
    do {
        const size_t at = mw_fft_at(fft, k), slow = c->dims - 1;
        const long double _Complex x = number(spectrum, c->fp64, at) + I * number(spectrum, c->fp64, at + fft->row);
        const long double off = cabsl(x - u[index_of(c, k)]);
        const int times = k[slow] == 0 || 2 * k[slow] == c->length[slow] ? 1 : 2;
        error += times * off * off;
        energy += times * creall(x * conjl(x));
    } while (next_wave(c, k));
    all = sum * (long double)cells;
    const long double unit = (c->fp64 ? 0x1p-53L : 0x1p-24L) * hardness;
    if (error > unit * unit * all || fabsl(energy - all) > 2 * unit * all || difference > 4 * unit * unit * sum)
        fail_msg("%s: %zu x %zu x %zu x %zu, %s: errors %Lg, %Lg and %Lg units", name, c->length[0], c->length[1],
                 c->length[2], c->length[3], c->fp64 ? "double" : "single", sqrtl(error / all) / unit,
                 fabsl(energy - all) / all / unit, sqrtl(difference / sum) / unit);
    free(u);
}

static void check_same(const struct mesh_case *c, const struct mw_fft *a, const void *x, const struct mw_fft *b,
                       const void *y, const char *name)
{
    const size_t real = c->fp64 ? 8 : 4;
    size_t k[MW_DIMS_MAX] = { 0 };
    do
        for (size_t i = 0; i < 2 * c->batch; i++) {
            const size_t at = (i / 2 * a->numbers + mw_fft_at(a, k) + i % 2 * a->row) * real;
            const size_t other = (i / 2 * b->numbers + mw_fft_at(b, k) + i % 2 * b->row) * real;
            if (memcmp((const char *)x + at, (const char *)y + other, real) != 0)
                fail_msg("%s: %zu x %zu x %zu x %zu: other bits at %zu %zu %zu %zu: %a %a", name, c->length[0],
                         c->length[1], c->length[2], c->length[3], k[0], k[1], k[2], k[3],
                         number(x, c->fp64, at / real), number(y, c->fp64, other / real));
        }
    while (next_wave(c, k));
}

static void check_case(const struct mesh_case *c)
{
    static const struct {
        enum mw_fft_form form;
        const char *name;
    } forms[] = { { MW_FFT_AUTO, "auto" },
                  { MW_FFT_VECTORS, "vectors" },
                  { MW_FFT_SINGLE_LANES, "single lanes" },
                  { MW_FFT_TILES, "tiles" },
                  { MW_FFT_FAR_TILES, "tiles in global memory" } };
    const size_t cells = cells_of(c), real = c->fp64 ? 8 : 4;
    void *array = room(cells * c->batch, real), *spectrum, *back, *expected, *expected_back;
    struct mw_fft *fft, *of_serial;
    for (size_t i = 0; i < cells * c->batch; i++)
        if (c->fp64)
            ((double *)array)[i] = (double)random_word() * 0x1p-64 - 0.25;
        else
            ((float *)array)[i] = (float)((double)random_word() * 0x1p-64) - 0.25f;
    transform_on(serial, MW_FFT_AUTO, c, array, &of_serial, &expected, &expected_back);
    for (size_t i = 0; i < c->batch; i++)
        check_array(c, of_serial, (char *)array + i * cells * real, (char *)expected + i * of_serial->numbers * real,
                    (char *)expected_back + i * cells * real, "native:serial");
    for (size_t i = 0; i < MW_COUNT(forms); i++) {
        const bool lanes = forms[i].form == MW_FFT_VECTORS || forms[i].form == MW_FFT_SINGLE_LANES;
        if ((native && forms[i].form >= MW_FFT_TILES) || (info->traits->loop_rounds && lanes) || (i > 0 && left_out(3)))
            continue;
        transform_on(device, forms[i].form, c, array, &fft, &spectrum, &back);
        check_same(c, fft, spectrum, of_serial, expected, forms[i].name);
        if (memcmp(back, expected_back, cells * c->batch * real) != 0)
            fail_msg("%s: %zu x %zu x %zu x %zu: other bits after a backward transform", forms[i].name, c->length[0],
                     c->length[1], c->length[2], c->length[3]);
        mw_fft_free(fft);
        free(spectrum);
        free(back);
    }
    mw_fft_free(of_serial);
    free(array);
    free(expected);
    free(expected_back);
}

static size_t random_length(size_t most)
{
    static const size_t primes[] = { 2, 3, 5, 7, 11, 13, 17, 31, 61, 97, 127, 199 };
    const size_t n = random_below(3) ? 1 + random_below(most) : primes[random_below(MW_COUNT(primes))];
    return n < most ? n : most;
}

static void lengths_and_dimensions_are_random(void **unused)
{
    static const size_t most[] = { 200, 200, 40, 12 };
    for (size_t i = 0; i < (slow ? 6u : native ? 150u : 30u); i++) {
        struct mesh_case c = { .dims = 1 + (unsigned)random_below(4), .batch = 1 + random_below(3) };
        for (unsigned d = 0; d < c.dims; d++)
            c.length[d] = random_length(slow ? most[c.dims - 1] / (2 * c.dims) + 1 : most[c.dims - 1]);
        c.fp64 = random_below(2) && info->fp64;
        check_case(&c);
    }
}

static void lengths_of_one_line_have_all_factors(void **unused)
{
    static const size_t lengths[] = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 121, 210, 2310, 1024, 2048, 4096, 6006
    };
    for (size_t i = 0; i < MW_COUNT(lengths); i++)
        for (int line = 0; line < 2; line++) {
            const struct mesh_case c = { .dims = 1 + (unsigned)line,
                                         .length = { lengths[i], 3 },
                                         .batch = 1,
                                         .fp64 = info->fp64 && random_below(2) };
            if (lengths[i] <= (slow ? 16u : 6006u))
                check_case(&c);
        }
}

static void tables_have_the_symmetries_of_the_circle(void **unused)
{
    for (size_t n = 1; n < 300; n++) {
        double *t = room(2 * n, sizeof *t);
        mw_fft_twiddles(n, t);
        for (size_t k = 0; k < n; k++) {
            const long double angle = 2 * PI * (long double)k / (long double)n;
            assert_true(fabsl(t[2 * k] - cosl(angle)) <= 0x1p-52L && fabsl(t[2 * k + 1] + sinl(angle)) <= 0x1p-52L);
            assert_true(k == 0 || (t[2 * k] == t[2 * (n - k)] && t[2 * k + 1] == -t[2 * (n - k) + 1]));
            if (n % 4 == 0) {
                const size_t quarter = (k + n / 4) % n;
                assert_true(t[2 * quarter] == t[2 * k + 1] && t[2 * quarter + 1] == -t[2 * k]);
            }
        }
        free(t);
    }
}

static void wrong_lengths_are_refused(void **unused)
{
    const size_t none[] = { 4, 0 };
    struct mw_fft *fft;
    FAILS(MW_EINVAL, "length 0", mw_fft_new(device, 2, none, 1, false, MW_FFT_AUTO, &fft));
    FAILS(MW_EINVAL, "0 dimensions", mw_fft_new(device, 0, none, 1, false, MW_FFT_AUTO, &fft));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_the_symmetries_of_the_circle),
        cmocka_unit_test(wrong_lengths_are_refused),
        cmocka_unit_test(lengths_of_one_line_have_all_factors),
        cmocka_unit_test(lengths_and_dimensions_are_random),
    };
    return cmocka_run_group_tests(tests, open_with_serial, close_with_serial);
}
/* SPDX-License-Identifier: MIT */
