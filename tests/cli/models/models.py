# SPDX-License-Identifier: MIT
"""Compares the models with NumPy, in double precision: python3 models.py MESHWORK DEVICE [PART ...].

The equations are implemented here once more, from the literature and not from the model files.  An empty DEVICE is the
default device.  PARTs are the functions at the end, without their check_; by default all run.  With "-" for MESHWORK
the references are only compared with each other.  MESHWORK_TEST_SEED repeats a run.  Compilers run for each model,
mesh, boundary, Laplacian and precision.  A run therefore tries some random cases, and all with MESHWORK_TEST_ALL=1."""
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

meshwork, device, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = np.random.RandomState(seed)
everything = meshwork == '-' or bool(os.environ.get('MESHWORK_TEST_ALL'))
folder = tempfile.TemporaryDirectory()

# ---- references ----

class Model:
    """A model: fields with a mean and the value beyond a fixed boundary; parameters; the rates of extended fields."""
    def __init__(self, fields, params, rate, energy=None, conserved=(), dt=0.01):
        self.fields, self.params, self.rate, self.energy = fields, params, rate, energy
        self.conserved, self.dt = conserved, dt
        self.name = None


def size2(re, im):
    return re**2 + im**2


def hilliard_rate(lap, p, c):
    return [p['m'] * lap(p['u'] * c**3 - p['b'] * c - p['K'] * lap(c))]


def hilliard_energy(lap, p, c):
    return p['u'] / 4 * c**4 - p['b'] / 2 * c**2 - p['K'] / 2 * c * lap(c)


def species_rate(lap, p, u, v, w):
    def one(me, prey, hunter):
        return me * (p['g'] - p['s'] * (u + v + w) + p['e'] * prey - p['f'] * hunter) + p['D'] * lap(me)
    return [one(u, v, w), one(v, w, u), one(w, u, v)]


def landau_rate(lap, p, re, im):
    psi = re + 1j * im
    rate = psi - (1 + 1j * p['b']) * abs(psi)**2 * psi + (1 + 1j * p['a']) * (lap(re) + 1j * lap(im))
    return [rate.real, rate.imag]


def hohenberg_rate(lap, p, u):
    return [p['e'] * u - (u + 2 * p['L'] * lap(u) + p['L']**2 * lap(lap(u))) - u**3]


def scott_rate(lap, p, u, v):
    return [p['A'] * lap(u) - u * v**2 + p['F'] * (1 - u), p['B'] * lap(v) + u * v**2 - (p['F'] + p['k']) * v]


models = {
    'cahn-hilliard': Model([(0, 0)], dict(m=1, b=1, u=1, K=1), hilliard_rate, hilliard_energy, [0]),
    'cahn-hilliard-cook': Model([(0, 0)], dict(m=1, b=1, u=1, K=1), hilliard_rate, hilliard_energy, [0]),
    'ginzburg-landau': Model([(0, 0), (0, 0)], dict(a=0, b=0), landau_rate,
                             lambda lap, p, re, im: size2(re, im)**2 / 2 - size2(re, im) - re * lap(re) - im * lap(im),
                             dt=0.05),
    'gray-scott': Model([(0.46, 1), (0.27, 0)], dict(A=0.16, B=0.08, F=0.06, k=0.062), scott_rate, dt=0.5),
    'heat': Model([(0, 0)], dict(D=0.2), lambda lap, p, t: [p['D'] * lap(t)],
                  lambda lap, p, t: -p['D'] / 2 * t * lap(t), [0], dt=0.1),
    'lotka-volterra': Model([(0.3, 0)] * 3, dict(g=1, s=1, e=0.6, f=1, D=0.5), species_rate, dt=0.05),
    'swift-hohenberg': Model([(0, 0)], dict(e=0.3, L=1.5), hohenberg_rate,
                             lambda lap, p, u: u**4 / 4 - p['e'] / 2 * u**2 + (u + p['L'] * lap(u))**2 / 2, dt=0.005),
    'wave': Model([(0, 0), (0, 0)], dict(c=1, d=0.1),
                  lambda lap, p, u, v: [v, p['c']**2 * lap(u) + p['d'] * lap(v)],
                  lambda lap, p, u, v: v**2 / 2 - p['c']**2 / 2 * u * lap(u), [1], dt=0.02),
}
for model_name in models:
    models[model_name].name = model_name


def slope(f, dim):
    return (np.roll(f, -1, f.ndim - 1 - dim) - np.roll(f, 1, f.ndim - 1 - dim)) / 2 if dim < f.ndim else 0 * f


def operators_rate(lap, p, a, b):
    s = a * b + slope(a, 0)
    average = sum(np.roll(s, by, axis) for axis in range(s.ndim) for by in (-1, 1)) / (2 * s.ndim)
    steep = sum(slope(s, d)**2 for d in range(s.ndim))
    return [average + lap(b) - p['k'] * lap(lap(a)) - slope(b, 0) * slope(a, 1),
            steep / 4 + slope(s, 1) - slope(b, 2) - p['k'] * lap(s)]


def operators_energy(lap, p, a, b):
    return sum(slope(a, d)**2 for d in range(a.ndim)) + (a * b + slope(a, 0)) * slope(b, 1)


tests = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
own_models = os.path.join(tests, 'device', 'models')
operators = Model([(0, 0.5), (0.25, -0.25)], dict(k=0.01), operators_rate, operators_energy, dt=0.05)
operators.name = os.path.join(own_models, 'operators.cl')
noise = Model([(0, 0)] * 3, dict(a=1, b=0), None, dt=0.25)
noise.name = os.path.join(own_models, 'noise.cl')


def laplacian(f, kind):
    """Returns the Laplacian of an array; its outermost cells may be wrong."""
    axes = range(f.ndim)
    if kind == 'second':
        return sum(np.roll(f, s, a) for a in axes for s in (-1, 1)) - 2 * f.ndim * f
    if kind == 'fourth':
        return sum(np.roll(f, s, a) * 4 / 3 - np.roll(f, 2 * s, a) / 12
                   for a in axes for s in (-1, 1)) - 2.5 * f.ndim * f
    weights = {2: [-20 / 6, 4 / 6, 1 / 6], 3: [-24 / 6, 2 / 6, 1 / 6, 0]}[f.ndim]
    return sum(weights[np.count_nonzero(offset)] * np.roll(f, offset, axes)
               for offset in itertools.product((-1, 0, 1), repeat=f.ndim))


MARGIN = 4  # of the Laplacian of a Laplacian of fourth order


def extended(f, boundary, outside):
    """Extends an array beyond its boundary; `boundary` counts from x, which is the last axis."""
    for d, kind in enumerate(boundary):
        axis = f.ndim - 1 - d
        n = f.shape[axis]
        place = np.arange(-MARGIN, n + MARGIN)
        if kind == 'fixed':
            f = np.pad(f, [(MARGIN, MARGIN) if a == axis else (0, 0) for a in range(f.ndim)], constant_values=outside)
        elif kind == 'periodic':
            f = np.take(f, place % n, axis)
        else:
            f = np.take(f, np.where(place % (2 * n) < n, place % (2 * n), 2 * n - 1 - place % (2 * n)), axis)
    return f


def evaluate(what, model, params, state, boundary, kind):
    fields = [extended(f, boundary, outside) for f, (_, outside) in zip(state, model.fields)]
    inner = tuple(slice(MARGIN, -MARGIN) for _ in boundary)
    result = what(lambda f: laplacian(f, kind), params, *fields)
    return np.array([r[inner] for r in result]) if isinstance(result, list) else result[inner]


def evolve(model, params, state, steps, dt, integrator='rk2', boundary=None, kind='second'):
    boundary = boundary or ['periodic'] * (state.ndim - 1)

    def rate(s):
        return evaluate(model.rate, model, params, s, boundary, kind)
    for _ in range(steps):
        k1 = rate(state)
        if integrator == 'euler':
            state = state + dt * k1
        elif integrator == 'rk2':
            state = state + dt * rate(state + dt / 2 * k1)
        else:
            k2 = rate(state + dt / 2 * k1)
            k3 = rate(state + dt / 2 * k2)
            state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + rate(state + dt * k3))
    return state


# ---- meshwork ----

def fail(what, command=''):
    sys.exit('FAIL: %s\n%s' % (what, command))


def run(model, state, steps, dt=None, params=(), boundary=None, precision='double', **options):
    """Returns the state after some steps, and the summary."""
    source, result = (os.path.join(folder.name, name + '.npy') for name in ('source', 'result'))
    np.save(source, np.asarray(state if len(model.fields) > 1 else state[0],
                               dtype='f8' if precision == 'double' else 'f4'))
    command = [meshwork, 'run', model.name, '-q', '--json', '--no-tune', '--precision', precision, '--input', source,
               '-o', result, '--steps', str(steps)] + (['-d', device] if device else [])
    command += ['--dt', repr(float(dt))] if dt else []
    command += ['--boundary', ','.join(boundary)] if boundary else []
    for word, value in options.items():
        command += ['--' + word, str(value)]
    params = dict({'a': 0} if model.name == 'cahn-hilliard-cook' else {}, **dict(params))
    for name, value in params.items():
        command += ['-p', '%s=%r' % (name, float(value))]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    command = ' '.join(command)
    if done.returncode != 0:
        fail('exit code %d: %s' % (done.returncode, done.stderr), command)
    with open(tempfile.mkstemp(dir=os.environ['MESHWORK_TEST_JSON'])[1], 'w') as file: file.write(done.stdout)
    a = np.load(result)
    return (a if len(model.fields) > 1 else a[np.newaxis]), dict(json.loads(done.stdout), command=command)


def energy_of(summary):
    """Returns one number, or an array with one per output."""
    energy = summary['energy']
    return energy[-1] if isinstance(energy, list) else energy


def near(found, expected, tolerance, what, command=''):
    scale = np.max(np.abs(expected))
    error = np.max(np.abs(found - expected))
    if not error <= tolerance * scale:
        fail('%s: %.3g of %.3g, %.3g of which is allowed' % (what, error, scale, tolerance), command)


def random_state(model, shape, noise=0.2):
    return np.array([mean + noise * rng.uniform(-1, 1, shape) for mean, _ in model.fields])


def random_params(model):
    return {name: (value or 0.5) * rng.uniform(0.7, 1.3) for name, value in model.params.items()}


def shape_of(dims):
    """Returns different lengths, which are x first in meshwork and x last in NumPy."""
    return tuple(rng.permutation([7, 11, 18])[:dims]) if dims > 1 else (37,)


# ---- what is checked ----

def one_of(cases):
    return list(cases) if everything else [cases[rng.randint(len(cases))]]


BOUNDARIES = ['periodic', 'mirror', 'fixed']
INTEGRATORS = ['euler', 'rk2', 'rk4']


def check_reference():
    """Compares every model, each in one case of dimensions, boundaries, Laplacians, parameters and integrators.

    Meshwork and NumPy differ only in the order of sums, by a few roundings of 1e-16 per step.  Rates are at most some
    hundreds per unit of time, and time steps below 2 / rate.  They magnify the difference at most a thousand times in
    five steps."""
    cases = [(1, 'second', 1), (2, 'second', 1), (2, 'fourth', 0), (2, 'isotropic', 0), (3, 'second', 0)]
    turn = rng.randint(48)
    for number, model in enumerate([operators] + list(models.values())):
        for place, (dims, kind, mixed) in enumerate(cases):
            if not everything and (place + 5 * number + turn) % 16 > 0:
                continue
            boundary = [BOUNDARIES[(number + d) % 3] if mixed else 'periodic' for d in range(dims)]
            for integrator in INTEGRATORS if everything else [INTEGRATORS[(number + place + turn) % 3]]:
                params, state = random_params(model), random_state(model, shape_of(dims))
                found, summary = run(model, state, 5, model.dt / 2, params, boundary, integrator=integrator,
                                     laplacian=kind)
                near(found, evolve(model, params, state, 5, model.dt / 2, integrator, boundary, kind), 1e-12,
                     '%s, %d dimensions, %s, %s, %s' % (model.name, dims, boundary, kind, integrator),
                     summary['command'])
                if model.energy:
                    density = evaluate(model.energy, model, params, found, boundary, kind)
                    near(energy_of(summary), np.sum(density), 1e-12 * np.sum(np.abs(density)) / abs(np.sum(density)),
                         'energy of ' + model.name, summary['command'])


def check_boundaries():
    """Compares pairs of boundaries in the plane, each along x and along y, and triples in space; one model suffices."""
    model = models['gray-scott']
    turns = one_of(range(3))
    cases = [[x, BOUNDARIES[(i + turn) % 3]] for turn in turns for i, x in enumerate(BOUNDARIES)]
    for boundary in cases + one_of([['mirror', 'fixed', 'periodic'], ['fixed', 'mirror', 'mirror']]):
        state = random_state(model, shape_of(len(boundary)))
        found, summary = run(model, state, 4, boundary=boundary)
        near(found, evolve(model, model.params, state, 4, model.dt, 'rk2', list(boundary)), 1e-12, str(boundary),
             summary['command'])


def symbol(waves, shape):
    """Returns the symbol of the Laplacian, except for its sign."""
    return sum(2 - 2 * np.cos(2 * np.pi * w / n) for w, n in zip(waves, shape))


def jacobians(p, base):
    """Returns the derivative of the rates for small waves of symbol q."""
    n = base[0]
    return {
        'heat': lambda q: [[-p['D'] * q]],
        'cahn-hilliard': lambda q: [[p['m'] * q * (p['b'] - 3 * p['u'] * n**2 - p['K'] * q)]],
        'cahn-hilliard-cook': lambda q: [[p['m'] * q * (p['b'] - 3 * p['u'] * n**2 - p['K'] * q)]],
        'ginzburg-landau': lambda q: [[-2 - q, p['a'] * q], [-p['a'] * q, -q]],
        'gray-scott': lambda q: [[-p['A'] * q - p['F'], 0], [0, -p['B'] * q - p['F'] - p['k']]],
        'lotka-volterra': lambda q: [[-n * p['s'] - p['D'] * q if i == j else
                                      n * (p['e'] - p['s']) if j == (i + 1) % 3 else -n * (p['f'] + p['s'])
                                      for j in range(3)] for i in range(3)],
        'swift-hohenberg': lambda q: [[p['e'] - (1 - p['L'] * q)**2]],
        'wave': lambda q: [[0, 1], [-p['c']**2 * q, -p['d'] * q]],
    }


def flat_state(model, params):
    """Returns a stationary state, on which waves are small."""
    if model.name == 'lotka-volterra':
        return [params['g'] / (3 * params['s'] + params['f'] - params['e'])] * 3
    return {'gray-scott': [1, 0], 'ginzburg-landau': [1, 0], 'cahn-hilliard': [rng.uniform(-0.6, 0.6)],
            'cahn-hilliard-cook': [rng.uniform(-0.6, 0.6)]}.get(model.name, [0] * len(model.fields))


def check_modes():
    """Compares the growth of single waves of amplitude 1e-4 with linear theory and the integrator's polynomial.
    Non-linear terms add about its square.  Tests one case per model."""
    turn = rng.randint(6)
    for number, model in enumerate(models.values()):
        for dims in (1, 2, 3) if everything else (1 + (number + turn) % 3,):
            shape, only = [(40,), (16, 12), (10, 8, 12)][dims - 1], INTEGRATORS[(number + dims + turn) % 3]
            for integrator in INTEGRATORS if everything else [only]:
                params = random_params(model)
                if model.name == 'ginzburg-landau':
                    params['b'] = 0
                # The square of a wave is a different wave: 2 k is not k, nor -k, as 3 does not divide shape[0].
                base, waves = flat_state(model, params), [int(rng.randint(n // 2 + 1)) for n in shape]
                waves[0] = int(rng.randint(1, shape[0] // 2 + 1))
                phase = sum(2 * np.pi * w / n * np.arange(n).reshape([-1 if a == b else 1 for b in range(dims)])
                            for a, (w, n) in enumerate(zip(waves, shape)))
                wave, amplitude = np.cos(phase), 1e-4 * rng.uniform(0.5, 1, len(base))
                steps, z = 40, model.dt / 2 * np.array(jacobians(params, base)[model.name](symbol(waves, shape)))
                start = [b + a * wave for b, a in zip(base, amplitude)]
                found, summary = run(model, start, steps, model.dt / 2, params, integrator=integrator)
                one = np.eye(len(base))
                step = {'euler': one + z, 'rk2': one + z @ (one + z / 2),
                        'rk4': one + z @ (one + z / 2 @ (one + z / 3 @ (one + z / 4)))}[integrator]
                there = [np.sum((f - b) * wave) / np.sum(wave**2) for f, b in zip(found, base)]
                expected = np.linalg.matrix_power(step, steps) @ amplitude
                near(there, expected, 1e-6 + 1e-14 / np.max(np.abs(expected)),
                     '%s, wave %s of %s, %s' % (model.name, waves, shape, integrator), summary['command'])


def check_conservation():
    """Checks that sums are constant up to rounding and energies never rise, with periodic and mirror boundaries."""
    for model in models.values():
        for boundary in one_of([['periodic'] * 2, ['mirror'] * 2]):
            state = random_state(model, shape_of(2))
            before, energy = state.sum(axis=(1, 2)), []
            for _ in range(8):
                state, summary = run(model, state, 25, boundary=boundary)
                energy += [energy_of(summary)] if model.energy else []
            for f in model.conserved:
                near(state[f].sum(), before[f], 1e-12 * state[f].size / abs(before[f]), 'sum of ' + model.name,
                     summary['command'])
            for earlier, later in zip(energy, energy[1:]):
                if later > earlier + 1e-12 * abs(earlier):
                    fail('energy of %s rises: %s' % (model.name, energy), summary['command'])


def smooth(model, shape):
    x, y = (np.arange(n) * 2 * np.pi / n for n in reversed(shape))
    return np.array([mean + 0.3 * np.sin(x + f) * np.cos(y[:, np.newaxis] - 2 * f) + 0.1 * np.cos(2 * x)
                     for f, (mean, _) in enumerate(model.fields)])


def order(errors):
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def check_order_in_time():
    model, params = models['ginzburg-landau'], dict(a=0.5, b=1)
    state = smooth(model, (12, 12))
    exact = evolve(model, params, state, 640, 0.8 / 640, 'rk4')
    for integrator, expected in zip(INTEGRATORS, (1, 2, 4)):
        errors = [np.max(np.abs(run(model, state, n, 0.8 / n, params, integrator=integrator)[0] - exact))
                  for n in (10, 20, 40)]
        if np.max(np.abs(order(errors) - expected)) > 0.2:
            fail('%s has the orders %s: errors %s' % (integrator, order(errors), errors))


def laplacian_of_wave(waves, n, kind):
    """Returns the Laplacian of a wave over the wave, by one step of Euler's method."""
    model = models['heat']
    phase = sum(2 * np.pi * w / n * np.arange(n).reshape([-1 if a == b else 1 for b in range(len(waves))])
                for a, w in enumerate(waves))
    wave = np.cos(phase)
    found, _ = run(model, wave[np.newaxis], 1, 0.25, dict(D=1), integrator='euler', laplacian=kind)
    return np.sum((found[0] - wave) * wave) / np.sum(wave**2) / 0.25


def check_order_in_space():
    for kind, expected in (('second', 2), ('fourth', 4), ('isotropic', 2)):
        errors = [abs(laplacian_of_wave((1, 2), n, kind) / -(5 * (2 * np.pi / n)**2) - 1) for n in (16, 32, 64)]
        if np.max(np.abs(order(errors) - expected)) > 0.2:
            fail('the Laplacian "%s" has the orders %s: errors %s' % (kind, order(errors), errors))
    # Waves of one length in two directions: the error must be the same in all, to leading order.
    for n, waves in ((60, [(5, 0), (3, 4)]), (48, [(3, 0, 0), (1, 2, 2)])):
        differ = {kind: abs(np.diff([laplacian_of_wave(w, n, kind) for w in waves])[0])
                  for kind in ('second', 'isotropic')}
        if differ['isotropic'] > 0.1 * differ['second']:
            fail('the isotropic Laplacian is not: %s' % differ)


def same_bits(model, state, turns, precision, **options):
    expected, _ = run(model, state, 7, precision=precision, **options)
    for what, turn in turns:
        found, summary = run(model, turn(state), 7, precision=precision, **options)
        if turn(expected).tobytes() != found.tobytes():
            fail('%s, %s: other bits %s' % (model.name, precision, what), summary['command'])


def check_symmetry():
    """Checks that turned, mirrored and shifted starts have turned, mirrored and shifted ends, bit for bit."""
    turns = [('turned', lambda a: np.rot90(a, 1, (-2, -1))), ('upside down', lambda a: np.rot90(a, 2, (-2, -1))),
             ('mirrored', lambda a: a[..., ::-1]), ('transposed', lambda a: np.swapaxes(a, -1, -2))]
    shifts = [('shifted by %s' % (by,), lambda a, by=by: np.roll(a, by, range(-len(by), 0)))
              for by in ((1,), (3, 5), (2, 0, 4))]
    for model in models.values():
        for precision in one_of(('single', 'double')):
            same_bits(model, random_state(model, (18, 18)).astype('f4'), turns + shifts[:2], precision)
    heat = models['heat']
    for kind in ('fourth', 'isotropic'):
        for shape in one_of(((18, 18), (7, 18, 18))):
            same_bits(heat, random_state(heat, shape), turns + shifts[:len(shape)], 'double', laplacian=kind)
    scott = models['gray-scott']
    for boundary in one_of(('mirror', 'fixed')):
        same_bits(scott, random_state(scott, (18, 18)), turns, 'double', boundary=[boundary] * 2)


def five_sigma(values, expected, what):
    """Checks that the mean of independent values is as expected."""
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    if not abs(np.mean(values) - expected) <= 5 * error:
        fail('%s is %g +- %g instead of %g' % (what, np.mean(values), error, expected))


def blocks(a, n=16):
    return a.reshape(a.shape[0] // n, n, a.shape[1] // n, n).swapaxes(1, 2).reshape(-1, n * n)


def check_noise():
    """Checks Cook's noise: its moments after one step, and its spectrum in equilibrium with dissipation."""
    cook, zero, dt, a = models['cahn-hilliard-cook'], np.zeros((1, 256, 256)), 0.02, 0.7
    first, summary = run(cook, zero, 1, dt, dict(a=a), integrator='euler', seed=seed)
    change = first[0]
    if abs(change.sum()) > 1e-10:
        fail('the noise is not conserved: %g' % change.sum(), summary['command'])
    five_sigma(blocks(change**2).mean(axis=1), 4 * a**2 * dt, 'the variance of the noise')
    for by, expected in (((0, 1), -1), ((1, 0), -1), ((1, 1), 0), ((0, 2), 0), ((3, 1), 0)):
        five_sigma(blocks(change * np.roll(change, by, (0, 1))).mean(axis=1), expected * a**2 * dt,
                   'the covariance of the noise at %s' % (by,))
    five_sigma(blocks(change**3).mean(axis=1), 0, 'the third moment of the noise')
    for integrator in INTEGRATORS[1:]:
        near(run(cook, zero, 1, dt, dict(a=a, m=0), integrator=integrator, seed=seed)[0], first, 1e-12,
             'noise by ' + integrator)
    if np.array_equal(run(cook, zero, 1, dt, dict(a=a), integrator='euler', seed=seed + 1)[0], first):
        fail('two seeds give the same noise')
    mirrored, summary = run(cook, np.zeros((1, 18, 22)), 9, dt, dict(a=a), ['mirror', 'mirror'], seed=seed)
    if abs(mirrored.sum()) > 1e-10:
        fail('the noise passes a mirror: %g' % mirrored.sum(), summary['command'])
    # Each term is a stream of its own, with the same numbers at every use within one step.
    eta, summary = run(noise, np.zeros((3, 64, 64)), 1, integrator='euler', seed=seed)
    x, y, z = eta
    near(y - x, z * 2, 1e-12, 'one noise asked for twice', summary['command'])
    five_sigma(blocks(x * z).mean(axis=1), 0, 'the covariance of two noises')
    five_sigma(blocks(x**2).mean(axis=1), noise.dt, 'the variance of a noise')
    five_sigma(blocks(z**2).mean(axis=1), noise.dt**2, 'the variance of a noise without a time step')
    lap, summary = run(noise, np.zeros((3, 64, 64)), 1, params=dict(a=0, b=1), integrator='euler', seed=seed)
    near(lap[0], laplacian(2 * z, 'second'), 1e-12, 'the Laplacian of a noise', summary['command'])
    later, _ = run(noise, np.zeros((3, 64, 64)), 2, integrator='euler', seed=seed)
    five_sigma(blocks(x * (later[0] - x)).mean(axis=1), 0, 'the covariance of the noises of two steps')
    # Without the quartic term every wave decays by itself, with z = dt m q (K q - b). Its variance after some steps of
    # the midpoint method is a geometric sum.
    params, steps, n = dict(a=a, b=-1, u=0, K=0.5, m=1.5), 60, 128
    found, summary = run(cook, np.zeros((1, n, n)), steps, dt, params, seed=seed)
    k = 2 - 2 * np.cos(2 * np.pi * np.arange(n) / n)
    q = k + k[:, np.newaxis]
    z = dt * params['m'] * q * (params['K'] * q - params['b'])
    power, growth = np.abs(np.fft.fft2(found[0]))**2 / n**2, 1 - z + z**2 / 2
    half = np.s_[1:n // 2, :]        # each wave once, without those that have no partner
    expected = dt * a**2 * q * (1 - z / 2)**2 * np.sum([growth**(2 * s) for s in range(steps)], axis=0)
    ratio, shell = (power / np.where(q > 0, expected, 1))[half], q[half]
    for low in range(8):
        of_shell = (shell >= low) & (shell < low + 1)
        five_sigma(ratio[of_shell], 1, 'power over theory of waves with symbols from %d' % low)


def check_references():
    """Compares the references with each other: orders, conservation, energies and linear theory, without meshwork."""
    global run

    def by_numpy(model, state, steps, dt=None, params=(), boundary=None, precision='double', integrator='rk2',
                 laplacian='second', seed=0):
        state = np.array(state, dtype='f8')
        p, dims = dict(model.params, **dict(params)), state.ndim - 1
        boundary = list(boundary or ['periodic'] * dims)
        after = evolve(model, p, state, steps, dt or model.dt, integrator, boundary, laplacian)
        energy = np.sum(evaluate(model.energy, model, p, after, boundary, laplacian)) if model.energy else None
        return after, {'command': 'numpy', 'energy': energy}
    run, by_meshwork = by_numpy, run
    for check in (check_modes, check_conservation, check_order_in_time, check_order_in_space):
        check()
    run = by_meshwork


if meshwork == '-':
    parts = ['references']
checks = [check_reference, check_boundaries, check_modes, check_conservation, check_order_in_time, check_order_in_space,
          check_symmetry, check_noise, check_references]
for check in checks:
    name = check.__name__[len('check_'):]
    if name in parts or (not parts and check is not check_references):
        start = time.time()
        check()
        print('%-16s %5.1f s' % (name, time.time() - start))
