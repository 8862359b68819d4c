/* Writes what is made from kernels' prototypes, when the library is built:
 *
 *   mkkernels KERNEL_FOLDER LIST OUTPUT_FOLDER FILE.cl...
 *
 * For each file, FILE.h (launch functions: src/dev/kernel_set.h) and FILE.inc (native wrappers: cl/native.clh).  For
 * each line of LIST, `NAME FILE.cl [DEFINE[=VALUE]...]`, native-NAME.c, those kernels as a native program
 * `mw_native_NAME`; and native.h, which declares them all.  Files that would not change stay as they are, so that
 * nothing is compiled again for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.c"
#include "base/memory.c"
#include "base/text.c"
#include "base/hash.c"
#include "base/path.c"
#include "base/file.c"
#include "dev/build/flatten.c"
#include "dev/build/interface.c"
#include "dev/build/interface_write.c"

/* The folders that a path goes through. */
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

/* "prim/scan.cl" with another ending. */
static void change_ending(char *to, size_t size, const char *file, const char *ending)
{
    const char *dot = strrchr(file, '.');
    snprintf(to, size, "%.*s%s", (int)(dot ? (size_t)(dot - file) : strlen(file)), file, ending);
}

static int write_kernels(const char *folder, const char *file, const char *output)
{
    static const struct mw_source_text model = { .name = "model", .text = "" };
    const struct mw_source source = { .file = file, .native_file = file, .texts = &model, .text_count = 1 };
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
out:
    mw_interface_free(&interface);
    mw_text_free(&flat);
    mw_text_free(&header);
    mw_text_free(&native);
    return rc;
}

/* A line of the list; `line` is cut apart. */
static int write_program(char *line, const char *output, struct mw_text *declarations)
{
    const char *name = strtok(line, " \t\r"), *file = strtok(NULL, " \t\r");
    struct mw_text text = { 0 };
    char path[4096], wrappers[4096];
    int rc = 0;
    if (!name || name[0] == '#')
        goto out;
    if (!file)
        TRY(mw_fail(MW_EINVAL, "\"%s\" in the list of native programs has no file behind it", name));
    mw_text_add(&text, "/* The kernels of cl/%s, native. */\n#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n"
                "#include <meshwork/program.h>\n\n/* Forms of a kernel leave some of these alone. */\n"
                "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
                "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
                "#pragma GCC diagnostic ignored \"-Wunused-function\"\n\n#define NATIVE_TABLE mw_native_%s\n",
                file, name);
    for (char *define; (define = strtok(NULL, " \t\r")) != NULL; ) {
        char *value = strchr(define, '=');
        if (value)
            *value = ' ';
        mw_text_add(&text, "#define %s%s\n", define, value ? "" : " 1");
    }
    change_ending(wrappers, sizeof wrappers, file, ".inc");
    mw_text_add(&text, "#include \"native.h\"\n#include \"%s\"\n#include \"native.clh\"\n#include \"kernels/%s\"\n",
                file, wrappers);
    snprintf(path, sizeof path, "native-%s.c", name);
    TRY(write_changed(output, path, &text));
    mw_text_add(declarations, "extern const struct mw_native_kernel mw_native_%s[];\n", name);
out:
    mw_text_free(&text);
    return rc;
}

static int write_programs(const char *list, const char *output)
{
    struct mw_text declarations = { 0 };
    char *text = NULL, *rest = NULL;
    size_t n;
    int rc;
    TRY(mw_file_read(list, (size_t)1 << 20, &text, &n));
    mw_text_add(&declarations, "/* The native programs of the library: see cl/native.list. */\n#ifndef KERNELS_NATIVE\n"
                "#define KERNELS_NATIVE\n\n#include <meshwork/program.h>\n\n");
    for (char *line = text; line; line = rest) {
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = '\0';
        TRY(write_program(line, output, &declarations));
    }
    mw_text_add(&declarations, "\n#endif\n");
    rc = write_changed(output, "native.h", &declarations);
out:
    mw_text_free(&declarations);
    free(text);
    return rc;
}

int main(int argc, char **argv)
{
    int rc = 0;
    if (argc < 5) {
        fprintf(stderr, "usage: mkkernels KERNEL_FOLDER LIST OUTPUT_FOLDER FILE.cl...\n");
        return 2;
    }
    for (int i = 4; i < argc; i++)
        TRY(write_kernels(argv[1], argv[i], argv[3]));
    rc = write_programs(argv[2], argv[3]);
out:
    if (rc)
        fprintf(stderr, "mkkernels: %s\n", mw_errmsg());
    return rc != 0;
}
