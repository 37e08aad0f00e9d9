"""A pipeline for tests in TypeScript: captures what stands on its standard input, one JSON object a line.

{"options": {...}, "payload": {...}, "error": {"name", "message", ...}} → one line of JSON, the capture's result. A payload's
`geometry_hex` is given as bytes, `geometry_wkt_shapely` as a geometry of shapely.
"""

import json
import sys

import dead_letter


def error_of(given):
    kind = type(given.pop('name', 'ValueError'), (Exception,), {'__module__': '__main__'})
    error = kind(given.pop('message', ''))
    for name, value in given.items():
        setattr(error, name, value)
    return error


def payload_of(given):
    if 'geometry_hex' in given:
        given['geometry'] = bytes.fromhex(given.pop('geometry_hex'))
    if 'geometry_wkt_shapely' in given:
        from shapely import wkt
        given['geometry'] = wkt.loads(given.pop('geometry_wkt_shapely'))
    if given.pop('nan', False):
        given['params']['nodata'] = float('nan')
    return given


def main():
    for line in sys.stdin:
        given = json.loads(line)
        if 'classify' in given:
            print(json.dumps(dead_letter.classify(error_of(given['classify']))))
            continue
        if 'run' in given:
            with dead_letter.run(**given['run']) as ledger:
                for payload in given['payloads']:
                    dead_letter.capture(ValueError('in a run'), payload)
                ledger.succeeded(given['succeeded'])
            print(json.dumps(ledger.counts))
            continue
        result = dead_letter.capture(error_of(given.get('error', {})), payload_of(given.get('payload', {})), **given.get('options', {}))
        print(json.dumps(result._asdict()), flush=True)


if __name__ == '__main__':
    main()
