"""Compares the figures of `meshwork bench list --json` (standard input) with what the papers state: networks and
meshes, sizes, lines with their variants and places.  The table is written from the papers, not from the program."""
import json
import os
import re
import sys

K7 = ["kernel %d: %s on devices" % (i + 1, v) for i, v in
      enumerate(["frontier", "counter", "local", "fours", "sorted", "update", "private"])]
FLOYD = "CPU (Floyd): floyd on native:serial"
PATHS = [1000, 5000, 10000, 15000, 20000, 25000, 30000]
ALPHA1 = ["alpha", "n=%1", "k=10"]
ALPHA2 = ["alpha", "n=%1", "k=10", "alpha=7", "p=%2", "substrate=0", "--connected"]
BA100 = ["ba", "n=%1", "m=50"]
WALK = ["variant A: square on devices", "variant B: diamond on devices", "variant C: compact on devices"]
GRAPH = ["CPU: reference on native:serial", "kernel 1: edges on devices", "kernel 2: frontier-image on devices"]
MESH = ["CPU I: raster on native:serial", "CPU II: equivalence on native:serial",
        "kernel A: neighbour-image on devices", "kernel B: tile-image on devices",
        "kernel C: lines-image on devices", "kernel D: equivalence-image on devices"]
DURING = ["%s: auto --label-variant %s on %s" % line for line in [
    ("CPU I", "raster", "native:serial"), ("CPU II", "equivalence", "native:serial"),
    ("kernel A", "neighbour-image", "devices"), ("kernel B", "tile-image", "devices"),
    ("kernel C", "lines-image", "devices"), ("kernel D", "equivalence-image", "devices"),
    ("meshwork today", "auto", "devices")]]
CLUSTER = ["single core: vertices on native:serial", "threads: vertices on native:pthreads",
           "TBB: vertices on native:tbb", "Cell's counterpart: copies on devices",
           "GPU kernel 1: arcs-image on devices", "GPU kernel 2: image on devices",
           "several GPUs, kernel 1: arcs-image on gpus", "several GPUs, kernel 2: image on gpus"]
ABCD = ["A (any lengths): lengths on devices", "B (powers of two): powers on devices"]
M = 1000000
GROUPS = list(range(32, 513, 32))
MIXTURE = ["ising", "bcc", "exchange", "T=%1"]


def memory(name, variant):
    return ["%s, per %s: %s on devices" % (name, what, variant) for what in ("vertex", "arc")]


def fractions(where):
    return ["volume fraction 0.%d: auto --fraction 0.%d on %s" % (f, f, where) for f in range(1, 6)]


def kernel_7(*networks):
    return ["kernel 7, %s vertices: private %s on devices" % n for n in networks]


FIELD = [256, 512, 1024, 2048, 4096]

# id: words of the task, sizes of the paper, lines
FIGURES = {
    "cahn-hilliard/figure-1-left": (["run", "cahn-hilliard", "64x64x64"], [], []),
    "cahn-hilliard/figure-1-right": (["run", "cahn-hilliard", "c=-0.5+0.2*noise", "boundary(c)=value(-1)"], [], []),
    "cahn-hilliard/figure-6": (["run", "cahn-hilliard"], [1024, 2048, 4096], [
        "CPU: fused on native:serial", "kernel A (global memory): fused on devices",
        "kernel B (shared memory): tile on devices", "kernel C (texture memory): image on devices",
        "kernel D (texture and shared): image-tile on devices"]),
    "paths/figure-9": (BA100, [], memory("(e), kernel 1", "frontier") + memory("(f), kernel 4", "fours") +
                       memory("(f), kernel 5", "sorted")),
    "paths/figure-15.1": (["alpha", "k=10", "group=%1"], GROUPS, kernel_7(("200", "-p n=200"))),
    "paths/figure-15.1-full": (["alpha", "k=10", "group=%1"], GROUPS,
                               kernel_7(("10 000", "-p n=10000"), ("30 000", "-p n=30000"))),
    "paths/figure-15.2": (["alpha", "k=10", "alpha=7", "substrate=0", "--connected", "group=%1"], GROUPS,
                          kernel_7(("200", "-p n=200 -p p=5e-10"))),
    "paths/figure-15.2-full": (["alpha", "k=10", "alpha=7", "substrate=0", "--connected", "group=%1"], GROUPS,
                               kernel_7(("10 000", "-p n=10000 -p p=1e-11"), ("30 000", "-p n=30000 -p p=3.33e-12"))),
    "paths/figure-15.3": (["ba", "m=50", "group=%1"], GROUPS, kernel_7(("200", "-p n=200"))),
    "paths/figure-15.3-full": (["ba", "m=50", "group=%1"], GROUPS,
                               kernel_7(("10 000", "-p n=10000"), ("30 000", "-p n=30000"))),
    "paths/figure-11": (ALPHA1, PATHS, K7),
    "paths/figure-12": (ALPHA2, PATHS, K7),
    "paths/figure-13": (BA100, PATHS, K7),
    "paths/figure-14.1": (ALPHA1, PATHS, ["mean distance: auto on native:serial"]),
    "paths/figure-14.2": (ALPHA2, PATHS, ["mean distance: auto on native:serial"]),
    "paths/figure-14.3": (BA100, PATHS, ["mean distance: auto on native:serial"]),
    "paths/table-4.4.1": (ALPHA1, PATHS, [FLOYD, K7[6]]),
    "paths/table-4.4.2": (ALPHA2, PATHS, [FLOYD, K7[6]]),
    "paths/table-4.4.3": (BA100, PATHS, [FLOYD, K7[6]]),
    "carpets/figure-11-occupancy-0.093": (["walk", "single", "random", "3", "%1"], [5000], WALK),
    "carpets/figure-11-occupancy-0.35": (["walk", "single", "random35", "3", "%1"], [5000], WALK),
    "carpets/figure-11-occupancy-0.59": (["walk", "single", "random59", "3", "%1"], [5000], WALK),
    "carpets/figure-12": (["walk", "single", "random", "3", "%1"], [9500], [
        "CPU, 1 thread: tasks on native:serial", "CPU, all threads: tasks on native:pthreads", WALK[2]]),
    "mixtures/figure-2-left": (["run", "ising", "bcc", "exchange", "0.2"], [], []),
    "mixtures/figure-2-right": (["label", "bcc"], [], []),
    "mixtures/figure-3": (MIXTURE, [], fractions("native:serial")),
    "mixtures/figure-3-full": (MIXTURE + ["32x32x32"], [], fractions("devices")),
    "components/table-1-work-groups": (["components", "ws", "n=200000", "k=10", "p=0.1", "group=%1"], GROUPS,
                                       GRAPH[1:] + ["kernel 3: bfs on devices"]),
    "components/table-1-memory": (["components", "ws", "n=%1", "k=10", "p=0.1"], [],
                                  memory("kernel 1", "edges") + memory("kernel 2", "frontier") +
                                  memory("kernel 3", "bfs")),
    "components/figure-11": (["disjoint", "n=%1", "c=100", "m=%2"], [n * M for n in range(2, 17, 2)], GRAPH),
    "components/figure-12": (["disjoint", "n=%2", "c=100", "m=%1"], [m * M for m in range(10, 61, 10)], GRAPH),
    "components/figure-13": (["disjoint", "n=50000", "c=%1", "m=600000"], [1, 10, 100, 1000, 10000], GRAPH),
    "components/figure-13-full": (["disjoint", "n=5000000", "c=%1", "m=60000000"], [10**i for i in range(7)], GRAPH),
    "components/figure-14": (["line", "n=%1"], [n * M // 5 for n in range(1, 6)],
                             GRAPH + ["kernel 3: bfs on devices"]),
    "components/figure-15": (["ba", "n=%1", "m=5"], [n * M for n in range(1, 6)], GRAPH),
    "components/figure-16-p=0.01": (["ws", "n=%1", "k=10", "p=0.01"], [n * M for n in range(2, 15, 2)], GRAPH),
    "components/figure-16-p=0.1": (["ws", "n=%1", "k=10", "p=0.1"], [n * M for n in range(2, 15, 2)], GRAPH),
    "components/figure-16-p=1": (["ws", "n=%1", "k=10", "p=1"], [n * M for n in range(2, 15, 2)], GRAPH),
    "components/figure-17": (["ws", "n=%1", "k=10", "p=1"], [n * M for n in range(2, 15, 2)], [
        "%s: frontier on devices" % part
        for part in ("allocate", "copy to the device", "run", "copy back", "free")]),
    "labels/figure-18": (["run", "cahn-hilliard", "--label-every", "128"], FIELD, DURING),
    "labels/figure-19": (["label", "spiral", "--background=none"], FIELD, MESH),
    "differences/figure-10": (["run", "cahn-hilliard", "euler"], [1024, 2048, 4096], [
        "CPU: fused on native:serial", "threads: fused on native:pthreads", "TBB: fused on native:tbb",
        "GPU: image on devices", "Cell's counterpart: async on devices", "several GPUs: image on gpus"]),
    "clustering/figure-14": (["ws", "n=%1", "k=50", "p=0.1"], list(range(20000, 200001, 20000)), CLUSTER),
    "clustering/figure-15": (["ba", "n=%1", "m=25"], list(range(10000, 100001, 10000)), CLUSTER),
    "random/table-1": (["rng", "ranmar", "float"], [24e9], [
        "CPU: serial on native:serial", "pThreads: tables on native:pthreads",
        "Cell's counterpart: lanes on native:pthreads", "CUDA 1: tables --streams 30720 on devices",
        "CUDA 2: stream on devices",
        "Multi-GPU 1: tables --streams 30720 on gpus", "Multi-GPU 2: stream on gpus"]),
    "transforms/figure-12-shift": (["transform", "shift=100,-37"], FIELD + [8192],
                                   ABCD + ["C (by hand, two dimensions): plane on devices",
                                           "D (CPU): lengths on native:serial"]),
    "transforms/figure-12-flip": (["transform", "flip=0"], FIELD + [8192],
                                  ABCD + ["C (by hand, two dimensions): plane on devices",
                                          "D (CPU): lengths on native:serial"]),
    "transforms/figure-12-crinkle": (["transform", "crinkle=0:4"], FIELD + [8192],
                                     ABCD + ["C (by hand, two dimensions): plane on devices",
                                             "D (CPU): lengths on native:serial"]),
    "ising/figure-13": (["run", "ising"], FIELD + [8192],
                        ABCD + ["C (two dimensions): plane on devices", "A crinkled: crinkled on devices",
                                "B crinkled: powers-crinkled on devices", "C crinkled: plane-crinkled on devices",
                                "D (CPU): plane on native:serial"]),
}


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "labels.tsv"), encoding="utf-8") as file:
    LABELS = {line.split("\t")[0]: line.rstrip("\n").split("\t")[1:] for line in file if line[0] != "#"}


def check_label(figure):
    """The label is that of the table, and its numbers are those of the task."""
    label = [figure["figure"], figure["paper"], figure["grows"], figure["title"], "; ".join(figure["statements"])]
    wrong = ["label is %s" % l for l, e in zip(label, LABELS.get(figure["id"], [""] * 5)) if l != e]
    task = figure["task"].split()
    values = dict(w.split("=", 1) for w in task if re.match(r"\w+=", w))
    degree = float(values["k"]) if "k" in values else 2 * float(values["m"]) if "ba" in task else None
    for name, number in re.findall(r"\b([kp]) = ([\d.]+)", figure["title"]):
        if float(number) != (degree if name == "k" else float(values["p"])):
            wrong.append("title says %s = %s" % (name, number))
    return wrong


def check(figure, expected):
    task, sizes, lines = expected
    missing = [w for w in task if w not in figure["task"].split()]
    wrong = ["task lacks %s" % w for w in missing]
    given = [w for w in figure["task"].split() if re.match(r"[a-z]+=", w)]
    wrong += ["task has %s" % w for w in given if w not in task] + ["%s twice" % w for w in set(given)
                                                                   if given.count(w) > 1]
    wrong += ["size %g is missing" % x for x in sizes if x not in figure["measured_at"]]
    if len(figure["measured_at"]) not in (0, 1) and len(figure["measured_at"]) < 5:
        wrong.append("fewer than five sizes")
    found = [" ".join(("%s: %s %s on %s" % (l["name"], l["variant"], l["more"], l["where"])).split())
             for l in figure["lines"]]
    if found != lines:
        wrong.append("lines are %s" % found)
    wrong += ["name %s is cut in plots" % l["name"] for l in figure["lines"] if len(l["name"]) > 30]
    return wrong


figures = {f["id"]: f for f in json.load(sys.stdin)["figures"]}
errors = ["%s is not in the table" % i for i in figures if i not in FIGURES]
errors += ["%s is not in the program" % i for i in FIGURES if i not in figures]
for name in figures:
    errors += ["%s: %s" % (name, e) for e in (check(figures[name], FIGURES[name]) if name in FIGURES else [])]
    errors += ["%s: %s" % (name, e) for e in check_label(figures[name])]
print("\n".join(errors))
sys.exit(1 if errors else 0)
# SPDX-License-Identifier: MIT
