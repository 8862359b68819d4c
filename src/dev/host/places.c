/* Cores for threads, by hwloc, on machines whose cores do not reach all memory equally fast. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

#include "dev/host/host.h"

#ifdef HAVE_HWLOC
struct mw_places {
    hwloc_topology_t topology;
    unsigned count;
    hwloc_cpuset_t set[];
};

/* Returns whether the system reports exactly one memory node; false if unknown. hwloc takes milliseconds for this,
 * since it loads its plugins. */
static bool has_one_node(void)
{
    int nodes = 0;
#if defined(__linux__) && defined(SYS_get_mempolicy)
    enum { MEMS_ALLOWED = 4 /* MPOL_F_MEMS_ALLOWED of numaif.h */, LONG_BITS = 8 * sizeof(long) };
    unsigned long mask[256] = { 0 };

    if (syscall(SYS_get_mempolicy, NULL, mask, MW_COUNT(mask) * LONG_BITS, NULL, MEMS_ALLOWED) == 0)
        for (size_t i = 0; i < MW_COUNT(mask); i++)
            nodes += __builtin_popcountl(mask[i]);
#endif
    return nodes == 1;
}

/* Loads the cores that the caller may use. */
static int load_allowed(hwloc_topology_t topology)
{
    hwloc_cpuset_t mask = hwloc_bitmap_alloc();
    /* The system's own description is complete; the one by CPUID would run on each core in turn. */
    int rc = mask ? hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86") : -1;
    if (rc == 0)
        rc = hwloc_topology_load(topology);
    if (rc == 0)
        rc = hwloc_get_cpubind(topology, mask, HWLOC_CPUBIND_THREAD);
    if (rc == 0)
        rc = hwloc_topology_restrict(topology, mask, HWLOC_RESTRICT_FLAG_REMOVE_CPULESS);
    hwloc_bitmap_free(mask);
    return rc;
}

/* Whether some memory node is local to some of the cores only. */
static bool has_parts(hwloc_topology_t topology)
{
    hwloc_obj_t node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, NULL);
    return node && !hwloc_bitmap_isequal(node->cpuset, hwloc_get_root_obj(topology)->cpuset);
}

/* A core is a place if there is a thread for each: with fewer threads, other processes are meant to run as well, and
 * might be bound to the same cores. */
static int choose_sets(struct mw_places *places)
{
    hwloc_topology_t topology = places->topology;
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    const int depth = hwloc_get_type_or_above_depth(topology, HWLOC_OBJ_CORE);
    const bool all = places->count >= hwloc_get_nbobjs_by_depth(topology, depth);
    hwloc_nodeset_t nodes = hwloc_bitmap_alloc();
    int rc = nodes ? hwloc_distrib(topology, &root, 1, places->set, places->count, depth, 0) : -1;
    for (unsigned i = 0; i < places->count && rc == 0 && !all; i++) {
        rc = hwloc_cpuset_to_nodeset(topology, places->set[i], nodes);
        if (rc == 0)
            rc = hwloc_cpuset_from_nodeset(topology, places->set[i], nodes);
    }
    hwloc_bitmap_free(nodes);
    return rc;
}

struct mw_places *mw_places_plan(unsigned threads, bool always)
{
    struct mw_places *places = calloc(1, sizeof *places + threads * sizeof places->set[0]);
    if (!places || hwloc_topology_init(&places->topology) != 0) {
        free(places);
        return NULL;
    }
    if (load_allowed(places->topology) == 0 && (always || has_parts(places->topology)) &&
        (int)threads <= hwloc_get_nbobjs_by_type(places->topology, HWLOC_OBJ_PU)) {
        places->count = threads;
        if (choose_sets(places) == 0)
            return places;
    }
    mw_places_free(places);
    return NULL;
}

struct mw_places *mw_places_new(unsigned threads)
{
    const char *bind = getenv("MESHWORK_BIND");
    const bool always = bind && strcmp(bind, "1") == 0, never = bind && strcmp(bind, "0") == 0;
    return threads < 2 || never || (!always && has_one_node()) ? NULL : mw_places_plan(threads, always);
}

bool mw_places_has(const struct mw_places *places, unsigned place, unsigned core)
{
    return hwloc_bitmap_isset(places->set[place], core);
}

void mw_places_bind(const struct mw_places *places, unsigned place, pthread_t thread)
{
    /* If binding fails, the system places the thread. */
    if (places)
        (void)hwloc_set_thread_cpubind(places->topology, thread, places->set[place], 0);
}

void mw_places_free(struct mw_places *places)
{
    if (!places)
        return;
    for (unsigned i = 0; i < places->count; i++)
        hwloc_bitmap_free(places->set[i]);
    hwloc_topology_destroy(places->topology);
    free(places);
}
#else
struct mw_places *mw_places_plan(unsigned threads, bool always) { return NULL; }

struct mw_places *mw_places_new(unsigned threads) { return mw_places_plan(threads, false); }

bool mw_places_has(const struct mw_places *places, unsigned place, unsigned core) { return false; }

void mw_places_bind(const struct mw_places *places, unsigned place, pthread_t thread) {}

void mw_places_free(struct mw_places *places) { (void)places; }
#endif
/* SPDX-License-Identifier: MIT */
