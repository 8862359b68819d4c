# SPDX-License-Identifier: MIT
"""Writes and reads arrays with NumPy for tests/unit/io/npy, which starts this program.

It sends lines `make FOLDER SEED` and `check FOLDER SEED`; the answer is "done", or the error.

    make    writes N.npy in any form that NumPy writes, N.raw, the same in C order and little-endian, and a line of
            "list" each
    check   compares N.npy as written by meshwork with N.raw"""
import random
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(1)

TYPES = 'bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 complex64 complex128'.split()


def make(folder, seed):
    random.seed(seed)
    rng = np.random.RandomState(seed % 2**32)
    with open(f'{folder}/list', 'w') as out:
        for i in range(400):
            t = np.dtype(TYPES[i % len(TYPES)])
            shape = tuple(0 if random.random() < .05 else random.randint(1, 5) for _ in range(i // 13 % 7))
            raw = rng.bytes(int(np.prod(shape, dtype=int)) * t.itemsize)
            a = np.frombuffer(raw, 'u1').reshape(shape) % 2 == 1 if t == bool else np.frombuffer(raw, t)
            a = np.array(a.reshape(shape), order=random.choice('CF'))
            a.astype(t.newbyteorder('<'), order='C').tofile(f'{folder}/{i}.raw')
            a = a.astype(t.newbyteorder(random.choice('<>')), order='K')
            with open(f'{folder}/{i}.npy', 'wb') as f:
                np.lib.format.write_array(f, a, version=random.choice([(1, 0), (2, 0), (3, 0)]))
            print(t.name, len(shape), *shape, file=out)
    return 'done'


def check(folder, seed):
    for i, line in enumerate(open(f'{folder}/list')):
        t, _, *shape = line.split()
        a = np.load(f'{folder}/{i}.npy', allow_pickle=False)
        if a.dtype != np.dtype(t) or a.shape != tuple(map(int, shape)):
            return f'{i}.npy has {a.dtype} {a.shape}, not {line.strip()}'
        raw = a.astype(a.dtype.newbyteorder('<'), order='C').tobytes()
        if raw != open(f'{folder}/{i}.raw', 'rb').read():
            return f'{i}.npy has other values'
    return 'done'


print('ready', flush=True)
for line in sys.stdin:
    what, folder, seed = line.split()
    print({'make': make, 'check': check}[what](folder, int(seed)), flush=True)
