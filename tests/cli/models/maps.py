# SPDX-License-Identifier: MIT
"""Maps, starts and lengths of fields, against NumPy: python3 maps.py MESHWORK DEVICES [PART ...].

PARTs are the functions below, without their check_.  DEVICES are separated by blanks; the first one is compared with
NumPy in double precision, all of them, several at once, streaming, and all variants with each other.  The model below
reads maps by themselves, by operators, by stages and in fluxes.  Meshes, boundaries and values are random;
MESHWORK_TEST_SEED repeats a run."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

meshwork, devices, parts = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
everything = bool(os.environ.get('MESHWORK_TEST_ALL'))
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = np.random.RandomState(seed)
scratch = tempfile.TemporaryDirectory()
os.chdir(scratch.name)
VARIANTS = 'fused staged rolling temporal tile image image-tile async registers'.split()
MARGIN = 6
K, A = 0.02, 0.03

MODEL = '''//@ model spread "du/dt = div(D grad u) + d_x(s) v - K lap(s u) + a lap D, dv/dt = D lap v"
//@ field u mean=0.3 outside=0.4
//@ map D 0.5 "diffusivity"
//@ field v noise=0.5 outside=-0.2
//@ param K %g "coupling"
//@ param a %g "source"
//@ map s 0 "source"
//@ dt 0.01

map(s) = 0.1 + cos(x) * exp(-y);
rate(u) = div(D * grad(u)) + d_x(s) * v - K * lap(s * u) + a * lap(D);
rate(v) = D * lap(v);
''' % (K, A)
CLOSED = '''//@ model closed "du/dt = div(D grad u)"
//@ field u noise=1
//@ map D 1 "diffusivity"
//@ conserve u

rate(u) = div(D * grad(u));
'''
open('spread.cl', 'w').write(MODEL)
open('closed.cl', 'w').write(CLOSED)


def run(*arguments, status=0):
    """Runs meshwork, and returns its report, or its messages if it should fail."""
    command = [meshwork, 'run', *arguments, '--json']
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != status:
        sys.exit('%s: status %d\n%s' % (' '.join(command), done.returncode, done.stderr))
    return done.stderr if status else json.loads(done.stdout)


def check(good, what):
    if not good:
        sys.exit('FAIL: ' + what)


# ---- the equation ----

def extended(f, boundary, outside):
    """Extends an array by MARGIN cells; outside None: a map, which continues as its image."""
    for d, b in enumerate(boundary):
        pad = [(0, 0)] * f.ndim
        pad[f.ndim - 1 - d] = (MARGIN, MARGIN)
        if b == 'fixed' and outside is not None:
            f = np.pad(f, pad, constant_values=outside)
        else:
            f = np.pad(f, pad, 'wrap' if b == 'periodic' else 'symmetric')
    return f


def rates(state, maps, boundary, h):
    u, v = (extended(f, boundary, o) for f, o in zip(state, (0.4, -0.2)))
    D, s = (extended(m, boundary, None) for m in maps)
    at = lambda f, d, by: np.roll(f, -by, f.ndim - 1 - d)
    dims = range(u.ndim)
    lap = lambda f: sum((at(f, d, 1) - 2 * f + at(f, d, -1)) / h[d]**2 for d in dims)
    flux = sum(((D + at(D, d, 1)) / 2 * (at(u, d, 1) - u) - (D + at(D, d, -1)) / 2 * (u - at(u, d, -1))) / h[d]**2
               for d in dims)
    slope = (at(s, 0, 1) - at(s, 0, -1)) / 2 / h[0]
    inside = (slice(MARGIN, -MARGIN),) * u.ndim
    return [(flux + slope * v - K * lap(s * u) + A * lap(D))[inside], (D * lap(v))[inside]]


def evolve(state, maps, boundary, h, dt, steps):
    for _ in range(steps):
        middle = [f + dt / 2 * r for f, r in zip(state, rates(state, maps, boundary, h))]
        state = [f + dt * r for f, r in zip(state, rates(middle, maps, boundary, h))]
    return state


def default_s(n, h):
    y, x = (np.arange(n[1]) * h[1], np.arange(n[0]) * h[0]) if len(n) > 1 else (np.zeros(1), np.arange(n[0]) * h[0])
    s = 0.1 + np.cos(x) * np.exp(-y)[:, None]
    return np.broadcast_to(s if len(n) > 1 else s[0], n[::-1])


# ---- checks ----

def trial(number):
    dims = 1 + number % 3
    n = [int(rng.choice([1, 5, 16, 31, 40])) for _ in range(dims - 1)] + [int(rng.choice([7, 16, 24]))]
    boundary = [str(rng.choice(['periodic', 'mirror', 'fixed'])) for _ in n]
    if number % 4 == 0:
        boundary = ['periodic'] * dims  # for temporal
    h = [float(rng.choice([0.7, 1, 1.5])) for _ in n]
    steps = int(rng.randint(1, 7))
    shape = n[::-1]
    u, v, D = rng.rand(*shape), rng.rand(*shape), 0.2 + rng.rand(*shape)
    for name, array in ('u', u), ('v', v), ('D', D):
        np.save(name + '.npy', array)
    own_s = rng.rand() < 0.5
    s = rng.rand(*shape) if own_s else default_s(n, h)
    np.save('s.npy', s)
    common = ['./spread.cl', '--size', 'x'.join(map(str, n)), '--boundary', ','.join(boundary), '--steps', str(steps),
              '--spacing', ','.join(map(str, h)), '-p', 'D=@D.npy', '--start', 'u=@u.npy', '--start', 'v=@v.npy',
              '--no-tune'] + (['-p', 's=@s.npy'] if own_s else [])
    print(' '.join(common))
    run(*common, '-d', devices[0], '--precision', 'double', '-o', 'end.npy')
    end = np.load('end.npy')
    check(end.shape == (2, *shape), 'the state has shape %s' % (end.shape,))
    reference = evolve([u, v], [D, s], boundary, h, 0.01, steps)
    error = np.max(np.abs(end - reference))
    check(error < 1e-13 * (1 + np.max(np.abs(reference))), 'differs from NumPy by %g' % error)

    checksum = run(*common, '-d', devices[0], '--variant', 'fused')['checksum']
    # Compilers take long: a run tries some variants.
    variants = VARIANTS if everything else rng.choice(VARIANTS, 4, replace=False)
    ways = [['-d', d] for d in devices] + [['-d', d, '--variant', v] for d in devices[:1] for v in variants]
    ways += [['-d', d, '--variant', v] for d in devices[1:] for v in variants if everything]
    if n[-1] >= 16 and len(devices) > 1:
        ways.append(['-d', ','.join(devices[:2])])
    passed = 0
    for way in ways:
        command = [meshwork, 'run', *common, *way, '--json']
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0:
            check(json.loads(done.stdout)['checksum'] == checksum, 'other bits: ' + ' '.join(command))
            passed += 1
        else:
            check('--variant' in way and done.returncode in (1, 2) and 'compiler log' not in done.stderr,
                  ' '.join(command) + '\n' + done.stderr)
    check(passed >= len(devices), 'only %d ways are possible' % passed)


def check_stream():
    """A field that streams, with a map and a start by place."""
    np.save('D.npy', 0.2 + rng.rand(96, 500))
    common = ['./spread.cl', '--size', '500x96', '--steps', '9', '-p', 'D=@D.npy', '--boundary', 'mirror,fixed',
              '--start', 'u=sin(2*pi*y/length_y)', '--no-tune']
    whole = run(*common, '-d', devices[0])
    small = ['--memory-limit', '400K']
    for d in devices:
        part = run(*common, '-d', d, *small)
        check(part['windows'] > 1, 'the field does not stream')
        check(part['checksum'] == whole['checksum'] and part['means'] == whole['means'], 'streaming changes bits')


def check_systems():
    """Systems share a map, or have one each; both give the bits of single runs."""
    D = (0.2 + rng.rand(3, 20, 24)).astype('f4')
    np.save('D.npy', D)
    run('./spread.cl', '-d', devices[0], '--size', '24x20', '--steps', '5', '--systems', '3', '-p', 'D=@D.npy',
        '--over', 'K=0.01', '-o', 'all.npy', '--no-tune')
    report = run('./spread.cl', '-d', ','.join(devices[:2]), '--size', '24x20', '--steps', '5', '--systems', '3', '-p',
                 'D=@D.npy', '-p', 'K=0.01', '-o', 'split.npy', '--no-tune')
    check(np.array_equal(np.load('all.npy'), np.load('split.npy')), 'systems differ on two devices')
    check(set(report['means']) == {'u', 'v'}, 'statistics of %s' % set(report['means']))
    for i in range(3):
        np.save('one.npy', D[i])
        run('./spread.cl', '-d', devices[0], '--size', '24x20', '--steps', '5', '--seed', str(i), '-p', 'D=@one.npy',
            '-p', 'K=0.01', '-o', 'one-end.npy', '--no-tune')
        check(np.array_equal(np.load('all.npy')[i], np.load('one-end.npy')), 'system %d differs from a single run' % i)


def check_conservation():
    for dims in (1, 2, 3) if everything else [rng.randint(1, 4)]:
        shape = [9, 14, 21][:dims]
        np.save('D.npy', 10**rng.uniform(-2, 0, shape))
        start = rng.randn(*shape)
        np.save('u.npy', start)
        for boundary in 'periodic', 'mirror':
            report = run('./closed.cl', '-d', devices[0], '-p', 'D=@D.npy', '--start', 'u=@u.npy', '--steps', '500',
                         '--boundary', boundary, '--precision', 'double', '-o', 'end.npy', '--no-tune')
            check(report['conserved'], 'reported as not conserved')
            error = abs(np.sum(np.load('end.npy')) - np.sum(start))
            check(error < 1e-13 * start.size, 'the sum changed by %g' % error)


def check_pictures_and_expressions():
    """A graymap, a picture and an expression set a map in the same way as an array."""
    gray = rng.randint(0, 256, (12, 17))
    open('D.pgm', 'w').write('P2\n17 12\n255\n' + '\n'.join(' '.join(map(str, row)) for row in gray))
    t = gray / 255
    np.save('D.npy', 0.25 * (1 - t) + 2 * t)
    common = ['./closed.cl', '-d', devices[0], '--steps', '4', '--dt', '0.01', '--no-tune', '--size', '17x12']
    expected = run(*common, '-p', 'D=@D.npy')['checksum']
    check(run(*common, '-p', 'D=@D.pgm:0.25,2')['checksum'] == expected, 'a graymap differs')
    check(run(*common, '-p', 'D=@D.pgm', '--input-range', '0.25,2')['checksum'] == expected, '--input-range differs')
    x, y = np.arange(17)[None, :], np.arange(12)[:, None]
    np.save('D.npy', (x - 3) * 0.5 + y * 0.25)
    expected = run(*common, '-p', 'D=@D.npy')['checksum']
    check(run(*common, '-p', 'D=(x - 3) * 0.5 + y * 0.25')['checksum'] == expected, 'an expression differs')
    check(run(*common, '-e', 'map(D) = (x - 3) * 0.5 + y * 0.25')['checksum'] == expected, '-e differs')
    check(run(*common, '-p', 'D=0.375')['checksum'] != expected, 'the expression has no effect')
    np.save('D.npy', np.full((12, 17), 0.375))
    check(run(*common, '-p', 'D=0.375')['checksum'] == run(*common, '-p', 'D=@D.npy')['checksum'], 'a number differs')
    check(run(*common, '-e', 'map(D) = 7', '-p', 'D=0.375')['checksum'] == run(*common, '-p', 'D=0.375')['checksum'],
          '-p does not replace -e')
    # Of a domain.
    np.save('mask.npy', (t > 0.5) * 1.0)
    common = ['heat', *common[1:], '-e', 'domain = 1']
    expected = run(*common, '-p', 'domain=@mask.npy')['checksum']
    check(run(*common, '-p', 'domain=@D.pgm')['checksum'] == expected, 'the domain of a graymap differs')
    check(run(*common)['checksum'] != expected, 'the domain has no effect')
    common = ['./closed.cl', *common[1:-2]]
    # A map of equations of the command line.
    by_e = ['-e', 'u: div(D * grad(u))', *common[1:], '--start', 'u=@u.npy']
    np.save('u.npy', rng.rand(12, 17))
    np.save('D.npy', rng.rand(12, 17))
    check(run(*by_e, '-p', 'D=@D.npy')['checksum'] ==
          run(*common, '--start', 'u=@u.npy', '-p', 'D=@D.npy')['checksum'], 'maps of -e differ')


def check_starts():
    """Starts are exact; other fields keep theirs."""
    run('gray-scott', '-d', devices[0], '--size', '30x20', '--steps', '0', '-o', 'plain.npy')
    run('gray-scott', '-d', devices[0], '--size', '30x20', '--steps', '0', '-o', 'end.npy', '--start',
        'v=sin(2 * pi * x / length_x)')
    plain, end = np.load('plain.npy'), np.load('end.npy')
    check(np.array_equal(plain[0], end[0]), 'another field changed')
    expected = np.broadcast_to(np.sin(2 * np.pi * np.arange(30) / 30), (20, 30))
    check(np.max(np.abs(end[1] - expected)) < 1e-7, 'the start of v is not exact')
    # The noise of expressions is that of the model's line, by the seed of the field.
    common = ['cahn-hilliard', '-d', devices[0], '--size', '30x20', '--steps', '0', '-o', 'end.npy', '--precision',
              'double']
    run(*common, '--seed', '8')
    plain = np.load('end.npy') / 0.1
    run(*common, '--seed', 'c=8', '--start', 'c=0.2 + 0.05 * noise * (x > 4)')
    expected = 0.2 + 0.05 * plain * (np.arange(30) > 4)
    check(np.max(np.abs(np.load('end.npy') - expected)) < 1e-15 and np.ptp(plain) > 1.5, 'the noise of a start differs')
    run(*common, '--start', 'c=0.2 + 0.05 * noise', '--start', 'constant')
    check(np.all(np.load('end.npy') == 0.2), '--start constant has noise')
    run('./closed.cl', *common[1:], '--start', 'u=0', '-p', 'D=1 + noise', '--systems', '2')
    z = rng.randn(8, 9) + 1j * rng.randn(8, 9)
    np.save('z.npy', z)
    run('ginzburg-landau', '-d', devices[0], '--steps', '0', '-o', 'end.npy', '--precision', 'double', '--start',
        'psi=@z.npy')
    check(np.array_equal(np.load('end.npy'), [z.real, z.imag]), 'a complex start differs')
    run('ginzburg-landau', '-d', devices[0], '--size', '9x8', '--steps', '0', '-o', 'end.npy', '--precision', 'double',
        '--start', 'psi=cos(x) + i * sin(x)')
    end = np.load('end.npy')
    check(np.max(np.abs(end[0] + 1j * end[1] - np.exp(1j * np.arange(9)))) < 1e-14, 'a complex expression differs')


def check_lengths():
    report = run('heat', '-d', devices[0], '--size', '50x20x4', '--length', '100x50x1', '--steps', '1', '--no-tune')
    check(report['spacing'] == [2, 2.5, 0.25], 'spacing %s' % report['spacing'])
    report = run('heat', '-d', devices[0], '--length', '3', '--spacing', '0.1', '--steps', '1', '--no-tune')
    check(report['size'] == [30], 'size %s' % report['size'])
    report = run('heat', '-d', devices[0], '--length', '3x2', '--spacing', '0.1,0.25', '--steps', '1', '--no-tune')
    check(report['size'] == [30, 8], 'size %s' % report['size'])
    a = run('heat', '-d', devices[0], '--size', '40x20', '--length', '10x10', '--steps', '9', '--checkpoint', 'h.ck')
    b = run('heat', '-d', devices[0], '--size', '40x20', '--spacing', '0.25,0.5', '--steps', '9')
    check(a['checksum'] == b['checksum'], '--length differs from --spacing')
    check(run('--restart', 'h.ck', '--steps', '20', '-d', devices[0])['checksum'] ==
          run('heat', '-d', devices[0], '--size', '40x20', '--spacing', '0.25,0.5', '--steps', '20')['checksum'],
          'a resumed run has another spacing')


def check_checkpoints():
    """A resumed run has the maps of the first one, whose file may be gone."""
    np.save('D.npy', 0.2 + rng.rand(20, 24))
    for maps in ['-p', 'D=@D.npy'], ['-p', 'D=0.4 + 0.1 * cos(x)', '-p', 's=0.25'], []:
        common = ['./spread.cl', '-d', devices[0], '--size', '24x20', '--no-tune']
        whole = run(*common, *maps, '--steps', '12')
        run(*common, *maps, '--steps', '4', '--checkpoint', 'c.ck')
        np.save('other.npy', np.load('D.npy') + 1)
        again = ['--restart', 'c.ck', '-d', devices[-1], '--steps', '12', '--no-tune']
        if maps:
            message = run('./spread.cl', *again, '-p', 'D=@other.npy', status=2)
            check('map D' in message, message)
            run('./spread.cl', '--restart', 'c.ck', '-d', devices[0], '--steps', '8', *maps)
        os.rename('D.npy', 'gone.npy')
        check(run(*again)['checksum'] == whole['checksum'], 'a resumed run differs')
        os.rename('gone.npy', 'D.npy')
        run(*common, *maps, '--steps', '6', '--verify')


def check_mistakes():
    np.save('D.npy', rng.rand(5, 6))
    bad = rng.rand(5, 6)
    bad[2, 3] = np.nan
    np.save('bad.npy', bad)
    np.save('words.npy', np.array([[1j, 2]]))
    open('clash.cl', 'w').write(CLOSED.replace('//@ conserve', '//@ map u 1 "again"\n//@ conserve'))
    open('clash2.cl', 'w').write(CLOSED.replace('//@ conserve', '//@ param D 1 "again"\n//@ conserve'))
    open('reads.cl', 'w').write(CLOSED + 'map(D) = u;\n')
    open('rate.cl', 'w').write(CLOSED + 'rate(D) = u;\n')
    open('twice.cl', 'w').write(CLOSED + 'map(D) = 1;\nmap(D) = 2;\n')
    size = ['-d', devices[0], '--steps', '1', '--no-tune', '--size', '6x5']
    for message, arguments in [
            (r'D\.npy has 6 x 5 values, the mesh has 7 x 5 cells',
             ['./closed.cl', *size[:-1], '7x5', '-p', 'D=@D.npy']),
            (r'bad\.npy has values that are not finite, the first at x=3, y=2: map D',
             ['./closed.cl', *size, '-p', 'D=@bad.npy']),
            (r'words\.npy has complex128: map D needs real values', ['./closed.cl', *size, '-p', 'D=@words.npy']),
            (r'absent\.npy', ['./closed.cl', *size, '-p', 'D=@absent.npy']),
            (r"model closed has no parameter|'E'", ['./closed.cl', *size, '-p', 'E=@D.npy']),
            (r"unknown name 'noise'", ['-e', 'c: noise * c', *size]),
            (r"model closed has no field 'w'", ['./closed.cl', *size, '--start', 'w=1']),
            (r'given twice', ['./closed.cl', *size, '--start', 'u=1', '--start', 'u=2']),
            (r'map D .*not finite', ['./closed.cl', *size, '-p', 'D=1/x']),
            (r"unknown name 'q'.*, in 'start\(u\) = q;'", ['./closed.cl', *size, '-p', 'D=1', '--start', 'u=q']),
            (r"cannot read.*, in 'map\(D\) = lap\(x\);'", ['./closed.cl', *size, '-p', 'D = lap(x)']),
            (r'expected an expression or @FILE', ['./closed.cl', *size, '-p', 'D=1; rate(u) = 2']),
            (r'declared twice: u', ['./clash.cl', *size]),
            (r'declared twice: D', ['./clash2.cl', *size]),
            (r"'u': a start or map cannot read", ['./reads.cl', *size]),
            (r"no //@ field line declares 'D'", ['./rate.cl', *size]),
            (r"a second map of 'D'", ['./twice.cl', *size]),
            (r'the nearest length is 3, the nearest spacing 0.3', ['heat', '--length', '3.05', '--spacing', '0.3']),
            (r'give two of them', ['heat', '--length', '3', '--spacing', '0.3', '--size', '10']),
            (r'one for each of 2 dimensions', ['heat', '--length', '3x4x5', '--size', '10x10']),
            (r'--length -3', ['heat', '--length', '-3', '--size', '10x10'])]:
        done = subprocess.run([meshwork, 'run', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        check(done.returncode in (1, 2, 3, 4), '%s: status %d' % (arguments, done.returncode))
        lines = [line for line in done.stderr.strip().split('\n') if not line.startswith('compiling')]
        check(len(lines) == 1 and re.search(message, lines[0]), '%s: %s' % (arguments, done.stderr))


def check_trials():
    for number in range(30) if everything else [rng.randint(12)]:
        trial(number)


for part in parts or [name[len('check_'):] for name in list(globals()) if name.startswith('check_')]:
    globals()['check_' + part]()
