"""Other libraries' turns beside bench/graph, which starts this and talks to it: `graph VERTICES EDGES`, followed by two
u32 an edge, is answered by "here"; `igraph run` or `scipy run` by the seconds that the library took to find the
components, once, or by "nan" where it is not there; `igraph all` and `scipy all` by what it took with making its own
graph from the edges.  scipy has a matrix with each edge once and is told that it is undirected."""
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
    import scipy.sparse as sparse
    from scipy.sparse import csgraph
except ImportError:
    sparse = None


class Igraph:
    there = igraph is not None

    def __init__(self, vertices, edges):
        self.graph = igraph.Graph(n=vertices, edges=edges)

    def run(self):
        self.graph.connected_components(mode='weak')


class Scipy:
    there = sparse is not None

    def __init__(self, vertices, edges):
        ones = np.ones(len(edges), np.int8)
        self.matrix = sparse.coo_matrix((ones, (edges[:, 0], edges[:, 1])), (vertices, vertices)).tocsr()

    def run(self):
        csgraph.connected_components(self.matrix, directed=False)


LIBRARIES = {'igraph': Igraph, 'scipy': Scipy}
made = {}
vertices, edges = 0, None

print('ready', flush=True)
for line in sys.stdin.buffer:
    word, *what = line.decode().split()
    if word == 'graph':
        vertices, count = int(what[0]), int(what[1])
        edges = np.frombuffer(sys.stdin.buffer.read(8 * count), np.uint32).reshape(count, 2)
        made = {}
        print('here', flush=True)
        continue
    library = LIBRARIES[word]
    if not library.there:
        print('nan', flush=True)
        continue
    start = time.perf_counter()
    if what[0] == 'all' or word not in made:
        made[word] = library(vertices, edges)
    if what[0] != 'all':
        start = time.perf_counter()
    made[word].run()
    print(time.perf_counter() - start, flush=True)
