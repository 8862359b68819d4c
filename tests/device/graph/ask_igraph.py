# SPDX-License-Identifier: MIT
"""Compares measures with igraph for tests/device/graph/graph_igraph, which starts this program and sends it graphs.

A graph is a line with five words: the name of a measure, the numbers of vertices and edges, 1 for a directed graph, 1
for weights.  It is followed by two uint32 per edge; one int32 per edge if there are weights; the computed values, one
double per vertex.  The answer is "same", or the difference."""
import sys

try:
    import igraph
    import numpy as np
except ImportError:
    sys.exit(1)


def components(graph):
    smallest = np.zeros(graph.vcount())
    for members in graph.connected_components(mode='weak'):
        smallest[members] = min(members)
    return smallest


def distances(graph):
    """Returns for each vertex the sum of the distances to all reachable vertices, along arcs."""
    found = np.array(graph.distances(mode='out'))
    return np.where(np.isfinite(found), found, 0).sum(1)


def summed(found):
    return np.where(np.isfinite(found), found, 0)


def lengths(graph):
    return summed(np.array(graph.distances(weights='weight', mode='out'))).sum(1)


def lengths_from(graph):
    """Returns the distances from the first vertex."""
    return summed(np.array(graph.distances(source=0, weights='weight', mode='out'))[0])


def mean_distance(graph):
    mean = graph.average_path_length(directed=True, unconn=True)
    return np.full(graph.vcount(), 0 if np.isnan(mean) else mean)


def memberships(graph):
    """Returns the number of biconnected components of each vertex."""
    counts = np.zeros(graph.vcount())
    undirected = graph.copy()
    undirected.to_undirected(mode='each')
    for members in undirected.biconnected_components():
        counts[members] += 1
    return counts


def strong(graph):
    smallest = np.zeros(graph.vcount())
    for members in graph.connected_components(mode='strong'):
        smallest[members] = min(members)
    return smallest


def walks_closed(graph):
    """Counts paths of two arcs at each vertex of a directed graph, and paths that an arc closes.  igraph would take the
    graph as undirected."""
    ahead, back = [set() for _ in range(graph.vcount())], [set() for _ in range(graph.vcount())]
    for tail, head in graph.simplify().get_edgelist():
        ahead[tail].add(head)
        back[head].add(tail)
    triples = [len(tails) * len(heads) - len(tails & heads) for tails, heads in zip(back, ahead)]
    closed = [sum(len(ahead[head] & tails) for head in heads) for tails, heads in zip(back, ahead)]
    return np.array(triples, float), np.array(closed, float)


def clustering(graph):
    if graph.is_directed():
        triples, closed = walks_closed(graph)
        found = closed.sum() / triples.sum() if triples.sum() else 0
    else:
        found = graph.simplify().transitivity_undirected(mode='zero')
    return np.full(graph.vcount(), found)


def local(graph):
    if graph.is_directed():
        triples, closed = walks_closed(graph)
        return np.where(triples, closed / np.maximum(triples, 1), 0)
    return graph.simplify().transitivity_local_undirected(mode='zero')


def triangles(graph):
    if graph.is_directed():
        return walks_closed(graph)[1]
    found = np.zeros(graph.vcount())
    for three in graph.simplify().cliques(3, 3):
        found[list(three)] += 1
    return found


# The function that finds the values of each measure, and the tolerance.
MEASURES = {
    'assortativity': (lambda graph: np.full(graph.vcount(), graph.assortativity_degree(graph.is_directed())), 1e-9),
    'clustering': (clustering, 1e-12),
    'components': (components, 0),
    'betweenness': (lambda graph: graph.betweenness(weights='weight' if graph.is_weighted() else None), 1e-9),
    'bridges': (memberships, 0),
    'cores': (lambda graph: graph.coreness(), 0),
    'diameter': (lambda graph: np.full(graph.vcount(), graph.diameter(directed=True, unconn=True)), 0),
    'distances': (distances, 0),
    'eccentricity': (lambda graph: graph.eccentricity(mode='out'), 0),
    'harmonic': (lambda graph: graph.harmonic_centrality(mode='out', normalized=False), 1e-12),
    'lengths': (lengths, 0),
    'lengths_from': (lengths_from, 0),
    'local': (local, 1e-12),
    'mean_distance': (mean_distance, 1e-12),
    'pagerank': (lambda graph: graph.pagerank(), 1e-9),
    'strong': (strong, 0),
    'triangles': (triangles, 0),
}

print('ready', flush=True)
for line in sys.stdin.buffer:
    what, *numbers = line.split()
    vertices, edges, directed, weighted = map(int, numbers)
    ends = np.frombuffer(sys.stdin.buffer.read(8 * edges), np.uint32).reshape(edges, 2)
    weights = np.frombuffer(sys.stdin.buffer.read(4 * edges * weighted), np.int32)
    values = np.frombuffer(sys.stdin.buffer.read(8 * vertices), np.float64)
    graph = igraph.Graph(n=vertices, edges=ends.tolist(), directed=bool(directed))
    if weighted:
        graph.es['weight'] = weights.tolist()
    find, off = MEASURES[what.decode()]
    expected = np.array(find(graph), np.float64)
    wrong = np.flatnonzero(~np.isclose(values, expected, rtol=off, atol=off, equal_nan=True))
    if len(wrong) == 0:
        print('same', flush=True)
    else:
        v = wrong[0]
        print(f'{len(wrong)} vertices differ, first {v}: {values[v]} instead of {expected[v]}', flush=True)
