# SPDX-License-Identifier: MIT
"""Runs measures of networks with other libraries for the benches, which start this script and send it lines.

`graph VERTICES EDGES DIRECTED`, followed by two u32 per edge, and `weights`, followed by one i32 per edge, are answered
by "here".  A line that begins with `igraph`, `scipy` or `networkit` runs one task once.  The answer is its seconds, or
"nan" if the library is missing or lacks the task:

    run                             components of that graph
    distances                       the mean distance between its vertices
    triangles                       Newman's coefficient
    pagerank                        the rank of each vertex, until all change by less than 1e-10
    betweenness, cores              per vertex; betweenness by weights if edges have weights
    strong                          strong components
    bridges                         bridges; NetworKit finds them by its biconnected components
    distances_from                  by weights, from the first vertex with the most edges
    hops_from                       the same by numbers of edges
    lengths                         by weights, between all vertices
    make                            its own graph from the edges
    read FORMAT PATH                a graph from a file, with meshwork's names of formats
    generate NAME PARAMETER=VALUE   a graph of that model

SciPy gets a matrix with each edge once, as an undirected graph; NumPy reads edge lists.  Generators draw other random
numbers than ours.  NetworKit uses all cores, the others one."""
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
try:
    import networkit
except ImportError:
    networkit = None


def hub():
    return int(np.bincount(edges[:, 0] if directed else edges.ravel(), minlength=vertices).argmax())


def read_numbers(path):
    """Reads an edge list of numbers after its comments, which igraph does not support."""
    with open(path, 'rb', buffering=0) as file:
        start = 0
        while file.readline().startswith(b'#'):
            start = file.tell()
        file.seek(start)
        igraph.Graph.Read_Edgelist(file)


class Igraph:
    there = igraph is not None

    def make(self):
        self.graph = igraph.Graph(n=vertices, edges=edges, directed=directed)

    def prepare(self):
        self.make()
        self.hub = hub()
        if weights is not None:
            self.graph.es['weight'] = weights.tolist()

    def run(self):
        self.graph.connected_components(mode='weak')

    def distances(self):
        self.graph.average_path_length()

    def triangles(self):
        self.graph.transitivity_undirected()

    def pagerank(self):
        self.graph.pagerank()

    def betweenness(self):
        self.graph.betweenness(weights='weight' if self.graph.is_weighted() else None)

    def cores(self):
        self.graph.coreness()

    def strong(self):
        self.graph.connected_components(mode='strong')

    def bridges(self):
        self.graph.bridges()

    def distances_from(self):
        self.graph.distances(self.hub, weights='weight')

    def hops_from(self):
        self.graph.distances(self.hub)

    def lengths(self):
        self.graph.distances(weights='weight')

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
        values = np.ones(len(edges), np.int8) if weights is None else weights.astype(np.float64)
        self.matrix = sparse.coo_matrix((values, (edges[:, 0], edges[:, 1])), (vertices, vertices)).tocsr()

    def prepare(self):
        self.make()
        self.hub = hub()

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

    def strong(self):
        csgraph.connected_components(self.matrix, connection='strong')

    def distances_from(self):
        csgraph.dijkstra(self.matrix, directed, self.hub)

    def hops_from(self):
        csgraph.breadth_first_order(self.matrix, self.hub, directed, False)

    def lengths(self):
        """Computes distances by Floyd and Warshall's algorithm or Dijkstra's; SciPy chooses."""
        csgraph.shortest_path(self.matrix, 'auto', directed)

    def read(self, name, path):
        {'edges': lambda path: np.loadtxt(path, np.uint32), 'mtx': scipy.io.mmread}[name](path)


class Networkit:
    there = networkit is not None

    def make(self):
        values = np.ones(len(edges)) if weights is None else weights.astype(np.float64)
        tails, heads = np.ascontiguousarray(edges.T, np.uint64)
        self.graph = networkit.GraphFromCoo((values, (tails, heads)), n=vertices, directed=directed,
                                            weighted=weights is not None)

    def prepare(self):
        self.make()
        self.hub = hub()

    def pagerank(self):
        ranks = networkit.centrality.PageRank(self.graph, 0.85, 1e-10)
        ranks.norm = networkit.centrality.Norm.L1_NORM
        ranks.run()

    def betweenness(self):
        networkit.centrality.Betweenness(self.graph).run()

    def cores(self):
        networkit.centrality.CoreDecomposition(self.graph).run()

    def strong(self):
        networkit.components.StronglyConnectedComponents(self.graph).run()

    def bridges(self):
        networkit.components.BiconnectedComponents(self.graph).run()

    def distances_from(self):
        networkit.distance.Dijkstra(self.graph, self.hub, False).run()

    def hops_from(self):
        networkit.distance.BFS(self.graph, self.hub, False).run()

    def lengths(self):
        networkit.distance.APSP(self.graph).run()


def number(text):
    return float(text) if '.' in text else int(text)


LIBRARIES = {'igraph': Igraph, 'scipy': Scipy, 'networkit': Networkit}
made = {}
vertices, edges, directed, weights = 0, None, False, None

print('ready', flush=True)
for line in sys.stdin.buffer:
    word, *what = line.decode().rstrip('\n').split(' ', 3)
    if word == 'graph':
        vertices, count, directed = int(what[0]), int(what[1]), what[2] == '1'
        edges = np.frombuffer(sys.stdin.buffer.read(8 * count), np.uint32).reshape(count, 2)
        weights = None
        made = {}
        print('here', flush=True)
        continue
    if word == 'weights':
        weights = np.frombuffer(sys.stdin.buffer.read(4 * len(edges)), np.int32)
        print('here', flush=True)
        continue
    task, values, named = what[0], what[1:], {}
    if not LIBRARIES[word].there or not hasattr(LIBRARIES[word], task):
        print('nan', flush=True)
        continue
    library = made.get(word) or LIBRARIES[word]()
    if task not in ('make', 'read', 'generate') and word not in made:
        library.prepare()
    if task == 'generate':
        named = {name: number(value) for name, value in (pair.split('=') for pair in ' '.join(values[1:]).split())}
        values = values[:1]
    made[word] = library
    try:
        start = time.perf_counter()
        getattr(library, task)(*values, **named)
        print(time.perf_counter() - start, flush=True)
    except KeyError:  # no such format or model there
        print('nan', flush=True)
