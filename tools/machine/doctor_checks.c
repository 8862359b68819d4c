/* meshwork doctor: drivers, programs, folders and limits. */
#include <meshwork/field.h>
#include <meshwork/file.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "tools/machine/doctor.h"
#include "tools/report/files.h"

static void check_build(struct doctor *d)
{
#ifdef HAVE_OPENCL
    doctor_report(d, FINE, "build", "", "meshwork %s with OpenCL", mw_version());
#else
    doctor_report(d, WARN, "build", "install ocl-icd-opencl-dev and build it again for other devices",
                  "meshwork %s without OpenCL", mw_version());
#endif
#ifdef HAVE_CUDA
    doctor_report(d, FINE, "build", "", "CUDA is looked for when it runs");
#endif
#ifndef HAVE_LIBPNG
    doctor_report(d, WARN, "build", "install libpng-dev and build it again", "no pictures");
#endif
#ifndef HAVE_JANSSON
    doctor_report(d, WARN, "build", "install libjansson-dev and build it again", "no --json");
#endif
}

/* Returns whether a note already reports that the driver is passed over. */
static bool is_passed_over(const struct doctor *d, const char *name)
{
    const char *notes = mw_device_list_notes(d->list), *at;
    const size_t n = strlen(name);
    for (at = strstr(notes, name); at; at = strstr(at + 1, name))
        if ((at == notes || at[-1] == '\n') && !strncmp(at + n, " is passed over", strlen(" is passed over")))
            return true;
    return false;
}

/* An .icd file holds the name of a library: absolute, or to be found by the loader.  Loads it in a process of its
 * own. */
static bool check_icd(struct doctor *d, const char *folder, const char *name)
{
    enum { PATIENCE = 10 };
    static const char remedy[] = "reinstall its package, or remove the file";
    struct mw_text path = { 0 }, id = { 0 };
    char line[4096] = "", answer[1024];
    FILE *file = NULL;
    int rc = 0;

    mw_text_add(&path, *folder ? "%s/%s" : "%s%s", folder, name);
    file = mw_text_ok(&path) == 0 ? fopen(path.data, "r") : NULL;
    if (file && (fgets(line, sizeof(line), file) || !ferror(file))) {
        line[strcspn(line, "\r\n")] = 0;
        mw_text_add(&id, DOCTOR_DRIVER "%s", line);
        if (!*line)
            doctor_report(d, WARN, "driver file", remedy, "%s is empty", path.data);
        else if (!is_passed_over(d, name) && mw_text_ok(&id) == 0 &&
                 (rc = doctor_ask(d->set, id.data, PATIENCE, answer, sizeof(answer))) != 0)
            doctor_report(d, WARN, "driver file", remedy, "%s names %s: %s", path.data, line, doctor_reason(d, rc));
    } else {
        const char *reason = strerror(errno);
        rc = MW_EIO;
        d->memory_lost |= path.failed || errno == ENOMEM;
        doctor_report(d, WARN, "driver file", "make it readable, or remove it", "cannot read %s: %s", name, reason);
    }
    d->memory_lost |= id.failed;
    if (file)
        fclose(file);
    mw_text_free(&path);
    mw_text_free(&id);
    return *line && !rc;
}

/* OCL_ICD_VENDORS may also be a file. */
static void check_file(struct doctor *d, const char *path)
{
    if (check_icd(d, "", path))
        doctor_report(d, FINE, "driver files", "", "%s (OCL_ICD_VENDORS)", path);
}

static void check_drivers(struct doctor *d)
{
    static const char install[] = "install a driver: pocl-opencl-icd (CPU), mesa-opencl-icd, intel-opencl-icd or "
                                  "nvidia-opencl-icd (GPU)";
    const char *folder = getenv("OCL_ICD_VENDORS");
    struct mw_text names = { 0 };
    struct dirent *entry;
    size_t good = 0;
    DIR *files;
    if (!folder || !*folder)
        folder = "/etc/OpenCL/vendors";
    if (!(files = opendir(folder))) {
        d->memory_lost |= errno == ENOMEM;
        if (access(folder, R_OK) == 0)
            check_file(d, folder);
        else
            doctor_report(d, WARN, "driver files", install, "%s: %s", folder, strerror(errno));
        return;
    }
    while ((entry = readdir(files))) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && !strcmp(entry->d_name + length - 4, ".icd") && check_icd(d, folder, entry->d_name)) {
            mw_text_add(&names, " %s", entry->d_name);
            good++;
        }
    }
    closedir(files);
    doctor_report(d, good ? FINE : WARN, "driver files", good ? "" : install, "%s:%s", folder,
                  names.data ? names.data : " no OpenCL driver");
    mw_text_free(&names);
}

static void check_platforms(struct doctor *d)
{
    static const struct {
        const char *words;
        enum verdict verdict;
    } normal[] = { { "has no devices", NONE }, { "not listed twice", FINE } };
    const char *last = "", *notes = mw_device_list_notes(d->list);
    size_t count = mw_device_list_count(d->list);

    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, i);
        size_t devices = 0;
        if (!strcmp(info->backend, "native") || !strcmp(info->platform, last))
            continue;
        last = info->platform;
        for (size_t j = i; j < count; j++)
            devices += !strcmp(mw_device_list_info(d->list, j)->platform, last);
        doctor_report(d, FINE, "platform", "", "%s: %s", last, COUNTED(devices, "device"));
    }
    while (*notes) {
        char line[512];
        enum verdict verdict = WARN;
        size_t n = strcspn(notes, "\n");
        mw_copy_string(line, n < sizeof(line) ? n + 1 : sizeof(line), notes);
        for (size_t i = 0; i < MW_COUNT(normal); i++)
            verdict = strstr(line, normal[i].words) ? normal[i].verdict : verdict;
        char *remedy = strstr(line, "; ");
        if (remedy)
            *remedy = '\0';
        doctor_report(d, verdict, "platform", remedy ? remedy + 2 : "", "%s", line);
        notes += n + (notes[n] == '\n');
    }
}

/* PoCL links each kernel with ld. */
static void check_linker(struct doctor *d)
{
    const char *platform = NULL;
    for (size_t i = 0; i < mw_device_list_count(d->list); i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, i);
        platform = info->calls ? info->platform : platform;
    }
    d->linker = file_program("ld");
    if (d->linker)
        doctor_report(d, FINE, "linker", "", "ld is in PATH");
    else if (platform)
        doctor_report(d, FAIL, "linker", "install binutils, or add its folder to PATH",
                      "ld is not in PATH, and %s cannot build kernels without it", platform);
    else
        doctor_report(d, FINE, "linker", "", "ld is not in PATH; only PoCL would need it");
}

/* Checks the C compiler that native devices use for models and kernels. */
static void check_compiler(struct doctor *d)
{
    char compiler[400];
    int rc = mw_native_check(compiler, sizeof(compiler));
    if (rc)
        doctor_report(d, WARN, "compiler", "until then native devices run only what is built in", "%s",
                      doctor_reason(d, rc));
    else
        doctor_report(d, FINE, "compiler", "", "%s", compiler);
}

static bool holds(struct doctor *d, const char *folder, const char *name)
{
    struct mw_text path = { 0 };
    bool there;
    mw_text_add(&path, "%s/%s", folder, name);
    there = mw_text_ok(&path) == 0 && access(path.data, R_OK) == 0;
    d->memory_lost |= path.failed;
    mw_text_free(&path);
    return there;
}

static void check_kernels(struct doctor *d)
{
    const char *remedy = "give their folder by --kernel-path or MESHWORK_KERNEL_PATH, or install meshwork again";
    const char *path = d->set->device.kernel_path;
    char *folder = NULL, **names = NULL;
    size_t count = 0;
    int rc = mw_kernel_folder(path, &folder);
    if (rc || (rc = mw_model_names(path, MW_MODEL_ANY, &names)) != 0) {
        doctor_report(d, FAIL, "kernels", remedy, "%s", doctor_reason(d, rc));
    } else if (!holds(d, folder, "prelude.clh")) {
        doctor_report(d, FAIL, "kernels", remedy, "%s holds no prelude.clh", folder);
    } else {
        while (names[count])
            count++;
        d->kernels = count != 0;
        doctor_report(d, count ? FINE : FAIL, "kernels", count ? "" : remedy, "%s: %zu model%s", folder, count,
                      count == 1 ? "" : "s");
    }
    mw_model_names_free(names);
    free(folder);
}

static void check_cache(struct doctor *d)
{
    struct statvfs disk;
    char *folder = NULL;
    int rc = mw_cache_folder("", &folder);
    if (rc) {
        doctor_report(d, WARN, "cache", "without a cache kernels are built at each start", "%s", doctor_reason(d, rc));
        return;
    }
    uint64_t room = statvfs(folder, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    if (room < (uint64_t)64 << 20)
        doctor_report(d, WARN, "cache", "make room there, or set MESHWORK_CACHE_DIR to another folder",
                      "%s: only %s are left on that disk, and what is built may not be kept", folder,
                      bytes_text(room).text);
    else
        doctor_report(d, FINE, "cache", "", "%s, %s free", folder, bytes_text(room).text);
    free(folder);
}

static bool is_ours(const char *folder)
{
    char *ours = NULL;
    const bool is = mw_cache_folder_look("pocl", &ours) == 0 && !strcmp(folder, ours);
    free(ours);
    return is;
}

/* PoCL ends the process if one of its own files is damaged. */
static void check_pocl(struct doctor *d)
{
    const char *named = getenv("POCL_CACHE_DIR");
    struct mw_kept_stats kept = MW_INIT(kept);
    char *ours = NULL;
    int rc = 0;
    if (!named && mw_cache_folder_look("pocl", &ours) != 0)
        return;
    rc = mw_kept_look(named ? named : ours, &kept);
    if (rc)
        doctor_report(d, WARN, "files of PoCL", "", "%s", doctor_reason(d, rc));
    else if (kept.damaged)
        doctor_report(d, WARN, "files of PoCL",
                      ours || is_ours(named) ? "`meshwork cache clear`" : "remove that folder",
                      "%zu of %zu in %s are damaged: %s", kept.damaged, kept.files, named ? named : ours, kept.first);
    else
        doctor_report(d, FINE, "files of PoCL", "", "%zu in %s, %s", kept.files, named ? named : ours,
                      bytes_text(kept.bytes).text);
    free(ours);
}

static void check_limits(struct doctor *d)
{
    static const struct {
        int what;
        uint64_t least;
        const char *name, *remedy;
    } limits[] = {
        { RLIMIT_AS, (uint64_t)4 << 30, "address space", "raise it by `ulimit -v unlimited`" },
        { RLIMIT_FSIZE, (uint64_t)1 << 30, "size of files", "raise it by `ulimit -f unlimited`" },
        { RLIMIT_NOFILE, 256, "open files", "raise it by `ulimit -n 1024`" },
        { RLIMIT_NPROC, 256, "processes and threads", "raise it by `ulimit -u 4096`" },
    };
    bool fine = true;

    for (size_t i = 0; i < MW_COUNT(limits); i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].what, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= limits[i].least)
            continue;
        doctor_report(d, WARN, "limits", limits[i].remedy, "%s: at most %llu", limits[i].name,
                      (unsigned long long)limit.rlim_cur);
        fine = false;
    }
    if (fine)
        doctor_report(d, FINE, "limits", "", "none that is too low");
}

/* Finds cards that the system lists but no driver does.  The usual causes are a missing group or package. */
static void check_cards(struct doctor *d)
{
    bool gpu = false;
    char path[40];
    for (size_t i = 0; i < mw_device_list_count(d->list); i++)
        gpu |= mw_device_list_info(d->list, i)->kind == MW_DEVICE_GPU;
    for (int i = 128; i < 144; i++) {
        snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
        if (access(path, F_OK) == 0 && access(path, R_OK | W_OK) != 0)
            doctor_report(d, WARN, "graphics card", "usermod -aG render $USER as root, then log in again", "%s: %s",
                          path, strerror(errno));
    }
    if (!gpu && access("/dev/nvidiactl", F_OK) == 0)
        doctor_report(d, WARN, "graphics card", "install nvidia-opencl-icd",
                      "there is an NVIDIA card, and no OpenCL driver for it");
}

doctor_check *const doctor_checks[] = { check_build,   check_drivers, check_platforms, check_linker, check_compiler,
                                        check_kernels, check_cache,   check_pocl,      check_limits, check_cards,
                                        NULL };
/* SPDX-License-Identifier: MIT */
