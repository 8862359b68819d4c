# SPDX-License-Identifier: MIT
"""Compares noise with theory: python3 noise.py MESHWORK DEVICE.

Noise that is multiplied by the field, conserved, or correlated between cells.  Expectations are exact for the discrete
steps; means are within 4 standard errors of them.  MESHWORK_TEST_SEED repeats a run."""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

meshwork, device = sys.argv[1:]
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
folder = tempfile.TemporaryDirectory()
runs = 0


def run(equations, shape, steps, dt, *options, integrator='euler', **params):
    """Returns the final fields, [field, z, y, x]."""
    global runs
    runs += 1
    result = os.path.join(folder.name, 'result.npy')
    command = [meshwork, 'run', '-q', '--no-tune', '-d', device, '--precision', 'double', '-o', result,
               '--size', 'x'.join(map(str, shape[::-1])), '--steps', str(steps), '--dt', repr(dt),
               '--integrator', integrator, '--seed', str(seed + runs), '--start', 'constant']
    for equation in equations:
        command += ['-e', equation]
    for item in params.items():
        command += ['-p', '%s=%r' % item]
    subprocess.run(command + list(options), check=True, stdout=subprocess.DEVNULL)
    return np.load(result).reshape((-1,) + tuple(shape))


def within(value, expected, error, what, bias=0):
    off = (value - expected) / error
    print('%s: %.6g, expected %.6g (%.1f standard errors)' % (what, value, expected, off))
    if not abs(value - expected) <= 4 * error + bias:
        sys.exit('the difference is too large')


def near(values, expected, what, bias=0):
    """Checks the mean of independent numbers."""
    within(np.mean(values), expected, np.std(values) / np.sqrt(np.size(values)), what, bias)


def small(value, limit, what):
    print('%s: %.2g' % (what, value))
    if not value <= limit:
        sys.exit('the limit is %g' % limit)


def check_multiplied():
    """Geometric Brownian motion in each cell, du = s u dW: the mean stays (Ito), or is exp(s^2 t / 2)."""
    s, dt, steps = 0.7, 0.01, 100
    for integrator, mean, square, log in (('euler', 1, (1 + s**2 * dt)**steps, -s**2 * dt * steps / 2),
                                          ('rk2', (1 + s**2 * dt / 2)**steps, None, 0)):
        u = run(['u: s*u*noise(eta)', 'start(u) = 1'], (251, 256), steps, dt, integrator=integrator, s=s)
        near(u, mean, 'mean of u by ' + integrator)
        near(np.log(u), log, 'mean of log u by ' + integrator, bias=0.5 * s**4 * dt**2 * steps)
        if square:
            near(u**2, square, 'mean of u^2 by ' + integrator)


def spectrum(u, spacing):
    """Returns the power per wave times the volume of a cell, and the symbol of -lap; each wave once."""
    n, axes = u.size, range(u.ndim)
    k = [(2 - 2 * np.cos(2 * np.pi * np.arange(m) / m)) / h**2 for m, h in zip(u.shape, spacing)]
    symbol = sum(k[d].reshape([-1 if d == e else 1 for e in axes]) for d in axes)
    power = np.abs(np.fft.fftn(u))**2 / n * np.prod(spacing)
    partner = np.ravel_multi_index([-i % m for i, m in zip(np.unravel_index(np.arange(n), u.shape), u.shape)], u.shape)
    once = np.arange(n) < partner
    return power.ravel()[once], symbol.ravel()[once]


def check_spectrum(u, spacing, dt, steps, strength, what):
    """Each wave decays by 1 - z per step, z = dt q.  Its variance is a geometric sum; in equilibrium, the structure
    factor is strength / (2 - z): flat, but for the finite step."""
    power, q = spectrum(u, spacing)
    z = dt * q
    ratio = power / (strength * z * (1 - (1 - z)**(2 * steps)) / (1 - (1 - z)**2))
    shell = np.minimum((6 * q / q.max()).astype(int), 5)
    for i in range(6):
        near(ratio[shell == i], 1, '%s: power over theory in shell %d' % (what, i))


def check_conserved():
    flow = ['u: lap(u) + a*div_noise(eta, zeta)', 'start(u) = 1']
    for shape, spacing in (((4001,), (1.25,)), ((131, 128), (0.8, 1.25)), ((23, 24, 32), (1.25, 1, 1))):
        h = ','.join(map(str, spacing[::-1]))
        u = run(flow, shape, 400, 0.1, '--spacing', h, a=0.5)[0]
        small(abs(u.mean() - 1), 1e-13, 'change of the mean of %s cells' % (shape,))
        check_spectrum(u, spacing, 0.1, 400, 0.25, 'conserved noise, %s cells' % (shape,))
        mirrored = run(flow, shape, 20, 0.1, '--spacing', h, '--boundary', 'mirror', a=0.5)[0]
        small(abs(mirrored.mean() - 1), 1e-13, 'change of the mean between mirrors')
        if np.std(mirrored) < 0.1:
            sys.exit('the noise is missing')
    if np.any(run(flow, (1, 1), 3, 0.1, a=0.5) != 1):
        sys.exit('one cell has noise')
    # Independent particles (Dean 1996): in equilibrium, numbers have the variance of a Poisson distribution.
    dean = ['u: lap(u) + div_noise(eta, zeta, sqrt(2*max(u, 0)))', 'start(u) = 1000']
    u = run(dean, (131, 128), 400, 0.1)[0]
    small(abs(u.mean() / 1000 - 1), 1e-13, 'change of the mean of particles')
    check_spectrum(u, (1, 1), 0.1, 400, 2000, 'particles')


def covariances(f):
    """Returns the mean of the products of all pairs of cells at each distance."""
    return np.fft.ifftn(np.abs(np.fft.fftn(f))**2).real / f.size


def check_correlated():
    equations = ['smooth(f) = (f + avg(f)) / 2', 'u: smooth(smooth(noise(eta)))', 'v: noise(eta)',
                 'start(u) = 0', 'start(v) = 0']
    for shape in ((4001,), (256, 251), (24, 23, 32)):
        u, v = run(equations, shape, 1, 0.01)

        def smooth(f):
            around = sum(np.roll(f, by, d) for d in range(f.ndim) for by in (-1, 1))
            return (f + around / (2 * f.ndim)) / 2
        small(np.abs(u - smooth(smooth(v))).max(), 1e-14, 'difference from the smoothed noise, %s cells' % (shape,))
        near(v**2, 0.01, 'variance of the noise')
        delta = np.zeros(shape)
        delta.flat[0] = 1
        theory = 0.01 * covariances(smooth(smooth(delta))) * delta.size
        found = covariances(u)
        for at in ((0,) * (len(shape) - 1) + (1,), (1,) * len(shape), (2,) + (0,) * (len(shape) - 1)):
            # The variance of the estimate (Bartlett 1946).
            ahead, back = (np.roll(theory, [s * a for a in at], range(len(shape))) for s in (1, -1))
            error = np.sqrt(np.sum(theory**2 + ahead * back) / u.size)
            within(found[at], theory[at], error, 'covariance at %s' % (at,))


check_multiplied()
check_conserved()
check_correlated()
