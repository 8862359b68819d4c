# SPDX-License-Identifier: MIT
"""Compares installed models of fields with NumPy, in double precision: python3 gallery.py MESHWORK DEVICE FOLDER
[NAME ...].

The text of each model is read here a second time, by Python's parser, and evaluated on whole arrays.  variation(f) is
computed by perturbing the energy's sum by i h in each cell (the complex step), not by rules of differentiation.
A random half of the models is tried in a random number of dimensions, with random parameters, boundaries and starts;
with MESHWORK_TEST_ALL=1 all are, in one to three dimensions.  MESHWORK_TEST_SEED repeats a run."""
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

np.seterr(all='ignore')  # beyond the mesh, where values may not exist
meshwork, device, kernels, names = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = np.random.RandomState(seed)
everything = bool(os.environ.get('MESHWORK_TEST_ALL'))
scratch = tempfile.TemporaryDirectory()
MARGIN = 6  # cells around the mesh: more than any model reads


class Model:
    def __init__(self, path):
        text = open(path).read()
        self.path = path
        self.fields, self.params, self.terms, self.values, self.functions = {}, {}, {}, {}, {}
        self.complex, self.maps = set(), {}
        self.dt = 0.01
        for line in re.findall(r'^//@ (.*)$', text, re.M):
            word, _, rest = line.partition(' ')
            name = rest.split()[0]
            if word == 'field':
                settings = dict(re.findall(r'(\w+)=(\S+)', rest))
                values = [float(settings.get(s, 0)) for s in ('noise', 'mean', 'outside')]
                if re.match(r'\w+ complex\b', rest):
                    self.complex.add(name)
                    self.fields[name + '_re'], self.fields[name + '_im'] = values, [values[0], 0, 0]
                else:
                    self.fields[name] = values
            elif word == 'map':
                self.maps[name] = float(rest.split()[1])
            elif word == 'param':
                self.params[name] = float(rest.split()[1])
            elif word == 'noise':
                self.terms[name] = re.search(r'amplitude=(\w+)', rest).group(1)
            elif word == 'dt':
                self.dt = float(name)
        body = re.sub(r'/\*.*?\*/|//[^\n]*', '', text, flags=re.S)
        for definition in filter(str.strip, body.split(';')):
            left, _, right = definition.partition('=')
            right = compile('(' + re.sub(r'\bi\b', '1j', right.replace('^', '**')).strip() + ')', path, 'eval')
            call = re.match(r'\s*(\w+)\s*\(([\w, ]*)\)', left)
            if call and call.group(1) == 'map':
                self.values['map ' + call.group(2)] = right
            elif call and call.group(1) not in ('rate', 'stage'):
                self.functions[call.group(1)] = (re.findall(r'\w+', call.group(2)), right)
            elif call and call.group(1) == 'rate':
                self.values['rate ' + call.group(2)] = right
            else:
                self.values[call.group(2) if call else left.strip()] = right


def shifted(f, d, by):
    """Returns the value `by` cells further along dimension d; x is the last axis."""
    return np.roll(f, -by, f.ndim - 1 - d)


class Scope(dict):
    """The names of a model for given fields, which extend beyond the mesh by MARGIN cells."""
    def __init__(self, model, fields, params, mesh):
        super().__init__(params, dims=len(mesh.boundary), pi=np.pi, exp=np.exp, log=np.log, sin=np.sin, cos=np.cos,
                         tan=np.tan, atan=np.arctan, atan2=np.arctan2, sinh=np.sinh, cosh=np.cosh, tanh=np.tanh,
                         sqrt=np.sqrt, min=np.minimum, max=np.maximum, sign=np.sign, floor=np.floor, select=np.where,
                         re=np.real, im=np.imag, conj=np.conj, abs=np.abs)
        self.model, self.fields, self.params, self.mesh, self.h = model, fields, params, mesh, mesh.spacing
        self.one = next(iter(fields.values()))
        self.update(fields, **{term: 0 for term in model.terms})
        for name in model.complex:
            self[name] = fields[name + '_re'] + 1j * fields[name + '_im']

    def __missing__(self, name):
        if name in self.model.functions:
            arguments, right = self.model.functions[name]
            return lambda *given: eval(right, {}, Inner(self, dict(zip(arguments, given))))
        if name in self.model.values:
            self[name] = self.evaluate(name)
            return self[name]
        if name.startswith(('d_', 'grad_')) and name not in ('grad',):
            return lambda f: self.derivative(f, re.sub('^(d|grad)_', '', name))
        return getattr(self, 'word_' + name)

    def evaluate(self, name):
        return np.broadcast_to(eval(self.model.values[name], {}, self), np.shape(self.one))

    def derivative(self, f, axes):
        d = ['xyz'.index(a) for a in axes]
        f = f + 0 * self.one
        if max(d) >= f.ndim:
            return 0 * f
        if len(d) == 1:
            return (shifted(f, d[0], 1) - shifted(f, d[0], -1)) / 2 / self.h[d[0]]
        if d[0] == d[1]:
            return (shifted(f, d[0], 1) - 2 * f + shifted(f, d[0], -1)) / self.h[d[0]]**2
        corners = sum(a * b * shifted(shifted(f, d[0], a), d[1], b) for a in (-1, 1) for b in (-1, 1))
        return corners / 4 / self.h[d[0]] / self.h[d[1]]

    def word_lap(self, f):
        f = f + 0 * self.one
        return sum((shifted(f, d, 1) - 2 * f + shifted(f, d, -1)) / self.h[d]**2 for d in range(f.ndim))

    def word_biharm(self, f):
        return self.word_lap(self.word_lap(f))

    def word_avg(self, f):
        return sum(shifted(f, d, 1) + shifted(f, d, -1) for d in range(f.ndim)) / 2 / f.ndim

    def word_grad2(self, f):
        return sum(self.derivative(f, a)**2 for a in 'xyz'[:f.ndim])

    def word_grad(self, f):
        return Flux([(1, f)])

    def word_div(self, flux):
        total = 0
        for m, f in flux.terms:
            m = m + 0 * f
            for d in range(f.ndim):
                through = (m + shifted(m, d, 1)) / 2 * (shifted(f, d, 1) - f)
                total = total + (through - shifted(through, d, -1)) / self.h[d]**2
        return total

    def word_dot(self, a, b):
        return sum(m * n * self.derivative(f, x) * self.derivative(g, x)
                   for m, f in a.terms for n, g in b.terms for x in 'xyz'[:f.ndim])

    def upwind(self, v, f, d):
        if d >= f.ndim:
            return 0 * f
        return np.where(v > 0, v * (f - shifted(f, d, -1)), v * (shifted(f, d, 1) - f)) / self.h[d]

    def word_upwind_x(self, v, f):
        return self.upwind(v, f, 0)

    def word_upwind_y(self, v, f):
        return self.upwind(v, f, 1)

    def word_upwind_z(self, v, f):
        return self.upwind(v, f, 2)

    def word_abs2(self, z):
        return np.real(z)**2 + np.imag(z)**2 if np.iscomplexobj(z) else z * z

    def word_squared(self, f):
        return f * f

    def word_step(self, f):
        return np.where(f >= 0, 1, 0)

    def word_noise(self, name):
        return 0

    word_random = word_noise

    def word_variation(self, field):
        parts = [k for k in self.fields if self.fields[k] is field]
        if parts:
            return variation(self.model, self.fields, self.params, self.mesh, parts[0])
        name = next(n for n in self.model.complex if self[n] is field)
        by = [variation(self.model, self.fields, self.params, self.mesh, name + part) for part in ('_re', '_im')]
        return (by[0] + 1j * by[1]) / 2


class Inner(dict):
    """The names in a function."""
    def __init__(self, scope, arguments):
        super().__init__(arguments)
        self.scope = scope

    def __missing__(self, name):
        return self.scope[name]


class Flux:
    """A sum of terms m grad(f)."""
    def __init__(self, terms):
        self.terms = terms

    def __rmul__(self, m):
        return Flux([(m * n, f) for n, f in self.terms])

    def __add__(self, other):
        return Flux(self.terms + other.terms)

    def __sub__(self, other):
        return self + -1 * other

    __array_ufunc__ = None


def extended(f, boundary, outside):
    for d, kind in enumerate(boundary):
        axis = f.ndim - 1 - d
        n, place = f.shape[axis], np.arange(-MARGIN, f.shape[axis] + MARGIN)
        if kind == 'fixed':
            f = np.pad(f, [(MARGIN, MARGIN) if a == axis else (0, 0) for a in range(f.ndim)], constant_values=outside)
        elif kind == 'periodic':
            f = np.take(f, place % n, axis)
        else:
            f = np.take(f, np.where(place % (2 * n) < n, place % (2 * n), 2 * n - 1 - place % (2 * n)), axis)
    return f


def inner(f, boundary):
    return f[tuple(slice(MARGIN, -MARGIN) for _ in boundary)]


class Mesh:
    """Boundaries and distances of cells along x, y and z."""
    def __init__(self, boundary, spacing):
        self.boundary, self.spacing = boundary, spacing


def scope_of(model, cells, params, mesh):
    return Scope(model, {name: extended(f, mesh.boundary, model.fields[name][2]) for name, f in cells.items()}, params,
                 mesh)


def energy(model, cells, params, mesh):
    return np.sum(inner(scope_of(model, cells, params, mesh)['energy'], mesh.boundary))


def variation(model, fields, params, mesh, name):
    cells = {k: inner(f, mesh.boundary) for k, f in fields.items()}
    result, h = np.zeros(cells[name].shape), 1e-20
    for at in np.ndindex(result.shape):
        if not model.complex:
            moved = dict(cells, **{name: cells[name].astype(complex)})
            moved[name][at] += 1j * h
            result[at] = energy(model, moved, params, mesh).imag / h
        else:  # by differences of a polynomial of fourth degree, exact but for rounding
            by = {}
            for k in (-2, -1, 1, 2):
                moved = dict(cells, **{name: cells[name].copy()})
                moved[name][at] += k * 0.5
                by[k] = energy(model, moved, params, mesh)
            result[at] = (by[-2] - 8 * by[-1] + 8 * by[1] - by[2]) / 6
    return extended(result, mesh.boundary, 0)


def rates(model, state, params, mesh):
    scope = scope_of(model, dict(zip(model.fields, state)), params, mesh)
    result = []
    for name in model.fields:
        if 'rate ' + name in model.values:
            rate = scope.evaluate('rate ' + name)
        else:
            rate = scope.evaluate('rate ' + name[:-3])
            rate = rate.real if name.endswith('_re') else rate.imag
        result.append(inner(np.real(rate), mesh.boundary))
    return np.array(result)


def evolve(model, state, params, mesh, steps, dt):
    for _ in range(steps):
        state = state + dt * rates(model, state + dt / 2 * rates(model, state, params, mesh), params, mesh)
    return state


def values_of_map(model, name, params, mesh, shape):
    """Returns the values of a map by place, as the model defines it."""
    cells = np.meshgrid(*[np.arange(n) for n in shape], indexing='ij')[::-1]
    place = {axis: cells[d] * mesh.spacing[d] if d < len(shape) else 0.0 for d, axis in enumerate('xyz')}
    place.update({'length_' + axis: shape[::-1][d] * mesh.spacing[d] if d < len(shape) else 0.0
                  for d, axis in enumerate('xyz')})
    scope = Scope(model, {'': np.zeros(shape)}, dict(params, **place), mesh)
    return scope.evaluate('map ' + name) if 'map ' + name in model.values else np.full(shape, model.maps[name])


def run(model, state, params, mesh, steps, dt, maps):
    source, result = (os.path.join(scratch.name, n + '.npy') for n in ('source', 'result'))
    np.save(source, state if len(state) > 1 else state[0])
    command = [meshwork, 'run', model.path, '-q', '--no-tune', '--precision', 'double', '--input', source, '-o', result,
               '--steps', str(steps), '--dt', repr(dt), '--boundary', ','.join(mesh.boundary)] + (
                   ['-d', device] if device else [])
    if mesh.spacing != [1] * len(mesh.spacing):
        command += ['--spacing', ','.join(map(repr, mesh.spacing))]
    for name in model.params:
        command += ['-p', '%s=%r' % (name, params[name])]
    for name, values in maps.items():
        np.save(os.path.join(scratch.name, name + '.npy'), values)
        command += ['-p', '%s=@%s' % (name, os.path.join(scratch.name, name + '.npy'))]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit('FAIL: %s\n%s' % (done.stderr, ' '.join(command)))
    found = np.load(result)
    return found if len(state) > 1 else found[np.newaxis], ' '.join(command)


def check(model, dims):
    derived = any('variation' in v.co_names for v in model.values.values())
    # The complex step is slow, and derives with periodic boundaries and mirrors.
    shape = {1: (17,), 2: (9, 8) if derived else (13, 18), 3: (4, 5, 4) if derived else (7, 9, 8)}[dims]
    kinds = ['periodic', 'mirror'] if derived else ['periodic', 'mirror', 'fixed']
    spaced = rng.randint(2)
    mesh = Mesh([kinds[rng.randint(len(kinds))] for _ in range(dims)],
                [rng.uniform(0.8, 1.5) if spaced else 1 for _ in range(dims)])
    params = {n: (0.0 if n in model.terms.values() else (v or 0.5) * rng.uniform(0.8, 1.2))
              for n, v in model.params.items()}
    state = np.array([mean + min(noise or 0.2, 0.3) * rng.uniform(-1, 1, shape)
                      for noise, mean, _ in model.fields.values()])
    if any('log' in v.co_names for v in model.values.values()):
        state = np.clip(state, 0.1, 0.9)
    # Differences to NumPy are roundings, which a few steps do not magnify much.
    steps, dt = 2, model.dt / 4
    # A map continues beyond fixed boundaries as its image.  Some are given as arrays, others by the model.
    maps = {n: rng.uniform(0.3, 1.2, shape) for n in model.maps if rng.randint(2)}
    images = ['mirror' if b == 'fixed' else b for b in mesh.boundary]
    params.update({n: extended(maps[n] if n in maps else values_of_map(model, n, params, mesh, shape), images, 0)
                   for n in model.maps})
    expected = evolve(model, state, params, mesh, steps, dt)
    found, command = run(model, state, params, mesh, steps, dt, maps)
    error, scale = np.max(np.abs(found - expected)), np.max(np.abs(expected))
    if not error <= 1e-11 * scale:
        sys.exit('FAIL: %s, %s: %.3g of %.3g\n%s' % (model.path, mesh.boundary, error, scale, command))
    return error / scale


folder = os.path.join(kernels, 'models', 'field')
for file in sorted(os.listdir(folder)):
    if names and file[:-3] not in names or not names and not everything and rng.randint(2):
        continue
    model = Model(os.path.join(folder, file))
    for dims in (1, 2, 3) if everything else (rng.randint(1, 4),):
        start = time.time()
        error = check(model, dims)
        print('%-22s %d dimensions: %.2g, %.1f s' % (file[:-3], dims, error, time.time() - start), flush=True)
