/* Choosing devices by the words that a user writes. */
#include "dev/core/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX

MW_ENUM_NAMES(device_kind, "kind of device", [MW_DEVICE_GPU] = "gpu", [MW_DEVICE_ACCELERATOR] = "accelerator",
              [MW_DEVICE_CPU] = "cpu", [MW_DEVICE_NATIVE] = "native")

/* In the order of preference when nothing is asked for.  Native devices are as fast as an OpenCL CPU, and no driver
 * compiles. */
static const enum mw_device_kind kinds[] = { MW_DEVICE_GPU, MW_DEVICE_ACCELERATOR, MW_DEVICE_NATIVE, MW_DEVICE_CPU };

static size_t first_of_kind(const struct mw_device_list *list, enum mw_device_kind kind)
{
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        if (mw_device_list_info(list, i)->kind == kind)
            return i;
    }
    return NOWHERE;
}

static size_t by_kind(const struct mw_device_list *list, const char *word)
{
    for (size_t k = 0; k < MW_COUNT(kinds); k++) {
        if (mw_same_word(word, mw_device_kind_name(kinds[k])))
            return first_of_kind(list, kinds[k]);
    }
    return NOWHERE;
}

static size_t by_index(const struct mw_device_list *list, const char *word)
{
    if (word[strspn(word, "0123456789")] != '\0')
        return NOWHERE;
    errno = 0;
    unsigned long long index = strtoull(word, NULL, 10);
    return errno == 0 && index < mw_device_list_count(list) ? (size_t)index : NOWHERE;
}

/* Also by the second id of hardware that two backends have. */
static size_t by_id(const struct mw_device_list *list, const char *word)
{
    const struct mw_device_info *info;
    for (size_t i = 0; (info = mw_device_list_info(list, i)) != NULL; i++) {
        if (mw_same_word(info->id, word))
            return i;
    }
    return NOWHERE;
}

/* "native" is native:pthreads even if another executor is listed before it. */
static size_t by_native(const struct mw_device_list *list, const char *word)
{
    return mw_same_word(word, "native") ? by_id(list, "native:pthreads") : NOWHERE;
}

/* An address with or without its domain. */
static size_t by_pci(const struct mw_device_list *list, const char *word)
{
    if (!mw_same_start(word, "pci:", 4) || !word[4])
        return NOWHERE;
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        const char *pci = mw_device_list_info(list, i)->pci;
        if (*pci && (mw_same_word(pci, word + 4) || (strncmp(pci, "0000:", 5) == 0 && mw_same_word(pci + 5, word + 4))))
            return i;
    }
    return NOWHERE;
}

static bool same_hex(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "-");
        b += strspn(b, "-");
        if (mw_lower(*a) != mw_lower(*b))
            return false;
        if (!*a)
            return true;
    }
}

/* With or without dashes; "GPU-" in front is how nvidia-smi writes it. */
static size_t by_uuid(const struct mw_device_list *list, const char *word)
{
    if (!mw_same_start(word, "uuid:", 5) || !word[5])
        return NOWHERE;
    word += mw_same_start(word + 5, "GPU-", 4) ? 9 : 5;
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        const char *uuid = mw_device_list_info(list, i)->uuid;
        if (*uuid && same_hex(uuid, word))
            return i;
    }
    return NOWHERE;
}

/* The device's own name before its platform's, and its id last ("pthreads"). */
static size_t select_by_name(const struct mw_device_list *list, const char *word)
{
    static const size_t texts[] = { offsetof(struct mw_device_info, name), offsetof(struct mw_device_info, platform),
                                    offsetof(struct mw_device_info, id) };
    for (size_t t = 0; t < MW_COUNT(texts); t++)
        for (size_t i = 0; i < mw_device_list_count(list); i++) {
            if (mw_find_word((const char *)mw_device_list_info(list, i) + texts[t], word))
                return i;
        }
    return NOWHERE;
}

static size_t (*const matchers[])(const struct mw_device_list *, const char *) = { by_index, by_native, by_kind,
                                                                                   by_id,    by_pci,    by_uuid };

static bool begins_with(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return mw_same_start(word, name, length) && word[length] == ':';
}

/* Indices and ids are never taken as a part of a name: "12" must not choose "RTX 3012". */
static bool is_plain_name(const char *word)
{
    if (word[strspn(word, "0123456789")] == '\0')
        return false;
    for (size_t k = 0; k < MW_COUNT(kinds); k++) {
        if (mw_same_word(word, mw_device_kind_name(kinds[k])))
            return false;
    }
    for (size_t b = 0; mw_backends[b]; b++) {
        if (begins_with(word, mw_backends[b]->name))
            return false;
    }
    return !begins_with(word, "pci") && !begins_with(word, "uuid");
}

static size_t select_find(const struct mw_device_list *list, const char *word)
{
    for (size_t m = 0; m < MW_COUNT(matchers); m++) {
        size_t at = matchers[m](list, word);
        if (at != NOWHERE)
            return at;
    }
    return is_plain_name(word) ? select_by_name(list, word) : NOWHERE;
}

/* A driver that was passed over may be the one that is looked for. */
static void log_notes(const struct mw_device_list *list)
{
    for (const char *note = mw_device_list_notes(list); *note; note += strcspn(note, "\n"), note += *note == '\n') {
        const char *passed = strstr(note, "passed over");
        const size_t length = strcspn(note, "\n");
        if (passed && passed < note + length)
            mw_log(MW_LOG_NOTICE, "%.*s", (int)length, note);
    }
}

static int no_such_device(const struct mw_device_list *list, const char *word)
{
    struct mw_text there = { 0 };
    log_notes(list);
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        const struct mw_device_info *info = mw_device_list_info(list, i);
        mw_text_add(&there, "%s%zu: %s", i ? ", " : "", i, info->id);
        if (info->kind != MW_DEVICE_NATIVE)
            mw_text_add(&there, *info->also ? " (%s, also %s)" : " (%s)", info->name, info->also);
    }
    int rc = mw_fail(MW_ENODEV, "no device is '%s': the devices are %s", word, there.data ? there.data : "none");
    mw_text_free(&there);
    return rc;
}

struct choice {
    size_t *positions, count;
};

static void select_choose(struct choice *choice, size_t position)
{
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->positions[i] == position)
            return;
    }
    choice->positions[choice->count++] = position;
}

static void choose_all(const struct mw_device_list *list, struct choice *choice)
{
    size_t native = select_find(list, "native");
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        if (mw_device_list_info(list, i)->kind != MW_DEVICE_NATIVE || i == native)
            select_choose(choice, i);
    }
}

static int choose_term(const struct mw_device_list *list, const char *term, size_t length, const char *selector,
                       struct choice *choice)
{
    char word[160];
    while (length && mw_is_space(*term)) {
        term++;
        length--;
    }
    while (length && mw_is_space(term[length - 1]))
        length--;
    if (length == 0)
        return mw_fail(MW_EINVAL, "device selector '%s' has an empty term: remove the comma", selector);
    if (length >= sizeof(word))
        return mw_fail(MW_ENODEV, "device selector: no device has a name of %zu characters: use its id", length);
    memcpy(word, term, length);
    word[length] = '\0';
    if (mw_same_word(word, "all")) {
        choose_all(list, choice);
        return 0;
    }
    size_t at = select_find(list, word);
    if (at == NOWHERE)
        return no_such_device(list, word);
    select_choose(choice, at);
    return 0;
}

int mw_device_select(const struct mw_device_list *list, const char *selector, size_t max, size_t *chosen, size_t *count)
{
    struct choice choice = { NULL, 0 };
    int rc;
    TRY(mw_new(mw_device_list_count(list), sizeof(*choice.positions), &choice.positions));
    if (!selector || !*selector) {
        for (size_t k = 0; k < MW_COUNT(kinds) && choice.count == 0; k++) {
            size_t at = select_find(list, mw_device_kind_name(kinds[k]));
            if (at != NOWHERE)
                select_choose(&choice, at);
        }
    } else {
        for (const char *term = selector; term;) {
            size_t length = strcspn(term, ",");
            TRY(choose_term(list, term, length, selector, &choice));
            term = term[length] ? term + length + 1 : NULL;
        }
    }
    if (choice.count == 0) {
        rc = mw_fail(MW_ENODEV, "no device was found");
        goto out;
    }
    if (choice.count > max)
        choice.count = max;
    memcpy(chosen, choice.positions, choice.count * sizeof(*chosen));
    *count = choice.count;
out:
    free(choice.positions);
    return rc;
}

/* Whether every term of a selector can only mean a native executor. */
static bool names_native_only(const char *selector)
{
    if (!selector || !*selector)
        return false;
    for (const char *term = selector;; term++) {
        term += strspn(term, " \t\n\v\f\r");
        size_t length = strcspn(term, ", \t\n\v\f\r");
        if (length < 6 || !mw_same_start(term, "native", 6) || (length > 6 && term[6] != ':'))
            return false;
        term += strcspn(term, ",");
        if (!*term)
            return true;
    }
}

int mw_device_list_for(const char *selector, struct mw_device_list **list)
{
    struct mw_device_list *native = NULL;
    size_t chosen, count;
    int rc = 0;
    if (names_native_only(selector)) {
        TRY(mw_device_list_of("native", &native));
        if (mw_device_select(native, selector, 1, &chosen, &count) == 0) {
            *list = native;
            return 0;
        }
        /* The message will list what there is, each under the index that it has among all. */
    }
    rc = mw_device_list_new(list);
out:
    mw_device_list_free(native);
    return rc;
}
/* SPDX-License-Identifier: MIT */
