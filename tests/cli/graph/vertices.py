"""Compares the values of vertices in a table, an array and GraphML: TABLE ARRAY GRAPHML."""
# SPDX-License-Identifier: MIT
import csv
import math
import sys
import xml.etree.ElementTree as xml

import numpy

space = "{http://graphml.graphdrawing.org/xmlns}"
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    titles, *rows = list(csv.reader(file))
array = numpy.load(sys.argv[2])
root = xml.parse(sys.argv[3]).getroot()
nodes = root.findall(f".//{space}node")
kinds = {k.get("id"): k.get("attr.type") for k in root.findall(f"{space}key") if k.get("for") == "node"}
names = [node.get("id") for node in nodes]
assert titles[0] == "vertex" and list(kinds) == titles[1:], (titles, kinds)
assert len(rows) == len(nodes) == len(array) > 0
array = array.reshape(len(rows), -1)
missing = 0
for row, node, values in zip(rows, nodes, array):
    found = {data.get("key"): data.text for data in node}
    assert row[0].lstrip("'") == node.get("id"), (row, node.get("id"))
    for title, text, value in zip(titles[1:], row[1:], values):
        missing += text == ""
        assert found.get(title, "") == text.lstrip("'"), (row, found)
        if kinds[title] == "string":
            assert math.isnan(value) if text == "" else names[int(value)] == found[title], (row, value)
        else:
            assert math.isnan(value) if text in ("", "nan") else float(text) == value, (row, value)
print(len(rows), "vertices,", missing, "missing values")
