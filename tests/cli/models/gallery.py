# SPDX-License-Identifier: MIT
"""Compares installed models of fields with NumPy, in double precision: python3 gallery.py MESHWORK DEVICE FOLDER
[NAME ...].

A random half of the models is tried in a random number of dimensions, with random parameters, boundaries and starts;
with MESHWORK_TEST_ALL=1 all are, in one to three dimensions.  MESHWORK_TEST_SEED repeats a run."""
import os
import sys
import time

import numpy as np

from reader import Mesh, Model, compare, everything, extended, rng, values_of_map

kernels, names = sys.argv[3], sys.argv[4:]


def check(model, dims):
    derived = any('variation' in v.co_names for v in model.values.values())
    # The complex step is slow, and derives with periodic boundaries and mirrors.
    shape = {1: (17,), 2: (9, 8) if derived else (13, 18), 3: (4, 5, 4) if derived else (7, 9, 8)}[dims]
    kinds = ['periodic', 'mirror'] if derived else ['periodic', 'mirror', 'fixed']
    spaced = rng.randint(2)
    mesh = Mesh([kinds[rng.randint(len(kinds))] for _ in range(dims)],
                [rng.uniform(0.8, 1.5) if spaced else 1 for _ in range(dims)])
    params = {n: (0.0 if n in model.terms.values() else (v or 0.5) * rng.uniform(0.8, 1.2))
              for n, v in model.params.items()}
    state = np.array([mean + min(noise or 0.2, 0.3) * rng.uniform(-1, 1, shape)
                      for noise, mean, _ in model.fields.values()])
    if any('log' in v.co_names for v in model.values.values()):
        state = np.clip(state, 0.1, 0.9)
    # A map continues beyond fixed boundaries as its image.  Some are given as arrays, others by the model.
    maps = {n: rng.uniform(0.3, 1.2, shape) for n in model.maps if rng.randint(2)}
    images = ['mirror' if b == 'fixed' else b for b in mesh.boundary]
    values = {n: extended(maps[n] if n in maps else values_of_map(model, n, params, mesh, shape), images, 0)
              for n in model.maps}
    return compare(model, state, params, mesh, model.dt / 4, maps, values)


folder = os.path.join(kernels, 'models', 'field')
for file in sorted(os.listdir(folder)):
    if names and file[:-3] not in names or not names and not everything and rng.randint(2):
        continue
    model = Model(os.path.join(folder, file))
    for dims in (1, 2, 3) if everything else (rng.randint(1, 4),):
        start = time.time()
        error = check(model, dims)
        print('%-22s %d dimensions: %.2g, %.1f s' % (file[:-3], dims, error, time.time() - start), flush=True)
