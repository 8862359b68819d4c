"""Writes networks by NetworkX, igraph and SciPy, and reads files by meshwork.

write FOLDER: writes the same random graphs in the formats of each library, and as edges of names.
read FILE EDGES: reads a file that meshwork wrote; prints the libraries that agree with the edge list EDGES.
"""
# SPDX-License-Identifier: MIT
import random
import sys


def library(name):
    """Returns a module, or None with a line that it is missing."""
    try:
        return __import__(name)
    except ImportError:
        print(f"{name} is not installed: its files are not tested", file=sys.stderr)
        return None


networkx, igraph, scipy = library("networkx"), library("igraph"), library("scipy")


def random_graph(directed, weighted):
    """Returns names of vertices, and edges (tail, head, weight) without repetitions."""
    count = random.randint(2, 30)
    names = [f"name {v} \u00e9&\"" if random.random() < 0.3 else f"v{v}" for v in range(count)]
    pairs = {(random.randrange(count), random.randrange(count)) for _ in range(60)}
    pairs = {p for p in pairs if directed or p[0] <= p[1]}
    pairs.add((0, count - 1))
    return names, [(a, b, random.randint(2, 900) / 4 if weighted else 1) for a, b in sorted(pairs)]


def plain(names):
    """Returns names that Pajek and igraph's GML keep."""
    return [f"v{v}" for v in range(len(names))]


def numbers(names):
    """Returns the names in formats without names."""
    return [str(v) for v in range(len(names))]


def store(path, names, edges, directed, weighted):
    """Writes a graph's edges as sorted lines."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines(((names[a], names[b], w) for a, b, w in edges), directed, weighted)))


def lines(edges, directed, weighted):
    """Returns edges as sorted texts."""
    ordered = ((a, b, w) if directed or a <= b else (b, a, w) for a, b, w in edges)
    return sorted(f"{a}\t{b}\t{float(w):g}" if weighted else f"{a}\t{b}" for a, b, w in ordered)


def write_networkx(path, names, edges, directed, weighted):
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(names)
    for a, b, w in edges:
        graph.add_edge(names[a], names[b], **({"weight": w} if weighted else {}))
    {"gml": networkx.write_gml, "graphml": networkx.write_graphml, "net": networkx.write_pajek}[path.split(".")[-1]](
        graph, path)


def write_igraph(path, names, edges, directed, weighted):
    graph = igraph.Graph(len(names), [(a, b) for a, b, _ in edges], directed=directed)
    graph.vs["name"] = names
    if weighted:
        graph.es["weight"] = [w for _, _, w in edges]
    graph.write(path)


def write_scipy(path, names, edges, directed, weighted):
    from scipy import sparse
    kind = random.choice([sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix])
    both = edges + ([] if directed else [(b, a, w) for a, b, w in edges if a != b])
    values = [w if weighted else 1 for _, _, w in both]
    matrix = kind((values, ([a for a, _, _ in both], [b for _, b, _ in both])), (len(names), len(names)))
    sparse.save_npz(path, matrix, compressed=random.random() < 0.5)


def write_all(folder):
    writers = [(networkx, write_networkx, "gml", None), (networkx, write_networkx, "graphml", None),
               (networkx, write_networkx, "net", plain), (igraph, write_igraph, "gml", plain),
               (igraph, write_igraph, "graphml", None), (igraph, write_igraph, "dot", numbers),
               (scipy, write_scipy, "npz", numbers)]
    seed = random.randrange(1 << 32)
    print("seed", seed)
    random.seed(seed)
    for number, (module, write, suffix, rename) in enumerate(writers * 6):
        if not module:
            continue
        directed, weighted = number % 2 == 1, random.random() < 0.5
        names, edges = random_graph(directed, weighted)
        names = rename(names) if rename else names
        name = f"{number}-{'d' if directed else 'u'}{'w' if weighted or suffix == 'net' and module is networkx else ''}"
        write(f"{folder}/{name}.{suffix}", names, edges, directed, weighted)
        store(f"{folder}/{name}.{suffix}.edges", names, edges, directed, weighted or name.endswith("w"))


def read_networkx(path):
    graph = networkx.read_gml(path) if path.endswith("gml") and not path.endswith("graphml") else \
        networkx.read_graphml(path)
    return list(graph.nodes), [(a, b, d.get("weight", 1)) for a, b, d in graph.edges(data=True)]


def read_igraph(path):
    graph = igraph.Graph.Read(path)
    names = graph.vs["label"] if "label" in graph.vs.attributes() else graph.vs["id"]
    names = [name.replace("&#38;", "&") for name in names]  # igraph 0.10 does not decode &amp; in attributes
    weights = graph.es["weight"] if "weight" in graph.es.attributes() else [1] * graph.ecount()
    return names, [(names[e.source], names[e.target], w) for e, w in zip(graph.es, weights)]


def read_scipy(path, directed):
    from scipy import sparse
    matrix = sparse.load_npz(path).tocoo()
    edges = [(str(a), str(b), w) for a, b, w in zip(matrix.row, matrix.col, matrix.data) if directed or a <= b]
    return range(matrix.shape[0]), edges


def read_all(path, wanted_path):
    with open(wanted_path, encoding="utf-8") as file:
        wanted = file.read().split("\n")
    suffix, base = path.split(".")[-1], path.split("/")[-1]
    directed, weighted = "d" in base.split(".")[0], "w" in base.split(".")[0]
    readers = [(networkx, read_networkx, ("gml", "graphml")), (igraph, read_igraph, ("gml", "graphml")),
               (scipy, lambda file: read_scipy(file, directed), ("npz",))]
    for module, read, suffixes in readers:
        if not module or suffix not in suffixes:
            continue
        _, edges = read(path)
        found = lines(edges, directed, weighted)
        if module is igraph and suffix == "gml" and "&#" in open(path, encoding="utf-8").read():
            continue  # igraph keeps numeric entities as they are
        if found != wanted:
            sys.exit(f"{module.__name__} reads {path} differently: {sorted(set(found) ^ set(wanted))[:4]}")
        print(module.__name__)


if sys.argv[1] == "write":
    write_all(sys.argv[2])
else:
    read_all(sys.argv[2], sys.argv[3])
