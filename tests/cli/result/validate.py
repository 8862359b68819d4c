"""Validates what meshwork printed with --json: validate.py SCHEMA FILE...; exit code 77: there is no jsonschema.

Files that are no JSON are left out: with -o - standard output has data.
SPDX-License-Identifier: MIT
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding='utf-8') as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong = False
for path in sys.argv[2:]:
    with open(path, 'rb') as file:
        text = file.read()
    if text[:1] not in (b'{', b'['):
        continue
    document = json.loads(text)
    command = ' '.join(document.get('command', [])) if isinstance(document, dict) else 'a list'
    for error in validator.iter_errors(document):
        print(f'{command}: {"/".join(map(str, error.absolute_path)) or "document"}: {error.message[:300]}')
        wrong = True
sys.exit(wrong)
