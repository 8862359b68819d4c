/* The functions of the model language on the host, in double precision, by the code of the kernels. */
#define REAL_DOUBLE 1
#include "math.clh"

#include "model/compile/compile.h"

static const struct {
    const char *name;
    double (*one)(double), (*two)(double, double);
} values[] = {
    { "math_exp", math_exp, NULL },     { "math_log", math_log, NULL },     { "math_sin", math_sin, NULL },
    { "math_cos", math_cos, NULL },     { "math_tan", math_tan, NULL },     { "math_atan", math_atan, NULL },
    { "math_tanh", math_tanh, NULL },   { "math_sinh", math_sinh, NULL },   { "math_cosh", math_cosh, NULL },
    { "math_sqrt", math_sqrt, NULL },   { "math_abs", math_abs, NULL },     { "math_sign", math_sign, NULL },
    { "math_floor", math_floor, NULL }, { "math_atan2", NULL, math_atan2 }, { "math_pow", NULL, math_pow },
    { "math_min", NULL, math_min },     { "math_max", NULL, math_max },
};

void mw_model_function_row(const char *call, size_t n, const double *x, const double *y, double *to)
{
    size_t row = 0;
    while (row + 1 < sizeof values / sizeof values[0] && strcmp(values[row].name, call) != 0)
        row++;
    for (size_t i = 0; i < n; i++)
        to[i] = values[row].one ? values[row].one(x[i]) : values[row].two(x[i], y[i]);
}
/* SPDX-License-Identifier: MIT */
