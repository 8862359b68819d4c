# SPDX-License-Identifier: MIT
"""Changes settings of a checkpoint, by the format in meshwork/run.h: python3 forge.py FROM TO NAME=VALUE..."""
import struct
import sys

P = [11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261]
MASK = (1 << 64) - 1


def rotl(x, n):
    return (x << n | x >> 64 - n) & MASK


def one(lane, word):
    return rotl(lane + word * P[1] & MASK, 31) * P[0] & MASK


def xxh64(data):
    n, at = len(data), 0
    lanes = [P[0] + P[1] & MASK, P[1], 0, -P[0] & MASK]
    h = P[4]
    if n >= 32:
        while at + 32 <= n:
            lanes = [one(lane, word) for lane, word in zip(lanes, struct.unpack_from('<4Q', data, at))]
            at += 32
        h = sum(rotl(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = (h ^ one(0, lane)) * P[0] + P[3] & MASK
    h = h + n & MASK
    while at + 8 <= n:
        h = rotl(h ^ one(0, struct.unpack_from('<Q', data, at)[0]), 27) * P[0] + P[3] & MASK
        at += 8
    if at + 4 <= n:
        h = rotl(h ^ struct.unpack_from('<I', data, at)[0] * P[0] & MASK, 23) * P[1] + P[2] & MASK
        at += 4
    for byte in data[at:]:
        h = rotl(h ^ byte * P[4] & MASK, 11) * P[0] & MASK
    h = (h ^ h >> 33) * P[1] & MASK
    h = (h ^ h >> 29) * P[2] & MASK
    return h ^ h >> 32


with open(sys.argv[1], 'rb') as f:
    whole = f.read()
assert xxh64(whole[:-8]) == struct.unpack('<Q', whole[-8:])[0], 'another checksum'
forged, at = whole[:8], 8
while at < len(whole) - 8:
    length, size = struct.unpack_from('<IQ', whole, at)
    name, data = whole[at + 12:at + 12 + length], whole[at + 12 + length:at + 12 + length + size]
    if name == b'settings':
        settings = dict(line.split('=', 1) for line in data.decode().splitlines())
        settings.update(change.split('=', 1) for change in sys.argv[3:])
        data = ''.join('%s=%s\n' % setting for setting in settings.items()).encode()
    forged += struct.pack('<IQ', length, len(data)) + name + data
    at += 12 + length + size
with open(sys.argv[2], 'wb') as f:
    f.write(forged + struct.pack('<Q', xxh64(forged)))
