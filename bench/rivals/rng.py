# SPDX-License-Identifier: MIT
"""Makes random numbers with other libraries for bench/rng, which starts this script and sends it lines.

A line `LIBRARY KIND COUNT`, such as `numpy single 67108864`, is answered by the library's seconds for so many numbers,
or by "nan" if it lacks that kind.

All use Philox and an existing array: NumPy's on the host, PyTorch's and CuPy's (cuRAND's) on the first GPU."""
import sys
import time


class Numpy:
    def __init__(self):
        import numpy as np
        self.np = np
        self.generator = np.random.Generator(np.random.Philox(1))

    def make(self, kind, count):
        np, generator = self.np, self.generator
        if kind == 'words':
            return lambda: generator.integers(0, 1 << 32, count, np.uint32)
        to = np.zeros(count, np.float64 if 'double' in kind else np.float32)
        draw = generator.standard_normal if 'normal' in kind else generator.random
        return lambda: draw(out=to, dtype=to.dtype)

    def wait(self):
        pass


class Torch:
    def __init__(self):
        import torch
        self.torch = torch
        if not torch.cuda.is_available():
            raise ImportError('torch has no GPU')

    def make(self, kind, count):
        torch = self.torch
        type_of = torch.int32 if kind == 'words' else torch.float64 if 'double' in kind else torch.float32
        to = torch.zeros(count, dtype=type_of, device='cuda')
        if kind == 'words':
            return lambda: to.random_(-2**31, 2**31)
        return to.normal_ if 'normal' in kind else to.uniform_

    def wait(self):
        self.torch.cuda.synchronize()


class Cupy:
    def __init__(self):
        import cupy
        self.cupy = cupy
        cupy.zeros(1)
        self.generator = cupy.random.Generator(cupy.random.Philox4x3210(1))

    def make(self, kind, count):
        cupy, generator = self.cupy, self.generator
        if kind == 'words':
            return None
        to = cupy.zeros(count, cupy.float64 if 'double' in kind else cupy.float32)
        draw = generator.standard_normal if 'normal' in kind else generator.random
        return lambda: draw(out=to, dtype=to.dtype)

    def wait(self):
        self.cupy.cuda.Stream.null.synchronize()


LIBRARIES = {}
for name, library in (('numpy', Numpy), ('torch', Torch), ('cupy', Cupy)):
    try:
        LIBRARIES[name] = library()
    except Exception:  # it is not there, or its GPU is not
        pass
if not LIBRARIES:
    sys.exit(1)


def seconds(library, run):
    library.wait()
    start = time.perf_counter()
    run()
    library.wait()
    return time.perf_counter() - start


print('ready', flush=True)
last, run = None, None
for line in sys.stdin:
    name, kind, count = line.split()
    library = LIBRARIES.get(name)
    if line != last:
        run = library.make(kind, int(count)) if library and kind != 'none' else None
        if run:
            run()
        last = line
    print(seconds(library, run) if run else 'nan', flush=True)
