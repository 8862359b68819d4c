/* From a build to code: what this process has loaded already, what the cache has, or what the backend compiles. */
#include "dev/core/backend.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Number of unused objects that stay loaded. Callers make the same programs repeatedly: each measure of a network
 * builds and frees its own. A driver takes tens of milliseconds even for a program that it has compiled before. */
enum { IDLE_MOST = 64 };

/* Code that programs share. */
struct mw_object {
    char *key;
    struct mw_device *device; /* NULL: code that all devices of the backend share */
    const struct mw_compile_calls *calls;
    struct mw_code code; /* without an impl: another thread is at it */
    unsigned users;      /* 0: idle */
    struct mw_object *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct mw_object *objects; /* idle ones: the one that was left last first */

static struct mw_object *find_object(const struct mw_object *wanted)
{
    struct mw_object *o = objects;
    while (o && (o->device != wanted->device || strcmp(o->key, wanted->key) != 0))
        o = o->next;
    return o;
}

static void remove_object(struct mw_object *object)
{
    struct mw_object **at = &objects;
    while (*at != object)
        at = &(*at)->next;
    *at = object->next;
}

static void free_object(struct mw_object *object)
{
    if (object) {
        if (object->code.impl && object->device)
            MW_CALL_FREE(object->device, object->device->backend->compile->unload(&object->code));
        else if (object->code.impl)
            object->calls->unload(&object->code);
        free(object->key);
    }
    free(object);
}

/* An object of that key for this thread to make, or one that is made, with one more user. */
static struct mw_object *claim(struct mw_object *fresh)
{
    struct mw_object *found;
    pthread_mutex_lock(&lock);
    while ((found = find_object(fresh)) && !found->code.impl)
        pthread_cond_wait(&changed, &lock);
    if (found) {
        found->users++;
    } else {
        fresh->next = objects;
        objects = fresh;
    }
    pthread_mutex_unlock(&lock);
    return found ? found : fresh;
}

static void settle(struct mw_object *object, const struct mw_code *code, double seconds)
{
    mw_compile_seconds_add(seconds);
    pthread_mutex_lock(&lock);
    if (code)
        object->code = *code;
    else
        remove_object(object);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int mw_build_key(const struct mw_device *device, const struct mw_build *build, char **key)
{
    struct mw_text text = { 0 };
    int rc;
    mw_text_add(&text, "%s\n", device->backend->name);
    TRY(device->backend->compile->identify(device, build, &text));
    mw_text_add(&text, "%s\n", build->options);
    mw_text_append(&text, build->text, build->length);
    TRY(mw_text_ok(&text));
    *key = MW_PASS(text.data);
out:
    mw_text_free(&text);
    return rc;
}

/* From the cache; false when it is not there, or does not load (any more). */
static bool take_cached(struct mw_device *device, const struct mw_build *build, const char *key, struct mw_code *code)
{
    struct mw_binary binary = { 0 };
    bool found = mw_cache_get(key, &binary.bytes, &binary.n) && binary.n > 0 &&
                 MW_CALL(device, device->backend->compile->load(device, build, &binary, code)) == 0;
    free(binary.bytes);
    return found;
}

/* Some backends have loaded what they have compiled, others have its bytes only. */
static int compile(struct mw_device *device, const struct mw_build *build, const char *key, struct mw_code *result)
{
    struct mw_binary binary = { 0 };
    struct mw_code code = { 0 };
    int rc;
    TRY(MW_CALL(device, device->backend->compile->compile(device, build, &code, &binary)));
    if (!code.impl)
        TRY(MW_CALL(device, device->backend->compile->load(device, build, &binary, &code)));
    if (binary.n)
        mw_cache_put(key, binary.bytes, binary.n);
    *result = code;
out:
    free(binary.bytes);
    return rc;
}

/* Compiles the object, in turn with other processes. Another process may have compiled it during the wait. */
static int make_anew(struct mw_device *device, const struct mw_build *build, const char *key, struct mw_code *code,
                     bool *cached)
{
    const struct mw_device_info *info = &device->info;
    int rc = 0, lock;
    if (!mw_cache_lock(key, &lock)) {
        mw_log(MW_LOG_WAIT, "waiting for another process that compiles %s for %s (%s)", build->label, info->id,
               info->name);
        mw_cache_wait(key, lock);
        mw_log(MW_LOG_WAIT, "%s", "");
    }
    mw_log(MW_LOG_WAIT, "compiling (first run): %s for %s (%s)", build->label, info->id, info->name);
    *cached = take_cached(device, build, key, code);
    if (!*cached)
        rc = compile(device, build, key, code);
    mw_cache_unlock(lock);
    mw_log(MW_LOG_WAIT, "%s", "");
    return rc;
}

static int build_make(struct mw_device *device, const struct mw_build *build, const char *key, struct mw_code *code)
{
    const struct mw_device_info *info = &device->info;
    const double start = mw_now();
    bool cached = take_cached(device, build, key, code);
    if (!cached)
        TRY_RETURN(make_anew(device, build, key, code, &cached));
    if (cached)
        mw_log(MW_LOG_INFO, "took %s for %s from the cache in %.4f s", build->label, info->id, mw_now() - start);
    else
        mw_log(MW_LOG_INFO, "built %s for %s in %.3f s with %s", build->label, info->id, mw_now() - start,
               build->options);
    return 0;
}

int mw_object_get(struct mw_device *device, const struct mw_build *build, struct mw_object **result)
{
    struct mw_object *fresh = NULL, *object;
    struct mw_code code = { 0 };
    int rc;
    TRY(mw_new(1, sizeof(*fresh), &fresh));
    fresh->users = 1;
    fresh->calls = device->backend->compile;
    fresh->device = device->backend->compile->common_code ? NULL : device;
    TRY(mw_build_key(device, build, &fresh->key));
    object = claim(fresh);
    if (object == fresh) {
        const double start = mw_now();
        rc = build_make(device, build, fresh->key, &code);
        settle(fresh, rc == 0 ? &code : NULL, mw_now() - start);
        TRY(rc);
        fresh = NULL;
    }
    *result = object;
out:
    free_object(fresh);
    return rc;
}

double mw_build_seconds(void) { return mw_compile_seconds(); }

const struct mw_code *mw_object_code(const struct mw_object *object) { return &object->code; }

/* Takes idle objects out of the list but the first `most`, into a list of their own: all, or those of a device and of
 * its backend.  Under the lock. */
static struct mw_object *take_idle(size_t most, const struct mw_device *device)
{
    struct mw_object **at = &objects, *taken = NULL;
    while (*at) {
        struct mw_object *const o = *at;
        const bool meant =
            o->users == 0 && (!device || o->device == device || (!o->device && o->calls == device->backend->compile));
        if (meant && most == 0) {
            *at = o->next;
            o->next = taken;
            taken = o;
        } else {
            most -= meant;
            at = &o->next;
        }
    }
    return taken;
}

static void free_objects(struct mw_object *first)
{
    while (first) {
        struct mw_object *const next = first->next;
        free_object(first);
        first = next;
    }
}

void mw_object_put(struct mw_object *object)
{
    struct mw_object *surplus = NULL;
    if (!object)
        return;
    pthread_mutex_lock(&lock);
    if (--object->users == 0) {
        remove_object(object);
        object->next = objects;
        objects = object;
        surplus = take_idle(IDLE_MOST, NULL);
    }
    pthread_mutex_unlock(&lock);
    free_objects(surplus);
}

void mw_objects_forget(const struct mw_device *device)
{
    pthread_mutex_lock(&lock);
    struct mw_object *idle = take_idle(0, device);
    pthread_mutex_unlock(&lock);
    free_objects(idle);
}
/* SPDX-License-Identifier: MIT */
