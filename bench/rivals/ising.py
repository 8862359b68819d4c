# SPDX-License-Identifier: MIT
"""Runs the Ising model with numba for bench/ising, which starts this script and sends it lines.

`ising 4096x4096 4` has two or three lengths, x first, and sweeps.  The answer is the seconds of a loop over a
checkerboard on all cores, or "nan" without numba.  The rule is Metropolis' at the plane's critical temperature, from
all spins up, with one byte per spin and numba's own random numbers.  Lengths are compiled in as by bench/ising: the
first run of each mesh is a warm-up."""
import math
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(1)
try:
    import numba
except ImportError:
    numba = None

TEMPERATURE = 2.269185314213022

if numba:
    @numba.njit(parallel=True)
    def half_sweep(spin, colour, chance):
        depth, height, width = spin.shape
        for row in numba.prange(depth * height):
            z, y = row // height, row % height
            for x in range((z + y + colour) % 2, width, 2):
                total = (spin[z, y, x - 1 if x else width - 1] + spin[z, y, x + 1 if x + 1 < width else 0] +
                         spin[z, y - 1 if y else height - 1, x] + spin[z, y + 1 if y + 1 < height else 0, x])
                if depth > 1:
                    total += spin[z - 1 if z else depth - 1, y, x] + spin[z + 1 if z + 1 < depth else 0, y, x]
                total *= spin[z, y, x]
                if total <= 0 or np.random.random() < chance[total // 2]:
                    spin[z, y, x] = -spin[z, y, x]

meshes = {}


def sweeps_of(lengths, sweeps):
    spin = meshes[lengths]
    chance = np.array([math.exp(-4 * k / TEMPERATURE) for k in range(4)])
    for _ in range(sweeps):
        half_sweep(spin, 0, chance)
        half_sweep(spin, 1, chance)


print('ready', flush=True)
for line in sys.stdin:
    _, lengths, sweeps = line.split()
    if not numba:
        print('nan', flush=True)
        continue
    if lengths not in meshes:
        shape = [int(length) for length in lengths.split('x')][::-1]
        meshes.clear()
        meshes[lengths] = np.ones([1] * (3 - len(shape)) + shape, np.int8)
        sweeps_of(lengths, 1)
    start = time.perf_counter()
    sweeps_of(lengths, int(sweeps))
    print(time.perf_counter() - start, flush=True)
