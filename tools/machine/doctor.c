/* meshwork doctor: checks the installation and gives remedies. */
#include <stdio.h>

#include "tools/cli/subcommands.h"
#include "tools/machine/doctor.h"

static const struct option options[] = {
    { .name = "answer", .type = OPTION_TEXT, .target = offsetof(struct doctor_settings, answer), .value = "DEVICE" },
    { 0 }
};

static void check_devices(struct doctor *d)
{
    static const char broken[] = "run `meshwork cache clear`, as the driver's cached files may be damaged; otherwise "
                                 "update the driver, or choose another device with -d";
    enum { DEVICES_MAX = 64, PATIENCE = 120 };
    char expected[2048], answer[2048];
    size_t chosen[DEVICES_MAX], count = mw_device_list_count(d->list);
    int rc;

    if (!d->kernels)
        return;
    if ((rc = doctor_ask(d->set, "native:serial", PATIENCE, expected, sizeof(expected))) != 0) {
        doctor_report(d, FAIL, "known answer", "install meshwork again", "native:serial: %s", doctor_reason(d, rc));
        return;
    }
    for (size_t i = 0; i < DEVICES_MAX; i++)
        chosen[i] = i;
    if (d->set->device.selector &&
        (rc = mw_device_select(d->list, d->set->device.selector, DEVICES_MAX, chosen, &count)) != 0) {
        doctor_report(d, FAIL, "known answer", "`meshwork devices` lists them", "%s", doctor_reason(d, rc));
        return;
    }
    for (size_t i = 0; i < count && i < DEVICES_MAX; i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, chosen[i]);
        double start = mw_now();
        if (info->calls && !d->linker)
            doctor_report(d, FAIL, "known answer", "install binutils", "%s  %s: not tried without ld", info->id,
                          info->name);
        else if ((rc = doctor_ask(d->set, info->id, PATIENCE, answer, sizeof(answer))) != 0)
            doctor_report(d, FAIL, "known answer", broken, "%s  %s: %s", info->id, info->name, doctor_reason(d, rc));
        else if (strcmp(answer, expected) != 0)
            doctor_report(d, FAIL, "known answer", broken, "%s  %s: computes %s instead of %s", info->id, info->name,
                          answer, expected);
        else
            doctor_report(d, FINE, "known answer", "", "%s  %s: same bits, in %s", info->id, info->name,
                          seconds_text(mw_now() - start).text);
    }
}

static int doctor_run(struct command *command)
{
    struct doctor d = { .set = command->settings };
    struct node *o = NULL;
    int rc;
    if (d.set->answer)
        return doctor_print_answer(d.set);
    TRY(mw_device_list_new(&d.list));
    o = report_object();
    d.checks = put_list(o, "checks");
    for (doctor_check *const *check = doctor_checks; *check; check++)
        (*check)(&d);
    check_devices(&d);
    TRY(report_print(o));
    if (d.memory_lost)
        rc = mw_fail(MW_ENOMEM, "out of memory: some checks could not be made");
    else if (d.count[FAIL])
        rc = mw_fail(MW_EDEVICE, "%zu of %zu checks failed: lines that begin with fail give a remedy", d.count[FAIL],
                     d.count[FINE] + d.count[NONE] + d.count[WARN] + d.count[FAIL]);
out:
    mw_device_list_free(d.list);
    return rc;
}

static const struct option_group groups[] = { { "Device", options, 0 },
                                              DEVICE_GROUPS(struct doctor_settings, device),
                                              { 0 } };

const struct subcommand doctor_subcommand = {
    .name = "doctor",
    .summary = "check the installation, with remedies",
    .description =
        "Checks drivers, kernels, caches and limits, and that every device (or the one of -d) computes a small "
        "simulation to the same bits. A line with a warning or failure ends with a remedy. The exit code is 1 if a "
        "check failed.",
    .groups = groups,
    .settings_bytes = sizeof(struct doctor_settings),
    .run = doctor_run,
};

/* ---- reports ---- */

const char *doctor_reason(struct doctor *d, int status)
{
    d->memory_lost |= status == MW_ENOMEM;
    return mw_errmsg();
}

void doctor_report(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format,
                   ...)
{
    static const struct {
        const char *name;
        enum colour colour;
    } words[] = { { "ok", GREEN }, { "none", DIM }, { "warn", YELLOW }, { "fail", RED } };
    FILE *out = results();
    char detail[700];
    struct node *row;
    va_list ap;

    va_start(ap, format);
    vsnprintf(detail, sizeof(detail), format, ap);
    va_end(ap);
    for (char *c = detail; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    d->count[verdict]++;
    row = put_object(d->checks, NULL);
    put_text(row, "name", name);
    put_text(row, "status", words[verdict].name);
    put_text(row, "detail", detail);
    put_text(row, "remedy", remedy);
    if (report_is_json())
        return;
    fprintf(out, "%s%-4s%s  %-16s  ", colour_on(out, words[verdict].colour), words[verdict].name,
            colour_off(out, words[verdict].colour), name);
    put_printable(detail, out);
    fprintf(out, *remedy ? "; %s" : "", colour_on(out, BOLD));
    put_printable(remedy, out);
    fprintf(out, "%s\n", *remedy ? colour_off(out, BOLD) : "");
    fflush(out);
}
/* SPDX-License-Identifier: MIT */
