/* Reads the prototypes of kernels in a `.cl` file. Native wrappers, lists of kernels and typed launch functions are
 * generated from them. Used by tools/mkkernels when the library is built, and at run time for kernels that the system's
 * C compiler makes for native devices.
 *
 * A prototype is plain text, `__kernel [SHARES] void name(parameters)`, without macros; `kernel` is accepted too.
 * Declarations, which end in a semicolon, are omitted. A parameter is
 *
 *   TYPE *name            a buffer, also where TYPE * is the name of a typedef, and TYPE name[]
 *   i32, u32, i64, u64    a number (int, uint, long, ulong, float and double as well)
 *   real                  a number of the program's precision
 *   struct NAME           a plain struct by value
 *   ANY_IN_CAPITALS name  a macro for a type that differs between programs: the launch takes a struct mw_arg
 *   LIST_IN_CAPITALS      a macro for several parameters, defined once, in that file or one that it includes
 *   TYPE name X_PARAMS    after the last one, a macro for further parameters, each after a comma; programs define it,
 *                         on native devices as nothing, and the launch takes a list
 *
 * Any other type is treated as one in capitals.  A kernel may be between #if and #endif, and in two branches of one,
 * with the same parameters. */
#ifndef MW_INTERFACE_H
#define MW_INTERFACE_H

#include "base/base.h"

/* Kinds of a kernel's parameters; OTHER: types in capitals, which differ between programs. */
enum mw_parameter_kind {
    MW_PARAMETER_BUFFER,
    MW_PARAMETER_I32,
    MW_PARAMETER_U32,
    MW_PARAMETER_I64,
    MW_PARAMETER_U64,
    MW_PARAMETER_F32,
    MW_PARAMETER_F64,
    MW_PARAMETER_REAL,
    MW_PARAMETER_STRUCT,
    MW_PARAMETER_OTHER
};
/* A parameter of a prototype. */
struct mw_parameter_text {
    enum mw_parameter_kind kind;
    char *type; /* as it is written, without const */
    char *name;
};
/* The prototype of one kernel. */
struct mw_prototype {
    char *name;
    char *conditions;   /* the directives around it, each on a line: "#if A\n#elif B\n"; "" for none */
    size_t depth;       /* number of #endif that close `conditions` */
    bool more;          /* X_PARAMS follows the last parameter */
    bool shares;        /* marked SHARES: one call processes all items of a native thread's share */
    bool cores, groups; /* forms of the program that contain it (cl/prim/groups.clh): for cores, for groups */
    struct mw_parameter_text *parameters;
    size_t parameter_count;
};
/* The prototypes of a `.cl` file. */
struct mw_interface {
    struct mw_prototype *prototypes;
    size_t count;
};

/* Returns the kind of a type by its name: structs, types of OpenCL C and of the prelude. */
enum mw_parameter_kind mw_parameter_kind_of(const char *type);
/* Copies a text of C without comments and quoted text, each line joined with its continuations; the caller frees it. */
int mw_plain_text(const char *text, char **plain);
/* Reads the prototypes of a flattened text.  `label` names it in messages.  Errors: MW_EINVAL (a prototype that is not
 * understood, or two that differ), MW_ENOMEM. */
int mw_interface_read(const char *label, const char *text, struct mw_interface *interface);
void mw_interface_free(struct mw_interface *interface);

/* Appends C code with the native wrappers of the kernels and their table, to be compiled after the text itself: see
 * cl/native.clh. */
void mw_interface_write_native(const struct mw_interface *interface, struct mw_text *to);
/* Appends a header with the list of kernels of `file` and a function `launch_KERNEL` for each: see kernel_set.h. */
void mw_interface_write_header(const struct mw_interface *interface, const char *file, struct mw_text *to);

#endif
/* SPDX-License-Identifier: MIT */
