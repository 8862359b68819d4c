/* CUDA emulation on the host: NVRTC, by the system's C++ compiler ($CXX).  Kernels get the names made by HOST_KERNEL of
 * items.h; the preprocessed text shows which ones exist. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROTOTYPE(name, symbol, parameters) mw_cu_result symbol parameters;
MW_RTC_FUNCTIONS(PROTOTYPE)

struct _nvrtcProgram {
    char *text, *log, *code;
    size_t log_bytes, code_bytes;
};

static const int architectures[] = { 75, 80, 90 };
#define FLAGS "-std=c++17 -w -O1 -ffp-contract=off -fno-strict-aliasing -fno-gnu-unique"

mw_cu_result nvrtcVersion(int *major, int *minor)
{
    const char *only = getenv("MESHWORK_CUDA_ONLY");
    *major = 12;
    *minor = 8;
    return only && strcmp(only, "driver") == 0;
}

mw_cu_result nvrtcGetNumSupportedArchs(int *count)
{
    *count = sizeof architectures / sizeof architectures[0];
    return 0;
}

mw_cu_result nvrtcGetSupportedArchs(int *known)
{
    memcpy(known, architectures, sizeof architectures);
    return 0;
}

mw_cu_result nvrtcCreateProgram(mw_rtc_program *program, const char *text, const char *name, int headers,
                                const char *const *header_texts, const char *const *header_names)
{
    TRY_BEGIN(nvrtcCreateProgram);
    mw_rtc_program made = calloc(1, sizeof *made);
    if (!made || !name || headers)
        return 1;
    made->text = strdup(text);
    host_count(PROGRAM, 1);
    *program = made;
    return 0;
}

mw_cu_result nvrtcDestroyProgram(mw_rtc_program *program)
{
    BEGIN(nvrtcDestroyProgram);
    free((*program)->text);
    free((*program)->log);
    free((*program)->code);
    free(*program);
    *program = NULL;
    host_count(PROGRAM, -1);
    return failure;
}

/* ---- compiling ---- */

static char *read_file(const char *folder, const char *name, size_t *n)
{
    char path[300], *bytes = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    if ((bytes = malloc(*n + 1)) != NULL && fread(bytes, 1, *n, file) == *n)
        bytes[*n] = '\0';
    fclose(file);
    return bytes;
}

static FILE *write_file(const char *folder, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

static int run(const char *folder, const char *what)
{
    char command[2000];
    const char *compiler = getenv("CXX"), *items = getenv("MESHWORK_CUDA_ITEMS");
    snprintf(command, sizeof command, "cd '%s' && LD_LIBRARY_PATH= %s %s -include '%s' %s 2>>log </dev/null", folder,
             compiler && *compiler ? compiler : "c++", FLAGS, items ? items : "items.h", what);
    return system(command);
}

/* Returns whether a kernel of that name occurs before, for example as a declaration. */
static bool was_written(const char *all, const char *name, size_t n)
{
    char word[160];
    snprintf(word, sizeof word, "(%.*s)", (int)n, name);
    return strstr(all, word) != NULL;
}

/* After each "__global__" the next word before a parenthesis is a kernel's name. */
static void write_kernels(const char *preprocessed, FILE *to)
{
    static const char mark[] = "__global__";
    char all[8192] = "";
    size_t used = 0;
    for (const char *at = preprocessed; (at = strstr(at, mark)); at += sizeof mark - 1) {
        const char *attribute = " __attribute__((reqd_work_group_size", *behind = at + sizeof mark - 1, *name;
        behind += strspn(behind, ")");
        const bool sized = strncmp(behind, attribute, strlen(attribute)) == 0;
        const char *end = strchr(sized ? strstr(behind, ")))") : at, '(');
        if (!end)
            continue;
        while (end > at && end[-1] == ' ')
            end--;
        for (name = end; name > at && (strchr("_", name[-1]) || (name[-1] >= '0' && name[-1] <= '9') ||
                                       ((name[-1] | 32) >= 'a' && (name[-1] | 32) <= 'z'));)
            name--;
        if (!was_written(all, name, (size_t)(end - name)) && used + (size_t)(end - name) + 20 < sizeof all)
            used += (size_t)sprintf(all + used, "HOST_KERNEL(%.*s)\n", (int)(end - name), name);
    }
    fputs(all, to);
}

static mw_cu_result compile(mw_rtc_program program, const char *folder)
{
    size_t n = 0, bytes = 0;
    char *preprocessed = NULL, *library = NULL;
    FILE *file = write_file(folder, "k.cc");
    if (!file)
        return 1;
    fputs(program->text, file);
    fclose(file);
    if (run(folder, "-E k.cc -o k.ii") == 0 && (preprocessed = read_file(folder, "k.ii", &n)) &&
        (file = write_file(folder, "all.cc"))) {
        fputs("#include \"k.cc\"\n", file);
        write_kernels(preprocessed, file);
        fclose(file);
        if (run(folder, "-fPIC -shared all.cc -o k.so") == 0)
            library = read_file(folder, "k.so", &bytes);
    }
    free(preprocessed);
    program->log = read_file(folder, "log", &program->log_bytes);
    if (library && (program->code = malloc(sizeof(struct binary) + bytes))) {
        const struct binary head = { BINARY_MAGIC, bytes };
        memcpy(program->code, &head, sizeof head);
        memcpy(program->code + sizeof head, library, bytes);
        program->code_bytes = sizeof head + bytes;
    }
    free(library);
    return program->code ? 0 : MW_RTC_REFUSED;
}

/* Options that the backend must pass for the same bits on a device of compute capability 9.0. */
static bool options_are_right(int count, const char *const *options)
{
    static const char *const wanted[] = { "--std=c++14", "-default-device", "--gpu-architecture=sm_90" };
    static const char *const exact[] = { "--gpu-architecture=compute_90", "-DMW_CUDA_EXACT=1" };
    unsigned found = 0, found_exact = 0;
    bool bits = false;
    for (int i = 0; i < count; i++) {
        for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++)
            found += strcmp(options[i], wanted[w]) == 0;
        for (size_t w = 0; w < sizeof exact / sizeof exact[0]; w++)
            found_exact += strcmp(options[i], exact[w]) == 0;
        bits = bits || strcmp(options[i], "--fmad=false") == 0 || strcmp(options[i], "--use_fast_math") == 0;
    }
    found += found_exact == sizeof exact / sizeof exact[0];
    return found == sizeof wanted / sizeof wanted[0] && bits;
}

mw_cu_result nvrtcCompileProgram(mw_rtc_program program, int count, const char *const *options)
{
    BEGIN(nvrtcCompileProgram);
    const char *place = getenv("TMPDIR");
    char folder[256], command[300];
    snprintf(folder, sizeof folder, "%s/cuda-on-host-XXXXXX", place && *place ? place : "/tmp");
    if (failure || !options_are_right(count, options) || !mkdtemp(folder))
        return MW_RTC_INVALID_OPTION;
    const mw_cu_result result = compile(program, folder);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? result : 1;
}

mw_cu_result nvrtcGetProgramLogSize(mw_rtc_program program, size_t *n)
{
    *n = program->log ? program->log_bytes + 1 : 1;
    return 0;
}

mw_cu_result nvrtcGetProgramLog(mw_rtc_program program, char *log)
{
    memcpy(log, program->log ? program->log : "", program->log ? program->log_bytes + 1 : 1);
    return 0;
}

mw_cu_result nvrtcGetCUBINSize(mw_rtc_program program, size_t *n)
{
    TRY_BEGIN(nvrtcGetCUBINSize);
    *n = program->code_bytes;
    return 0;
}

mw_cu_result nvrtcGetCUBIN(mw_rtc_program program, char *bytes)
{
    TRY_BEGIN(nvrtcGetCUBIN);
    memcpy(bytes, program->code, program->code_bytes);
    return 0;
}

mw_cu_result nvrtcGetPTXSize(mw_rtc_program program, size_t *n)
{
    TRY_BEGIN(nvrtcGetPTXSize);
    *n = sizeof HOST_TEXT + program->code_bytes;
    return 0;
}

mw_cu_result nvrtcGetPTX(mw_rtc_program program, char *bytes)
{
    TRY_BEGIN(nvrtcGetPTX);
    memcpy(bytes, HOST_TEXT, sizeof HOST_TEXT);
    memcpy(bytes + sizeof HOST_TEXT, program->code, program->code_bytes);
    return 0;
}
/* SPDX-License-Identifier: MIT */
