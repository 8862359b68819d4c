# SPDX-License-Identifier: MIT
"""Compares exponential time steps with NumPy, in double precision: python3 spectral.py MESHWORK DEVICE.

Methods are in the form of their papers: Cox and Matthews 2002, Strang 1968.  The linear part is applied by transforms,
and the rest is evaluated.  MESHWORK_TEST_SEED repeats a run."""
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


class Mesh:
    """A mesh with distances of cells.  Along axes with mirrors, transforms are of a mesh with the mirror image."""

    def __init__(self, shape, spacing, mirrors):
        self.shape, self.spacing, self.mirrors = shape, spacing, mirrors

    def beyond(self, u, axis, by):
        """Returns the values `by` cells further along an axis."""
        n = u.shape[axis]
        index = (np.arange(n) + by) % (2 * n if self.mirrors[axis] else n)
        return np.take(u, np.where(index < n, index, 2 * n - 1 - index), axis)

    def d(self, u, axis):
        return (self.beyond(u, axis, 1) - self.beyond(u, axis, -1)) / (2 * self.spacing[axis])

    def lap(self, u):
        return sum((self.beyond(u, a, 1) + self.beyond(u, a, -1) - 2 * u) / self.spacing[a]**2 for a in range(u.ndim))

    def symbol(self):
        """Returns the factor of lap per wave vector."""
        lengths = [2 * n if mirror else n for n, mirror in zip(self.shape, self.mirrors)]
        angles = [2 * np.pi * np.arange(n) / n for n in lengths]
        return sum((2 * np.cos(k) - 2) / h**2 for k, h in zip(np.meshgrid(*angles, indexing='ij'), self.spacing))

    def multiply(self, factor, u):
        """Multiplies the waves of a field."""
        whole = u
        for axis, mirror in enumerate(self.mirrors):
            whole = np.concatenate((whole, np.flip(whole, axis)), axis) if mirror else whole
        return np.fft.ifftn(factor * np.fft.fftn(whole)).real[tuple(map(slice, u.shape))]


def phi(k, z):
    """Returns phi_k(z) as a mean over a circle around z: Kassam and Trefethen 2005."""
    mean = 0
    for angle in 2 * np.pi * (np.arange(64) + 0.5) / 64:
        t = z + np.exp(1j * angle)
        mean = mean + [np.exp(t), (np.exp(t) - 1) / t, (np.exp(t) - 1 - t) / t**2,
                       (np.exp(t) - 1 - t - t * t / 2) / t**3][k] / 64
    return mean.real


def etd2(mesh, z, h, rest):
    e, p1, p2 = (phi(k, z) for k in range(3))

    def step(u):
        n = rest(u)
        a = mesh.multiply(e, u) + h * mesh.multiply(p1, n)
        return a + h * mesh.multiply(p2, rest(a) - n)
    return step


def etd4(mesh, z, h, rest):
    half, q = phi(0, z / 2), h / 2 * phi(1, z / 2)
    e, p1, p2, p3 = (phi(k, z) for k in range(4))
    weights = h * (p1 - 3 * p2 + 4 * p3), h * (2 * p2 - 4 * p3), h * (-p2 + 4 * p3)

    def step(u):
        n = rest(u)
        a = mesh.multiply(half, u) + mesh.multiply(q, n)
        na = rest(a)
        b = mesh.multiply(half, u) + mesh.multiply(q, na)
        nb = rest(b)
        c = mesh.multiply(half, a) + mesh.multiply(q, 2 * nb - n)
        return mesh.multiply(e, u) + sum(map(mesh.multiply, weights, (n, na + nb, rest(c))))
    return step


def strang(mesh, z, h, rest):
    half = phi(0, z / 2)

    def step(u):
        a = mesh.multiply(half, u)
        return mesh.multiply(half, a + h * rest(a + h / 2 * rest(a)))
    return step


METHODS = {'etd2': (etd2, 2), 'etd4': (etd4, 4), 'strang': (strang, 2)}

# Equations: the text, the linear part by the factor of lap, the rest, and a step.
EQUATIONS = [
    ('u: 0.3 * u - (u + 1.5 * lap(u) + 1.5 * lap(u + 1.5 * lap(u))) - u^3',
     lambda s: 0.3 - (1 + 1.5 * s)**2, lambda m, u: -u**3, 0.5),
    ('u: -lap(u + lap(u)) - 0.5 * d_x(u)^2', lambda s: -s - s * s, lambda m, u: -0.5 * m.d(u, u.ndim - 1)**2, 0.25),
    ('u: 0.4 * lap(u) + u * (1 - u)', lambda s: 0.4 * s + 1, lambda m, u: -u * u, 0.4)]


def run(text, method, mesh, h, steps, start):
    result, source = (os.path.join(folder.name, name) for name in ('result.npy', 'source.npy'))
    np.save(source, start)
    command = [meshwork, 'run', '-e', text, '-q', '--no-tune', '-d', device, '--precision', 'double', '-o', result,
               '--integrator', method, '--dt', repr(h), '--steps', str(steps), '--input', source,
               '--spacing', ','.join('%r' % h for h in mesh.spacing[::-1]),
               '--boundary', ','.join('mirror' if mirror else 'periodic' for mirror in mesh.mirrors[::-1])]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        sys.exit('FAIL: exit code %d: %s\n%s' % (done.returncode, done.stdout, ' '.join(command)))
    return np.load(result), ' '.join(command)


def random_mesh():
    shape = tuple(int(n) for n in rng.randint(3, 14, rng.randint(1, 5)))
    return Mesh(shape, [float(h) for h in rng.choice([0.75, 1, 1.5], len(shape))], rng.rand(len(shape)) < 0.6)


def check_bits(equation, method):
    """The states are those of NumPy."""
    text, linear, rest, h = equation
    mesh = random_mesh()
    u = start = 0.3 + 0.2 * rng.uniform(-1, 1, mesh.shape)
    step = METHODS[method][0](mesh, h * linear(mesh.symbol()), h, lambda v: rest(mesh, v))
    for _ in range(4):
        u = step(u)
    found, command = run(text, method, mesh, h, 4, start)
    error = np.max(np.abs(found - u)) / np.max(np.abs(u))
    print('%s, %s, mirrors %s: difference %.2g' % (method, mesh.shape, 1 * mesh.mirrors, error))
    if not error < 2e-13 * max(1, np.max(np.abs(h * linear(mesh.symbol())))):
        sys.exit('FAIL: %s\n%s' % (text, command))


def check_order(equation, method):
    """Errors fall with the order of the method, next to many steps of the classical method by NumPy."""
    text, linear, rest, h = equation
    mesh = Mesh((12, 10), [1.5, 1.5], rng.rand(2) < 0.5)
    x, y = np.meshgrid(*((np.arange(n) + 0.5) / n for n in mesh.shape), indexing='ij')
    u = start = 0.4 + 0.2 * np.cos(2 * np.pi * x) * np.cos(2 * np.pi * y)
    small = h / 256

    def rate(v):
        return mesh.multiply(linear(mesh.symbol()), v) + rest(mesh, v)
    for _ in range(2 * 256):
        k = [rate(u)]
        for part in (0.5, 0.5, 1):
            k.append(rate(u + part * small * k[-1]))
        u = u + small / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
    errors = [np.max(np.abs(run(text, method, mesh, h / n, 2 * n, start)[0] - u)) for n in (4, 8)]
    order = np.log2(errors[0] / errors[1])
    print('%s: order %.2f' % (method, order))
    if abs(order - METHODS[method][1]) > 0.3:
        sys.exit('FAIL: errors %.3g, %.3g: %s by %s' % (*errors, text, method))


for chosen in METHODS:
    for each in EQUATIONS:
        check_bits(each, chosen)
    check_order(EQUATIONS[2], chosen)
