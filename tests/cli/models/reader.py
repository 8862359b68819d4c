# SPDX-License-Identifier: MIT
"""A second reader of models of fields, for tests: python3 SCRIPT MESHWORK DEVICE ...

The text of a model is read by Python's parser, and evaluated on whole arrays in double precision.  variation(f) is
computed by perturbing the energy's sum by i h in each cell (the complex step), not by rules of differentiation."""
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

np.seterr(all='ignore')  # beyond the mesh, where values may not exist
meshwork, device = sys.argv[1], sys.argv[2]
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = np.random.RandomState(seed)
everything = bool(os.environ.get('MESHWORK_TEST_ALL'))
scratch = tempfile.TemporaryDirectory()
MARGIN = 6  # cells around the mesh: more than any model reads
arguments = []  # of each run


class Model:
    def __init__(self, path):
        text = open(path).read()
        self.path = path
        self.fields, self.params, self.terms, self.values, self.functions = {}, {}, {}, {}, {}
        self.complex, self.maps = set(), {}
        self.edges = {}  # (field, dimension, upper): kind and expression
        self.holes = {}  # field: the same, at the edge of the domain
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
            edge = re.match(r'\s*boundary\s*\(\s*(\w+)\s*(?:,\s*(\w+))?\s*\)', left)
            kind = re.match(r'\s*(\w+)', right)
            right = right[kind.end():] if edge else right
            right = compile('(' + re.sub(r'\bi\b', '1j', right.replace('^', '**')).strip() + ')', path, 'eval')
            call = re.match(r'\s*(\w+)\s*\(([\w, ]*)\)', left)
            if edge:
                self.add_edge(edge.group(1), edge.group(2) or '', kind.group(1), right)
            elif call and call.group(1) == 'map':
                self.values['map ' + call.group(2)] = right
            elif call and call.group(1) not in ('rate', 'stage'):
                self.functions[call.group(1)] = (re.findall(r'\w+', call.group(2)), right)
            elif call and call.group(1) == 'rate':
                self.values['rate ' + call.group(2)] = right
            else:
                self.values[call.group(2) if call else left.strip()] = right


    def add_edge(self, field, side, kind, right):
        """Later conditions replace earlier ones: tests write the general ones first."""
        if side == 'hole':
            self.holes[field] = kind, right
            return
        for d in range(3):
            for upper in range(2):
                if side in ('', 'xyz'[d], 'xyz'[d] + ('_high' if upper else '_low')):
                    self.edges[field, d, upper] = kind, right


def shifted(f, d, by):
    """Returns the value `by` cells further along dimension d; x is the last axis."""
    return np.roll(f, -by, f.ndim - 1 - d)


class Scope(dict):
    """The names of a model for given fields, which extend beyond the mesh by MARGIN cells."""
    def __init__(self, model, fields, params, mesh):
        super().__init__(places(mesh, next(iter(fields.values())).shape), time=mesh.time)
        self.update(params, dims=len(mesh.boundary), pi=np.pi, exp=np.exp, log=np.log, sin=np.sin, cos=np.cos,
                    tan=np.tan, atan=np.arctan, atan2=np.arctan2, sinh=np.sinh, cosh=np.cosh, tanh=np.tanh,
                    sqrt=np.sqrt, min=np.minimum, max=np.maximum, sign=np.sign, floor=np.floor, select=np.where,
                    re=np.real, im=np.imag, conj=np.conj, abs=np.abs)
        self.model, self.fields, self.params, self.mesh, self.h = model, fields, params, mesh, mesh.spacing
        self.one = next(iter(fields.values()))
        self.update(fields, **{term: 0 for term in model.terms})
        self.mask = self.find_mask()
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

    def find_mask(self):
        """Returns whether cells are in the domain, also beyond the mesh; None: all are."""
        if 'domain' in self.params:
            return self.params['domain'] > 0
        if 'domain' not in self.model.values:
            return None
        boundary = ['periodic' if kind == 'periodic' else 'mirror' for kind in self.mesh.boundary]
        return extended(inner(self.evaluate('domain'), boundary), boundary, 0) > 0

    def in_domain(self, f):
        return f if self.mask is None else np.where(self.mask, f, 0)

    def whole(self, f):
        return f if np.shape(f) == self.one.shape else f + 0 * self.one

    def read(self, f, *moves):
        """Returns the neighbours at a distance by several (dimension, cells), as operators read them."""
        moved, mask, beyond = f, self.mask, f
        for d, by in moves:
            moved = shifted(moved, d, by)
            mask = mask if mask is None else shifted(mask, d, by)
        for name, (kind, right) in self.model.holes.items():
            if f is self.fields.get(name):
                value = eval(right, {}, self) + 0 * f
                beyond = 2 * value - f if kind == 'value' else value
        return moved if mask is None else np.where(mask, moved, beyond)

    def evaluate(self, name):
        return np.broadcast_to(eval(self.model.values[name], {}, self), np.shape(self.one))

    def derivative(self, f, axes):
        d = ['xyz'.index(a) for a in axes]
        f = self.whole(f)
        if max(d) >= f.ndim:
            return 0 * f
        if len(d) == 1:
            return (self.read(f, (d[0], 1)) - self.read(f, (d[0], -1))) / 2 / self.h[d[0]]
        if d[0] == d[1]:
            return (self.read(f, (d[0], 1)) - 2 * f + self.read(f, (d[0], -1))) / self.h[d[0]]**2
        corners = sum(a * b * self.read(f, (d[0], a), (d[1], b)) for a in (-1, 1) for b in (-1, 1))
        return corners / 4 / self.h[d[0]] / self.h[d[1]]

    def word_lap(self, f):
        f = self.whole(f)
        return sum((self.read(f, (d, 1)) - 2 * f + self.read(f, (d, -1))) / self.h[d]**2 for d in range(f.ndim))

    def word_biharm(self, f):
        return self.word_lap(self.word_lap(f))

    def word_differences(self, f):
        f = self.whole(f)
        return sum((self.read(f, (d, 1)) - 2 * f + self.read(f, (d, -1))) / self.h[d] for d in range(f.ndim))

    def word_avg(self, f):
        f = self.whole(f)
        return sum(self.read(f, (d, 1)) + self.read(f, (d, -1)) for d in range(f.ndim)) / 2 / f.ndim

    def word_grad2(self, f):
        return sum(self.derivative(f, a)**2 for a in 'xyz'[:f.ndim])

    def word_grad(self, f):
        return Flux([(1, f)])

    def word_div(self, flux):
        total = 0
        for m, f in flux.terms:
            m, f = self.whole(m), self.whole(f)
            for d in range(f.ndim):
                above = (m + self.read(m, (d, 1))) / 2 * (self.read(f, (d, 1)) - f)
                below = (m + self.read(m, (d, -1))) / 2 * (f - self.read(f, (d, -1)))
                total = total + (above - below) / self.h[d]**2
        return total

    def word_dot(self, a, b):
        return sum(m * n * self.derivative(f, x) * self.derivative(g, x)
                   for m, f in a.terms for n, g in b.terms for x in 'xyz'[:f.ndim])

    def upwind(self, v, f, d):
        if d >= f.ndim:
            return 0 * f
        return np.where(v > 0, v * (f - self.read(f, (d, -1))), v * (self.read(f, (d, 1)) - f)) / self.h[d]

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

    def word_mean(self, f):
        return np.mean(inner(f + 0 * self.one, self.mesh.boundary))

    def word_integral(self, f):
        cells = inner(f + 0 * self.one, self.mesh.boundary)
        return np.mean(cells) * cells.size * np.prod(self.h[:cells.ndim])

    def word_noise(self, name):
        return 0

    word_random = word_noise

    def word_div_noise(self, first, second, strength=1):
        return 0

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


def mirrored(place, n):
    return np.where(place % (2 * n) < n, place % (2 * n), 2 * n - 1 - place % (2 * n))


def places(mesh, shape):
    """Returns the names of coordinates and lengths, for arrays that extend by MARGIN cells beyond the mesh."""
    result = {}
    for d, name in enumerate('xyz'):
        axis = len(shape) - 1 - d
        if axis < 0:
            result.update({name: 0.0, 'length_' + name: 0.0})
            continue
        n = shape[axis] - 2 * MARGIN
        at = np.arange(-MARGIN, n + MARGIN)
        kind = mesh.boundary[d]
        at = at % n if kind == 'periodic' else at if kind == 'fixed' and not mesh.bounded else mirrored(at, n)
        result[name] = (at * mesh.spacing[d]).reshape([-1 if a == axis else 1 for a in range(len(shape))])
        result['length_' + name] = n * mesh.spacing[d]
    result['r'] = np.sqrt(result['x']**2 + result['y']**2 + result['z']**2)
    return result


def beyond(model, name, params, mesh, f, d, upper, known):
    """Returns the layers of a field beyond a side, the nearest first, from the mesh's own ones.  Places of the other
    dimensions are in `known`."""
    axis, layers = f.ndim - 1 - d, []
    own = np.flip(f, axis) if upper else f
    kind, right = model.edges.get((name, d, upper), (mesh.usual(d), None))
    n = f.shape[axis]
    for k in range(MARGIN):
        m, distance = np.take(own, mirrored(np.array(k), n), axis), (2 * k + 1) * mesh.spacing[d]
        names = dict(params, pi=np.pi, sin=np.sin, cos=np.cos, exp=np.exp, time=mesh.time, **known)
        names['xyz'[d]] = ((n - 0.5) if upper else -0.5) * mesh.spacing[d]
        value = lambda u: eval(right, {}, dict(names, **{name: u}))
        if kind == 'mirror':
            layer = m
        elif kind == 'fixed':
            layer = m * 0 + model.fields[name][2]
        elif kind == 'value':
            layer = 2 * value(None) - m
        elif kind == 'outside':
            layer = m * 0 + value(None)
        else:  # the slope S + K u, by the values at u = 0 and 1
            s = value(0.0)
            factor = value(1.0) - s
            layer = (m * (1 + distance * factor / 2) + distance * s) / (1 - distance * factor / 2)
        layers.append(layer)
    return layers


def extended_by_edges(model, name, params, mesh, f):
    for d in range(f.ndim):
        axis, n = f.ndim - 1 - d, f.shape[f.ndim - 1 - d]
        if mesh.boundary[d] == 'periodic':
            f = np.take(f, np.arange(-MARGIN, n + MARGIN) % n, axis)
            continue
        # Dimensions before this one are extended, those after it are not.
        known = {}
        for other, word in enumerate('xyz'):
            if other < f.ndim and other != d:
                length = f.shape[f.ndim - 1 - other]
                cells = length - 2 * MARGIN if other < d else length
                at = np.arange(-MARGIN, cells + MARGIN) if other < d else np.arange(cells)
                at = at % cells if mesh.boundary[other] == 'periodic' else mirrored(at, cells)
                shape = [-1 if a == f.ndim - 1 - other else 1 for a in range(f.ndim) if a != axis]
                known[word] = (at * mesh.spacing[other]).reshape(shape)
            elif other >= f.ndim:
                known[word] = 0.0
        low, high = (beyond(model, name, params, mesh, f, d, upper, known) for upper in (0, 1))
        f = np.concatenate([np.stack(low[::-1], axis), f, np.stack(high, axis)], axis)
    return f


def extended(f, boundary, outside):
    for d, kind in enumerate(boundary):
        axis = f.ndim - 1 - d
        n, place = f.shape[axis], np.arange(-MARGIN, f.shape[axis] + MARGIN)
        if kind == 'fixed':
            f = np.pad(f, [(MARGIN, MARGIN) if a == axis else (0, 0) for a in range(f.ndim)], constant_values=outside)
        elif kind == 'periodic':
            f = np.take(f, place % n, axis)
        else:
            f = np.take(f, mirrored(place, n), axis)
    return f


def inner(f, boundary):
    return f[tuple(slice(MARGIN, -MARGIN) for _ in boundary)]


class Mesh:
    """Boundaries and distances of cells along x, y and z, and the time.  `edges`: those of the model."""
    def __init__(self, boundary, spacing, edges=()):
        self.boundary, self.spacing, self.time = list(boundary), spacing, 0.0
        self.bounded = {d for _, d, _ in edges if d < len(boundary)}
        for d in self.bounded:
            if boundary[d] == 'periodic':
                self.boundary[d] = 'mirror'

    def usual(self, d):
        return self.boundary[d]


def scope_of(model, cells, params, mesh):
    def extend(name, f):
        if mesh.bounded:
            return extended_by_edges(model, name, params, mesh, f)
        return extended(f, mesh.boundary, model.fields[name][2])
    return Scope(model, {name: extend(name, f) for name, f in cells.items()}, params, mesh)


def energy(model, cells, params, mesh):
    scope = scope_of(model, cells, params, mesh)
    return np.sum(inner(scope.in_domain(scope['energy']), mesh.boundary))


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
        result.append(inner(scope.in_domain(np.real(rate)), mesh.boundary))
    return np.array(result)


def evolve(model, state, params, mesh, steps, dt):
    for step in range(steps):
        mesh.time = step * dt
        middle = state + dt / 2 * rates(model, state, params, mesh)
        mesh.time = (step + 0.5) * dt
        state = state + dt * rates(model, middle, params, mesh)
    return state


def values_of_map(model, name, params, mesh, shape):
    """Returns the values of a map by place, as the model defines it."""
    padded = tuple(n + 2 * MARGIN for n in shape)
    scope = Scope(model, {'': np.zeros(padded)}, params, mesh)
    if 'map ' + name not in model.values:
        return np.full(shape, model.maps[name])
    return inner(scope.evaluate('map ' + name), mesh.boundary)


def run(model, state, params, mesh, steps, dt, maps):
    source, result = (os.path.join(scratch.name, n + '.npy') for n in ('source', 'result'))
    np.save(source, state if len(state) > 1 else state[0])
    command = [meshwork, 'run', model.path, '-q', '--no-tune', '--precision', 'double', '--input', source, '-o', result,
               '--steps', str(steps), '--dt', repr(dt), '--boundary', ','.join(mesh.boundary)] + (
                   ['-d', device] if device else []) + arguments
    if mesh.spacing != [1] * len(mesh.spacing):
        command += ['--spacing', ','.join(map(repr, mesh.spacing))]
    for name in model.params:
        command += ['-p', '%s=%r' % (name, params[name])]
    for name, values in maps.items():
        np.save(os.path.join(scratch.name, name + '.npy'), values)
        command += ['-p', '%s=@%s' % (name, os.path.join(scratch.name, name + '.npy'))]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if '--variant' in arguments and re.search('variant .* (requires|needs|takes|cannot)', done.stderr):
        return None, done.stderr
    if done.returncode != 0:
        sys.exit('FAIL: %s\n%s' % (done.stderr, ' '.join(command)))
    found = np.load(result)
    return found if len(state) > 1 else found[np.newaxis], ' '.join(command)


def compare(model, state, params, mesh, dt, maps={}, values={}):
    """Compares a few steps with NumPy; returns the largest relative difference.  Differences are roundings, which a few
    steps do not magnify much.  `maps` are given as arrays; `values` are those of all maps, also beyond the mesh."""
    steps = 2
    expected = evolve(model, state, dict(params, **values), mesh, steps, dt)
    found, command = run(model, state, params, mesh, steps, dt, maps)
    if found is None:
        print(command.strip())
        return np.nan
    error, scale = np.max(np.abs(found - expected)), np.max(np.abs(expected))
    if not error <= 1e-11 * scale:
        sys.exit('FAIL: %s, %s: %.3g of %.3g\n%s' % (model.path, mesh.boundary, error, scale, command))
    return error / scale
