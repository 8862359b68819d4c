# SPDX-License-Identifier: MIT
"""Compares time steps that choose themselves with NumPy, in double precision: python3 adaptive.py MESHWORK DEVICE.

Methods are from the papers: Bogacki and Shampine 1989, Dormand and Prince 1980.  The errors are differences of their
two solutions.  Rules for the steps are those of the manual.  MESHWORK_TEST_SEED repeats a run."""
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

meshwork, device = sys.argv[1:]
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = np.random.RandomState(seed)
folder = tempfile.TemporaryDirectory()

# Name: rows of weights of the stages, weights of the two solutions, order of the error.
METHODS = {
    'bs3': ([[1/2], [0, 3/4], [2/9, 1/3, 4/9]],
            [2/9, 1/3, 4/9, 0], [7/24, 1/4, 1/3, 1/8], 3),
    'dp5': ([[1/5], [3/40, 9/40], [44/45, -56/15, 32/9], [19372/6561, -25360/2187, 64448/6561, -212/729],
             [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656], [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84]],
            [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84, 0],
            [5179/57600, 0, 7571/16695, 393/640, -92097/339200, 187/2100, 1/40], 5)}


def lap(f):
    return sum(np.roll(f, shift, axis) for axis in range(f.ndim) for shift in (-1, 1)) - 2 * f.ndim * f


def gray_scott(s):
    u, v = s
    return np.array([0.16 * lap(u) - u * v * v + 0.06 * (1 - u), 0.08 * lap(v) + u * v * v - (0.06 + 0.062) * v])


def heat(s):
    return lap(s[0])[np.newaxis]


def evolve(rate, y, method, end, h, relative, absolute):
    """Returns the state, the accepted and rejected steps, and the evaluations."""
    rows, first, second, order = METHODS[method]
    t, before, steps, rejected, evaluations = 0.0, 0.0, 0, 0, 0
    while t < end:
        ceiling = 5.0
        while True:
            left = end - t
            step = left if h >= left * (1 - 1e-9) else left / 2 if h > left / 2 else h
            k = [rate(y)]
            for row in rows:
                k.append(rate(y + step * sum(a * b for a, b in zip(row, k))))
            evaluations += len(rows)
            after = y + step * sum(a * b for a, b in zip(first, k))
            error = step * sum((a - c) * b for a, c, b in zip(first, second, k))
            error = np.max(np.abs(error) / (absolute + relative * np.maximum(np.abs(y), np.abs(after))))
            if error <= 1:
                break
            rejected += 1
            h = step * min(0.9, max(0.2, math.floor(64 * 0.9 * error**(-1 / order)) / 64))
            ceiling = 1.0
        whole = step == h
        t, y, steps = (end if step == left else t + step), after, steps + 1
        if whole:
            ratio = 0.9 * error**(-0.7 / order) * max(before, 1e-4)**(0.4 / order) if before else 0.9 * error**(-1 / order)
            h = step * min(ceiling, max(0.2, min(5.0, math.floor(64 * ratio) / 64)))
            before = max(error, 1e-4)
    return y, steps, rejected, evaluations + 1


for model, rate, end, means in (('gray-scott', gray_scott, 150, (0.46, 0.27)), ('heat', heat, 20, (0,))):
    for method in METHODS:
        shape = tuple(rng.randint(3, 12, rng.randint(1, 4)))
        relative, absolute = 10.0**-rng.randint(2, 7), 10.0**-rng.randint(5, 8)
        state = np.array([mean + 0.3 * rng.uniform(-1, 1, shape) for mean in means])
        source, result = (os.path.join(folder.name, name + '.npy') for name in ('source', 'result'))
        np.save(source, state if len(means) > 1 else state[0])
        command = [meshwork, 'run', model, '-q', '--json', '--no-tune', '-d', device, '--integrator', method, '--dt',
                   '0.5', '--until', str(end), '--tolerance', '%r,%r' % (relative, absolute), '--input', source, '-o',
                   result] + (['-p', 'D=1'] if model == 'heat' else [])
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit('FAIL: exit code %d: %s\n%s' % (done.returncode, done.stderr, ' '.join(command)))
        summary = json.loads(done.stdout)
        found = np.load(result)
        y, steps, rejected, evaluations = evolve(rate, state, method, end, 0.5, relative, absolute)
        print('%s, %s, %s, %g, %g: %d steps, %d rejected' % (model, method, shape, relative, absolute, steps, rejected))
        for key, value in (('steps', steps), ('rejected_steps', rejected), ('evaluations', evaluations)):
            if summary[key] != value:
                sys.exit('FAIL: %d %s, expected %d\n%s' % (summary[key], key, value, ' '.join(command)))
        if np.max(np.abs(found - (y if len(means) > 1 else y[0]))) > 1e-9:
            sys.exit('FAIL: the states differ by %g\n%s' % (np.max(np.abs(found - y)), ' '.join(command)))
