# SPDX-License-Identifier: MIT
"""Compares runs of meshwork with py-pde: python3 py-pde.py MESHWORK [DEVICE [ROUNDS [EXAMPLE]]].

Needs py-pde with numba.  Both programs make the same Euler steps from the same state in double precision.  The table
has the relative difference of the results, the seconds for the steps without compilation: medians (and minima), and the
seconds of whole programs: a Python process, and meshwork's first run with an empty cache."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import pde

alone = sys.argv[1] == '--alone'  # EXAMPLE CELLS STEPS: py-pde only
meshwork = sys.argv[1]
device = sys.argv[2] if len(sys.argv) > 2 else 'native:pthreads'
rounds = int(sys.argv[3]) if len(sys.argv) > 3 and not alone else 7
rng = np.random.default_rng(1)
folder = tempfile.TemporaryDirectory()


def diffusion(n):
    return (pde.DiffusionPDE(0.1), pde.UnitGrid([n, n]), [lambda s: rng.uniform(0.2, 0.3, s)],
            ['-e', 'c: D*lap(c)', '-p', 'D=0.1', '--boundary', 'mirror'])


def kuramoto_sivashinsky(n):
    return (pde.PDE({'c': '-gradient_squared(c) / 2 - laplace(c + laplace(c))'}), pde.UnitGrid([n, n]),
            [lambda s: rng.uniform(0, 1, s)],
            ['-e', 'c: -grad2(c)/2 - lap(c + lap(c))', '--boundary', 'mirror'])


def cahn_hilliard(n):
    return (pde.CahnHilliardPDE(), pde.UnitGrid([n, n], periodic=True), [lambda s: rng.uniform(-0.2, 0.2, s)],
            ['-e', 'c: lap(c^3 - c - lap(c))'])


def brusselator(n):
    return (pde.PDE({'u': '1*laplace(u) + 1 - (3 + 1)*u + u**2*v', 'v': '0.1*laplace(v) + 3*u - u**2*v'}),
            pde.UnitGrid([n, n]), [lambda s: np.ones(s), lambda s: 3 + 0.1 * rng.standard_normal(s)],
            ['-e', 'u: D0*lap(u) + a - (b + 1)*u + u^2*v', '-e', 'v: D1*lap(v) + b*u - u^2*v', '-p', 'D0=1',
             '-p', 'D1=0.1', '-p', 'a=1', '-p', 'b=3', '--boundary', 'mirror'])


def boundaries(n):
    """py-pde places cells at (i + 1/2) h from the origin, meshwork at i h."""
    h = 10 / 32
    bc = {'x-': {'derivative': 0.1}, 'x+': {'value': 'sin(y / 2)'}, 'y-': {'derivative': 0},
          'y+': {'value_expression': 'sin(t)'}}
    return (pde.DiffusionPDE(bc=bc), pde.CartesianGrid([[-5, n * h - 5]] * 2, n), [np.ones],
            ['-e', 'u: lap(u)', '-e', 'boundary(u, x_low) = slope(0.1)',
             '-e', 'boundary(u, x_high) = value(sin((y + h/2 - 5) / 2))', '-e', 'boundary(u, y_low) = slope(0)',
             '-e', 'boundary(u, y_high) = value(sin(time))', '-p', 'h=%r' % h, '--spacing', repr(h)])


def varied_diffusion(n):
    h = 10 / 64
    return (pde.PDE({'c': 'laplace((1.01 + tanh(x)) * c)'}, bc={'value': 0}),
            pde.CartesianGrid([[-5, n * h - 5]], n), [np.ones],
            ['-e', 'map(D) = 1.01 + tanh(x + h/2 - 5)', '-e', 'c: lap(D * c)', '-e', 'boundary(c) = value(0)',
             '-p', 'h=%r' % h, '--spacing', repr(h)])


def schroedinger(n):
    h = 20 / 128
    x = (np.arange(n) + 0.5) * h
    start = 1j * np.sin(x) * np.exp(-(x - 10)**2)
    return (pde.PDE({'psi': 'I * 0.5 * laplace(psi)'}), pde.CartesianGrid([[0, n * h]], n), [lambda s: start],
            ['-e', 'psi complex: i * lap(psi) / 2', '--boundary', 'mirror', '--spacing', repr(h)])


# Name: the example, its cells and steps, cells and steps of a larger mesh, and the step.
EXAMPLES = {
    'diffusion': (diffusion, 64, 1000, 512, 400, 0.01),
    'Kuramoto-Sivashinsky': (kuramoto_sivashinsky, 32, 1000, 512, 400, 0.01),
    'Cahn-Hilliard': (cahn_hilliard, 64, 1000, 512, 400, 0.01),
    'Brusselator': (brusselator, 64, 20000, 512, 400, 0.001),
    'boundary conditions in space and time': (boundaries, 32, 1000, 512, 400, 0.01),
    'diffusivity in space': (varied_diffusion, 64, 20000, 65536, 1000, 0.001),
    'Schroedinger': (schroedinger, 128, 25000, 65536, 1000, 0.0001),
}


def prepare(example, n, dt):
    equation, grid, starts, options = example(n)
    arrays = [start(grid.shape) for start in starts]
    kind = complex if any(np.iscomplexobj(a) for a in arrays) else float
    fields = [pde.ScalarField(grid, a, dtype=kind) for a in arrays]
    state = pde.FieldCollection(fields) if len(fields) > 1 else fields[0]
    return grid, arrays, kind, state, pde.EulerSolver(equation, backend='numba').make_stepper(state, dt), options


def whole_programs(command, name, n, steps):
    """Seconds of a Python process that imports, compiles and computes, and of meshwork with an empty cache."""
    seconds = []
    for words in ([sys.executable, __file__, '--alone', name, str(n), str(steps)], command):
        with tempfile.TemporaryDirectory() as cache:
            clock = time.perf_counter()
            subprocess.run(words, check=True, capture_output=True, env={**os.environ, 'MESHWORK_CACHE_DIR': cache})
            seconds.append(time.perf_counter() - clock)
    return seconds


def compare(name, example, n, steps, dt):
    grid, arrays, kind, state, stepper, options = prepare(example, n, dt)
    stepper(state.copy(), 0, 2 * dt)  # compiles
    parts = [part for a in arrays for part in ((a.real, a.imag) if kind is complex else (a,))]
    begin, end = (os.path.join(folder.name, f) for f in ('begin.npy', 'end.npy'))
    np.save(begin, np.squeeze([p.T for p in parts]))  # the first index of py-pde is x
    command = [meshwork, 'run', *options, '--size', 'x'.join(map(str, grid.shape)), '--steps', str(steps),
               '--dt', repr(dt), '--integrator', 'euler', '--precision', 'double', '-d', device, '--input', begin,
               '-o', end, '--json', '-q']
    seconds = [], []
    for _ in range(rounds):
        theirs = state.copy()
        clock = time.perf_counter()
        stepper(theirs, 0, steps * dt)
        seconds[0].append(time.perf_counter() - clock)
        seconds[1].append(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)['seconds'])
    ours = np.load(end).reshape((-1,) + grid.shape[::-1])
    theirs = theirs.data.reshape((-1,) + grid.shape)
    theirs = np.array([part.T for a in theirs for part in ((a.real, a.imag) if kind is complex else (a,))])
    difference = np.abs(ours - theirs).max() / np.abs(theirs).max()
    slow, fast = map(statistics.median, seconds)
    theirs, ours = whole_programs(command, name, n, steps)
    print('| %s | %s | %d | %.1e | %.3g (%.3g) | %.3g (%.3g) | %.1f (%.1f) | %.1f | %.2f | %.0f |' %
          (name, ' x '.join(map(str, grid.shape)), steps, difference, slow, min(seconds[0]), fast, min(seconds[1]),
           slow / fast, min(seconds[0]) / min(seconds[1]), theirs, ours, theirs / ours), flush=True)


if alone:
    example, dt = EXAMPLES[sys.argv[2]][0], EXAMPLES[sys.argv[2]][-1]
    state, stepper = prepare(example, int(sys.argv[3]), dt)[3:5]
    stepper(state, 0, int(sys.argv[4]) * dt)
    sys.exit()
print('| example | cells | steps | difference | py-pde | meshwork | ratio | py-pde, whole | meshwork, whole | ratio |\n'
      '|---|---|---|---|---|---|---|---|---|---|')
for name, (example, n, steps, large, fewer, dt) in EXAMPLES.items():
    if len(sys.argv) > 4 and name not in sys.argv[4:]:
        continue
    compare(name, example, n, steps, dt)
    compare(name, example, large, fewer, dt)
