"""Other libraries' turns beside bench/label, which starts this and talks to it: `cells 2048x2048` (x first), followed
by a byte a cell, is answered by "here"; `opencv faces` or `scipy all` by the seconds that the library took to label the
cells that are not 0, once, or by "nan" where it cannot or is not there.

OpenCV runs its fastest algorithm, Spaghetti, on all cores.  Both have memory for the labels given to them."""
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

cells = labels = None


def opencv(connectivity):
    if cells.ndim != 2:
        return None
    ways = 8 if connectivity == 'all' else 4
    return lambda: cv2.connectedComponentsWithAlgorithm(cells, ways, cv2.CV_32S, cv2.CCL_SPAGHETTI, labels)


def scipy(connectivity):
    rank = cells.ndim
    structure = ndimage.generate_binary_structure(rank, rank if connectivity == 'all' else 1)
    return lambda: ndimage.label(cells, structure, output=labels)


LIBRARIES = {'opencv': (cv2, opencv), 'scipy': (ndimage, scipy)}

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
