#!/usr/bin/python3
"""Breaks random places of src, and reports which tests notice: tests/mutate.py FOLDER [-n 50] [-s SEED] [-j JOBS].

All mutants are in one build, in FOLDER, and $MW_MUTANT selects one of them.  Each test runs once without a mutant and
records the places that it reached.  Then each mutant runs the tests that reach its place, the quickest first, until one
fails or takes five times as long.  Mutants that no test of `check` notices also run the tests of `check-all`.  Results
are kept in FOLDER/results, so that an interrupted run can be resumed.  Ends with the survivors.

A place is an expression on one line of a function: a condition, or an assigned or returned value.  The mutant changes
an operator, a constant or a negation, or omits a call whose result is unused."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
OPERATORS = [(r' <= ', ' < '), (r' < ', ' <= '), (r' >= ', ' > '), (r' > ', ' >= '), (r' == ', ' != '),
             (r' != ', ' == '), (r' && ', ' || '), (r' \|\| ', ' && '), (r' \+ ', ' - '), (r' - ', ' + '),
             (r' \* ', ' + '), (r'!(?=[\w(])', '')]
# Parts of names of tests, in the order of running: after a test has noticed a mutant, no other test runs.
STAGES = ('tests/unit/', '-serial.on', '.sh', '-pthreads.on', '')
# Several files may be one unit of the compiler.
DECLARED = ('extern int mw_mutant; extern unsigned char *mw_mutants_reached;\n'
            '#define MW_MUTANT(n) (mw_mutants_reached[n] = 1, mw_mutant == (n))\n')
# The library and the command have a copy each.
RUNTIME = r'''
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((visibility("hidden"))) int mw_mutant = -1;
static unsigned char nothing_reached[65536];
__attribute__((visibility("hidden"))) unsigned char *mw_mutants_reached = nothing_reached;
__attribute__((constructor)) static void find_mutant(void)
{
    const char *mutant = getenv("MW_MUTANT"), *path = getenv("MW_MUTANTS_REACHED");
    if (mutant)
        mw_mutant = atoi(mutant);
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *memory = mmap(NULL, sizeof nothing_reached, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED)
            mw_mutants_reached = memory;
        close(file);
    }
}
'''


def masked(line):
    """Returns the line with its strings, characters and comments blanked out."""
    return re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/', lambda m: 'x' * len(m[0]), line)


def closed(text):
    """Returns whether parentheses are balanced, and no comma is outside of them."""
    depth = 0
    for c in text:
        depth += (c in '([{') - (c in ')]}')
        if depth < 0 or (c == ',' and depth == 0):
            return False
    return depth == 0


def expressions(line):
    """Returns the spans of whole expressions of a line."""
    m = re.match(r' +(?:\} else )?(?:if|while) \((.*)\)(?: \{|$| return\b.*;$| break;$| continue;$)', line)
    if m and closed(m[1]):
        yield m.span(1)
    m = re.match(r' +for \([^;]*; ([^;]*); .*', line)
    if m and closed(m[1]):
        yield m.span(1)
    m = re.match(r'(?: +| +if \(.*\) )return (.*);$', line)
    if m and closed(m[1]):
        yield m.span(1)
    m = re.match(r' +(?!static\b|for\b|if\b)[\w>.\[\]* -]+? [-+*/|&]?= ([^{].*);$', line)
    if m and closed(m[1]):
        yield m.span(1)


def mutants_of(path):
    """Returns (line number, text, replacement with %d for the mutant) for all places of a file."""
    lines = path.read_text().split('\n')
    for number, line in enumerate(lines):
        hidden = masked(line)
        if hidden.endswith('\\') or '//' in hidden:
            continue
        for begin, end in expressions(hidden):
            there = line[begin:end]
            changes = [(m.start(), m.end(), new) for old, new in OPERATORS
                       for m in re.finditer(old, hidden[begin:end])]
            changes += [(m.start(), m.end(), str(int(m[0]) + 1))
                        for m in re.finditer(r'(?<![\w.])(?:0|[1-9]\d{0,8})(?![\w.])', hidden[begin:end])]
            for a, b, new in changes:
                other = there[:a] + new + there[b:]
                yield number, line, (f'{line[:begin]}(MW_MUTANT(%d) ? ({other}) : ({there})){line[end:]}', other)
        before = lines[number - 1].rstrip()
        if re.match(r' +(?:TRY|TRY_RETURN|mw_\w+|[a-z]\w*)\(.*\);$', hidden) and closed(hidden.strip(' ;')) and \
                (before == '' or before[-1] in ';{}/') and not re.match(r' +(?:free|assert)\(', hidden):
            blanks = len(line) - len(line.lstrip())
            yield number, line, (f'{line[:blanks]}if (!MW_MUTANT(%d)) {{ {line.strip()} }}', 'nothing')


def make_mutants(tree, seed, count, compiles):
    """Writes mutants into a copy of the sources, each of which compiles by itself; returns (file, line, text, text)."""
    places = [(str(path.relative_to(tree)), *place) for path in sorted((tree / 'src').rglob('*.c'))
              for place in mutants_of(path)]
    # No two in a line.
    random.Random(seed).shuffle(places)
    print(f'seed {seed}: {count} of {len(places)} mutants', flush=True)
    chosen, taken = [], set()
    for file, number, line, (text, other) in places:
        if len(chosen) == count:
            break
        if (file, number) in taken:
            continue
        path = tree / file
        before = path.read_text()
        lines = before.split('\n')
        shift = before.startswith(DECLARED) * DECLARED.count('\n')
        lines[number + shift] = text.replace('%d', str(len(chosen)), 1)
        path.write_text(('' if shift else DECLARED) + '\n'.join(lines))
        if compiles(file):
            taken.add((file, number))
            chosen.append((file, number + 1, line.strip(), other))
        else:
            path.write_text(before)
    return chosen


def shell_environment(build):
    """Returns the environment that make sets for tests."""
    text = subprocess.run(['make', '-s', '--eval', 'mutate: ; @$(AM_TESTS_ENVIRONMENT) env -0', 'mutate'], cwd=build,
                          stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(pair.split('=', 1) for pair in text.split('\0') if '=' in pair)


def printed(build, text):
    """Returns the words of a text after make has expanded it."""
    return subprocess.run(['make', '-s', '--eval', f'mutate: ; @echo {text}', 'mutate'], cwd=build,
                          stdout=subprocess.PIPE, check=True).stdout.decode().split()


def tests_of(build, name):
    return [test for test in printed(build, f'$({name})') if not test.startswith('tests/lint/')]


def run_test(work, test, home, environment, seconds):
    """Returns the exit status of a test (None: too long), and its seconds."""
    environment = {k: v.replace(str(work / 'build/tests/home'), str(home)) for k, v in environment.items()}
    # As automake runs them: a script is the source's or the build's.
    where = work / 'build' / test
    command = [str(where if where.exists() else work / 'tree' / test)]
    if test.endswith(('.sh', '.on')):
        command.insert(0, 'sh')
    environment['srcdir'] = '../tree'
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=work / 'build', env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        status = None
    return status, time.monotonic() - begin


class Run:
    def __init__(self, work, seed, count, jobs):
        self.work, self.jobs, self.names = work, jobs, []
        self.file = work / 'results'
        work.mkdir(parents=True, exist_ok=True)
        self.done = json.loads(self.file.read_text()) if self.file.exists() else {'tests': {}, 'mutants': {}}
        if 'places' not in self.done:
            self.build(seed, count)
        self.environment = shell_environment(work / 'build')

    def save(self):
        self.file.with_suffix('.new').write_text(json.dumps(self.done, indent=1))
        self.file.with_suffix('.new').rename(self.file)

    def build(self, seed, count):
        tree, build = self.work / 'tree', self.work / 'build'
        shutil.rmtree(tree, ignore_errors=True)
        files = subprocess.run(['git', 'ls-files'], cwd=SOURCE, stdout=subprocess.PIPE, check=True).stdout.decode()
        for file in files.split():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / file, tree / file)
        build.mkdir(exist_ok=True)
        quiet = dict(stdout=subprocess.DEVNULL, check=True)
        subprocess.run(['./bootstrap'], cwd=tree, stderr=subprocess.DEVNULL, **quiet)
        cc = os.environ.get('CC', 'cc')
        subprocess.run([tree / 'configure', '-q', '--disable-clones', 'CFLAGS=-g1 -O1', f'CC={cc} -w'], cwd=build,
                       **quiet)
        subprocess.run(['make', '-s', 'kernels/stamp'], cwd=build, **quiet)
        flags = printed(build, '$(AM_CPPFLAGS) $(OPENCL_CFLAGS) $(HWLOC_CFLAGS)')

        def compiles(file):
            return subprocess.run([*cc.split(), '-std=gnu11', '-fsyntax-only', '-w', '-DHAVE_CONFIG_H', '-I.', *flags,
                                   tree / file], cwd=build, stderr=subprocess.DEVNULL).returncode == 0
        places = make_mutants(tree, seed, count, compiles)
        with open(tree / 'src/base/memory.c', 'a') as memory:
            memory.write(RUNTIME)
        subprocess.run(['make', '-s', f'-j{self.jobs}', 'all'], cwd=build, **quiet)
        subprocess.run(['make', '-s', f'-j{self.jobs}', 'check', 'TESTS='], cwd=build, **quiet)
        self.done['places'] = places
        self.save()

    def reach(self, tests):
        """Runs tests that have not run yet without a mutant."""
        build, home = self.work / 'build', self.work / 'build/tests/home'
        subprocess.run(['make', '-s', '-k', f'-j{self.jobs}', *[test for test in tests if not test.endswith('.sh')]],
                       cwd=build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def one(test):
            reached = self.work / ('reached-' + test.replace('/', '-'))
            reached.write_bytes(bytes(65536))
            status, seconds = run_test(self.work, test, home,
                                       dict(self.environment, MW_MUTANTS_REACHED=str(reached)), 900)
            places = [n for n, byte in enumerate(reached.read_bytes()) if byte]
            reached.unlink()
            return test, {'status': status, 'seconds': seconds, 'places': places}
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            new = [pool.submit(one, test) for test in tests if test not in self.done['tests']]
            for job in concurrent.futures.as_completed(new):
                test, found = job.result()
                self.done['tests'][test] = found
                self.save()

    def noticed(self, mutant, tests, home):
        """Returns the first of these tests that notices a mutant, and the number of tests that ran."""
        asked = [test for test in tests if self.done['tests'][test]['status'] == 0
                 and mutant in self.done['tests'][test]['places']]
        for n, test in enumerate(sorted(asked, key=lambda test: self.done['tests'][test]['seconds'])):
            seconds = self.done['tests'][test]['seconds']
            status, _ = run_test(self.work, test, home, dict(self.environment, MW_MUTANT=str(mutant)),
                                 30 + 5 * seconds)
            if status not in (0, 77):
                return test, n + 1
        return None, len(asked)

    def meet(self, part, stage, tests):
        """Runs more tests of a part for the mutants that no test of it has noticed so far."""
        def one(mutant):
            home = self.work / f'home-{mutant}'
            # Caches lose temporary files while they are copied.
            subprocess.run(['cp', '-a', self.work / 'build/tests/home', home], stderr=subprocess.DEVNULL)
            found = self.noticed(mutant, tests, home)
            shutil.rmtree(home, ignore_errors=True)
            return mutant, found
        wanted = [n for n in self.unnoticed(*self.names) if stage not in self.met(n, part)['stages']]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for job in concurrent.futures.as_completed([pool.submit(one, mutant) for mutant in wanted]):
                mutant, (test, asked) = job.result()
                met = self.met(mutant, part)
                met['test'] = test
                met['asked'] += asked
                met['stages'].append(stage)
                self.save()
                file, line, text, other = self.done['places'][mutant]
                print(f'{mutant}: {test or f"not noticed by {asked} of {part} in {stage}"}: {file}:{line}: {other}',
                      flush=True)

    def met(self, mutant, part):
        """Returns the result of a part's tests for a mutant: the test that noticed it, and the number of tests that
        ran."""
        parts = self.done['mutants'].setdefault(str(mutant), {})
        return parts.setdefault(part, {'test': None, 'asked': 0, 'stages': []})

    def unnoticed(self, *parts):
        return [n for n in range(len(self.done['places'])) if not any(self.met(n, part)['test'] for part in parts)]


def main():
    words = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    words.add_argument('folder', type=pathlib.Path)
    words.add_argument('-n', '--number', type=int, default=50)
    words.add_argument('-s', '--seed', type=int, default=int(time.time()))
    words.add_argument('-j', '--jobs', type=int, default=2)
    words.add_argument('--check-only', action='store_true', help='leave out the tests of check-all')
    given = words.parse_args()
    run = Run(given.folder.resolve(), given.seed, given.number, given.jobs)
    parts = [('check', 'TESTS')] + ([] if given.check_only else [('check-all', 'MORE_TESTS')])
    for n, (part, name) in enumerate(parts):
        tests = tests_of(run.work / 'build', name)
        run.names = [part for part, _ in parts[:n + 1]]
        for stage in STAGES:
            some = [test for test in tests if next(s for s in STAGES if s in test) == stage]
            if run.unnoticed(*run.names):
                run.reach(some)
                run.meet(part, stage, some)
    survivors = run.unnoticed('check')
    print(f'\ncheck notices {len(run.done["places"]) - len(survivors)} of {len(run.done["places"])} mutants', end='')
    print('' if given.check_only else f', check-all {len(survivors) - len(run.unnoticed("check", "check-all"))} more')
    for n in survivors:
        file, line, text, other = run.done['places'][n]
        print(f'\n{file}:{line}: {text}\n    instead: {other}')
        print('    ' + '; '.join(f'{part}: {run.met(n, part)["test"] or "none"} of {run.met(n, part)["asked"]} tests'
                                for part, _ in parts))


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
