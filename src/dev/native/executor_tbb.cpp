// The executor over oneTBB: an arena of its own, in which the caller is one of the threads. The work is cut into
// shares; TBB distributes runs of them. No exception leaves this file. If TBB runs out of memory, the caller does the
// remaining shares, which lack a mark.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include "dev/native/executor.h"

// TBB is compiled without ThreadSanitizer, which would report its internal hand-overs as races. With
// MW_THREAD_SANITIZER this file is compiled without it as well, and declares the order of a start and an end to it.
#ifdef MW_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#define COMES_AFTER(mark) __tsan_acquire(mark)
#define COMES_BEFORE(mark) __tsan_release(mark)
#else
#define COMES_AFTER(mark) static_cast<void>(mark)
#define COMES_BEFORE(mark) static_cast<void>(mark)
#endif

namespace {

const std::size_t shares_per_worker = 16;
const std::size_t shares_max = 65536;

struct arena {
    tbb::task_arena threads;
    std::unique_ptr<unsigned char[]> done; // shares_max marks

    explicit arena(unsigned n) : threads(static_cast<int>(n)), done(new unsigned char[shares_max])
    {
        threads.initialize();
    }
};

struct work {
    std::size_t count, grain, shares;
    mw_range_fn *body;
    void *context;
    unsigned char *done;

    void run(std::size_t first, std::size_t last, unsigned worker) const
    {
        body(context, first * grain, last == shares ? count : last * grain, worker);
        std::memset(done + first, 1, last - first);
    }

    void operator()(const tbb::blocked_range<std::size_t> &range) const
    {
        COMES_AFTER(done);
        run(range.begin(), range.end(), static_cast<unsigned>(tbb::this_task_arena::current_thread_index()));
        COMES_BEFORE(done + 1);
    }
};

} // namespace

int mw_tbb_start(struct mw_executor *executor, unsigned threads)
{
    try {
        // TBB gives no more threads than that, and prints a warning when it is asked for more.
        std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);

        threads = static_cast<unsigned>(std::max<std::size_t>(1, std::min<std::size_t>(threads, most)));
        executor->impl = new arena(threads);
        executor->threads = threads;
        return MW_OK;
    } catch (...) {
        return MW_ENOMEM;
    }
}

void mw_tbb_stop(struct mw_executor *executor) { delete static_cast<arena *>(executor->impl); }

void mw_tbb_run(struct mw_executor *executor, std::size_t count, std::size_t grain, mw_range_fn *body, void *context)
{
    arena *a = static_cast<arena *>(executor->impl);
    std::size_t most = grain ? shares_max : shares_per_worker * executor->threads;
    std::size_t least = (count - 1) / most + 1;
    work w = { count, grain > least ? grain : least, 0, body, context, a->done.get() };

    w.shares = (count - 1) / w.grain + 1;
    std::memset(w.done, 0, w.shares);
    COMES_BEFORE(w.done);
    try {
        a->threads.execute([&] {
            tbb::blocked_range<std::size_t> all(0, w.shares);

            if (grain)
                tbb::parallel_for(all, w, tbb::simple_partitioner());
            else
                tbb::parallel_for(all, w, tbb::auto_partitioner());
        });
        COMES_AFTER(w.done + 1);
    } catch (...) {
        COMES_AFTER(w.done + 1);
        for (std::size_t i = 0; i < w.shares; i++) {
            if (!w.done[i])
                w.run(i, i + 1, 0);
        }
    }
}
/* SPDX-License-Identifier: MIT */
