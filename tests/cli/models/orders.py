# SPDX-License-Identifier: MIT
"""Measures the orders of operators, boundary conditions and integrators by solutions that are known: python3 orders.py
MESHWORK DEVICE.

Each row of a table has an order.  Errors are those of two distances or time steps, one half of the other.  Some rows
are tried at random; with MESHWORK_TEST_ALL=1 all are.  MESHWORK_TEST_SEED repeats a run."""
import os
import sys

import numpy as np

import reader
from reader import Mesh, Model, everything, rng, scratch

LENGTH = 2 * np.pi


def model_of(*lines):
    path = os.path.join(scratch.name, 'orders.cl')
    open(path, 'w').write('\n'.join(('//@ model orders "orders"',) + lines) + '\n')
    return Model(path)


def some(rows, count):
    """Returns `count` rows at random, in their order, or all."""
    return rows if everything else [rows[i] for i in sorted(rng.permutation(len(rows))[:count])]


def check(what, errors, expected, slack=0.2):
    order = np.log2(errors[0] / errors[1])
    print('%s: errors %.2g and %.2g, order %.2f' % (what, *errors, order))
    if not abs(order - expected) < slack:
        sys.exit('FAIL: %s has the order %.2f instead of %g' % (what, order, expected))


# ---- operators, of fields whose derivatives are known exactly: they are sums of few waves ----

def d(f, axes):
    """Returns a derivative of a periodic function, by Fourier transforms."""
    for axis in axes:
        n, along = f.shape[0], f.ndim - 1 - 'xyz'.index(axis)
        k = np.fft.fftfreq(n, 1 / n).reshape([-1 if a == along else 1 for a in range(f.ndim)])
        f = np.real(np.fft.ifft(1j * k * np.fft.fft(f, axis=along), axis=along))
    return f


def lap(f):
    return sum(d(f, 2 * axis) for axis in 'xyz'[:f.ndim])


def div(m, f):
    return sum(d(m * d(f, axis), axis) for axis in 'xyz'[:f.ndim])


def dot(f, g):
    return sum(d(f, axis) * d(g, axis) for axis in 'xyz'[:f.ndim])


# Text, its exact value, and the orders with --laplacian second, fourth and isotropic.
OPERATORS = [
    ('lap(u)', lambda u, v: lap(u), (2, 4, 2)),
    ('biharm(u)', lambda u, v: lap(lap(u)), (2, 4, 2)),
    ('lap(u^3 - u)', lambda u, v: lap(u**3 - u), (2, 4, 2)),
    ('variation(u)', lambda u, v: u**3 - lap(u), (2, 4, 2)),
    ('d_x(u)', lambda u, v: d(u, 'x'), (2,)), ('grad_y(u)', lambda u, v: d(u, 'y'), (2,)),
    ('d_z(u)', lambda u, v: d(u, 'z'), (2,)), ('d_xx(u)', lambda u, v: d(u, 'xx'), (2,)),
    ('d_yy(u)', lambda u, v: d(u, 'yy'), (2,)), ('d_zz(u)', lambda u, v: d(u, 'zz'), (2,)),
    ('d_xy(u)', lambda u, v: d(u, 'xy'), (2,)), ('d_xz(u)', lambda u, v: d(u, 'xz'), (2,)),
    ('d_yz(u)', lambda u, v: d(u, 'yz'), (2,)), ('grad2(u)', lambda u, v: dot(u, u), (2,)),
    ('dot(grad(u), grad(v))', dot, (2,)), ('curl(u, v)', lambda u, v: d(v, 'x') - d(u, 'y'), (2,)),
    ('div((1 + 0.3*v) * grad(u))', lambda u, v: div(1 + 0.3 * v, u), (2,)), ('avg(u)', lambda u, v: u, (2,)),
    ('differences(u) / h', lambda u, v: lap(u), (2,)), ('upwind_x(v, u)', lambda u, v: v * d(u, 'x'), (1,)),
    ('upwind_y(1, u)', lambda u, v: d(u, 'y'), (1,)), ('upwind_z(-1, u)', lambda u, v: -d(u, 'z'), (1,)),
]


KINDS = ['second', 'fourth', 'isotropic']


def operator_errors(rows, n, kind, dims):
    """Returns the largest errors of operators: one step from 0 gives their values."""
    h, names = LENGTH / n, ['o%d' % i for i in range(len(rows))]
    model = model_of(*['//@ field ' + name for name in ['u', 'v'] + names], '//@ param h 1 "spacing"',
                     'energy = u^4/4 - u*lap(u)/2;', 'rate(u) = 0;', 'rate(v) = 0;',
                     *['rate(%s) = %s;' % (name, row[0]) for name, row in zip(names, rows)])
    x = np.arange(n) * h
    x, y, z = (list(np.meshgrid(*[x] * dims, indexing='ij'))[::-1] + [0.0])[:3]
    u = np.sin(x + 0.3) * np.cos(y - 0.5) + 0.5 * np.cos(z + x) + 0.3 * np.sin(y - z)
    v = np.cos(x - y) + 0.4 * np.sin(z + 1)
    state = np.concatenate([[u, v], np.zeros((len(rows),) + u.shape)])
    reader.arguments = ['--laplacian', kind, '--integrator', 'euler']
    found, _ = reader.run(model, state, {'h': h}, Mesh(['periodic'] * dims, [h] * dims), 1, 1.0, {})
    return [np.max(np.abs(f - row[1](u, v))) for row, f in zip(rows, found[2:])]


for number, kind in enumerate(KINDS):
    rows = some([row for row in OPERATORS if len(row[2]) > number], 1 if number else 4)
    # Compilers take long for many operators at once, and for stages in three dimensions.
    for dims in 2, 3:
        of_dims = [row for row in rows if ('z' in row[0]) == (dims == 3)]
        for part in [of_dims[i:i + 4] for i in range(0, len(of_dims), 4)]:
            for row, *errors in zip(part, *(operator_errors(part, n, kind, dims) for n in (16, 32))):
                check('%s, %s' % (row[0], kind), errors, row[2][number])


# ---- boundary conditions: the steady state of u_t = u_xx - u + g, 0 < X < 1 ----

def exponential(X):
    return np.exp(X), 'exp(X)', '0'


def cosine(X):
    return np.cos(np.pi * X), 'cos(pi*X)', '(1 + pi^2) * cos(pi*X)'


E = 'exp(1)'
BOUNDARIES = [  # the solution, and conditions: at x_low, at x_high; the domain begins at X = `start`
    (exponential, 'value(1)', 'value(%s)' % E, 0), (exponential, 'value(1)', 'slope(%s)' % E, 0),
    (exponential, 'slope(-1)', 'value(%s)' % E, 0), (exponential, 'slope(-1)', 'slope(%s)' % E, 0),
    (exponential, 'value(1)', 'slope(2*%s - u)' % E, 0), (exponential, 'slope(-2 + u)', 'value(%s)' % E, 0),
    (exponential, 'outside(exp(-h/2))', 'outside(exp(1 + h/2))', 0), (cosine, 'slope(0)', 'slope(0)', 0),
    (cosine, None, None, 0), (exponential, 'value(exp(1/4))', 'value(%s)' % E, 0.25),
    (exponential, 'outside(exp(1/4 - h/2))', 'value(%s)' % E, 0.25),
]


def boundary_error(row, n):
    solution, low, high, start = row
    h, sides = 1 / n, ('hole' if start else 'x_low', 'x_high')
    X = (np.arange(n) + 0.5) * h
    exact, _, source = solution(X)
    lines = ['//@ field u', '//@ param h 1 "spacing"', 'X = x + h/2;', 'rate(u) = lap(u) - u + %s;' % source]
    lines += ['boundary(u, %s) = %s;' % pair for pair in zip(sides, (low, high)) if pair[1]]
    lines += ['domain = x + h/2 - %r;' % start] if start else []
    reader.arguments = ['--integrator', 'euler']
    found, _ = reader.run(model_of(*lines), exact[np.newaxis], {'h': h}, Mesh(['mirror'], [h]), 12 * n * n,
                          0.4 * h * h, {})
    return np.max(np.abs(found[0] - exact)[X > start])


for row in some(BOUNDARIES, 4):
    check('%s, %s to %s%s' % (row[0].__name__, row[1], row[2], ' of a domain' if row[3] else ''),
          [boundary_error(row, n) for n in (16, 32)], 2)


# ---- integrators: u = cos(t) sin(x) solves u_t = lap u - u^3 + f, without an error in space ----

INTEGRATORS = [  # name, order, and the larger time step; those that choose their steps take one, with their local error
    ('euler', 1, 1 / 20), ('rk2', 2, 1 / 20), ('rk4', 4, 1 / 10), ('etd2', 2, 1 / 20), ('etd4', 4, 1 / 10),
    ('bs3', 4, 1 / 5), ('dp5', 6, 1 / 5),
]


def time_error(integrator, dt, single):
    n = 8
    h = LENGTH / n
    x = np.arange(n) * h
    model = model_of('//@ field u', '//@ param s 1 "symbol of -lap"',
                     'rate(u) = lap(u) - u^3 + (s*cos(time) - sin(time))*sin(x) + (cos(time)*sin(x))^3;')
    reader.arguments = ['--integrator', integrator] + (['--tolerance', '0.9,1e9'] if single else [])
    steps = 1 if single else round(1 / dt)
    found, _ = reader.run(model, np.sin(x)[np.newaxis], {'s': (2 - 2 * np.cos(h)) / h**2}, Mesh(['periodic'], [h]),
                          steps, dt, {})
    return np.max(np.abs(found[0] - np.cos(steps * dt) * np.sin(x)))


for integrator, order, dt in some(INTEGRATORS, 4):
    single = integrator in ('bs3', 'dp5')
    errors = [time_error(integrator, dt / k, single) for k in (1, 2)]
    check(integrator + (', one step' if single else ''), errors, order, 0.35)
