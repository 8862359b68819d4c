# SPDX-License-Identifier: MIT
"""Compares labels with SciPy for tests/device/label/label_scipy, which starts this program and sends it meshes.

A mesh is a line `64x7x3 faces none`: lengths, x first; faces or all; the value of background, or none.  It is followed
by one byte per cell, and one int32 per cell, its label.  The answer is "same", or the difference: in the partition, or
in the numbering by the components' first cells."""
import sys

try:
    import numpy as np
    from scipy import ndimage
except ImportError:
    sys.exit(1)


def labels_of(cells, connectivity, background):
    structure = ndimage.generate_binary_structure(cells.ndim, cells.ndim if connectivity == 'all' else 1)
    labels, total = np.zeros(cells.shape, np.int64), 0
    for value in np.unique(cells):
        if background == 'none' or value != int(background):
            part, count = ndimage.label(cells == value, structure)
            labels += np.where(part > 0, part + total, 0)
            total += count
    found, first = np.unique(labels, return_index=True)
    first = first[found > 0]
    numbers = np.zeros(total + 1, np.int64)
    numbers[found[found > 0][np.argsort(first)]] = np.arange(1, total + 1)
    return numbers[labels]


print('ready', flush=True)
for line in sys.stdin.buffer:
    lengths, connectivity, background = line.decode().split()
    shape = [int(length) for length in lengths.split('x')][::-1]
    count = int(np.prod(shape))
    cells = np.frombuffer(sys.stdin.buffer.read(count), np.uint8).reshape(shape)
    labels = np.frombuffer(sys.stdin.buffer.read(4 * count), np.int32).reshape(shape)
    expected = labels_of(cells, connectivity, background)
    wrong = np.flatnonzero(expected != labels)
    if len(wrong) == 0:
        print('same', flush=True)
    else:
        k = wrong[0]
        print(f'{len(wrong)} cells differ, first {k}: {labels.flat[k]} instead of {expected.flat[k]}', flush=True)
