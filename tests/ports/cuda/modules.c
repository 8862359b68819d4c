/* CUDA emulation on the host: modules, which are shared libraries; launches, item by item; arrays and textures. */
#include "host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PROTOTYPE(name, symbol, parameters) mw_cu_result symbol parameters;
MW_CU_FUNCTIONS(PROTOTYPE)
MW_CU_FUNCTIONS_OF_STRUCTS(PROTOTYPE)
MW_CU_LATER_FUNCTIONS(PROTOTYPE)
MW_CU_LINK_FUNCTIONS(PROTOTYPE)
MW_CU_LINK_FUNCTIONS_OF_STRUCTS(PROTOTYPE)

enum { FUNCTIONS_MAX = 64, ITEMS_MAX = 1024, STACK_BYTES = 256 << 10 };

/* As in items.h. */
struct item {
    struct {
        unsigned x, y, z;
    } thread, block, group, grid;
};
struct CUfunc_st {
    mw_cu_module module;
    char name[100];
    void (*call)(void *const *values);
    const size_t *sizes;
};
struct CUmod_st {
    mw_cu_context context;
    void *library;
    struct item *item;
    void (**barrier)(void);
    struct CUfunc_st functions[FUNCTIONS_MAX];
    size_t count;
};

/* ---- assembling: the code after the text, without clusters ---- */

struct CUlinkState_st {
    char *code;
    size_t bytes;
};

mw_cu_result cuLinkCreate_v2(unsigned count, int *options, void **values, mw_cu_link *link)
{
    TRY_BEGIN(cuLinkCreate);
    if (count || !host_context(held) || !(*link = calloc(1, sizeof **link)))
        return 1;
    host_count(LINK, 1);
    return 0;
}

mw_cu_result cuLinkAddData_v2(mw_cu_link link, int kind, void *text, size_t bytes, const char *name, unsigned count,
                              int *options, void **values)
{
    TRY_BEGIN(cuLinkAddData);
    if (kind != MW_CU_LINK_TEXT || !name || count || bytes <= sizeof HOST_TEXT || strstr(text, "cluster") ||
        strlen(text) + 1 != sizeof HOST_TEXT)
        return 218;
    link->bytes = bytes - sizeof HOST_TEXT;
    link->code = malloc(link->bytes);
    if (!link->code)
        return OUT_OF_MEMORY;
    memcpy(link->code, (char *)text + sizeof HOST_TEXT, link->bytes);
    return 0;
}

mw_cu_result cuLinkComplete(mw_cu_link link, void **code, size_t *bytes)
{
    TRY_BEGIN(cuLinkComplete);
    *code = link->code;
    *bytes = link->bytes;
    return 0;
}

mw_cu_result cuLinkDestroy(mw_cu_link link)
{
    BEGIN(cuLinkDestroy);
    free(link->code);
    free(link);
    host_count(LINK, -1);
    return failure;
}

/* ---- modules ---- */

/* Loads a file with a unique name, since the loader identifies libraries by name. */
static void *load(const char *bytes, size_t n)
{
    const char *place = getenv("TMPDIR");
    char path[256];
    void *library = NULL;
    snprintf(path, sizeof path, "%s/cuda-kernels-XXXXXX", place && *place ? place : "/tmp");
    const int file = mkstemp(path);
    if (file < 0)
        return NULL;
    if (write(file, bytes, n) == (ssize_t)n && !(library = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        host_report("%s", dlerror());
    close(file);
    unlink(path);
    return library;
}

mw_cu_result cuModuleLoadData(mw_cu_module *module, const void *image)
{
    TRY_BEGIN(cuModuleLoadData);
    struct binary head;
    memcpy(&head, image, sizeof head);
    if (!host_context(held) || memcmp(head.magic, BINARY_MAGIC, sizeof head.magic) != 0)
        return 200;
    mw_cu_module made = calloc(1, sizeof *made);
    if (!made || !(made->library = load((const char *)image + sizeof head, head.bytes))) {
        free(made);
        return 200;
    }
    made->context = host_context(held);
    made->item = dlsym(made->library, "host_item");
    made->barrier = dlsym(made->library, "host_barrier");
    host_count(MODULE, 1);
    *module = made;
    return 0;
}

mw_cu_result cuModuleUnload(mw_cu_module module)
{
    BEGIN(cuModuleUnload);
    if (host_context(held) != module->context)
        host_report("cuModuleUnload: another context is current");
    dlclose(module->library);
    free(module);
    host_count(MODULE, -1);
    return failure;
}

mw_cu_result cuModuleGetGlobal_v2(mw_cu_address *address, size_t *bytes, mw_cu_module module, const char *name)
{
    TRY_BEGIN(cuModuleGetGlobal_v2);
    void *const found = *name ? dlsym(module->library, name) : NULL;
    if (!found)
        return NOT_FOUND;
    *address = (mw_cu_address)(uintptr_t)found;
    *bytes = 8;
    return 0;
}

mw_cu_result cuModuleGetFunction(mw_cu_function *function, mw_cu_module module, const char *name)
{
    TRY_BEGIN(cuModuleGetFunction);
    char symbol[128];
    const size_t *(*sizes)(void);
    struct CUfunc_st *f = &module->functions[module->count];
    for (size_t i = 0; i < module->count; i++) {
        if (strcmp(module->functions[i].name, name) == 0) {
            *function = &module->functions[i];
            return 0;
        }
    }
    snprintf(symbol, sizeof symbol, "host_call_%s", name);
    void *const call = dlsym(module->library, symbol);
    snprintf(symbol, sizeof symbol, "host_sizes_%s", name);
    void *const told = dlsym(module->library, symbol);
    if (!call || !told || module->count == FUNCTIONS_MAX)
        return NOT_FOUND;
    memcpy(&f->call, &call, sizeof call);
    memcpy(&sizes, &told, sizeof told);
    f->sizes = sizes();
    f->module = module;
    snprintf(f->name, sizeof f->name, "%s", name);
    module->count++;
    *function = f;
    return 0;
}

/* The local memory of a program; its kernels cannot be distinguished. */
static int local_bytes(mw_cu_module module)
{
    unsigned long (*told)(void);
    void *const found = dlsym(module->library, "host_shared_bytes");
    if (!found)
        return 0;
    memcpy(&told, &found, sizeof found);
    return (int)told();
}

mw_cu_result cuFuncGetAttribute(int *value, unsigned attribute, mw_cu_function function)
{
    TRY_BEGIN(cuFuncGetAttribute);
    /* Fewer than a tenth of these registers prevents another group of 64 items. */
    *value = attribute == MW_CU_FUNCTION_GROUP       ? ITEMS_MAX
             : attribute == MW_CU_FUNCTION_LOCAL     ? local_bytes(function->module)
             : attribute == MW_CU_FUNCTION_REGISTERS ? 26
                                                     : 0;
    return 0;
}

mw_cu_result cuFuncGetParamInfo(mw_cu_function function, size_t i, size_t *offset, size_t *bytes)
{
    TRY_BEGIN(cuFuncGetParamInfo);
    size_t at = 0;
    for (size_t k = 0; function->sizes[k]; k++) {
        if (k == i) {
            *offset = at;
            *bytes = function->sizes[k];
            return 0;
        }
        at += function->sizes[k];
    }
    return INVALID_VALUE;
}

mw_cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, mw_cu_function function, int items,
                                                         size_t dynamic_bytes)
{
    TRY_BEGIN(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    *groups = items < 64 ? 32 : 2048 / items;
    return dynamic_bytes ? INVALID_VALUE : 0;
}

/* ---- the items of a group: each has its own stack, and runs until it ends or reaches a barrier ---- */

static ucontext_t driver_state, item_states[ITEMS_MAX];
static bool ended[ITEMS_MAX];
static unsigned current;
static char *stacks;
static mw_cu_function running;
static void *const *running_values;

static void at_barrier(void)
{
    if (current < ITEMS_MAX)
        swapcontext(&item_states[current], &driver_state);
    else
        host_report("%s: not all items of a group come to a barrier", running->name);
}

static void run_item(void)
{
    running->call(running_values);
    ended[current] = true;
}

static void set_place(struct item *item, unsigned number)
{
    item->thread.x = number % item->group.x;
    item->thread.y = number / item->group.x % item->group.y;
    item->thread.z = number / item->group.x / item->group.y;
}

static void resume(struct item *item, unsigned number)
{
    set_place(item, number);
    current = number;
    swapcontext(&driver_state, &item_states[number]);
}

static void start(struct item *item, unsigned number)
{
    ended[number] = false;
    getcontext(&item_states[number]);
    item_states[number].uc_stack.ss_sp = stacks + (size_t)number * STACK_BYTES;
    item_states[number].uc_stack.ss_size = STACK_BYTES;
    item_states[number].uc_link = &driver_state;
    makecontext(&item_states[number], run_item, 0);
    resume(item, number);
}

static void run_group(struct item *item, const char *name)
{
    const unsigned n = item->group.x * item->group.y * item->group.z;
    unsigned left = 0;
    start(item, 0);
    /* If the first item reaches no barrier, none does, and no stacks are needed. */
    for (unsigned i = 1; i < n && ended[0]; i++) {
        current = ITEMS_MAX;
        set_place(item, i);
        running->call(running_values);
    }
    for (unsigned i = 1; i < n && !ended[0]; i++)
        start(item, i);
    for (unsigned i = 0; i < n && !ended[0]; i++)
        left += !ended[i];
    while (left) {
        if (left != n) {
            host_report("%s: not all items of a group come to a barrier", name);
            return;
        }
        for (unsigned i = 0; i < n; i++) {
            resume(item, i);
            left -= ended[i];
        }
    }
}

/* A queued launch; its values follow it. */
struct launch {
    mw_cu_function function;
    unsigned groups[3], items[3];
    size_t count;
    void *values[];
};

static void run_launch(struct work *w)
{
    struct launch *l = w->owned;
    struct item *item = l->function->module->item;
    if (!stacks)
        stacks = mmap(NULL, (size_t)ITEMS_MAX * STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *l->function->module->barrier = at_barrier;
    running = l->function;
    running_values = l->values;
    item->group.x = l->items[0], item->group.y = l->items[1], item->group.z = l->items[2];
    item->grid.x = l->groups[0], item->grid.y = l->groups[1], item->grid.z = l->groups[2];
    for (unsigned z = 0; z < l->groups[2]; z++)
        for (unsigned y = 0; y < l->groups[1]; y++)
            for (unsigned x = 0; x < l->groups[0]; x++) {
                item->block.x = x, item->block.y = y, item->block.z = z;
                run_group(item, l->function->name);
            }
}

/* The values of a launch are copied when it is queued. */
static struct launch *launch_new(mw_cu_function function, void **parameters)
{
    size_t count = 0, bytes = 0;
    for (; function->sizes[count]; count++)
        bytes += (function->sizes[count] + 15) / 16 * 16;
    const size_t head = (sizeof(struct launch) + count * sizeof(void *) + 15) / 16 * 16;
    struct launch *l = malloc(head + bytes);
    char *at = (char *)l + head;
    if (!l)
        return NULL;
    l->function = function;
    l->count = count;
    for (size_t i = 0; i < count; i++) {
        l->values[i] = memcpy(at, parameters[i], function->sizes[i]);
        at += (function->sizes[i] + 15) / 16 * 16;
    }
    return l;
}

mw_cu_result host_launch(const char *call, mw_cu_stream stream, const struct mw_cu_node_kernel *kernel)
{
    const mw_cu_function function = kernel->function;
    const unsigned *groups = kernel->groups, *items = kernel->items;
    const unsigned long long all = (unsigned long long)items[0] * items[1] * items[2];
    if (host_context(call) != stream->context || stream->context != function->module->context || kernel->extra ||
        kernel->dynamic_bytes || all == 0 || all > ITEMS_MAX || items[2] > 64 || groups[0] == 0 ||
        groups[0] > 0x7fffffff || groups[1] == 0 || groups[1] > 0xffff || groups[2] == 0 || groups[2] > 0xffff) {
        host_report("%s: %s of %ux%ux%u groups of %ux%ux%u items", call, function->name, groups[0], groups[1],
                    groups[2], items[0], items[1], items[2]);
        return INVALID_VALUE;
    }
    struct launch *l = launch_new(function, kernel->parameters);
    if (!l)
        return OUT_OF_MEMORY;
    memcpy(l->groups, groups, sizeof l->groups);
    memcpy(l->items, items, sizeof l->items);
    return host_queue(stream, (struct work){ .run = run_launch, .owned = l });
}

size_t host_value_bytes(mw_cu_function function, size_t i) { return function->sizes[i]; }

mw_cu_result cuLaunchKernel(mw_cu_function function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                            unsigned items_x, unsigned items_y, unsigned items_z, unsigned dynamic_bytes,
                            mw_cu_stream stream, void **parameters, void **extra)
{
    TRY_BEGIN(cuLaunchKernel);
    return host_launch(held, stream,
                       &(struct mw_cu_node_kernel){ .function = function,
                                                    .groups = { groups_x, groups_y, groups_z },
                                                    .items = { items_x, items_y, items_z },
                                                    .dynamic_bytes = dynamic_bytes,
                                                    .parameters = parameters,
                                                    .extra = extra });
}

/* ---- arrays and textures ---- */

mw_cu_result cuArray3DCreate_v2(mw_cu_array *array, const struct mw_cu_array_shape *shape)
{
    static const size_t bytes[] = { [MW_CU_U8] = 1, [MW_CU_U16] = 2, [MW_CU_U32] = 4 };
    TRY_BEGIN(cuArray3DCreate_v2);
    const mw_cu_context context = host_context(held);
    mw_cu_array made = calloc(1, sizeof *made);
    if (!made || !context || shape->format < MW_CU_U8 || shape->format > MW_CU_U32 || !shape->width || shape->flags) {
        free(made);
        return INVALID_VALUE;
    }
    made->context = context;
    made->cell = bytes[shape->format] * shape->channels;
    made->length[0] = shape->width;
    made->length[1] = shape->height ? shape->height : 1;
    made->length[2] = shape->depth ? shape->depth : 1;
    const size_t all = made->cell * made->length[0] * made->length[1] * made->length[2];
    made->cells = host_take(context, all) ? malloc(all) : NULL;
    if (!made->cells) {
        free(made);
        return OUT_OF_MEMORY;
    }
    host_count(ARRAY, 1);
    *array = made;
    return 0;
}

mw_cu_result cuArrayDestroy(mw_cu_array array)
{
    BEGIN(cuArrayDestroy);
    const size_t bytes = array->cell * array->length[0] * array->length[1] * array->length[2];
    if (host_is_in_use(array->cells, bytes))
        host_report("an array is freed that queued work uses");
    host_give(array->context, bytes);
    free(array->cells);
    free(array);
    host_count(ARRAY, -1);
    return failure;
}

static void copy(struct work *w) { memcpy(w->to, w->from, w->bytes); }

/* Only copies that the backend makes: whole arrays, from and to rows without gaps. */
mw_cu_result cuMemcpy3DAsync_v2(const struct mw_cu_copy *what, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemcpy3DAsync_v2);
    const bool to_array = what->to.kind == MW_CU_IN_ARRAY;
    const struct mw_cu_place *plain = to_array ? &what->from : &what->to;
    const mw_cu_array array = to_array ? what->to.array : what->from.array;
    const size_t bytes = what->width * what->height * what->depth;
    char *const memory = (char *)(uintptr_t)plain->device;
    const struct memory *m = host_memory_of(memory, bytes);
    if (!array || what->width != array->cell * array->length[0] || what->height != array->length[1] ||
        what->depth != array->length[2] || plain->kind != MW_CU_IN_DEVICE || plain->pitch != what->width ||
        plain->height != what->height || !m || m->locked || !host_context(held)) {
        host_report("cuMemcpy3DAsync: not between a whole array and a buffer");
        return INVALID_VALUE;
    }
    return host_queue(stream, (struct work){ .run = copy,
                                             .to = to_array ? array->cells : memory,
                                             .from = to_array ? memory : array->cells,
                                             .bytes = bytes });
}

mw_cu_result cuTexObjectCreate(mw_cu_texture *texture, const struct mw_cu_resource *resource,
                               const struct mw_cu_sampling *sampling, const void *view)
{
    TRY_BEGIN(cuTexObjectCreate);
    const mw_cu_array array = resource->is.array;
    struct texture *made = calloc(1, sizeof *made);
    if (!made || view || resource->kind || !array || sampling->filter || !(sampling->flags & MW_CU_AS_WHOLE_NUMBERS)) {
        free(made);
        return INVALID_VALUE;
    }
    made->cells = array->cells;
    memcpy(made->length, array->length, sizeof made->length);
    made->cell = array->cell;
    made->address = sampling->address[0];
    made->from_0_to_1 = (sampling->flags & MW_CU_FROM_0_TO_1) != 0;
    host_count(TEXTURE, 1);
    *texture = (mw_cu_texture)(uintptr_t)made;
    return 0;
}

mw_cu_result cuTexObjectDestroy(mw_cu_texture texture)
{
    BEGIN(cuTexObjectDestroy);
    free((struct texture *)(uintptr_t)texture);
    host_count(TEXTURE, -1);
    return failure;
}
/* SPDX-License-Identifier: MIT */
