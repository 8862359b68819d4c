# SPDX-License-Identifier: MIT
"""Compares random graphs of meshwork with plain Python: python3 graph.py MESHWORK DEVICE VARIANT,... ROUNDS.

Each round writes a graph in one of the text formats, with loops, equal edges, comments and names of several kinds.  It
compares counts, degrees, components, their sizes and the label of every vertex by name.  It then converts the graph to
another format and compares again.  An empty DEVICE is the default device.  MESHWORK_TEST_SEED repeats a run."""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time

meshwork, device, variants, rounds = sys.argv[1], sys.argv[2], sys.argv[3].split(','), int(sys.argv[4])
seed = int(os.environ.get('MESHWORK_TEST_SEED', time.time_ns() % 2**32))
print('MESHWORK_TEST_SEED=%d' % seed)
rng = random.Random(seed)
below = rng.randrange
folder = tempfile.TemporaryDirectory()


class Graph:
    """A graph: names of vertices, and edges or arcs as pairs of indices into the names."""

    def __init__(self, names, edges, directed):
        self.names, self.edges, self.directed = names, edges, directed

    def without(self, loops, multiple):
        edges, seen = [], set()
        for a, b in self.edges:
            key = (a, b) if self.directed else (min(a, b), max(a, b))
            if loops and a == b or multiple and key in seen:
                continue
            seen.add(key)
            edges.append((a, b))
        return Graph(self.names, edges, self.directed)


def path_of(suffix):
    return os.path.join(folder.name, 'graph' + suffix)


def random_graph():
    n = rng.choice([1, 2, 3, 10, 40, 300])
    m = below(1 + rng.choice([1, n, 3 * n]))
    edges = [(below(n), below(n)) for _ in range(m)]
    for _ in range(below(4)):
        if edges:
            edges.insert(below(len(edges)), rng.choice(edges))
    return Graph(list(range(n)), edges, bool(below(2)))


def write_edges(graph):
    """Writes an edge list, which has no vertices without edges.  Names are arbitrary and numbered in order of
    appearance, unless they are the numbers from 0 or 1 on."""
    name = rng.choice([lambda v: v, lambda v: v + 1, lambda v: 7 * v + 1000000000,
                       lambda v: 'n%d,%s' % (v, 'xyz'[v % 3])])
    met = {v: None for edge in graph.edges for v in edge}
    if sorted(map(name, met)) in [list(range(first, first + len(met))) for first in (0, 1)]:
        met = sorted(met)
    fresh = {v: i for i, v in enumerate(met)}
    with open(path_of('.txt'), 'w') as file:
        for i, (a, b) in enumerate(graph.edges):
            if below(10) == 0:
                file.write(rng.choice(['# comment\n', '\n', '% 1 2\n']))
            file.write('%s%s%s%s\n' % (name(a), rng.choice([' ', '\t', '  ']), name(b),
                                       rng.choice(['', ' 0.5', '\r'])))
    names = [str(name(v)) for v in fresh]
    edges = [(fresh[a], fresh[b]) for a, b in graph.edges]
    return path_of('.txt'), Graph(names, edges, graph.directed), ['--directed'] if graph.directed else []


def write_mtx(graph):
    n = len(graph.names)
    field = rng.choice(['pattern', 'real', 'integer'])
    with open(path_of('.mtx'), 'w') as file:
        file.write('%%%%MatrixMarket matrix coordinate %s %s\n' %
                   (field, 'general' if graph.directed else 'symmetric'))
        file.write('%% comment\n%d %d %d\n' % (n, n, len(graph.edges)))
        for a, b in graph.edges:
            if not graph.directed:
                a, b = max(a, b), min(a, b)
            file.write('%d %d%s\n' % (a + 1, b + 1, '' if field == 'pattern' else ' 2'))
    return path_of('.mtx'), Graph([str(v + 1) for v in range(n)], graph.edges, graph.directed), []


def write_metis(graph):
    n = len(graph.names)
    graph = Graph([str(v + 1) for v in range(n)], graph.edges, False).without(True, True)
    lists = [[] for _ in range(n)]
    for a, b in graph.edges:
        lists[a].append(b + 1)
        lists[b].append(a + 1)
    with open(path_of('.graph'), 'w') as file:
        file.write('%% comment\n%d %d\n' % (n, len(graph.edges)))
        for line in lists:
            file.write(' '.join(map(str, line)) + '\n')
    return path_of('.graph'), graph, []


def keep_json(text):
    """Stores the output for cli.sh, which validates it."""
    if 'MESHWORK_TEST_JSON' in os.environ:
        with tempfile.NamedTemporaryFile('w', dir=os.environ['MESHWORK_TEST_JSON'], delete=False) as file:
            file.write(text)


def run(*arguments):
    command = [meshwork, 'graph', *map(str, arguments), *(['-d', device] if device else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit('%s: %d: %s' % (' '.join(command), done.returncode, done.stderr))
    keep_json(done.stdout)
    return json.loads(done.stdout)


def roots(graph):
    """Finds the smallest vertex of each vertex's component, by breadth-first search."""
    near = [[] for _ in graph.names]
    for a, b in graph.edges:
        near[a].append(b)
        near[b].append(a)
    root = [None] * len(near)
    for first in range(len(near)):
        if root[first] is not None:
            continue
        root[first] = first
        queue = collections.deque([first])
        while queue:
            for v in near[queue.popleft()]:
                if root[v] is None:
                    root[v] = first
                    queue.append(v)
    return root


def expect(what, got, expected):
    if got != expected:
        sys.exit('%s: %r instead of %r' % (what, got, expected))


def check_info(graph, path, options):
    got = run('info', path, '--json', '--degrees', *options)
    n = len(graph.names)
    degree = [0] * n
    touched = set()
    for a, b in graph.edges:
        degree[a] += 1
        degree[b] += not graph.directed
        touched.update((a, b))
    expect('directed', got['directed'], graph.directed)
    expect('vertices', got['vertices'], n)
    expect('edges', got['edges'], len(graph.edges))
    expect('loops', got['loops'], sum(a == b for a, b in graph.edges))
    expect('multi_edges', got['multi_edges'], len(graph.edges) - len(graph.without(False, True).edges))
    expect('isolated', got['isolated'], n - len(touched))
    expect('degrees', got['degrees'], [list(pair) for pair in sorted(collections.Counter(degree).items())])
    if n:
        expect('range', [got['degree_min'], got['degree_max']], [min(degree), max(degree)])
        expect('mean', round(got['degree_mean'], 9), round(sum(degree) / n, 9))
    return got['checksum']


def check_components(graph, path, options):
    labels = path_of('-labels.txt')
    more = ['--variant', rng.choice(variants)]
    if below(2):
        more += ['--block-arcs', 1 + below(20)] if more[1] in ('auto', 'afforest', 'ecl') else []
    got = run('components', path, '--json', '--sizes', '--verify', '-o', labels, *more, *options)
    root = roots(graph)
    size = collections.Counter(root)
    expect('components', got['components'], len(size))
    expect('largest', got['largest'], max(size.values(), default=0))
    expect('sizes', got['sizes'], [list(pair) for pair in sorted(collections.Counter(size.values()).items())])
    if size:
        first = min(r for r in size if size[r] == max(size.values()))
        expect('largest_vertex', got['largest_vertex'], graph.names[first])
    with open(labels) as file:
        expect('labels', [tuple(line.rstrip('\n').split('\t')) for line in file],
               [(graph.names[v], graph.names[root[v]]) for v in range(len(root))])


def check_conversion(graph, path, options, checksum):
    """Checks a conversion.  An edge list loses vertices without edges, and numbers the others in order of
    appearance."""
    suffix = rng.choice(['.el', '.mtx', '.mwg'])
    got = run('convert', path, path_of('-2' + suffix), '--json', *options)
    expect('converted edges', got['edges'], len(graph.edges))
    expect('checksum of the graph converted', got['checksum'], checksum)
    again = run('info', path_of('-2' + suffix), '--json',
                *(['--directed'] if graph.directed and suffix == '.el' else []))
    expect('edges again', again['edges'], len(graph.edges))
    expect('directed again', again['directed'], graph.directed)
    if suffix != '.el':
        expect('checksum again', again['checksum'], checksum)


for i in range(rounds):
    path, graph, options = rng.choice([write_edges, write_mtx, write_metis])(random_graph())
    try:
        checksum = check_info(graph, path, options)
        loops, multiple = below(2), below(2)
        check_components(graph, path, options)
        check_conversion(graph, path, options, checksum)
        removal = ['--self', ['keep', 'remove'][loops], '--multi', ['keep', 'remove'][multiple]]
        check_info(graph.without(loops, multiple), path, [*options, *removal])
    except SystemExit as failure:
        sys.exit('round %d of MESHWORK_TEST_SEED=%d: %s' % (i, seed, failure))
print('%d graphs agree' % rounds)
