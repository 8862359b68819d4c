# SPDX-License-Identifier: MIT
"""Runs layout transforms with NumPy for bench/transform, which starts this script and sends it lines.

A line `LENGTHS OPERATION`, such as `4096x4096 crinkle=0:2` (x first, operations as in `meshwork transform`), is
answered by NumPy's seconds.

Elements are float32.  Nothing is allocated during the timing: np.roll and np.pad are replaced by assignments to an
existing array.  If there are several ways to do an operation, the first run finds the fastest."""
import itertools
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(1)

WHOLE = [(slice(None), slice(None))]


def flip_parts(length):
    return [(slice(None), slice(None, None, -1))], length


def shift_parts(length, by):
    by %= length
    return [(slice(by, None), slice(None, length - by)), (slice(None, by), slice(length - by, None))], length


def crinkle_parts(length, step):
    ends = list(itertools.accumulate(len(range(first, length, step)) for first in range(step)))
    starts = [0] + ends[:-1]
    return [(slice(*ends), slice(first, None, step)) for first, ends in enumerate(zip(starts, ends))], length


def uncrinkle_parts(length, step):
    return [(source, to) for to, source in crinkle_parts(length, step)[0]], length


def pad_parts(length, before, after):
    """Pads with zeros, by parts without a source."""
    inside = (slice(before, before + length), slice(None))
    return [inside, (slice(None, before), None), (slice(before + length, None), None)], before + length + after


def crop_parts(length, first, count):
    return [(slice(None), slice(first, first + count))], count


PARTS = {'flip': flip_parts, 'shift': shift_parts, 'crinkle': crinkle_parts, 'uncrinkle': uncrinkle_parts,
         'pad': pad_parts, 'crop': crop_parts}


def by_slices(a, word, amounts, target):
    """Returns the operation as assignments of slices; `amounts` has a list per named dimension."""
    parts, shape = [WHOLE] * a.ndim, list(a.shape)
    for dim, amount in amounts.items():
        axis = a.ndim - 1 - dim
        parts[axis], shape[axis] = PARTS[word](a.shape[axis], *amount)
    out = target[:np.prod(shape)].reshape(shape)
    pieces = [tuple(zip(*piece)) for piece in itertools.product(*parts)]

    def run():
        for to, source in pieces:
            out[to] = 0 if None in source else a[source]
    return run


def by_transposition(a, word, amounts, target):
    """Returns a crinkle whose steps divide the lengths, as a transposition of digits."""
    shape, order, turned = [], [], []
    for axis, length in enumerate(a.shape):
        step = amounts.get(a.ndim - 1 - axis, [1])[0]
        radix = step if word == 'crinkle' else length // step
        order += [len(shape) + 1, len(shape)]
        shape += [length // radix, radix]
        turned += [radix, length // radix]
    view, out = a.reshape(shape).transpose(order), target[:a.size].reshape(turned)
    return lambda: np.copyto(out, view)


def by_index(a, word, amounts, target):
    """Returns a crinkle of one dimension, as a list of its cells."""
    (dim, (step,)), = amounts.items()
    axis = a.ndim - 1 - dim
    index = np.concatenate([np.arange(first, a.shape[axis], step) for first in range(step)])
    index = index if word == 'crinkle' else np.argsort(index)
    out = target[:a.size].reshape(a.shape)
    return lambda: np.take(a, index, axis, out, 'clip')


def permutation(a, order, target):
    view = a.transpose([a.ndim - 1 - dim for dim in reversed(order)])
    out = target[:a.size].reshape(view.shape)
    return lambda: np.copyto(out, view)


def ways(a, operation, target):
    word, values = operation.split('=')
    values = [list(map(int, value.split(':'))) for value in values.split(',')]
    if word == 'permute':
        return [permutation(a, [value[0] for value in values], target)]
    amounts = dict(enumerate(values)) if word == 'shift' else {value[0]: value[1:] for value in values}
    found = [by_slices(a, word, amounts, target)]
    if 'crinkle' in word:
        if all(a.shape[a.ndim - 1 - dim] % step == 0 for dim, (step,) in amounts.items()):
            found.append(by_transposition(a, word, amounts, target))
        if len(amounts) == 1:
            found.append(by_index(a, word, amounts, target))
    return found


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main():
    source = target = np.empty(0, np.float32)
    fastest = {}
    print('ready', flush=True)
    for line in sys.stdin:
        if line not in fastest:
            lengths, operation = line.split()
            shape = list(map(int, reversed(lengths.split('x'))))
            cells = int(np.prod(shape))
            if cells > source.size:
                fastest.clear()
                source = np.arange(cells, dtype=np.float32)
                target = np.zeros(cells + cells // 16, np.float32)
            found = ways(source[:cells].reshape(shape), operation, target)
            fastest[line] = min(found, key=lambda run: min(seconds(run), seconds(run)))
        print(seconds(fastest[line]), flush=True)


if __name__ == '__main__':
    main()
