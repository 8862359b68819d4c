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
            ratio = 0.9 * error**(-1 / order)
            if before:
                ratio = 0.9 * error**(-0.7 / order) * max(before, 1e-4)**(0.4 / order)
            h = step * min(ceiling, max(0.2, min(5.0, math.floor(64 * ratio) / 64)))
            before = max(error, 1e-4)
    return y, steps, rejected, evaluations + 1


def run(model, *options):
    """Returns the final state and the summary; None if it is not finite."""
    result = os.path.join(folder.name, 'result.npy')
    command = [meshwork, 'run', model, '-q', '--json', '--no-tune', '-d', device, '--precision', 'double', '-o', result,
               *map(str, options)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    summary = json.loads(done.stdout)
    if 'no longer finite' in summary.get('error', {}).get('message', ''):
        return None, None
    if done.returncode != 0:
        sys.exit('FAIL: exit code %d: %s\n%s' % (done.returncode, done.stdout, ' '.join(command)))
    return np.load(result), dict(summary, text=' '.join(command))


def check_steps(model, rate, end, means, method):
    """Meshwork and NumPy take the same steps."""
    shape = tuple(int(n) for n in rng.randint(3, 12, rng.randint(1, 4)))
    relative, absolute = 10.0**-rng.randint(2, 7), 10.0**-rng.randint(5, 8)
    state = np.array([mean + 0.3 * rng.uniform(-1, 1, shape) for mean in means])
    source = os.path.join(folder.name, 'source.npy')
    np.save(source, state if len(means) > 1 else state[0])
    found, summary = run(model, '--integrator', method, '--dt', 0.5, '--until', end, '--tolerance',
                         '%r,%r' % (relative, absolute), '--input', source, *(['-p', 'D=1'] if model == 'heat' else []))
    y, steps, rejected, evaluations = evolve(rate, state, method, end, 0.5, relative, absolute)
    print('%s, %s, %s, %g, %g: %d steps, %d rejected' % (model, method, shape, relative, absolute, steps, rejected))
    for key, value in (('steps', steps), ('rejected_steps', rejected), ('evaluations', evaluations)):
        if summary[key] != value:
            sys.exit('FAIL: %d %s, expected %d\n%s' % (summary[key], key, value, summary['text']))
    if np.max(np.abs(found - (y if len(means) > 1 else y[0]))) > 1e-9:
        sys.exit('FAIL: the states differ by %g\n%s' % (np.max(np.abs(found - y)), summary['text']))


def check_cost(model, end, method, tolerance):
    """With half as many evaluations more, constant steps have larger errors."""
    mesh = ('--size', '24x24', '--until', end)
    found, summary = run(model, *mesh, '--integrator', method, '--tolerance', tolerance)
    evaluations = summary['evaluations']
    exact, _ = run(model, *mesh, '--integrator', 'rk4', '--dt', repr(end / (10 * evaluations)))
    error = np.max(np.abs(found - exact))
    print('%s, %s: error %.3g with %d evaluations' % (model, method, error, evaluations))
    for other, each in (('rk2', 2), ('rk4', 4)):
        steps = math.ceil(1.5 * evaluations / each)
        state, _ = run(model, *mesh, '--integrator', other, '--dt', repr(end / steps))
        worse = math.inf if state is None else np.max(np.abs(state - exact))
        print('%s, %s: error %.3g with %d evaluations' % (model, other, worse, each * steps))
        if not worse > error:
            sys.exit('FAIL: %s is better' % other)


for method in METHODS:
    check_steps('gray-scott', gray_scott, 150, (0.46, 0.27), method)
    check_steps('heat', heat, 20, (0,), method)
check_cost('brusselator', 20, 'bs3', 1e-4)
check_cost('gray-scott', 200, 'dp5', 1e-4)
