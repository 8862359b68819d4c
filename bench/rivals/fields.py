# SPDX-License-Identifier: MIT
"""Runs field equations with other libraries for bench/results, which starts this script and sends it lines.

A library is numpy, cupy, jax or torch, a kind of device gpu or cpu.  A field is written as `cahn-hilliard 8192x8192
float32 rk2 0.01`: model, lengths with x first, type, euler or rk2, time step.

    has LIBRARY KIND                    answers 1 if the library is installed and has such a device
    check LIBRARY KIND FIELD STEPS      is followed by the bytes of a state and of meshwork's state after so many steps;
                                        answers the largest difference of the library's state over the largest value
    run LIBRARY KIND FIELD SECONDS      answers the seconds per step, for as many steps as take these seconds

The answer is a number, or "nan" if it failed.  Meshes are periodic, with the models' own parameters.

The code is what a user of the library would write in an hour:

    - CuPy: arrays with a border, and one kernel per expression; NumPy: the same expressions
    - JAX: rolled arrays in a jitted loop
    - torch: rolled arrays in a compiled step, which is recorded many times on a GPU"""
import importlib
import os
import re
import sys
import time

os.environ.setdefault('XLA_PYTHON_CLIENT_PREALLOCATE', 'false')  # others need memory as well
try:
    import numpy as np
except ImportError:
    sys.exit(1)

LEAST_RECORDED, MOST_RECORDED = 8, 64  # steps that go to a GPU at once
RECORDED_CELLS = 1 << 28


def recorded(shape):
    return int(max(LEAST_RECORDED, min(MOST_RECORDED, RECORDED_CELLS // np.prod(shape))))


# ---- NumPy and CuPy: expressions that are both Python and C ----

# Intermediate values and rates of fields, from values x and the Laplacian lap_x.
EXPRESSIONS = {
    'cahn-hilliard': (['c'], [('mu', 'c * c * c - c - lap_c')], ['lap_mu']),
    'heat': (['q'], [], ['T(0.2) * lap_q']),
    'gray-scott': (['u', 'v'], [],
                   ['T(0.16) * lap_u - u * v * v + T(0.06) * (T(1) - u)',
                    'T(0.08) * lap_v + u * v * v - T(0.122) * v']),
}


def inside(axes):
    return (slice(1, -1),) * axes


def neighbours(array):
    """Returns views of the array without its border, shifted by one cell to either side along each axis."""
    views = []
    for axis in range(array.ndim):
        for side in (slice(None, -2), slice(2, None)):
            views.append(array[inside(axis) + (side,) + inside(array.ndim - axis - 1)])
    return views


def wrap(array):
    """Fills the border of a periodic mesh."""
    for axis in range(array.ndim):
        before = (slice(None),) * axis
        array[before + (0,)] = array[before + (-2,)]
        array[before + (-1,)] = array[before + (1,)]


class Expression:
    """Computes out = expression, for named arrays with a border."""

    def __init__(self, library, text, axes, dtype):
        self.names = sorted(set(re.findall(r'\b(?:lap_)?([a-z]+)\b', text)) - {'base', 'h'})
        arguments = []
        for name in self.names:
            around = [f'{name}{i}' for i in range(2 * axes)]
            arguments += [name] + around
            text = re.sub(rf'\blap_{name}\b', f'({" + ".join(around)} - T({2 * axes}) * {name})', text)
        arguments += ['base', 'h']
        if library is np:
            code = compile(text, text, 'eval')
            self.fill = lambda *values: np.copyto(values[-1], eval(code, {'T': dtype, **dict(zip(arguments, values))}))
        else:
            self.fill = library.ElementwiseKernel(', '.join('T ' + name for name in arguments), 'T result',
                                                  'result = ' + text, 'expression')

    def __call__(self, values, base, h, out):
        inner = inside(out.ndim)
        arguments = []
        for name in self.names:
            arguments += [values[name][inner]] + neighbours(values[name])
        self.fill(*arguments, base[inner], h, out[inner])
        wrap(out)


class Arrays:
    def __init__(self, library, kind, model, shape, dtype, method, dt):
        self.library, self.dt = library, dtype.type(dt)
        self.names, stages, rates = EXPRESSIONS[model]
        expression = lambda text: Expression(library, text, len(shape), dtype.type)
        self.stages = [(name, expression(text)) for name, text in stages]
        self.updates = [expression(f'base + h * ({text})') for text in rates]
        empty = lambda: library.zeros([length + 2 for length in shape], dtype)
        self.state, self.middle, self.next = ([empty() for _ in self.names] for _ in range(3))
        self.values = {name: empty() for name, _ in stages}
        self.method = method

    def put(self, state):
        for array, values in zip(self.state, state):
            array[inside(array.ndim)] = self.library.asarray(values)
            wrap(array)

    def get(self):
        arrays = [array[inside(array.ndim)] for array in self.state]
        return np.stack([array if self.library is np else array.get() for array in arrays])

    def update(self, out, fields, h):
        values = dict(self.values, **dict(zip(self.names, fields)))
        for name, stage in self.stages:
            stage(values, fields[0], h, values[name])
        for array, base, rate in zip(out, self.state, self.updates):
            rate(values, base, h, array)

    def steps(self, count):
        for _ in range(count):
            if self.method == 'rk2':
                self.update(self.middle, self.state, self.dt / 2)
                self.update(self.next, self.middle, self.dt)
            else:
                self.update(self.next, self.state, self.dt)
            self.state, self.next = self.next, self.state
        if self.library is not np:
            self.library.cuda.get_current_stream().synchronize()


# ---- JAX and torch: whole arrays, which their compilers take apart ----

def rates_of(model, lap):
    def cahn_hilliard(c):
        return lap(c * c * c - c - lap(c)),

    def heat(q):
        return 0.2 * lap(q),

    def gray_scott(u, v):
        return 0.16 * lap(u) - u * v * v + 0.06 * (1 - u), 0.08 * lap(v) + u * v * v - 0.122 * v

    return {'cahn-hilliard': cahn_hilliard, 'heat': heat, 'gray-scott': gray_scott}[model]


def step_of(model, roll, method, dt):
    """Returns a step as a function of a tuple of fields; roll(array, by, axis)."""
    def lap(a):
        total = -2 * a.ndim * a
        for axis in range(a.ndim):
            total = total + roll(a, 1, axis) + roll(a, -1, axis)
        return total

    def add(fields, h, rate):
        return tuple(f + h * r for f, r in zip(fields, rate))

    rates = rates_of(model, lap)

    def step(fields):
        middle = add(fields, dt / 2, rates(*fields)) if method == 'rk2' else fields
        return add(fields, dt, rates(*middle))
    return step


class Jax:
    def __init__(self, jax, kind, model, shape, dtype, method, dt):
        if dtype == np.float64:
            jax.config.update('jax_enable_x64', True)
        step = step_of(model, jax.numpy.roll, method, dt)
        loop = lambda fields, count: jax.lax.fori_loop(0, count, lambda _, f: step(f), fields)
        self.jax, self.device, self.at_once = jax, jax.devices(kind)[0], recorded(shape)
        self.loop = jax.jit(loop, static_argnums=1, donate_argnums=0 if kind == 'gpu' else ())

    def put(self, state):
        self.state = tuple(self.jax.device_put(values, self.device) for values in state)

    def get(self):
        return np.stack([np.asarray(field) for field in self.state])

    def steps(self, count):
        while count > 0:
            self.state = self.loop(self.state, min(count, self.at_once))
            count -= self.at_once
        self.jax.block_until_ready(self.state)


class Torch:
    def __init__(self, torch, kind, model, shape, dtype, method, dt):
        self.torch, self.device = torch, 'cuda' if kind == 'gpu' else 'cpu'
        self.plain = step_of(model, torch.roll, method, dt)
        self.step, self.at_once, self.graph = torch.compile(self.plain), recorded(shape), None

    def put(self, state):
        self.state = tuple(self.torch.from_numpy(np.array(values)).to(self.device) for values in state)
        try:
            self.step(self.state)
        except Exception as problem:  # its compiler needs others, which may not be there
            print(f'torch: not compiled ({str(problem).splitlines()[0]})', file=sys.stderr)
            self.step = self.plain

    def get(self):
        return np.stack([field.cpu().numpy() for field in self.state])

    def many(self, count):
        fields = self.state
        for _ in range(count):
            fields = self.step(fields)
        return fields

    def record(self):
        """Runs steps that read the state and write it."""
        side = self.torch.cuda.Stream()
        side.wait_stream(self.torch.cuda.current_stream())
        with self.torch.cuda.stream(side):
            self.many(2)
        self.torch.cuda.current_stream().wait_stream(side)
        self.graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(self.graph):
            for field, result in zip(self.state, self.many(self.at_once)):
                field.copy_(result)

    def steps(self, count):
        if self.device == 'cuda' and not self.graph and count >= self.at_once:
            self.record()
        while self.graph and count >= self.at_once:
            self.graph.replay()
            count -= self.at_once
        self.state = self.many(count)
        if self.device == 'cuda':
            self.torch.cuda.synchronize()


# ---- turns ----

def has_cupy(cupy, kind):
    return kind == 'gpu' and cupy.cuda.runtime.getDeviceCount() > 0


def has_jax(jax, kind):
    return len(jax.devices(kind)) > 0


def has_torch(torch, kind):
    return kind == 'cpu' or torch.cuda.is_available()


LIBRARIES = {'numpy': (lambda numpy, kind: kind == 'cpu', Arrays), 'cupy': (has_cupy, Arrays), 'jax': (has_jax, Jax),
             'torch': (has_torch, Torch)}
fields = {}


def shape_of(lengths):
    return [int(length) for length in reversed(lengths.split('x'))]


def make(library, kind, model, lengths, dtype, method, dt):
    return LIBRARIES[library][1](importlib.import_module(library), kind, model, shape_of(lengths), np.dtype(dtype),
                                 method, float(dt))


def random_state(model, lengths, dtype):
    dtype = np.dtype(dtype)
    count = len(EXPRESSIONS[model][0])
    return np.random.default_rng(1).random([count] + shape_of(lengths), dtype) / 4 + dtype.type(0.2)


def read_like(state):
    return np.frombuffer(sys.stdin.buffer.read(state.nbytes), state.dtype).reshape(state.shape)


def check(words):
    like = random_state(*words[2:5])
    start, expected = read_like(like), read_like(like)
    field = make(*words[:-1])
    field.put(start)
    field.steps(int(words[-1]))
    return np.abs(field.get().astype(float) - expected).max() / np.abs(expected).max()


def seconds(field, count):
    start = time.perf_counter()
    field.steps(count)
    return (time.perf_counter() - start) / count


def run(words):
    key, stretch = tuple(words[:-1]), float(words[-1])
    if key not in fields:
        for other in [k for k in fields if k[1:] != key[1:]]:  # the last contest's
            del fields[other]
        field = make(*key)
        field.put(random_state(*key[2:5]))
        each = recorded(shape_of(key[3])) if key[1] == 'gpu' else 1
        seconds(field, each)
        count = max(1, round(stretch / seconds(field, each) / each)) * each
        seconds(field, count)
        fields[key] = field, count
    return seconds(*fields[key])


def has(words):
    return 1 if LIBRARIES[words[0]][0](importlib.import_module(words[0]), words[1]) else 'nan'


print('ready', flush=True)
for line in sys.stdin.buffer:
    word, *words = line.decode().split()
    try:
        answer = {'has': has, 'check': check, 'run': run}[word](words)
    except Exception as problem:
        if word != 'has':
            print(f'{words[0]}: {str(problem).splitlines()[:1]}', file=sys.stderr)
        answer = 'nan'
    print(answer, flush=True)
