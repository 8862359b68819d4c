# SPDX-License-Identifier: MIT
"""Runs primitives with CuPy for bench/prim, which starts this script and sends it lines.

A line `TASK COUNT`, such as `scan 16777216`, is answered by CuPy's seconds on the first GPU (mostly CUB's), or by "nan"
if it lacks the task.  Results stay on the device.

Selections have indices of 64 bits.  Sorting with values is argsort, which has indices of 64 bits, too."""
import os
import sys
import time

os.environ.setdefault('CUPY_ACCELERATORS', 'cub')
try:
    import cupy
    cupy.zeros(1)
except Exception:  # it is not there, or its GPU is not
    sys.exit(1)

words = None


def make(task, count):
    """Returns the task, and its preparation before each run."""
    global words
    if words is None or words.size != count:
        words = None
        words = cupy.random.randint(0, 1 << 32, count, cupy.uint32)
    to = words.copy()
    if task == 'copy':
        return lambda: cupy.copyto(to, words), None
    if task == 'sum':
        return lambda: words.sum(dtype=cupy.uint64), None
    if task in ('sum-real', 'max-real'):
        reals = words.astype(cupy.float32)
        return (reals.sum if task == 'sum-real' else reals.max), None
    if task == 'scan':
        return lambda: cupy.cumsum(words, dtype=cupy.uint32, out=to), None
    if task == 'select':
        flags = (words >> 24 & 1).astype(cupy.bool_)
        return lambda: cupy.flatnonzero(flags), None
    if task.startswith('histogram'):
        bins = int(task.split('-')[1])
        keys = (words % bins).astype(cupy.int32)
        return lambda: cupy.bincount(keys, minlength=bins), None
    if task == 'sort':
        return to.sort, lambda: cupy.copyto(to, words)
    if task == 'sort-pairs':
        return lambda: cupy.argsort(words), None
    return None, None


print('ready', flush=True)
for line in sys.stdin:
    name, number = line.split()
    run, before = make(name, int(number))
    if not run:
        print('nan', flush=True)
        continue
    for _ in range(2):
        if before:
            before()
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        run()
        cupy.cuda.Device().synchronize()
        seconds = time.perf_counter() - start
    print(seconds, flush=True)
