/* Writes native wrappers and a header of launch functions from prototypes. */
#include "dev/build/interface.h"

#include <string.h>

static void end_conditions(const struct mw_prototype *p, struct mw_text *to)
{
    for (size_t i = 0; i < p->depth; i++)
        mw_text_add(to, "#endif\n");
}

/* ---- native ---- */

static void write_wrapper(const struct mw_prototype *p, struct mw_text *to)
{
    mw_text_add(to, "%sNATIVE_KERNEL(%s, %s, (", p->conditions, p->name, p->shares ? "NATIVE_SHARE" : "NATIVE_ITEMS");
    for (size_t i = 0; i < p->parameter_count; i++) {
        const struct mw_parameter_text *parameter = &p->parameters[i];
        mw_text_add(to, "%s", i ? ", " : "");
        if (parameter->kind == MW_PARAMETER_BUFFER)
            mw_text_add(to, "NATIVE_POINTER(%zu)", i);
        else
            mw_text_add(to, "NATIVE_VALUE(%s, %zu)", parameter->type, i);
    }
    mw_text_add(to, "))\nNATIVE_PARAMETERS(%s)\n{\n    NATIVE_PARAMETER_COUNT(%zu)\n", p->name, p->parameter_count);
    for (size_t i = 0; i < p->parameter_count; i++) {
        if (p->parameters[i].kind == MW_PARAMETER_BUFFER)
            mw_text_add(to, "    NATIVE_TAKES_BUFFER,\n");
        else
            mw_text_add(to, "    NATIVE_TAKES(%s),\n", p->parameters[i].type);
    }
    mw_text_add(to, "};\n");
    end_conditions(p, to);
}

void mw_interface_write_native(const struct mw_interface *interface, struct mw_text *to)
{
    for (size_t i = 0; i < interface->count; i++)
        write_wrapper(&interface->prototypes[i], to);
    mw_text_add(to, "const struct mw_native_kernel NATIVE_TABLE[] = {\n");
    for (size_t i = 0; i < interface->count; i++) {
        const struct mw_prototype *p = &interface->prototypes[i];
        mw_text_add(to, "%s    NATIVE_ROW(%s),\n", p->conditions, p->name);
        end_conditions(p, to);
    }
    mw_text_add(to, "    { 0 },\n};\n");
}

/* ---- launches ---- */

/* How a launch function takes a parameter, and what it makes of it. */
static const struct {
    const char *type, *make;
} launches[] = {
    [MW_PARAMETER_BUFFER] = { "struct mw_buffer *%s", "mw_arg_buffer(%s)" },
    [MW_PARAMETER_I32] = { "int32_t %s", "mw_arg_i32(%s)" },
    [MW_PARAMETER_U32] = { "uint32_t %s", "mw_arg_u32(%s)" },
    [MW_PARAMETER_I64] = { "int64_t %s", "mw_arg_i64(%s)" },
    [MW_PARAMETER_U64] = { "uint64_t %s", "mw_arg_u64(%s)" },
    [MW_PARAMETER_F32] = { "float %s", "mw_arg_f32(%s)" },
    [MW_PARAMETER_F64] = { "double %s", "mw_arg_f64(%s)" },
    [MW_PARAMETER_REAL] = { "double %s", "mw_kernel_set_real(set, %s)" },
    [MW_PARAMETER_OTHER] = { "struct mw_arg %s", "%s" },
};

static void write_name(struct mw_text *to, const char *pattern, const char *name)
{
    const char *at = strstr(pattern, "%s");
    mw_text_append(to, pattern, (size_t)(at - pattern));
    mw_text_add(to, "%s%s", name, at + 2);
}

static void write_launch(const struct mw_prototype *p, size_t number, struct mw_text *to)
{
    mw_text_add(to, "\nstatic inline int launch_%s(const struct mw_kernel_set *set, struct mw_range range", p->name);
    for (size_t i = 0; i < p->parameter_count; i++) {
        const struct mw_parameter_text *parameter = &p->parameters[i];
        mw_text_add(to, ",\n    ");
        if (parameter->kind == MW_PARAMETER_STRUCT)
            mw_text_add(to, "const %s *%s", parameter->type, parameter->name);
        else
            write_name(to, launches[parameter->kind].type, parameter->name);
    }
    mw_text_add(to, "%s)\n{\n", p->more ? ",\n    const struct mw_arg *more, size_t more_count" : "");
    if (p->parameter_count > 0)
        mw_text_add(to, "    const struct mw_arg args_[] = {\n");
    for (size_t i = 0; i < p->parameter_count; i++) {
        const struct mw_parameter_text *parameter = &p->parameters[i];
        mw_text_add(to, "        ");
        if (parameter->kind == MW_PARAMETER_STRUCT)
            mw_text_add(to, "mw_arg_struct(%s, sizeof *%s)", parameter->name, parameter->name);
        else
            write_name(to, launches[parameter->kind].make, parameter->name);
        mw_text_add(to, ",\n");
    }
    mw_text_add(to, "%s    return mw_kernel_set_launch%s(set, %zu, range, %s, %zu%s);\n}\n",
                p->parameter_count > 0 ? "    };\n" : "", p->more ? "_more" : "", number,
                p->parameter_count > 0 ? "args_" : "NULL", p->parameter_count, p->more ? ", more, more_count" : "");
}

/* Only the first kernel of each name is listed. */
static bool is_first(const struct mw_interface *interface, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(interface->prototypes[k].name, interface->prototypes[i].name) == 0)
            return false;
    return true;
}

static void write_row(const struct mw_interface *interface, size_t i, struct mw_text *to)
{
    bool cores = false, groups = false;
    for (size_t k = i; k < interface->count; k++)
        if (strcmp(interface->prototypes[k].name, interface->prototypes[i].name) == 0) {
            cores |= interface->prototypes[k].cores;
            groups |= interface->prototypes[k].groups;
        }
    mw_text_add(to, "    { \"%s\", %s, %s },\n", interface->prototypes[i].name, cores ? "true" : "false",
                groups ? "true" : "false");
}

/* "prim/scan.cl" as a C name: prim_scan. */
static void write_file_name(struct mw_text *to, const char *file, bool capitals)
{
    const char *end = strrchr(file, '.');
    for (const char *at = file; *at && at != end; at++) {
        const char c = mw_is_letter_or_digit(*at) ? (capitals ? mw_upper(*at) : *at) : '_';
        mw_text_append(to, &c, 1);
    }
}

void mw_interface_write_header(const struct mw_interface *interface, const char *file, struct mw_text *to)
{
    size_t number = 0;
    mw_text_add(to, "/* The kernels of cl/%s: made from their prototypes by tools/mkkernels. */\n", file);
    mw_text_add(to, "#ifndef KERNELS_");
    write_file_name(to, file, true);
    mw_text_add(to, "\n#define KERNELS_");
    write_file_name(to, file, true);
    mw_text_add(to, "\n\n#include \"dev/kernel_set.h\"\n\n/* Their numbers in the set. */\nenum {\n");
    for (size_t i = 0; i < interface->count; i++) {
        const char *name = interface->prototypes[i].name;
        if (!is_first(interface, i))
            continue;
        mw_text_add(to, "    KERNEL_");
        write_file_name(to, name, true);
        mw_text_add(to, ",\n");
    }
    mw_text_add(to, "};\n\nstatic const struct mw_kernel_row kernel_rows_");
    write_file_name(to, file, false);
    mw_text_add(to, "[] = {\n");
    for (size_t i = 0; i < interface->count; i++)
        if (is_first(interface, i))
            write_row(interface, i, to);
    mw_text_add(to, "};\n__attribute__((unused)) static const struct mw_kernel_list kernels_");
    write_file_name(to, file, false);
    mw_text_add(to, " = {\n    \"%s\", kernel_rows_", file);
    write_file_name(to, file, false);
    mw_text_add(to, ", MW_COUNT(kernel_rows_");
    write_file_name(to, file, false);
    mw_text_add(to, ")\n};\n");
    for (size_t i = 0; i < interface->count; i++)
        if (is_first(interface, i))
            write_launch(&interface->prototypes[i], number++, to);
    mw_text_add(to, "\n#endif\n");
}
/* SPDX-License-Identifier: MIT */
