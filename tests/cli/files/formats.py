# SPDX-License-Identifier: MIT
"""Compares files of `meshwork transform` with the readers and writers of other programs: formats.py MESHWORK SEED.
Readers that are not installed are skipped by name."""
import importlib
import os
import subprocess
import sys
import zlib

import numpy

meshwork, seed = sys.argv[1], int(sys.argv[2])
random = numpy.random.default_rng(seed)
print('seed', seed)


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(name, 'is not installed: skipped')


def convert(source, to):
    """Returns false if meshwork was built without the library that this needs."""
    done = subprocess.run([meshwork, 'transform', '-d', 'native:serial', '-q', 'shift=0', source, '-o', to],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode and 'built without' in done.stderr:
        print(done.stderr.strip())
        return False
    assert done.returncode == 0, done.stderr
    return True


def same(a, b, what):
    assert a.shape == b.shape and a.dtype.newbyteorder('=') == b.dtype.newbyteorder('='), \
        '%s: %s %s, %s %s' % (what, a.dtype, a.shape, b.dtype, b.shape)
    assert a.tobytes() == b.astype(b.dtype.newbyteorder('=')).tobytes(), '%s: other values' % what


def an_array(types, dims):
    shape = [int(n) for n in random.integers(2, 9, size=dims)]
    kind = types[int(random.integers(len(types)))]
    count = int(numpy.prod(shape)) * numpy.dtype(kind).itemsize
    return numpy.frombuffer(random.integers(0, 120, size=count, dtype='u1').tobytes(), kind).reshape(shape)


real = ['u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'f4', 'f8']
tifffile, PIL, h5py = module('tifffile'), module('PIL.Image'), module('h5py')

for turn in range(20):
    # NumPy: both orders of bytes and of elements are read; archives are written.
    a = an_array(real + ['c8', 'c16'], 1 + turn % 4)
    numpy.save('a.npy', numpy.asarray(a, order='FC'[turn % 2]).astype(a.dtype.newbyteorder('><'[turn // 2 % 2])))
    convert('a.npy', 'b.npz')
    with numpy.load('b.npz') as archive:
        assert archive.files == ['arr_0']
        same(a, archive['arr_0'], 'npz')
    numpy.savez_compressed('c.npz', first=a[:1], second=a)
    if convert('c.npz:second', 'd.npy'):
        same(a, numpy.load('d.npy'), 'npz:second')

    # NRRD and MetaImage, by their specifications.
    a = an_array(real, 1 + turn % 4)
    numpy.save('a.npy', a)
    for name, separator, key, end in (('b.nrrd', ': ', 'sizes', b'\n\n'),
                                      ('b.mha', ' = ', 'DimSize', b'ElementDataFile = LOCAL\n')):
        convert('a.npy', name)
        head, data = open(name, 'rb').read().split(end, 1)
        fields = dict(line.split(separator, 1) for line in head.decode().splitlines() if separator in line)
        assert [int(n) for n in fields[key].split()] == list(a.shape[::-1]), fields
        assert data == a.tobytes(), name
        zipped = zlib.compressobj(wbits=31 if name == 'b.nrrd' else 15)
        head = head.replace(b'encoding: raw', b'encoding: gzip').replace(b'CompressedData = False',
                                                                         b'CompressedData = True')
        open(name, 'wb').write(head + end + zipped.compress(data) + zipped.flush())
        if convert(name, 'd.npy'):
            same(a, numpy.load('d.npy'), name)

    if tifffile:
        a = an_array(real, 2 + turn % 2)
        numpy.save('a.npy', a)
        convert('a.npy', 'b.tif')
        same(a, tifffile.imread('b.tif'), 'tif')
        tifffile.imwrite('c.tif', a, bigtiff=bool(turn % 3), byteorder='<>'[turn % 2], photometric='minisblack',
                         tile=(16, 16) if turn % 4 == 0 else None)
        if convert('c.tif', 'd.npy'):
            same(a, numpy.load('d.npy'), 'tif of tifffile')
    if PIL:
        a = an_array(['u1', 'u2'], 2)
        numpy.save('a.npy', a)
        if convert('a.npy', 'b.png'):
            same(a.astype('i4'), numpy.asarray(PIL.open('b.png')).astype('i4'), 'png')
        rgb = an_array(['u1'], 2)[:, :, None] + numpy.arange(3, dtype='u1')
        PIL.fromarray(rgb).save('c.tif')
        if convert('c.tif', 'd.npy'):
            same(rgb, numpy.load('d.npy'), 'colours of Pillow')
    if h5py:
        a = an_array(real + ['c8', 'c16'], 1 + turn % 4)
        with h5py.File('c.h5', 'w') as file:
            file.create_dataset('group/a', data=a.astype(a.dtype.newbyteorder('><'[turn % 2])),
                                compression='gzip' if turn % 3 else None, shuffle=bool(turn % 2))
            file['other'] = numpy.arange(3) > 1
        if convert('c.h5:/group/a', 'd.npy'):
            same(a, numpy.load('d.npy'), 'HDF5')
            convert('c.h5:/other', 'd.npy')
            same(numpy.array([0, 0, 1], 'i1'), numpy.load('d.npy'), 'bool of HDF5')
            if a.ndim > 1:
                convert('c.h5:group/a[-2]', 'd.npy')
                same(a[-2], numpy.load('d.npy'), 'a frame of HDF5')
    for name in os.listdir('.'):
        if name[1:2] == '.':
            os.remove(name)
