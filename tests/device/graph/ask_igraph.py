"""igraph's components for tests/device/graph/graph_igraph, which starts this and sends it graphs: a line of the numbers
of vertices and edges, then two uint32 an edge, then an int32 a vertex, its label.  The answer is "same", or what
differs from the smallest vertex of each component."""
import sys

try:
    import igraph
    import numpy as np
except ImportError:
    sys.exit(1)

print('ready', flush=True)
for line in sys.stdin.buffer:
    vertices, edges = map(int, line.split())
    ends = np.frombuffer(sys.stdin.buffer.read(8 * edges), np.uint32).reshape(edges, 2)
    labels = np.frombuffer(sys.stdin.buffer.read(4 * vertices), np.int32)
    graph = igraph.Graph(n=vertices, edges=ends.tolist())
    expected = np.zeros(vertices, np.int64)
    for members in graph.connected_components():
        expected[members] = min(members)
    wrong = np.flatnonzero(expected != labels)
    if len(wrong) == 0:
        print('same', flush=True)
    else:
        v = wrong[0]
        print(f'{len(wrong)} vertices differ, first {v}: {labels[v]} instead of {expected[v]}', flush=True)
