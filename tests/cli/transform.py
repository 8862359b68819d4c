# SPDX-License-Identifier: MIT
"""Compares random chains of operations on random arrays with NumPy: python3 transform.py MESHWORK DEVICE ROUNDS.

Every result is compared bit by bit, and every chain without padding and cropping is undone.  Every third round adds an
in-place chain that undoes itself.  An empty DEVICE is the default device.  MESHWORK_TEST_SEED repeats a run."""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

TYPES = 'bool i1 u1 i2 u2 i4 u4 i8 u8 f4 f8 c8 c16'.split()
meshwork, device, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = np.random.RandomState(seed)


def below(n):
    return int(rng.randint(n))


def axis(a, dim):
    """Returns NumPy's axis of a dimension that counts from x."""
    return a.ndim - 1 - dim


def crinkled(length, step):
    return np.concatenate([np.arange(first, length, step) for first in range(min(step, length))] or [np.arange(0)])


def flip(a):
    dims = [d for d in range(a.ndim) if below(2)] or [0]
    return 'flip=' + ','.join(map(str, dims)), np.flip(a, [axis(a, d) for d in dims])


def shift(a):
    by = [below(41) - 20 for _ in range(1 + below(a.ndim))]
    return 'shift=' + ','.join(map(str, by)), np.roll(a, by, [axis(a, d) for d in range(len(by))])


def crinkle(a):
    d, step = below(a.ndim), 1 + below(7)
    return 'crinkle=%d:%d' % (d, step), np.take(a, crinkled(a.shape[axis(a, d)], step), axis(a, d))


def uncrinkle(a):
    d, step = below(a.ndim), 1 + below(7)
    return 'uncrinkle=%d:%d' % (d, step), np.take(a, np.argsort(crinkled(a.shape[axis(a, d)], step)), axis(a, d))


def permute(a):
    order = list(map(int, rng.permutation(a.ndim)))
    return 'permute=' + ','.join(map(str, order)), a.transpose([axis(a, d) for d in reversed(order)])


def pad(a):
    d, before, after = below(a.ndim), below(4), below(4)
    widths = [(0, 0)] * a.ndim
    widths[axis(a, d)] = (before, after)
    return 'pad=%d:%d:%d' % (d, before, after), np.pad(a, widths)


def crop(a):
    d = below(a.ndim)
    length = a.shape[axis(a, d)]
    first = below(length)
    count = 1 + below(length - first)
    return 'crop=%d:%d:%d' % (d, first, count), np.take(a, range(first, first + count), axis(a, d))


def split(a):
    d = below(a.ndim)
    length = a.shape[axis(a, d)]
    radix = int(rng.choice([r for r in range(1, length + 1) if length % r == 0]))
    shape = list(a.shape)
    shape[axis(a, d):axis(a, d) + 1] = [length // radix, radix]
    return 'split=%d:%d' % (d, radix), a.reshape(shape)


def merge(a):
    d = below(a.ndim - 1)
    shape = list(a.shape)
    shape[axis(a, d) - 1:axis(a, d) + 1] = [shape[axis(a, d)] * shape[axis(a, d) - 1]]
    return 'merge=%d' % d, a.reshape(shape)


def chain(a, lossless):
    """Returns a random chain, and NumPy's result."""
    words = []
    for _ in range(1 + below(4)):
        choice = [flip, shift, crinkle, uncrinkle, permute] + ([] if lossless else [pad, crop])
        choice += [split] if a.ndim < 6 else []
        choice += [merge] if a.ndim > 1 else []
        word, a = choice[below(len(choice))](a)
        words.append(word)
    return words, a


def moves(a):
    """Returns a random chain of the operations of variants lengths, powers and plane, and NumPy's result."""
    words = []
    for _ in range(1 + below(3)):
        word, a = [flip, shift, crinkle, uncrinkle][below(4)](a)
        words.append(word)
    return words, a


def reflection(a):
    """Returns a random chain that undoes itself: some dimensions flipped about any of their cells, and two of one
    length exchanged."""
    dims = [d for d in range(a.ndim) if below(2)]
    by = [below(41) - 20 if d in dims else 0 for d in range(a.ndim)]
    words = ['flip=' + ','.join(map(str, dims)), 'shift=' + ','.join(map(str, by))] if dims else []
    result = np.roll(np.flip(a, [axis(a, d) for d in dims]), by, [axis(a, d) for d in range(a.ndim)]) if dims else a
    still = [d for d in range(a.ndim) if d not in dims]
    pairs = [(d, e) for d in still for e in still if d < e and a.shape[axis(a, d)] == a.shape[axis(a, e)]]
    if pairs or not words:
        d, e = pairs[below(len(pairs))] if pairs else (0, 0)
        order = list(range(a.ndim))
        order[d], order[e] = e, d
        words.append('permute=' + ','.join(map(str, order)))
        result = np.swapaxes(result, axis(a, d), axis(a, e))
    return words, result


def run(*arguments):
    command = [meshwork, 'transform', '-q'] + (['-d', device] if device else []) + list(arguments)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit('%s\nends with %d: %s' % (' '.join(command), done.returncode, done.stderr))
    return ' '.join(command)


def same(path, expected, command):
    found = np.load(path)
    if found.dtype != expected.dtype or found.shape != expected.shape or found.tobytes() != expected.tobytes():
        sys.exit('%s\ngives other bits than NumPy: %s %s, not %s %s' % (
            command, found.dtype, found.shape, expected.dtype, expected.shape))


with tempfile.TemporaryDirectory() as folder:
    source, result, back = (os.path.join(folder, name + '.npy') for name in ('source', 'result', 'back'))
    for number in range(rounds):
        shape = [1 + below(12) for _ in range(1 + below(5))]
        bits = rng.bytes(int(np.prod(shape)) * 16)
        kind = np.dtype(TYPES[number % len(TYPES)])
        a = np.frombuffer(bits, dtype='u1' if kind == bool else kind, count=int(np.prod(shape))).reshape(shape)
        a = (a & 1).astype(bool) if kind == bool else a
        lossless = number % 2 == 0
        words, expected = chain(a, lossless)
        np.save(source, np.asfortranarray(a) if number % 3 == 0 else a)
        same(result, expected, run(*words, source, '-o', result, '--verify'))
        if lossless:
            size = 'x'.join(map(str, reversed(shape)))
            same(back, a, run('--inverse', '--size', size, *words, result, '-o', back))
        dims = 2 if below(2) else 1 + below(4)
        powers = below(2)
        b = rng.randint(0, 1 << 30, [1 << below(5) if powers else 1 + below(20) for _ in range(dims)]).astype('i4')
        np.save(source, b)
        words, expected = moves(b)
        on_native = device.startswith('native')
        for variant in ['lengths'] + (['plane', 'plane-image'] if dims == 2 and not on_native else []):
            same(result, expected, run('--variant', variant, *words, source, '-o', result))
        if powers and not on_native and all(w.startswith(('flip', 'shift')) for w in words):
            same(result, expected, run('--variant', 'powers', *words, source, '-o', result))
        if number % 3 == 1:
            a = a.reshape(-1)[:8 * (a.size // 8)].reshape(2, a.size // 8, 2, 2) if number % 2 and a.size >= 8 else a
            np.save(source, a)
            words, expected = reflection(a)
            same(result, expected, run('--in-place', '--repeat', str(1 + below(4)), *words, source, '-o', result,
                                       '--verify'))
