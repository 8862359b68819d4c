# SPDX-License-Identifier: MIT
"""Compares models with random boundary conditions, domains, coordinates and times with NumPy: python3 edges.py MESHWORK
DEVICE [TIMES [ARGUMENT ...]].  The arguments are added to each run.  MESHWORK_TEST_SEED repeats a run."""
import os
import sys

import numpy as np

import reader
from reader import Mesh, Model, compare, extended, rng, run, scratch

times = int(sys.argv[3]) if len(sys.argv) > 3 else 8
reader.arguments = sys.argv[4:]

BASES = [  # fields and rates
    ({'u': 'D*lap(u) + 0.1*sin(3*time)*cos(0.3*x) + 0.01*y*z'}),
    ({'u': 'lap(u^3 - u - 0.5*lap(u)) + 0.02*r'}),
    ({'u': 'div((1 + 0.1*u^2 + 0.02*x)*grad(u)) - time*u', 'v': 'd_xy(u) - grad2(v) + lap(u + 0.1*v*x)'}),
    ({'u': 'v', 'v': 'lap(u) - 0.1*v + exp(-time)*select(x > 2, y, 1)'}),
    ({'u': 'lap(u) - 0.1*mean(u^2 + 0.1*x) + 0.01*cos(time)*integral(u - mean(u)*x)', 'v': 'mean(v*u) + lap(v)'}),
    ({'u': 'upwind_x(0.5 + 0.1*y, u) + D*d_yy(u) + length_x*0.01 + differences(u)/4 + d_xz(u)'}),
]
VALUES = ['0', '1', '0.5*sin(2*time)', '0.1*y - 0.2*z', 'D*cos(0.3*x + time)', '0.3 + 0.05*x*y']
SLOPES = VALUES + ['-2*{f}', '0.3*y - D*{f}', '(1 + 0.1*time)*(0.5 - {f})', '-({f} - x)/4']
DOMAINS = ['(x - 4)^2 + (y - 3)^2 + z > 5', 'abs(x - y - 2) > 1', '(x > 1.5)*(y + z < 9 - D)', None]
SIDES = ['', 'x', 'y', 'z', 'x_low', 'x_high', 'y_low', 'y_high', 'z_low', 'z_high']


def pick(list):
    return list[rng.randint(len(list))]


def random_edges(fields):
    """Returns definitions, the general ones first."""
    lines = []
    for f in fields:
        for side in SIDES:
            if rng.rand() < (0.2 if side == '' else 0.35):
                kind = pick(['value', 'slope', 'slope', 'outside'])
                value = pick(SLOPES if kind == 'slope' else VALUES).format(f=f)
                lines.append('boundary(%s%s) = %s(%s);' % (f, side and ', ' + side, kind, value))
    return lines


def random_domain(fields):
    """Returns definitions of a domain, by an expression or as an array, and of conditions at its edge."""
    domain = pick(DOMAINS)
    lines = ['domain = %s;' % domain if domain else '//@ map domain 1 "1 in the domain"']
    for f in fields:
        if rng.randint(2):
            lines.append('boundary(%s, hole) = %s(%s);' % (f, pick(['value', 'value', 'outside']), pick(VALUES)))
    return lines


for number in range(times):
    fields = pick(BASES)
    dims = rng.randint(1, 4)
    lines = ['//@ model random "random"'] + ['//@ field %s outside=0.7' % f for f in fields] + ['//@ param D 0.8 "D"']
    lines += ['rate(%s) = %s;' % item for item in fields.items()] + random_edges(fields)
    lines += random_domain(fields) if rng.randint(3) else []
    path = os.path.join(scratch.name, 'random.cl')
    open(path, 'w').write('\n'.join(lines) + '\n')
    model = Model(path)
    shape = {1: (rng.randint(6, 60),), 2: tuple(rng.randint(6, 40, 2)), 3: tuple(rng.randint(6, 14, 3))}[dims]
    spacing = [rng.uniform(0.8, 1.5) for _ in range(dims)] if rng.randint(2) else [1] * dims
    mesh = Mesh([pick(['periodic', 'mirror', 'fixed']) for _ in range(dims)], spacing, model.edges)
    state = rng.uniform(-0.5, 0.5, (len(fields),) + shape)
    maps = {'domain': (rng.rand(*shape) < 0.7).astype(float)} if 'domain' in model.maps else {}
    kinds = ['periodic' if kind == 'periodic' else 'mirror' for kind in mesh.boundary]
    values = {name: extended(f, kinds, 0) for name, f in maps.items()}
    error = compare(model, state, {'D': rng.uniform(0.5, 1)}, mesh, 0.01, maps, values)
    print('%d of %d: %s: %.2g' % (number + 1, times, ' '.join(lines[len(fields) + 2:]), error), flush=True)


def check_closed_domain(dims):
    """Sums over a random domain stay, cells outside keep their bits, and variation is the derivative of the energy."""
    path = os.path.join(scratch.name, 'closed.cl')
    open(path, 'w').write('''//@ model closed "fluxes within a domain"
//@ field u
//@ field v
//@ map domain 1 "1 in the domain"
energy = u^4/4 - u^2/2 - 0.3*u*lap(u) + 0.1*u*v;
rate(u) = lap(variation(u));
rate(v) = div((1 + 0.3*v^2)*grad(v)) + 0.2*lap(u*v);
''')
    model, shape = Model(path), tuple(rng.randint(3, {1: 80, 2: 12, 3: 6}[dims], dims))
    mesh = Mesh([pick(['periodic', 'mirror']) for _ in shape], [1] * dims)
    mask = rng.rand(*shape) < 0.75
    state, maps = rng.uniform(-1, 1, (2,) + shape), {'domain': mask.astype(float)}
    compare(model, state, {}, mesh, 0.004, maps, {'domain': extended(maps['domain'], mesh.boundary, 0)})
    end, command = run(model, state, {}, mesh, 300, 0.004, maps)
    sums = np.abs(np.sum((end - state)[:, mask], 1))
    print('closed domain of %s cells: sums change by %s' % ('x'.join(map(str, shape)), sums))
    if not np.all(sums < 1e-14 * mask.size) or not np.array_equal(end[:, ~mask], state[:, ~mask]):
        sys.exit('FAIL: a sum over the domain or a cell outside changed: ' + command)
    if np.count_nonzero(mask) > 1 and dims > 1 and np.array_equal(end, state):
        sys.exit('FAIL: nothing happened: ' + command)


for dims in 1, 2, 3:
    check_closed_domain(dims)
