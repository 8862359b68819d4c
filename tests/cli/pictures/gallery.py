# SPDX-License-Identifier: MIT
"""Runs the commands of doc/gallery.md, and compares the pictures that they make with those of the page:
python3 gallery.py MESHWORK DEVICE GALLERY.md [update]

Pictures of pixels have equal pixels.  Figures have the same size; their squares of 16 pixels have the same mean
colours, but for letters, which depend on installed fonts.  With `update`, new pictures replace those of the page."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import numpy as np

meshwork, device, page = sys.argv[1:4]
update = sys.argv[4:] == ['update']
pictures = os.path.join(os.path.dirname(os.path.abspath(page)), 'pictures')
examples = re.findall(r'^```sh\n(.*?)```\n\n!\[[^]]*\]\(pictures/(\S+)\)$', open(page).read(), re.M | re.S)
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def pixels(path):
    """Returns [y, x, c]."""
    subprocess.run([meshwork, 'transform', 'shift=0,0', path, '-o', 'pixels.npy', '-q', '-d', 'native:serial'],
                   check=True, stdout=subprocess.DEVNULL)
    found = np.load('pixels.npy').astype(float)
    return found[..., :3] if found.ndim == 3 else found[..., None]


def squares(a):
    h, w = a.shape[0] // 16 * 16, a.shape[1] // 16 * 16
    return a[:h, :w].reshape(h // 16, 16, w // 16, 16, -1).mean((1, 3))


wrong = 0
for commands, picture in examples:
    for command in commands.replace('\\\n', '').strip().split('\n'):
        words = shlex.split(command)
        assert words[0] == 'meshwork', command
        words = [device if words[i - 1] == '-d' else word for i, word in enumerate(words)]
        subprocess.run([meshwork] + words[1:] + ['-q'], check=True, stdout=subprocess.DEVNULL)
    drawn = [words[i + 1] for i, word in enumerate(words) if word in ('--png', '--figure', '--sheet', '--plot')][-1]
    kept = os.path.join(pictures, picture)
    if update:
        shutil.copy(drawn, kept)
        continue
    now, then = pixels(drawn), pixels(kept)
    if now.shape != then.shape:
        result = 'has another size: %s, %s' % (now.shape, then.shape)
    elif '--png' in words and 'graph' not in words:
        result = '' if (now == then).all() else 'has other pixels'
    else:
        apart = (abs(squares(now) - squares(then)).max(-1) > 24).mean()
        result = '' if apart < 0.04 else 'differs in %.0f %% of its squares' % (100 * apart)
    if result:
        print('%s: the picture %s %s' % (command, picture, result))
        wrong += 1
print('%d pictures' % len(examples))
sys.exit(wrong > 0)
