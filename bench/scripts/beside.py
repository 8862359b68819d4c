#!/usr/bin/env python3
"""Compares the times of benches on several devices: beside.py DEVICE DEVICE [DEVICE...] <LINES 3>ROWS

A line has a bench's name, a device, a row's name and seconds, separated by tabs.  The minimum of equal rows counts. All
rows go to file 3 as a table.  Standard output gets a summary per bench, in Markdown, and the rows in which the first
device is more than 3 % slower than the second."""
import argparse
import collections
import os
import statistics
import sys

SLOWER = 1.03


def read_rows(lines, devices):
    rows = collections.defaultdict(dict)
    for line in lines:
        words = line.rstrip("\n").split("\t")
        if len(words) != 4 or words[1] not in devices:
            continue
        bench, device, name, seconds = words
        name = " ".join(w for w in name.removeprefix(bench).split(" ") if w and w.rstrip(":,") != device)
        try:
            seconds = float(seconds)
        except ValueError:
            sys.exit(f"beside.py: '{seconds}' is no number of seconds: {line.rstrip()}")
        if seconds > 0:
            times = rows[bench, name]
            times[device] = min(seconds, times.get(device, seconds))
    return rows


def ratios(rows, bench, device, first):
    return [t[device] / t[first] for (b, _), t in rows.items() if b == bench and device in t and first in t]


def spread(values):
    if not values:
        return "||"
    return "| %.2f | %.2f to %.2f " % (statistics.median(values), min(values), max(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("device", nargs=2)
    parser.add_argument("more", nargs="*")
    asked = parser.parse_args()
    devices = asked.device + asked.more
    first, others = devices[0], devices[1:]
    try:
        table = os.fdopen(3, "w")
    except OSError:
        parser.error("rows go to file 3, which is not open: add 3>rows.tsv")
    rows = read_rows(sys.stdin, devices)
    with table:
        print("bench", "row", *devices, sep="\t", file=table)
        for (bench, name), times in rows.items():
            print(bench, name, *("%.4g" % times[d] if d in times else "" for d in devices), sep="\t", file=table)
    print("| bench | rows " + "".join("| %s / %s | from, to " % (d, first) for d in others) + "|")
    print("|---|---" + "|---|---" * len(others) + "|")
    for bench in dict.fromkeys(b for b, _ in rows):
        compared = [spread(ratios(rows, bench, d, first)) for d in others]
        print("| %s | %d " % (bench, len(ratios(rows, bench, others[0], first))) + "".join(compared) + "|")
    for (bench, name), t in rows.items():
        if first in t and others[0] in t and t[first] > SLOWER * t[others[0]]:
            print("slower: %s, %s: %.4g s, not %.4g (%.2f)" % (bench, name, t[first], t[others[0]],
                                                              t[first] / t[others[0]]))


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
