# SPDX-License-Identifier: MIT
"""Runs walks with SciPy for bench/walk, which starts this script and sends it lines.

`table N D`, followed by int32 [D][N] of neighbours, is answered by "here".  N is an inaccessible neighbour, N + 1 one
that is never reached.  `scipy float32 STEPS` multiplies the walk's sparse matrix so many times with its probabilities;
the answer is the seconds, or "nan" without SciPy."""
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(1)
try:
    from scipy import sparse
except ImportError:
    sparse = None

beside = None


def matrix(kind):
    sides, n = beside.shape
    rows = np.broadcast_to(np.arange(n, dtype=np.int32), beside.shape)
    there = beside < n
    stays = np.count_nonzero(beside == n, axis=0)
    rows = np.concatenate([rows[there], np.arange(n, dtype=np.int32)])
    columns = np.concatenate([beside[there], np.arange(n, dtype=np.int32)])
    values = np.concatenate([np.full(np.count_nonzero(there), 1.0), stays]) / sides
    return sparse.csr_matrix((values.astype(kind), (rows, columns)), shape=(n, n))


def walk(kind, steps):
    step = matrix(kind)
    step.eliminate_zeros()
    p = np.zeros(step.shape[0], kind)
    p[0] = 1
    start = time.perf_counter()
    for _ in range(steps):
        p = step @ p
    return time.perf_counter() - start


print('ready', flush=True)
for line in sys.stdin.buffer:
    words = line.split()
    if words[0] == b'table':
        n, sides = int(words[1]), int(words[2])
        beside = np.frombuffer(sys.stdin.buffer.read(4 * n * sides), np.int32).reshape(sides, n)
        print('here', flush=True)
    else:
        print('nan' if sparse is None else walk(words[1].decode(), int(words[2])), flush=True)
