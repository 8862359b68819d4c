#!/usr/bin/env python3
"""Makes the pages of doc/results/papers from results of `meshwork bench`.

usage: pages.py FOLDER NAME=FILE.json...     (MESHWORK: the command, default meshwork)

NAME is a machine as it appears in the pages.  There is a page per paper, with the first machine's plot of each figure,
the paper's statements and our numbers.  What is written below a figure's line "<!-- written -->" stays.  table.md has
all figures."""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile

MESHWORK = os.environ.get("MESHWORK", "meshwork")
PAGES = {"Exploiting": "exploiting", "Simulating": "carpets", "Parallel Graph": "labelling", "Mixing": "mixing",
         "Hypercubic": "storage"}
WRITTEN = "<!-- written -->"
HEAD = ("<!-- SPDX-License-Identifier: MIT -->\n"
        "<!-- Made by bench/scripts/pages.py, but for the texts below \"written\". -->\n")


DRAWINGS = """
The other figures and tables of the papers show no results of programs:

| paper | figures |
|---|---|
| Leist et al. 2009 | 2 to 5 and 8: flow of data, threads, a stencil; tables of devices |
| Hoffmann et al. 2010 | 1 to 10: generators, a carpet, hardware, listings |
| Hawick et al. 2010, labelling | 1 and 4 to 10: meshes, data structures, steps of the methods |
| Hawick et al. 2010, mixing | 1 to 9, 11 to 13 and 16: hardware, data structures, phases |
| Hawick, Playne 2011 | 1 to 10: indices, masks, examples of transforms |

Figures 7, 10 and 16 (Leist), table I (Hoffmann) and figure 11 (Hawick, Playne) are made of the same rows as others: of
6, 11 to 13, table 4.4; of 11; and of 12.
"""


def ask(*words):
    return subprocess.run([MESHWORK, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def page_of(paper):
    return next(name for start, name in PAGES.items() if paper.startswith(start))


def shorter(svg):
    """Leaves out what does not show: descriptions, empty groups, usual values and spaces."""
    svg = re.sub(r"<(title|desc)>.*?</\1>", "", svg, flags=re.S)
    svg = re.sub(r' stroke-line(?:cap="butt"|join="miter")| stroke-width="1.00"| class="gridline"', "", svg)
    svg = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", svg))
    svg = re.sub(r"<use [^>]*(?:scale\(0\.00\)|color='transparent')[^>]*/>", "", svg)
    while (without := re.sub(r"<(g|a)\b[^>]*></\1>", "", svg)) != svg:
        svg = without
    return svg


class Machine:
    """The results of a machine: its plots by figure, its numbers by figure and statement."""

    def __init__(self, name, path):
        self.name = name
        with open(path, encoding="utf-8") as file:
            self.about = json.load(file)
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            ask("report", path, "-o", page, "--quiet")
            with open(page, encoding="utf-8") as file:
                self.sections = dict(re.findall(r'<section id="([^"]*)">(.*?)</section>', file.read(), re.S))
        self.said = {}
        for row in json.loads(ask("report", path, "--statements", "--json")):
            self.said[row["id"], row["statement"]] = row

    def plot(self, figure):
        found = re.search(r"<svg.*?</svg>", self.sections.get(figure, ""), re.S)
        return found and shorter(found.group().replace("<svg ", '<svg color="black" style="background:white" ', 1))

    def picture(self, figure):
        found = re.search(r'src="data:image/png;base64,([^"]*)"', self.sections.get(figure, ""))
        return found and found.group(1)

    def sizes(self, figure):
        """The sizes that have a result."""
        for f in self.about["figures"]:
            if "%s/%s" % (f["suite"], f["name"].replace(", ", "-").replace(" ", "-")) == figure:
                xs = [c["x"] for c in f["cases"] if any(r.get("seconds") or r.get("value") for r in c["rows"])]
                return xs and "%s %.10g" % (f["grows"], xs[0]) + (" to %.10g" % xs[-1] if xs[1:] else "")
        return ""


RULE = """"agrees" means: an exponent within 10 % of the paper's, a factor, a constant or seconds within a factor of 2.
Changes have the same sign, and bytes the same number. It is empty without a number of the paper, or of ours in its
range of sizes.

"""


def agreement(said):
    """Whether our number is that of the paper, by RULE."""
    ours = re.match(r"([+-]?[0-9.]+(?:e[+-]?[0-9]+)?)( [mun\u00b5]?s\b)?", said["here"])
    if not ours or "least" not in said:
        return ""
    scale = {"ms": 1e-3, "us": 1e-6, "\u00b5s": 1e-6, "ns": 1e-9}.get((ours.group(2) or "").strip(), 1)
    ours, least, most = float(ours.group(1)) * scale, said["least"], said.get("most", float("inf"))
    slack = {"exponent": 1.1, "factor": 2, "constant": 2, "seconds": 2, "value": 1}
    if said["kind"] == "change":
        agrees = ours * least > 0
    elif most == float("inf"):
        agrees = ours >= least
    else:
        agrees = least / slack[said["kind"]] <= ours <= most * slack[said["kind"]]
    return "yes" if agrees else "no"


def cell(said):
    """Our numbers: those of the paper's lines, then those of what meshwork chooses today."""
    here, today = said["here"].replace(" in this range", ""), said["today"]
    here = here.replace("fewer than five sizes or three rounds", "too few sizes")
    return here + ("; today: " + today if today and today[0].isdigit() else "")


def statements(figure, machines):
    rows = []
    for words in figure["statements"]:
        said = [m.said.get((figure["id"], words)) for m in machines]
        cells = [cell(s) if s else "not run" for s in said]
        agrees = [agreement(s) if s else "" for s in said]
        place = next((s["place"] for s in said if s), "")
        rows.append(("%s (%s)" % (words, place), cells, agrees))
    return rows


def table(machines, rows):
    text = "| the paper | %s |\n|---|%s\n" % (" | ".join("%s | agrees" % m.name for m in machines),
                                           "---|---|" * len(machines))
    for words, cells, agrees in rows:
        text += "| %s | %s |\n" % (words, " | ".join("%s | %s" % pair for pair in zip(cells, agrees)))
    return text


def keep(folder, name, content, mode="w"):
    with open(os.path.join(folder, name), mode) as file:
        file.write(content)
    return name


def drawings(figure, machines, folder):
    """Writes the plots or the picture of a figure; returns Markdown that shows them."""
    name, m = figure["id"].replace("/", "-").replace("=", "-"), machines[0]
    svg, png = m.plot(figure["id"]), m.picture(figure["id"])
    if svg:
        return "![%s, %s](%s)\n" % (figure["title"], m.name, keep(folder, name + ".svg", svg))
    return png and "![%s](%s)\n" % (figure["title"], keep(folder, name + ".png", base64.b64decode(png), "wb")) or ""


def written(path):
    """The texts that people wrote, by figure."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        pattern = r"<!-- figure (\S+) -->.*?" + WRITTEN + r"\n(.*?)(?=\n## [^\n]*\n\n<!-- figure |\n<!-- end -->)"
        parts = re.findall(pattern, file.read(), re.S)
    return {figure: text.strip() for figure, text in parts}


def section(figure, machines, folder, texts):
    lines = ["## %s: %s\n" % (figure["figure"][0].upper() + figure["figure"][1:], figure["title"]),
             "<!-- figure %s -->" % figure["id"], "`meshwork bench %s`" % figure["id"]]
    sizes = ["%s: %s" % (m.name, m.sizes(figure["id"])) for m in machines if m.sizes(figure["id"])]
    lines[-1] += "".join("; " + s for s in sizes) + ("" if sizes or not figure["lines"] else "; not run")
    text = "\n".join(lines) + "\n\n" + drawings(figure, machines, folder)
    rows = statements(figure, machines)
    if rows:
        text += "\n" + table(machines, rows)
    return "%s\n%s\n%s\n\n" % (text, WRITTEN, texts.get(figure["id"], ""))


def main():
    folder = sys.argv[1]
    machines = [Machine(*word.split("=", 1)) for word in sys.argv[2:]]
    figures = json.loads(ask("bench", "list", "--json"))["figures"]
    os.makedirs(folder, exist_ok=True)
    index = ""
    for paper in dict.fromkeys(f["paper"] for f in figures):
        page = page_of(paper) + ".md"
        texts = written(os.path.join(folder, page))
        body = HEAD + "# %s\n\n<!-- figure - -->\n%s\n%s\n\n" % (paper, WRITTEN, texts.get("-", ""))
        index += "| **%s** | | %s |\n" % (paper, " | ".join("" for m in machines for _ in range(2)))
        for figure in (f for f in figures if f["paper"] == paper):
            body += section(figure, machines, folder, texts)
            first = "| [%s](%s), `%s` |" % (figure["figure"], page, figure["id"])
            rows = statements(figure, machines) or [("none printed" if figure["lines"] else "a picture",
                                                     [m.sizes(figure["id"]) or "" for m in machines],
                                                     ["" for m in machines])]
            for words, cells, agrees in rows:
                index += "%s %s | %s |\n" % (first, words, " | ".join("%s | %s" % p for p in zip(cells, agrees)))
                first = "| |"
        keep(folder, page, body + "<!-- end -->\n")
    top = "| figure, case | the paper | %s |\n|---|---|%s\n" % (" | ".join("%s | agrees" % m.name for m in machines),
                                                              "---|---|" * len(machines))
    keep(folder, "table.md", HEAD + "# All figures and tables of the papers\n\n" + RULE + top + index + DRAWINGS)


main()
# SPDX-License-Identifier: MIT
