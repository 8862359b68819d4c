# SPDX-License-Identifier: MIT
"""Compares the components of a series with a flood fill of the states that the same run wrote.

label.py SERIES PATTERN EVERY PERIODIC sign|value [triangular]: PATTERN names the .npy file of a step by %d.  Rows at
multiples of EVERY have components, and so have rows at steps without a file of their own schedule.  PERIODIC is a word
of 0 and 1, x first."""
import ast
import csv
import struct
import sys

triangular = len(sys.argv) > 6


def read_npy(path):
    with open(path, 'rb') as file:
        assert file.read(6) == b'\x93NUMPY'
        major, _ = file.read(2)
        size = struct.unpack('<H' if major == 1 else '<I', file.read(2 if major == 1 else 4))[0]
        header = ast.literal_eval(file.read(size).decode('latin-1'))
        assert not header['fortran_order']
        lengths = header['shape'][::-1]
        code, width = {'<f4': ('f', 4), '<f8': ('d', 8), '|i1': ('b', 1)}[header['descr']]
        data = file.read()
        return lengths, struct.unpack('<%d%s' % (len(data) // width, code), data)


def neighbours(k, lengths, periodic):
    stride = 1
    for length, wraps in zip(lengths, periodic):
        x = k // stride % length
        if x + 1 < length or wraps:
            yield k + stride if x + 1 < length else k - x * stride
        if x > 0 or wraps:
            yield k - stride if x > 0 else k + (length - 1) * stride
        stride *= length
    if triangular:
        for step in 1, -1:
            x, y = k % lengths[0] + step, k // lengths[0] - step
            if (periodic[0] or 0 <= x < lengths[0]) and (periodic[1] or 0 <= y < lengths[1]):
                yield x % lengths[0] + y % lengths[1] * lengths[0]


def component_sizes(lengths, kinds, periodic):
    """Returns the sizes of the components of each kind."""
    seen = [False] * len(kinds)
    sizes = {}
    for first in range(len(kinds)):
        if seen[first]:
            continue
        seen[first] = True
        stack = [first]
        size = 0
        while stack:
            k = stack.pop()
            size += 1
            for to in neighbours(k, lengths, periodic):
                if not seen[to] and kinds[to] == kinds[k]:
                    seen[to] = True
                    stack.append(to)
        sizes.setdefault(kinds[first], []).append(size)
    return sizes


def main():
    series, pattern, every, periodic, how = sys.argv[1:6]
    periodic = [c == '1' for c in periodic]
    labelled = 0
    with open(series, newline='') as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        step = int(row['step'])
        if row['components'] == '':
            assert row['largest'] == row['mean_size'] == row.get('largest_below', '') == '', 'numbers at %d' % step
            assert step % int(every), 'no components at %d' % step
            continue
        lengths, values = read_npy(pattern % step)
        cells = 1
        lengths = lengths[:len(periodic)]
        for length in lengths:
            cells *= length
        sizes = component_sizes(lengths, [v > 0 if how == 'sign' else v for v in values[:cells]], periodic)
        everything = sum(sizes.values(), [])
        expected = (len(everything), max(everything), cells / len(everything))
        got = (int(row['components']), int(row['largest']), float(row['mean_size']))
        if how == 'sign':
            got += int(row['largest_above']), int(row['largest_below']), float(row['largest_minority'])
            sides = [sizes.get(above, [0]) for above in (True, False)]
            expected += max(sides[0]), max(sides[1]), max(min(sides, key=sum)) / cells
        assert got == expected, 'step %d: %s instead of %s' % (step, got, expected)
        labelled += 1
    assert labelled > 1, '%d states with components' % labelled


main()
