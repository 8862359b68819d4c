# SPDX-License-Identifier: MIT
"""Compares the files of tests/cli/files/hdf5.sh with states in .npy files, by h5py and xarray.  Readers that are not
installed are skipped by name."""
import glob
import importlib
import sys
import xml.etree.ElementTree as xml

import numpy


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(name, 'is not installed: skipped')


h5py, xarray = module('h5py'), module('xarray')
if not h5py:
    sys.exit()


def same(found, wanted, what):
    assert found.dtype == wanted.dtype and found.shape == wanted.shape, '%s: %s %s' % (what, found.dtype, found.shape)
    assert (found == wanted).all(), '%s: other values' % what


with h5py.File('whole.h5', 'r') as file, h5py.File('part.h5', 'r') as part:
    assert list(file['step'][:]) == [0, 20, 40, 60, 80, 90], file['step'][:]
    assert numpy.allclose(file['time'][:], file['step'][:] * file.attrs['dt'])
    for i, step in enumerate(file['step'][:]):
        state = numpy.load('state-%d.npy' % step)
        same(file['u'][i], state[0], 'u')
        same(file['v'][i], state[1], 'v')
    assert file['u'].compression == 'gzip' and file['u'].shuffle and file['u'].maxshape == (None, 12, 20)
    assert file.attrs['model'] == b'gray-scott' and file.attrs['seed'] == 4 and file.attrs['parameter_F'] == 0.06
    assert b'--every 20' in file.attrs['command'] and len(file.attrs['model_hash']) == 16
    # The resumed file has no frame of the run that went on to step 55.
    for name in 'step', 'time', 'u', 'v':
        same(part[name][:], file[name][:], 'resumed ' + name)

with h5py.File('volume.nc', 'r') as file:
    same(file[next(n for n in file if file[n].ndim > 1)][2], numpy.load('volume-4.npy'), 'volume')
    assert list(file['z'][:]) == [0, 0.5, 1, 1.5] and len(file['x']) == 6
with h5py.File('systems.h5', 'r') as file:
    same(file['c'][0], numpy.load('systems.npy'), 'systems')
    assert [d[0].name for d in file['c'].dims] == ['/time', '/system', '/y', '/x']
for name, state in (('spins', 'spins-4'), ('walk', 'walk')):
    with h5py.File(name + '.h5', 'r') as file:
        field = [n for n in file if file[n].ndim > 1]
        assert len(field) == 1
        same(file[field[0]][-1], numpy.load(state + '.npy'), name)
with h5py.File('vectors.h5', 'r') as file:
    state = numpy.load('vectors.npy')
    fields = sorted(n for n in file if file[n].ndim > 1)
    assert len(fields) == 3
    for i, name in enumerate(fields):
        same(file[name][0], state[i], name)

# Killed runs: all frames up to the last flush.  A run that is killed during a flush may leave a damaged file.
frames = 0
for name in glob.glob('killed-*.h5'):
    try:
        with h5py.File(name, 'r') as file:
            steps, states = file['step'][:], file['u'][:]
    except OSError as error:
        print(name, 'was killed during a flush:', error)
        continue
    frames += len(steps)
    assert list(steps) == [2000 * i for i in range(len(steps))]
    assert len(states) == len(steps) and numpy.isfinite(states).all()
assert frames > 0, 'killed runs have no frames'
print(frames, 'frames of killed runs')

# XDMF: each grid refers to the part of the HDF5 file that has its time.
grids = xml.parse('whole.xdmf').getroot().findall('Domain/Grid/Grid')
with h5py.File('whole.h5', 'r') as file:
    assert [float(g.find('Time').get('Value')) for g in grids] == list(file['time'][:])
    for i, grid in enumerate(grids):
        assert grid.find('Topology').get('Dimensions') == '1 12 20'
        for attribute in grid.findall('Attribute'):
            slab = attribute.find('DataItem')
            start, stride, count = numpy.array(slab[0].text.split(), int).reshape(3, -1)
            path, name = slab[1].text.split(':')
            assert path == 'whole.h5' and slab[1].get('Dimensions') == ' '.join(map(str, file[name].shape))
            assert list(stride) == [1, 1, 1] and slab.get('Dimensions') == '1 12 20'
            part = file[name][tuple(slice(a, a + n) for a, n in zip(start, count))]
            same(part[0], file[attribute.get('Name')][i], 'XDMF')

# ParaView's reader.
xdmf = module('vtkmodules.vtkIOXdmf2')
if xdmf:
    support = importlib.import_module('vtkmodules.util.numpy_support')
    for name, shape, spacing, steps, wanted in (
            ('whole.xdmf', (20, 12, 1), (1, 1, 1), (0, 20, 40, 60, 80, 90),
             lambda s: numpy.load('state-%d.npy' % s)[0]),
            ('volume.xdmf', (6, 5, 4), (0.5, 0.5, 0.5), (0, 2, 4), lambda s: numpy.load('volume-%d.npy' % s))):
        reader = xdmf.vtkXdmfReader()
        reader.SetFileName(name)
        reader.UpdateInformation()
        times = reader.GetExecutive().GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS())
        assert len(times) == len(steps), times
        for time, step in zip(times, steps):
            reader.UpdateTimeStep(time)
            grid = reader.GetOutputDataObject(0)
            while hasattr(grid, 'GetBlock'):
                grid = grid.GetBlock(0)
            assert grid.GetDimensions() == shape and grid.GetSpacing() == spacing, grid.GetDimensions()
            values = support.vtk_to_numpy(grid.GetPointData().GetArray(0))
            same(values.reshape(shape[::-1]).squeeze(), wanted(step), 'VTK')

for engine in ('h5netcdf', 'netCDF4') if xarray else ():
    if not module(engine):
        continue
    with xarray.open_dataset('whole.h5', engine=engine.lower()) as data:
        assert data.u.dims == ('time', 'y', 'x') and data.step.dims == ('time',)
        same(data.v.sel(time=data.time[-1]).values, numpy.load('state-90.npy')[1], engine)
    with xarray.open_dataset('volume.nc', engine=engine.lower()) as data:
        assert float(data.sel(z=1.5, x=1).x) == 1
