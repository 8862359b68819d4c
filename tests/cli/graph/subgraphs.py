# SPDX-License-Identifier: MIT
"""Compares edges to subgraphs in random DOT files with Graphviz: python3 subgraphs.py MESHWORK FOLDER SEED."""
import os
import random
import subprocess
import sys

import pygraphviz

meshwork, folder, seed = sys.argv[1:]
os.chdir(folder)
print('seed', seed)
rng = random.Random(int(seed))


def operand(depth):
    if depth > 3 or rng.random() < 0.5:
        return 'n%d' % rng.randrange(12)
    inner = ' '.join(statement(depth + 1) for _ in range(rng.randrange(4)))
    return rng.choice(('subgraph S%d ' % rng.randrange(3), 'subgraph ', '')) + '{ ' + inner + ' }'


def statement(depth):
    return joint.join(operand(depth) for _ in range(rng.choice((1, 1, 2, 2, 3)))) + ';'


for case in range(50):
    joint = rng.choice((' -> ', ' -- '))
    text = ('digraph' if '>' in joint else 'graph') + ' { ' + ' '.join(statement(0) for _ in range(4)) + ' }'
    with open('random.dot', 'w') as file:
        file.write(text)
    subprocess.run([meshwork, 'graph', 'convert', 'random.dot', 'random.txt', '-q', '-d', 'native:serial'], check=True,
                   stdout=subprocess.DEVNULL)
    found = [tuple(line.split()) for line in open('random.txt') if line[0] != '#']
    expected = pygraphviz.AGraph(string=text).edges()
    if '-- ' in joint:
        found, expected = ([tuple(sorted(edge)) for edge in edges] for edges in (found, expected))
    assert sorted(found) == sorted(expected), text
os.remove('random.dot')
os.remove('random.txt')
