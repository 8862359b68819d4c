"""Other libraries' turns beside the benches of networks, which start this and talk to it: `graph VERTICES EDGES`,
followed by two u32 an edge, is answered by "here"; what begins with `igraph` or `scipy` by the seconds that the library
took for it, once, or by "nan" where it cannot or is not there:

    run                             components of that graph
    distances                       the mean distance between its vertices
    triangles                       Newman's coefficient
    make                            its own graph from the edges
    read FORMAT PATH                a graph from a file, formats as `meshwork` calls them
    generate NAME PARAMETER=VALUE   a graph of that model

scipy has a matrix with each edge once and is told that it is undirected; edge lists are read by numpy.  Both draw other
random numbers than ours."""
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit(1)
try:
    import igraph
except ImportError:
    igraph = None
try:
    import scipy.io
    import scipy.sparse as sparse
    from scipy.sparse import csgraph
except ImportError:
    sparse = None


def read_numbers(path):
    """igraph does not know comments."""
    with open(path, 'rb', buffering=0) as file:
        start = 0
        while file.readline().startswith(b'#'):
            start = file.tell()
        file.seek(start)
        igraph.Graph.Read_Edgelist(file)


class Igraph:
    there = igraph is not None

    def make(self):
        self.graph = igraph.Graph(n=vertices, edges=edges)

    def run(self):
        self.graph.connected_components(mode='weak')

    def distances(self):
        self.graph.average_path_length()

    def triangles(self):
        self.graph.transitivity_undirected()

    def read(self, name, path):
        {'edges': read_numbers, 'graphml': igraph.Graph.Read_GraphML}[name](path)

    def generate(self, name, n=0, k=0, p=0.0, m=0, x=1, y=1, z=1, **_):
        {'ws': lambda: igraph.Graph.Watts_Strogatz(1, n, k // 2, p),
         'ba': lambda: igraph.Graph.Barabasi(n, m),
         'er': lambda: igraph.Graph.Erdos_Renyi(n=n, m=m),
         'line': lambda: igraph.Graph.Ring(n, circular=False),
         'ring': lambda: igraph.Graph.Watts_Strogatz(1, n, k // 2, 0),
         'grid': lambda: igraph.Graph.Lattice([x, y, z], circular=False)}[name]()


class Scipy:
    there = sparse is not None

    def make(self):
        ones = np.ones(len(edges), np.int8)
        self.matrix = sparse.coo_matrix((ones, (edges[:, 0], edges[:, 1])), (vertices, vertices)).tocsr()

    def run(self):
        csgraph.connected_components(self.matrix, directed=False)

    def distances(self):
        if vertices > 6000:
            raise KeyError('no memory for a matrix of them')
        csgraph.shortest_path(self.matrix, 'D', directed=False, unweighted=True).mean()

    def triangles(self):
        both = self.matrix.maximum(self.matrix.T).astype(np.int64)
        degrees = both.sum(1)
        (both @ both).multiply(both).sum() / np.multiply(degrees, degrees - 1).sum()

    def read(self, name, path):
        {'edges': lambda path: np.loadtxt(path, np.uint32), 'mtx': scipy.io.mmread}[name](path)


def number(text):
    return float(text) if '.' in text else int(text)


LIBRARIES = {'igraph': Igraph, 'scipy': Scipy}
made = {}
vertices, edges = 0, None

print('ready', flush=True)
for line in sys.stdin.buffer:
    word, *what = line.decode().rstrip('\n').split(' ', 3)
    if word == 'graph':
        vertices, count = int(what[0]), int(what[1])
        edges = np.frombuffer(sys.stdin.buffer.read(8 * count), np.uint32).reshape(count, 2)
        made = {}
        print('here', flush=True)
        continue
    if not LIBRARIES[word].there:
        print('nan', flush=True)
        continue
    library = made.get(word) or LIBRARIES[word]()
    task, values, named = what[0], what[1:], {}
    if task in ('run', 'distances', 'triangles') and word not in made:
        library.make()
    if task == 'generate':
        named = {name: number(value) for name, value in (pair.split('=') for pair in ' '.join(values[1:]).split())}
        values = values[:1]
    made[word] = library
    try:
        start = time.perf_counter()
        getattr(library, task)(*values, **named)
        print(time.perf_counter() - start, flush=True)
    except (AttributeError, KeyError):  # no such task, format or model there
        print('nan', flush=True)
