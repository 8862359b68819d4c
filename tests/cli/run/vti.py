# SPDX-License-Identifier: MIT
"""Reads VTK image data by the rules of the format, and compares it with the same state in a .npy file:
python3 vti.py FILE.vti FILE.npy TIME NAME...  Needs only Python's own modules; ParaView's reader
also reads the file if VTK's modules are installed."""
import ast
import importlib.util
import struct
import sys
import xml.etree.ElementTree as xml

vti, npy, time, names = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]


def check(condition, what):
    if not condition:
        sys.exit('%s: %s' % (vti, what))


with open(npy, 'rb') as f:
    raw = f.read()
header = struct.unpack('<H', raw[8:10])[0]
description = ast.literal_eval(raw[10:10 + header].decode())
state = raw[10 + header:]
shape = description['shape']
if len(names) > 1:
    check(shape[0] == len(names), 'the state has other fields')
    shape = shape[1:]
lengths = list(reversed(shape)) + [1] * (3 - len(shape))

with open(vti, 'rb') as f:
    raw = f.read()
mark = b'<AppendedData encoding="raw">'
head, rest = raw.split(mark, 1)
blank = len(rest) - len(rest.lstrip())
check(rest[blank:blank + 1] == b'_', 'no _ before the data')
data = rest[blank + 1:]
root = xml.fromstring(head + mark + b'</AppendedData></VTKFile>')
check(root.tag == 'VTKFile' and root.get('type') == 'ImageData', 'not image data')
check(root.get('header_type') == 'UInt64', 'another header type')
order = {'LittleEndian': '<', 'BigEndian': '>'}[root.get('byte_order')]
check(order == '<' or sys.byteorder == 'big', 'another byte order')

extent = '0 %d 0 %d 0 %d' % tuple(n - 1 for n in lengths)
image = root.find('ImageData')
check(image.get('WholeExtent') == extent, 'WholeExtent %s instead of %s' % (image.get('WholeExtent'), extent))
piece = image.find('Piece')
check(piece.get('Extent') == extent, 'Extent %s' % piece.get('Extent'))
moment = image.find("FieldData/DataArray[@Name='TimeValue']")
check(float(moment.text) == time, 'time %s instead of %g' % (moment.text, time))

arrays = piece.findall('PointData/DataArray')
check([a.get('Name') for a in arrays] == names, 'arrays %s' % [a.get('Name') for a in arrays])
check(piece.find('PointData').get('Scalars') == names[0], 'another array is shown first')
each = len(state) // len(names)
for i, a in enumerate(arrays):
    check(a.get('type') == {'<f4': 'Float32', '<f8': 'Float64'}[description['descr']], 'type %s' % a.get('type'))
    check(a.get('format') == 'appended', 'format %s' % a.get('format'))
    at = int(a.get('offset'))
    check(struct.unpack(order + 'Q', data[at:at + 8])[0] == each, 'array %d has another length' % i)
    check(data[at + 8:at + 8 + each] == state[i * each:(i + 1) * each], 'array %d holds other values' % i)
check(data[len(names) * (8 + each):].strip() == b'</AppendedData>\n</VTKFile>', 'another end')

if importlib.util.find_spec('vtkmodules'):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader
    reader = vtkXMLImageDataReader()
    reader.SetFileName(vti)
    reader.Update()
    image = reader.GetOutput()
    check(list(image.GetDimensions()) == lengths, 'VTK reads %s cells' % (image.GetDimensions(),))
    for i, name in enumerate(names):
        values = vtk_to_numpy(image.GetPointData().GetArray(name))
        check(values.tobytes() == state[i * each:(i + 1) * each], 'VTK reads other values of ' + name)
