# SPDX-License-Identifier: MIT
"""Compares pictures, figures and films of runs with their states: python3 pictures.py MESHWORK DEVICE.

Pixels are computed again from the state by NumPy.  Words, sizes, ranges and numbers of frames of
figures and films are checked."""
import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

meshwork, device = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def run(*words, status=0, says='', name='run'):
    words = [name, *words, '-q', '-d', device] + ['--no-tune'] * (name == 'run')
    done = subprocess.run([meshwork, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if done.returncode != status or not re.search(says, done.stderr):
        sys.exit('%s: exit code %d, %s' % (' '.join(words), done.returncode, done.stderr))


def read_png(path, raw=False):
    """Returns the channels, [y, x, c], of a PNG whose rows have no filter; with `raw`, the indices of a palette."""
    data = open(path, 'rb').read()
    width, height, depth, kind = struct.unpack('>IIBB', data[16:26])
    at, body = 8, b''
    while at < len(data):
        n, name = struct.unpack('>I4s', data[at:at + 8])
        body += data[at + 8:at + 8 + n] if name == b'IDAT' else b''
        if name == b'PLTE':
            palette = np.frombuffer(data[at + 8:at + 8 + n], np.uint8).reshape(-1, 3)
        at += n + 12
    channels = {0: 1, 2: 3, 3: 1}[kind]
    rows = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, 1 + width * channels * depth // 8)
    assert not rows[:, 0].any()
    pixels = np.ascontiguousarray(rows[:, 1:]).view('u1' if depth == 8 else '>u2').reshape(height, width, channels)
    return palette[pixels[..., 0]] if kind == 3 and not raw else pixels


def gray(values, lo, hi, by):
    level = np.floor(np.clip((values - lo) / (hi - lo), 0, 1) * 255 + 0.5)
    return np.repeat(np.repeat(level, by, 0), by, 1)[..., None]


def same(path, expected):
    pixels = read_png(path).astype(int)
    assert pixels.shape == expected.shape, (path, pixels.shape, expected.shape)
    # float32 and another order of operations may round a level differently
    assert abs(pixels - expected).max() <= 1 and (pixels != expected).mean() < 0.01, path


def laplacian(u):
    return sum(np.roll(u, s, a) for s in (1, -1) for a in (0, 1)) - 4 * u


# Quantities and expressions, --range, --scale.
size = ['--size', '40x24']
wide = ['ginzburg-landau', *size, '--steps', '300', '--seed', '5', '--colours', 'gray']
for show, value, lo, hi in (('psi_im', lambda re, im: im, -1, 1), ('abs(psi)', lambda re, im: np.hypot(re, im), 0, 1.2),
                            ('phase(psi)', lambda re, im: np.arctan2(im, re), -np.pi, np.pi),
                            ('a + 2*re(psi)', lambda re, im: 0.25 + 2 * re, -3, 3),
                            ('lap(abs2(psi))', lambda re, im: laplacian(re**2 + im**2), -1, 1)):
    run(*wide, '-p', 'a=0.25', '--show', show, '--range', '%.17g,%.17g' % (lo, hi), '--scale', '3', '--png', 'a.png',
        '-o', 'a.npy')
    state = np.load('a.npy').astype(float)
    same('a.png', gray(value(*state), lo, hi, 3))
    os.remove('a.png')
# The digits of an expression do not depend on the size of the first field.
run('-e', 'u: 0', '-e', 'v: 0', '--start', 'u=100000', '--start', 'v=0.001*sin(x/4)', *size, '--steps', '1',
    '--colours', 'gray', '--scale', '1', '--show', '1*v', '--png', 'd.png', '-o', 'd.npy')
v = np.load('d.npy')[1].astype(float)
same('d.png', gray(v, v.min(), v.max(), 1))
# The energy density; a quantity with a mean, and the time of steps that choose themselves.
run('cahn-hilliard', *size, '--steps', '90', '--colours', 'gray', '--show', 'energy', '--range=-0.3,0.1', '--scale',
    '1', '--png', 'e.png', '-o', 'e.npy', '-p', 'K=2')
c = np.load('e.npy').astype(float)
same('e.png', gray(c**4 / 4 - (c**2 + 2 * c * laplacian(c)) / 2, -0.3, 0.1, 1))
run('gray-scott', *size, '--steps', '2', '--png', 'no.png', '--show', 'energy', status=2, says="'energy' needs")
for more in ['--dt', '0.05'], ['--integrator', 'bs3']:
    run('heat', *size, '--steps', '9', '--every', '3', '--colours', 'gray', '--show', 'T - mean(T) + time', *more,
        '--range=-1,2', '--scale', '1', '--png', 'm-%d.png', '-o', 'm-%d.npy', '--series', 'm.csv')
    for step, time in np.genfromtxt('m.csv', delimiter=',', skip_header=1, usecols=(0, 1)):
        state = np.load('m-%d.npy' % step).astype(float)
        same('m-%d.png' % step, gray(state - state.mean() + time, -1, 2, 1))
# Pictures of fields that stream do, too; an expression with a mean is refused before the first step.
large = ['heat', '--size', '64x256', '--steps', '4', '--colours', 'gray', '--range=-1,1', '--scale', '1', '--png',
         'l.png', '--memory-limit', '250K']
run(*large, '--show', '2*T', '-o', 'l.npy')
same('l.png', gray(2 * np.load('l.npy'), -1, 1, 1))
os.remove('l.png')
run(*large, '--show', 'T - mean(T)', '--series', 'l.csv', '--every', '1', status=1, says="--show .* cannot stream")
assert not os.path.exists('l.csv')
# Values that are not finite are magenta, and no part of the range.
run('heat', '--size', '40x1', '--steps', '0', '--scale', '1', '--show', '1/x', '--png', 'i.png')
assert (read_png('i.png')[0, 0] == [255, 0, 255]).all() and (read_png('i.png')[0, 1] == [253, 231, 37]).all()
# At least 256 pixels; without --range, the picture's own range.
run('gray-scott', *size, '--steps', '100', '--colours', 'gray', '--show', 'v', '--png', 'v.png', '-o', 'v.npy')
v = np.load('v.npy')[1].astype(float)
same('v.png', gray(v, v.min(), v.max(), 7))
# Pixels of other maps are indices of a palette, whose levels are those of gray; 16 bits on request.
run('gray-scott', *size, '--steps', '100', '--show', 'v', '--png', 'w.png', '--range', '0,0.5')
level = gray(v, 0, 0.5, 7)
assert abs(read_png('w.png', raw=True).astype(int) - level).max() <= 1 and level.max() > 100
assert (read_png('w.png', raw=True) == level).mean() > 0.99
assert (read_png('w.png')[level[..., 0] == 0] == [68, 1, 84]).all()
run('gray-scott', *size, '--steps', '100', '--show', 'v', '--png', 'w.png', '--range', '0,0.5', '--scale', '1',
    '--colours', 'gray16')
deep = read_png('w.png')[..., 0].astype(int)
assert abs(deep - v / 0.5 * 65535).max() < 0.51 and len(np.unique(deep)) > 300
# The first range for all pictures; time in an expression; a model with a stage, which the expression does not use.
run('cahn-hilliard', *size, '--steps', '40', '--every', '20', '--colours', 'gray', '--range', 'first', '--scale', '1',
    '--show', 'c + time', '--png', 'c-%d.png', '-o', 'c-%d.npy')
first = np.load('c-0.npy').astype(float)
for step in 0, 20, 40:
    same('c-%d.png' % step, gray(np.load('c-%d.npy' % step) + 0.01 * step, first.min(), first.max(), 1))
# One range for all pictures, which are written at the end; a resumed run has a range of its own.
wide = ['heat', *size, '--colours', 'gray', '--every', '30', '--range', 'all', '--scale', '2', '--png', 'all-%d.png',
        '-o', 'all-%d.npy']
run(*wide, '--steps', '100', '--checkpoint', 'all.mw', '--checkpoint-every', '40')
run('--restart', 'all.mw', '--steps', '150')
for steps in (0, 30, 60, 90, 100), (120, 150):
    states = [np.load('all-%d.npy' % step) for step in steps]
    for step, state in zip(steps, states):
        same('all-%d.png' % step, gray(state, np.min(states), np.max(states), 2))
run('heat', *size, '--dt', '1e9', '--steps', '20', '--every', '1', '--range', 'all', '--png', 'lost-%d.png', status=1,
    says='finite')  # a run that fails has the pictures so far
assert os.path.getsize('lost-0.png') and not os.path.exists('lost-20.png')
run(*wide, '--steps', '90', '--show', '2*T', '--colours', 'coolwarm', '--range', 'all')
state = 2 * np.load('all-0.npy').astype(float)
assert (read_png('all-90.png') != read_png('all-0.png')).any()
pixels = read_png('all-90.png')[::2, ::2].astype(int)
near = abs(np.load('all-90.npy') * 2) < 0.01 * abs(state).max()  # of the range, which the first picture has
assert near.any() and (abs(pixels[near] - 221) < 6).all()
# They keep the digits of double precision: a field that stays has the same picture with both ranges.
for name, words in ('each-%d.png', []), ('wide-%d.png', ['--range', 'all']):
    run('heat', *size, '--precision', 'double', '--steps', '2', '--every', '1', '-p', 'D=0', '--colours', 'gray16',
        '--start', 'T=1e8+sin(x)', '--png', name, *words)
assert open('each-2.png', 'rb').read() == open('wide-2.png', 'rb').read()
# Slices of a volume; several systems are side by side.
run('heat', '--size', '12x10x8', '--steps', '5', '--colours', 'gray', '--range=-1,1', '--scale', '1', '--png', 'x.png',
    '--slice', 'x=3', '-o', 'x.npy')
same('x.png', gray(np.load('x.npy')[:, :, 3], -1, 1, 1))
run('heat', '--size', '12x10', '--steps', '5', '--systems', '2', '--colours', 'gray', '--range=-1,1', '--scale', '1',
    '--show', '2*T', '--png', 's.png', '-o', 's.npy')
state = 2 * np.load('s.npy')
same('s.png', np.concatenate([gray(state[0], -1, 1, 1), np.zeros((10, 2, 1)), gray(state[1], -1, 1, 1)], 1))
# A map of the model, which is no field.
run('hot-spot', *size, '--steps', '3', '--colours', 'gray', '--scale', '1', '--show', 'e', '-p', 'e=1+x', '--png',
    'd.png')
same('d.png', gray(np.tile(np.arange(40.0), (24, 1)), 0, 39, 1))
# A triangular lattice is drawn in space: rows are shifted by half a cell each, and 0.866 of it apart.
run('ising', '--lattice', 'triangular', *size, '-p', 'T=3', '--steps', '9', '--colours', 'gray', '--scale', '1',
    '--png', 't.png', '-o', 't.npy')
pixels, spins = read_png('t.png')[..., 0], np.load('t.npy')
per = pixels.shape[1] / 40
assert abs(pixels.shape[0] - 24 * 0.75**0.5 * per) <= 1
y = np.arange(1, 23)
for x in range(40):
    # the pixel at each cell's place
    across = ((x + y / 2) * per).astype(int) % pixels.shape[1]
    assert (pixels[(y * 0.75**0.5 * per).astype(int), across] == 255 * (spins[y, x] > 0)).mean() > 0.95
# Kinds, and signs: the default maps.
run('potts', *size, '--steps', '20', '-p', 'q=4', '--png', 'p.png', '--scale', '1', '-o', 'p.npy')
assert len(np.unique(read_png('p.png').reshape(-1, 3), axis=0)) == len(np.unique(np.load('p.npy')))

# Quantities of spins by name have the given range, too.
for word in [], ['--show', 'spin']:
    run('ising', *size, '--steps', '3', '--range=-5,5', '--scale', '1', '--png', 'r.png', *word)
    assert (abs(read_png('r.png').astype(int) - 221) < 60).all()

# Refusals.
for words, says in ((['--show', 'q'], "--show 'q': .*unknown name 'q'"), (['--range', '1,0'], '--range'),
                    (['--range', '1,x'], '--range'), (['--range', ',1'], '--range'),
                    (['--range', 'all', '--every', '1', '--figure', 'f-%d.png'], 'for --png, --film'),
                    (['--slice', 'x=1,x=2'], '--slice'), (['--slice', 'z=1'], '--slice'),
                    (['--frames', '3', '--every', '2', '--film', 'a.mp4'], 'exclude'), (['--slice', 'x=40'], '--slice'),
                    (['--slice', 'x=1'], 'no plane'), (['--colours', 'red'], 'known: viridis, cividis'),
                    (['--figure', 'a.jpg'], '.png, .svg or .pdf'),
                    (['--plot', 'a.jpg'], '.png, .svg or .pdf'), (['--sheet', 'a.png'], '--every'),
                    (['--contours', '3'], '--figure'), (['--fps', '3'], '--film'), (['--film', 'a.avi'], '.mp4'),
                    (['--arrows', 'T', '--figure', 'a.png'], 'twice')):
    if shutil.which('gnuplot') or not any(w in ('--figure', '--plot', '--sheet') for w in words):
        run('heat', *size, '--steps', '2', '--png', 'no.png', *words, status=2, says=says)
for words in ('--range', '0,1'), ('--show', 'T'), ('--slice', 'x=1'), ('--colours', 'gray'):
    run('heat', *size, '--steps', '2', *words, status=2,
        says='%s requires --png PATTERN or --figure .* or --film .* or --sheet' % words[0])
run('heat', *size, '--steps', '2', '--scale', '2', status=2, says='--scale requires --png PATTERN or --film')
run('ising', *size, '--steps', '2', '--png', 'no.png', '--show', 'c', status=2, says='has spin')
run('heat', *size, '--steps', '2', '-e', 'rate(T) = 1', '-e', 'rate(T) = 2', status=4, says='second rate')
run('ginzburg-landau', *size, '--steps', '2', '--png', 'no.png', '--show', 'psi', status=2, says='complex: give psi_re')
run('ising', '--lattice', 'fcc', '--size', '8x8x8', '--slice', 'x=3', '--png', 'no.png', status=2, says='layer of z')
assert not os.path.exists('no.png')

if shutil.which('gnuplot'):
    run('ginzburg-landau', *size, '--steps', '40', '--every', '10', '--show', 'abs(psi)', '--show', 'phase(psi)',
        '--figure', 'f.svg', '--sheet', 's.svg', '--contours', '4', '--arrows', 'psi_re', '--arrows', 'psi_im')
    text = open('f.svg').read()
    assert all(w in text for w in ('ginzburg-landau, t = 2', 'a = 0, b = 0', '>abs(psi)<', '>phase(psi)<', '<image'))
    text = open('s.svg').read()
    assert all('abs(psi), t = %g<' % t in text for t in (0, 0.5, 1, 1.5, 2)) and text.count('<image') == 5
    run('heat', '--size', '50', '--steps', '20', '--every', '1', '--figure', 'f.svg', '--sheet', 's.png', '--precision',
        'double')
    assert '<image' not in open('f.svg').read()
    run('heat', '--size', '9x8x7', '--steps', '2', '--figure', 'f-%d.pdf')
    assert open('f-2.pdf', 'rb').read(4) == b'%PDF'
    run('heat', *size, '--steps', '2', '--over', 'D=0.1:0.3:0.1', '--figure', 'f.svg')
    assert '>D = 0.1:0.3:0.1<' in open('f.svg').read()
    # Each dimension is made coarser by itself: 8 columns that differ stay apart in a long mesh.
    run('heat', '--size', '8x3000', '--steps', '1', '-p', 'D=0', '--start', 'T=x', '--figure', 'f.svg')
    image = base64.b64decode(re.search(r'base64,([^"\']+)', open('f.svg').read()).group(1))
    assert struct.unpack('>I', image[16:20])[0] == 8, struct.unpack('>II', image[16:24])
    run('heat', '-e', 'domain = 10 - r', '--spacing', '0.5', *size, '--steps', '1', '--figure', 'f.svg')
    text = open('f.svg').read()  # cells outside the domain are gray
    assert '>x (units of length)<' in text and 'rgb(112, 112, 112)' in text
    run('heat', '--size', '9x8x7', '--steps', '2', '--figure', 'f.svg')
    assert all('>T, %s<' % at in open('f.svg').read() for at in ('z = 3', 'y = 4', 'x = 4'))
    run('heat', '--size', '1x1', '--steps', '1', '--start', 'constant', '--figure', 'one.png', '--contours', '3')
    # Parameters are in lines as wide as the figure, and end in an ellipsis.
    names = ['coefficient_of_term_%d' % i for i in range(12)]
    words = [w for i, name in enumerate(names) for w in ('-p', '%s=%d.5' % (name, i))]
    run('-e', 'u: -u * (%s)' % ' + '.join(names), *words, *size, '--steps', '1', '--figure', 'f.svg')
    lines = re.findall('>(coefficient_of_term_[^<]*)<', open('f.svg').read())
    assert len(lines) == 3 and max(map(len, lines[:2])) <= 56 and lines[-1].endswith(', ...'), lines
    assert ' '.join(lines).startswith(', '.join('%s = %d.5' % (name, i) for i, name in enumerate(names[:3]))), lines
    # A plane of a single row is drawn.
    run('heat', '--size', '64x1', '--steps', '1', '--figure', 'row.svg')
    assert '<image' in open('row.svg').read()
    # Arrows are in one panel of three.
    run('heat', '--size', '9x8x7', '--steps', '2', '--figure', 'f.svg', '--arrows', 'd_x(T)', '--arrows', 'd_y(T)')
    parts = re.split('>T, . = .<', open('f.svg').read())
    sizes = [len(p) for p in parts]  # a title follows its panel
    assert len(parts) == 4 and sizes[0] > 1.5 * sizes[1] and abs(sizes[1] - sizes[2]) < 0.1 * sizes[1], sizes
    # Arrows are around the coordinates of cells, which begin at 0: a gnuplot of the test keeps its script.
    os.mkdir('bin')
    with open('bin/gnuplot', 'w') as file:
        file.write('#!/bin/sh\n[ "$1" = --version ] || cat >script\necho "<svg/>"\n')
    os.chmod('bin/gnuplot', 0o755)

    def script(*words, name='run'):
        path = os.environ['PATH']
        os.environ['PATH'] = os.path.abspath('bin') + ':' + path
        run(*words, name=name)
        os.environ['PATH'] = path
        return open('script').read()

    def block(name, text):
        lines = re.search(r'\$%s << END\n(.*?)END' % name, text, re.S).group(1).splitlines()
        return np.array([line.replace('?', 'nan').split() for line in lines], float)

    arrows = block('arrows', script('heat', '--size', '16x12', '--steps', '2', '--figure', 'f.svg', '--arrows',
                                    '1 + 0*T', '--arrows', '0*T'))
    assert arrows.shape == (16 * 12, 4) and (arrows[:, 2:] == [1, 0]).all()
    middle = (arrows[:, :2] + arrows[:, 2:] / 2).reshape(12, 16, 2)
    assert abs(middle[..., 0] - np.arange(16)).max() < 1e-4 and abs(middle[..., 1].T - np.arange(12)).max() < 1e-4
    # Walks have a figure in the coordinates of sites: from the origin of this carpet, the same in all directions.
    walk = ['--carpet', 'sc31', '--start', '0,0', '--steps', '40', '--figure', 'w.svg', '-o', 'w.npy']
    text = script(*walk, name='walk')
    ends = re.search(r"set xrange .(\S+):(\S+).\nset yrange .(\S+):(\S+).\n", text).groups()
    ends = [float(v) for v in ends]
    assert 'log10 of the probability' in text and 'sc31, step 40' in text
    cells, half = block('d0', text), int(ends[1])
    assert ends == [-half - 0.5, half + 0.5] * 2 and cells.shape == (2 * half + 1, 2 * half + 1), ends
    probability = np.load('w.npy')
    middle = probability.shape[0] // 2
    there = probability[middle - half:middle + half + 1, middle - half:middle + half + 1]
    seen = cells > cells.min()
    np.testing.assert_allclose(cells[seen], np.log10(there[seen]), atol=1e-4)
    assert probability.sum() - there.sum() < 1e-9 and (there[~seen] <= 10**cells.min() * 1.001).all()
    # The plot of a series: its values, and the power law of the late times.
    growth = ['cahn-hilliard', '--size', '96x64', '--steps', '4000', '--every', '50', '--series', 'g.csv']
    text = script(*growth, '--plot', 'g.svg')
    series = np.genfromtxt('g.csv', delimiter=',', names=True)
    rows = block('rows', text)
    np.testing.assert_allclose(rows, np.array([list(row) for row in series]), rtol=1e-8)
    t, domains = series['time'], series['domain_size']
    late = t >= t[-1] / 8
    (slope, height), spread = np.polyfit(np.log(t[late]), np.log(domains[late]), 1, cov=True)
    law = re.search(r"\[(\S+):(\S+)\] (\S+) \* x \*\* (\S+) .*'t\^(\S+), ± (\S+), from t = (\S+)'", text)
    found = [float(v) for v in law.groups()]
    np.testing.assert_allclose(found[:4], [t[-1] / 8, t[-1], np.exp(height), slope], rtol=1e-6)
    np.testing.assert_allclose(found[4:], [slope, spread[0, 0]**0.5, t[-1] / 8], atol=6e-4, rtol=0.06)
    panel = text[text.index("'domain size'"):]
    assert 'set logscale x' in panel and 'set logscale y' in panel
    for axis, values in ('x', t[1:]), ('y', domains):
        lo, hi = re.search(r'logscale %s\nset %srange \[(\S+):(\S+)\]' % (axis, axis), panel).groups()
        np.testing.assert_allclose([float(lo), float(hi)], [values.min() / 1.05, values.max() * 1.05], rtol=1e-6)
    assert '\nset logscale' not in re.search("'energy'.*'domain size'", text, re.S).group()
    labels = re.findall(r"set ylabel '(.*)'", text)
    assert labels == ['c mean', 'c variance', 'energy', 'domain size'], labels
    # gnuplot draws it, in all of its formats; a resumed run has the rows of the series.
    run(*growth, '--plot', 'g.svg')
    whole = open('g.svg').read()
    assert '>t^%s, ± %s, from t = %s<' % law.groups()[4:] in whole and '>least to most<' in whole
    run(*growth, '--plot', 'g2.svg', '--checkpoint', 'g.mw', '--checkpoint-every', '1000', '--steps', '2025')
    run('--restart', 'g.mw', '--steps', '4000')
    assert open('g2.svg').read() == whole
    # Values of --over are curves of one panel.
    text = script('heat', *size, '--over', 'D=0.1:0.2:0.05', '--systems', '2', '--steps', '40', '--every', '4',
                  '--plot', 'o.svg')
    assert re.findall(r"set ylabel '(.*)'", text) == ['T mean', 'T variance', 'energy', 'domain size']
    assert all("title 'D=%s'" % v in text for v in ('0.1', '0.15', '0.2'))
    for name, magic in ('o.png', b'\x89PNG'), ('o.pdf', b'%PDF'):
        run('ising', *size, '-p', 'T=3', '--steps', '9', '--every', '3', '--plot', name)
        assert open(name, 'rb').read(4) == magic
    # The axis of time of a resumed run begins at its time.
    run('heat', '--size', '50', '--steps', '20', '--checkpoint', 'ck')
    run('--restart', 'ck', '--steps', '40', '--every', '1', '--sheet', 's.svg')
    text = open('s.svg').read()
    assert '> 2.5<' in text and '> 3.5<' in text and '> 1<' not in text  # times 2 to 4
else:
    print('SKIPPED: figures need gnuplot')
if shutil.which('ffmpeg') and shutil.which('ffprobe'):
    for name in 'm.mp4', 'm.gif', 'm.webm':
        run('heat', '--size', '33x21', '--steps', '20', '--frames', '11', '--film', name, '--scale', '3', '--fps', '5')
        found = subprocess.run(['ffprobe', '-v', 'error', '-count_frames', '-show_entries',
                                'stream=width,height,nb_read_frames,r_frame_rate', '-of', 'csv=p=0', name],
                               stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        assert found == ('99,63' if name == 'm.gif' else '100,64') + ',5/1,11', found
    # Several systems are side by side; a mesh of one dimension is a strip.
    for words, shape in (['--size', '20x20', '--systems', '2'], '42,20'), (['--size', '40'], '40,32'):
        run('heat', *words, '--steps', '2', '--every', '1', '--film', 'm.mp4', '--scale', '1')
        found = subprocess.run(['ffprobe', '-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0',
                                'm.mp4'], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        assert found == shape, found
    # A resumed run makes another film.
    run('heat', *size, '--steps', '4', '--every', '2', '--film', 'part.mp4', '--checkpoint', 'ck2')
    before = open('part.mp4', 'rb').read()
    run('--restart', 'ck2', '--steps', '8', '--film', 'part.mp4', says='')
    assert open('part.mp4', 'rb').read() == before and os.path.exists('part-000004.mp4')
    # One range for all frames: the last one, much paler than the first, is not stretched.
    run('heat', '--size', '64x64', '--steps', '200', '--frames', '3', '--film', 'm.mp4', '--scale', '4', '--colours',
        'gray')
    raw = subprocess.run(['ffmpeg', '-v', 'error', '-i', 'm.mp4', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
                         stdout=subprocess.PIPE, check=True).stdout
    frames = np.frombuffer(raw, np.uint8).reshape(3, 256, 256).astype(float)
    assert frames[0].std() > 4 * frames[2].std(), frames.std((1, 2))
    assert not [f for f in os.listdir('.') if re.search(r'\.(mp4|gif|webm)\.', f)]
else:
    print('SKIPPED: films need ffmpeg')
