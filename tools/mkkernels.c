/* Generates C from kernel files when the library is built:
 *
 *   mkkernels KERNEL_FOLDER OUTPUT_FOLDER FILE.cl...
 *
 * For each file it writes two files from the prototypes of its kernels: FILE.h (launch functions: src/dev/kernel_set.h)
 * and FILE.inc (native wrappers: cl/native.clh).  Each line NATIVE_PROGRAM(NAME, DEFINES) gives native-NAME.c, these
 * kernels as a native program `mw_native_NAME`. native.h declares all programs, and programs.inc lists them.  Unchanged
 * files are not written, so that nothing is recompiled for them. */
#include <stdio.h>
#include <sys/stat.h>

/* The needed parts of the library; the compiler records these files for make. */
#include "base/status.c"
#include "base/memory.c"
#include "base/text.c"
#include "base/hash.c"
#include "base/path.c"
#include "base/file.c"
#include "dev/build/flatten.c"
#include "dev/build/interface.c"
#include "dev/build/interface_write.c"
#include "dev/build/plain.c"

/* Makes the folders of a path. */
static void make_folders_of(const char *path)
{
    char part[4096];
    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        mkdir(part, 0777);
    }
}

static int write_changed(const char *folder, const char *name, const struct mw_text *text)
{
    struct mw_file *file = NULL;
    char *path = NULL, *old = NULL;
    size_t n = 0;
    int rc;
    TRY(mw_text_ok(text));
    TRY(mw_path_join(folder, name, &path));
    make_folders_of(path);
    if (mw_file_read(path, (size_t)1 << 24, &old, &n) == 0 && n == text->length && memcmp(old, text->data, n) == 0)
        goto out;
    TRY(mw_file_create(path, false, &file));
    TRY(mw_file_write(file, text->data, text->length));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    free(path);
    free(old);
    return rc;
}

/* Replaces the suffix of "prim/scan.cl". */
static void change_ending(char *to, size_t size, const char *file, const char *ending)
{
    const char *dot = strrchr(file, '.');
    snprintf(to, size, "%.*s%s", (int)(dot ? (size_t)(dot - file) : strlen(file)), file, ending);
}

/* Adds DEFINE=VALUE DEFINE ... as lines of code, and as a C string; modifies `words`. */
static void add_defines(char *words, struct mw_text *lines, struct mw_text *string)
{
    for (char *define = strtok(words, " "); define; define = strtok(NULL, " ")) {
        char *value = strchr(define, '=');
        if (value)
            *value = ' ';
        mw_text_add(lines, "#define %s%s\n", define, value ? "" : " 1");
        mw_text_add(string, "#define %s%s\\n", define, value ? "" : " 1");
    }
}

static int write_program(const char *file, const char *name, const char *defines, const char *output)
{
    struct mw_text text = { 0 };
    char path[4096], wrappers[4096];
    int rc;
    mw_text_add(&text,
                "/* The kernels of cl/%s, native. */\n#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n"
                "#include <meshwork/program.h>\n\n/* Forms of a kernel leave some of these alone. */\n"
                "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
                "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
                "#pragma GCC diagnostic ignored \"-Wunused-function\"\n\n%s",
                file, defines);
    change_ending(wrappers, sizeof wrappers, file, ".inc");
    mw_text_add(&text, "#include \"native.h\"\n#include \"%s\"\n#include \"native.clh\"\n#include \"kernels/%s\"\n",
                file, wrappers);
    snprintf(path, sizeof path, "native-%s.c", name);
    rc = write_changed(output, path, &text);
    mw_text_free(&text);
    return rc;
}

/* All programs: their declarations, and a list PROGRAM(file, name, defines) with the defines as a string. */
struct programs {
    struct mw_text header, list;
};

/* Writes the native programs named by a file; modifies its text. */
static int write_programs(const char *file, char *text, const char *output, struct programs *programs)
{
    static const char word[] = "NATIVE_PROGRAM(";
    struct mw_text defines = { 0 };
    char *rest = NULL;
    int rc = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, word, sizeof word - 1) != 0)
            continue;
        char *name = line + sizeof word - 1, *comma = strchr(name, ','), *end = strchr(name, ')');
        if (!comma || !end)
            TRY(mw_fail(MW_EINVAL, "cl/%s: expected NATIVE_PROGRAM(name, DEFINES), found \"%s\"", file, line));
        *comma = *end = '\0';
        mw_text_add(&programs->header, "extern const struct mw_native_kernel mw_native_%s[];\n", name);
        mw_text_add(&programs->list, "PROGRAM(\"%s\", %s, \"", file, name);
        mw_text_free(&defines);
        mw_text_add(&defines, "#define NATIVE_TABLE mw_native_%s\n", name);
        add_defines(comma + 1, &defines, &programs->list);
        mw_text_add(&programs->list, "\")\n");
        TRY(mw_text_ok(&defines));
        TRY(write_program(file, name, defines.data, output));
    }
out:
    mw_text_free(&defines);
    return rc;
}

static int write_kernels(const char *folder, const char *file, const char *output, struct programs *programs)
{
    static const struct mw_source_text model = { .name = "model", .text = "" };
    const struct mw_source source = {
        .size = sizeof source, .file = file, .native_file = file, .texts = &model, .text_count = 1
    };
    struct mw_interface interface = { 0 };
    struct mw_text flat = { 0 }, header = { 0 }, native = { 0 };
    char name[4096];
    int rc;
    TRY(mw_flatten(folder, &source, &flat));
    TRY(mw_interface_read(file, flat.data, &interface));
    mw_interface_write_header(&interface, file, &header);
    change_ending(name, sizeof name, file, ".h");
    TRY(write_changed(output, name, &header));
    mw_interface_write_native(&interface, &native);
    change_ending(name, sizeof name, file, ".inc");
    TRY(write_changed(output, name, &native));
    TRY(write_programs(file, flat.data, output, programs));
out:
    mw_interface_free(&interface);
    mw_text_free(&flat);
    mw_text_free(&header);
    mw_text_free(&native);
    return rc;
}

int main(int argc, char **argv)
{
    struct programs programs = { 0 };
    int rc = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: mkkernels KERNEL_FOLDER OUTPUT_FOLDER FILE.cl...\n");
        return 2;
    }
    mw_text_add(&programs.header, "/* The native programs of the library. */\n#ifndef KERNELS_NATIVE\n"
                                  "#define KERNELS_NATIVE\n\n#include <meshwork/program.h>\n\n");
    for (int i = 3; i < argc; i++)
        TRY(write_kernels(argv[1], argv[i], argv[2], &programs));
    mw_text_add(&programs.header, "\n#endif\n");
    TRY(write_changed(argv[2], "native.h", &programs.header));
    TRY(write_changed(argv[2], "programs.inc", &programs.list));
out:
    if (rc)
        fprintf(stderr, "mkkernels: %s\n", mw_errmsg());
    mw_text_free(&programs.header);
    mw_text_free(&programs.list);
    return rc != 0;
}
/* SPDX-License-Identifier: MIT */
