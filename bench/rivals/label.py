# SPDX-License-Identifier: MIT
"""Labels meshes with other libraries for bench/label, which starts this script and sends it lines.

`cells 2048x2048` (x first), followed by one byte per cell, is answered by "here".  `opencv faces`, `scipy all` or
`cupy faces` labels the cells that are not 0 once.  The answer is the library's seconds, or "nan" if it is missing or
cannot do it.

OpenCV runs its fastest algorithm, Spaghetti, on all cores.  All libraries get memory for the labels, and CuPy has the
cells on the GPU."""
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(1)
try:
    import cv2
except ImportError:
    cv2 = None
try:
    from scipy import ndimage
except ImportError:
    ndimage = None
try:
    import cupy
    from cupyx.scipy import ndimage as on_gpu
    cupy.cuda.runtime.getDeviceCount()
except Exception:
    cupy = None

cells = labels = None


def opencv(connectivity):
    if cells.ndim != 2:
        return None
    ways = 8 if connectivity == 'all' else 4
    return lambda: cv2.connectedComponentsWithAlgorithm(cells, ways, cv2.CV_32S, cv2.CCL_SPAGHETTI, labels)


def structure(connectivity):
    """Returns the neighbourhood of a cell, including itself, by the number of differing coordinates."""
    steps = np.abs(np.indices((3,) * cells.ndim) - 1).sum(axis=0)
    return steps <= (cells.ndim if connectivity == 'all' else 1)


def scipy(connectivity):
    ways = structure(connectivity)
    return lambda: ndimage.label(cells, ways, output=labels)


def on_cupy(connectivity):
    ways = structure(connectivity)
    given, found = cupy.asarray(cells), cupy.zeros(cells.shape, cupy.int32)

    def run():
        on_gpu.label(given, ways, output=found)
        cupy.cuda.Stream.null.synchronize()
    run()
    return run


LIBRARIES = {'opencv': (cv2, opencv), 'scipy': (ndimage, scipy), 'cupy': (cupy, on_cupy)}

print('ready', flush=True)
for line in sys.stdin.buffer:
    word, what = line.decode().split()
    if word == 'cells':
        shape = [int(length) for length in what.split('x')][::-1]
        count = int(np.prod(shape))
        cells = np.frombuffer(sys.stdin.buffer.read(count), np.uint8).reshape(shape)
        labels = np.zeros(shape, np.int32)
        print('here', flush=True)
        continue
    module, prepare = LIBRARIES[word]
    run = prepare(what) if module and what != 'none' else None
    if not run:
        print('nan', flush=True)
        continue
    start = time.perf_counter()
    run()
    print(time.perf_counter() - start, flush=True)
