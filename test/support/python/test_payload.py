import base64
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import os
import pathlib
import random
import subprocess
import sys
import types
import unittest
import uuid

import dead_letter
from client_case import ClientCase, raised_by
from dead_letter import json_text

try:
    import numpy
except ImportError:
    numpy = None
try:
    import shapely.geometry
except ImportError:
    shapely = None
try:
    import pyproj
except ImportError:
    pyproj = None

POINT = '0101000000000000000000f03f0000000000000040'


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Settings:
    snap: float
    path: pathlib.Path


class Unreadable:
    __slots__ = ()

    def __repr__(self):
        raise RuntimeError('no words')


class Params(unittest.TestCase):
    def test_what_json_cannot_hold(self):
        """what JSON cannot hold is written as the nearest value and named by its path"""
        cases = {
            'nan': (float('nan'), None, 'NaN'),
            'inf': (float('inf'), None, 'Infinity'),
            'low': (-float('inf'), None, '-Infinity'),
            'decimal': (decimal.Decimal('0.10'), '0.10', 'Decimal'),
            'fraction': (fractions.Fraction(1, 3), '1/3', 'Fraction'),
            'at': (datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc), '2026-01-02T00:00:00+00:00', 'datetime'),
            'day': (datetime.date(2026, 1, 2), '2026-01-02', 'date'),
            'wait': (datetime.timedelta(seconds=1.5), 1.5, 'timedelta (s)'),
            'uuid': (uuid.UUID(int=5), '00000000-0000-0000-0000-000000000005', 'UUID'),
            'path': (pathlib.PurePosixPath('/a/b'), '/a/b', 'PurePosixPath'),
            'bytes': (b'\x01\xff', '01ff', 'bytes (hex)'),
            'view': (memoryview(b'\x01'), '01', 'memoryview (hex)'),
            'set': ({3, 1, 2}, [1, 2, 3], 'set'),
            'enum': (Colour.RED, 1, 'Colour.RED'),
            'settings': (Settings(0.5, 1), {'snap': 0.5, 'path': 1}, 'Settings'),
            'pairs': ({1: 'a', '1': 'b'}, [[1, 'a'], ['1', 'b']], 'dict (pairs)'),
            'complex': (1j, [0.0, 1.0], 'complex'),
            'error': (ValueError('x'), 'ValueError: x', 'ValueError'),
            'function': (len, 'builtins.len', 'builtin_function_or_method'),
            'object': (types.SimpleNamespace(a=1), {'a': 1}, 'SimpleNamespace'),
            'unreadable': (Unreadable(), None, 'unreadable: RuntimeError: no words'),
            'a/b~c': ([float('nan')], [None], None),
        }
        text, replaced = json_text({name: given for name, (given, _, _) in cases.items()})
        self.assertEqual(json.loads(text), {name: written for name, (_, written, _) in cases.items()})
        named = {f'/{name}': was for name, (_, _, was) in cases.items() if was}
        self.assertEqual(replaced, {**named, '/a~1b~0c/0': 'NaN'})

    def test_keys(self):
        """keys that are no text are written as json.dumps writes them, and named; the other members stay as they are"""
        keys = {1: 'a', 2.5: 'b', None: 'c', False: 'd', float('inf'): 'e', 2**70: 'f', 'x': 'g'}
        text, replaced = json_text({'p': keys})
        self.assertEqual(text, '{"p":' + json.dumps(keys, separators=(',', ':')) + '}')
        self.assertEqual(replaced, {'/p/1': 'int key', '/p/2.5': 'float key', '/p/null': 'NoneType key', '/p/false': 'bool key',
                                    '/p/Infinity': 'float key', f'/p/{2**70}': 'int key'})
        text, replaced = json_text({(1, 2): float('nan'), datetime.date(2026, 1, 2): 1, 'x': 2})
        self.assertEqual(json.loads(text), {'[1,2]': None, '2026-01-02': 1, 'x': 2})
        self.assertEqual(replaced, {'/[1,2]': 'tuple key, NaN', '/2026-01-02': 'date key'})
        self.assertEqual(json_text({None: 1, 'null': 2}), ('[[null,1],["null",2]]', {'': 'dict (pairs)'}))

    def test_what_json_can_hold(self):
        """numbers of any size, text with NUL and lone surrogates, and tuples are kept, with nothing replaced"""
        value = {'big': 2**64 + 1, 'neg': -0.0, 'tiny': 5e-324, 'text': 'a\0b\ud800c€😀', 't': (1, (2,)), 'none': None, 'b': True}
        text, replaced = json_text(value)
        self.assertEqual(replaced, {})
        self.assertEqual(json.loads(text), {**value, 't': [1, [2]]})
        self.assertIn('"big":18446744073709551617,"neg":-0.0,"tiny":5e-324,"text":"a\\u0000b\\ud800c€😀"', text)
        self.assertEqual(json_text(10**5000).text, '1' + '0' * 5000)
        self.assertEqual(json_text(1 << 500_000), ('"1' + '0' * 125_000 + '"', {'': 'int (hex)'}))

    def test_cycles_and_depth(self):
        """cycles and what lies too deep are named, not followed"""
        cycle = [1]
        cycle.append(cycle)
        self.assertEqual(json_text({'c': cycle}), ('{"c":[1,null]}', {'/c/1': 'cycle to /c'}))
        shared = [1]
        self.assertEqual(json_text([shared, shared]), ('[[1],[1]]', {}))
        deep = []
        for _ in range(100_000):
            deep = [deep]
        text, replaced = json_text({'deep': deep})
        self.assertEqual(list(replaced.values()), ['deeper than 200'])
        json.loads(text)
        while deep:
            deep = deep[0]

    def test_too_many(self):
        """more values than a payload may have are cut off, by name"""
        text, replaced = json_text([0] * 1_000_010)
        self.assertEqual(len(json.loads(text)), 1_000_010)
        self.assertIn('beyond 1000000 values', replaced.values())

    @unittest.skipIf(numpy is None, 'numpy is not installed')
    def test_numpy(self):
        """numpy's scalars are numbers, its arrays lists that say their type, its times texts"""
        value = {'f4': numpy.float32(0.1), 'f8': numpy.float64(0.1), 'i8': numpy.int64(2**60 + 1), 'yes': numpy.bool_(True),
                 'text': numpy.str_('a'), 'array': numpy.array([[1, 2]], dtype='int16'), 'nan': numpy.float32('nan'),
                 'at': numpy.datetime64('2026-01-02T03:04:05')}
        text, replaced = json_text(value)
        self.assertEqual(json.loads(text), {'f4': 0.10000000149011612, 'f8': 0.1, 'i8': 2**60 + 1, 'yes': True, 'text': 'a',
                                            'array': [[1, 2]], 'nan': None, 'at': '2026-01-02T03:04:05'})
        self.assertEqual(replaced, {'/text': 'str_', '/array': 'ndarray (int16)', '/nan': 'NaN', '/at': 'datetime64[s]'})

    def test_anything(self):
        """any value at all gives text that parses, in a line of its own"""
        made = random.Random(7)

        class Odd:
            def __init__(self, value):
                self.value = value

            def __getattr__(self, name):
                raise OSError(name)

        class Claims:
            """Has every attribute there is."""

            def __getattr__(self, name):
                return Claims() if made.random() < 0.5 else lambda *_: self

        def value(depth):
            leaves = [None, True, made.random() * 10 ** made.randint(-300, 300), made.getrandbits(made.randint(1, 200)), float('nan'),
                      ''.join(chr(made.choice([0, 10, 34, 92, 0x2028, 0xd800, 0xdfff, 0x1f600, made.randint(1, 0xffff)]))
                              for _ in range(made.randint(0, 8))),
                      bytes(made.getrandbits(8) for _ in range(3)), Unreadable(), Claims(), object(), type, json_text]
            if depth == 0 or made.random() < 0.4:
                return made.choice(leaves)
            many = [value(depth - 1) for _ in range(made.randint(0, 4))]
            keys = [made.choice(['a', 'b/c', '$replaced', 1, None, (1, 2), '\ud800']) for _ in many]
            return made.choice([many, tuple(many), dict(zip(keys, many)), Odd(many), types.SimpleNamespace(a=many), iter(many)])

        for i in range(400):
            text = json_text(value(4)).text
            json.loads(text)
            self.assertNotIn('\n', text)
            parts = dead_letter._make_parts(ValueError('x'), {'work_key': value(2), 'params': value(3), 'geometry': value(2),
                                                              made.choice(list(dead_letter._FIELDS)): value(2)},
                                            dead_letter._Options(), 't')
            line = parts.text().encode('utf-8')
            self.assertIsInstance(json.loads(line)['work_key'], str, i)
            self.assertNotIn(b'\n', line)


class FakeShapely2:
    """A geometry as shapely 2 has it: no __dict__, properties made by C."""

    __slots__ = ()
    wkb = property(lambda self: bytes.fromhex(POINT))
    wkt = property(lambda self: 'POINT (1 2)')
    __geo_interface__ = property(lambda self: {'type': 'Point', 'coordinates': (1.0, 2.0)})


class BrokenWkb(FakeShapely2):
    __slots__ = ()

    @property
    def wkb(self):
        raise NotImplementedError('curves')


class Ogr:
    def ExportToWkb(self):
        return bytearray(bytes.fromhex(POINT))


class GeoDjango:
    wkb = memoryview(bytes.fromhex(POINT))
    srid = 27700


class WKBElement:
    def __init__(self, data):
        self.data, self.srid = data, 3857


class Row:
    """A row of geopandas."""

    def __init__(self):
        self.geometry = FakeShapely2()
        self.name = 'parcel'


class TheGeometry(ClientCase):
    def stored(self, geometry, **more):
        self.capture(payload={'work_key': 'k', 'geometry': geometry, **more})
        stored = self.stub.captures.pop()
        return {name: value for name, value in stored.items() if name in ('geom_wkb', 'geom_wkt', 'geom_geojson', 'srid', 'params')}

    def test_forms(self):
        """a geometry is kept in the form in which it was given"""
        for given in (bytes.fromhex(POINT), bytearray.fromhex(POINT), memoryview(bytes.fromhex(POINT)), POINT, POINT.upper(),
                      f'\\x{POINT}', FakeShapely2(), Ogr(), Row(), types.SimpleNamespace(wkb=bytes.fromhex(POINT))):
            self.assertEqual(self.stored(given), {'geom_wkb': POINT}, given)
        self.assertEqual(self.stored(b'\xde\xad'), {'geom_wkb': 'dead'})
        self.assertEqual(self.stored('SRID=4326; Point ( 1.50 2 )'), {'geom_wkt': 'SRID=4326; Point ( 1.50 2 )'})
        text = '{ "type":"Point",\n"coordinates":[1.50,2]}'
        self.assertEqual(self.stored(text), {'geom_geojson': text})
        self.assertEqual(self.stored(GeoDjango()), {'geom_wkb': POINT, 'srid': 27700})
        self.assertEqual(self.stored(GeoDjango(), srid=4326), {'geom_wkb': POINT, 'srid': 4326})
        self.assertEqual(self.stored(WKBElement(bytes.fromhex(POINT))), {'geom_wkb': POINT, 'srid': 3857})
        self.assertEqual(self.stored(WKBElement(POINT)), {'geom_wkb': POINT, 'srid': 3857})
        self.assertEqual(self.stored(BrokenWkb()), {'geom_geojson': {'type': 'Point', 'coordinates': [1.0, 2.0]}})
        nan = {'type': 'Point', 'coordinates': (float('nan'), 2)}
        self.assertEqual(self.stored(nan), {'geom_geojson': {'type': 'Point', 'coordinates': [None, 2]},
                                            'params': {'$replaced': {'geom_geojson:/coordinates/0': 'NaN'}}})

    def test_feature(self):
        """of a feature the geometry is the geometry, and the rest is kept beside the params"""
        feature = {'type': 'Feature', 'id': 7, 'geometry': {'type': 'Point', 'coordinates': [1, 2]}, 'properties': {'a': 1}}
        self.assertEqual(self.stored(feature, params={'snap': 1}), {
            'geom_geojson': feature['geometry'],
            'params': {'snap': 1, '$unfit': {'geometry': {'type': 'Feature', 'id': 7, 'properties': {'a': 1}}}}})

    def test_no_geometry(self):
        """what is no geometry is kept beside the params"""
        self.assertEqual(self.stored(7), {'params': {'$unfit': {'geometry': 7}}})
        self.assertEqual(self.stored(None), {})
        self.assertEqual(self.stored(Unreadable())['params']['$unfit'], {'geometry': None})

    def test_srid_of_shapely_2(self):
        """the SRID of shapely 2 is taken where that is loaded, and nothing else is asked"""
        before = sys.modules.get('shapely')
        sys.modules['shapely'] = types.SimpleNamespace(get_srid=lambda geometry: 25832)
        try:
            self.assertEqual(self.stored(FakeShapely2()), {'geom_wkb': POINT, 'srid': 25832})
        finally:
            del sys.modules['shapely']
            if before:
                sys.modules['shapely'] = before

    @unittest.skipIf(shapely is None, 'shapely is not installed')
    def test_real_shapely(self):
        """shapely's own geometries come with their bytes: Z, a bow-tie, NaN, collections"""
        from shapely.geometry import LineString, MultiPoint, Point, Polygon
        for geometry in (Point(1, 2), Point(1, 2, 3), Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]), LineString([(0, 0), (float('nan'), 1)]),
                         MultiPoint([(0, 0), (1, 1)])):
            self.assertEqual(self.stored(geometry), {'geom_wkb': geometry.wkb.hex()})

    @unittest.skipIf(shapely is None, 'shapely is not installed')
    def test_real_error(self):
        """errors as shapely and pyproj raise them have their class"""
        from shapely import wkt
        self.capture(raised_by(wkt.loads, 'POLYGON((0 0'))
        self.assertEqual(self.stub.captures[-1]['failure_class'], 'invalid_geometry')
        self.assertEqual(self.stub.captures[-1]['error_type'].partition('.')[0], 'shapely')
        if pyproj:
            self.capture(raised_by(pyproj.CRS, 'EPSG:99999999'))
            self.assertEqual(self.stub.captures[-1]['failure_class'], 'crs_mismatch')
            self.assertEqual(self.stub.captures[-1]['error_type'], 'pyproj.exceptions.CRSError')


class TheClaim(ClientCase):
    def stored(self, claim):
        self.capture(payload={'work_key': 'k', 'src_crs': claim})
        return self.stub.captures.pop().get('src_crs')

    def test_forms(self):
        """a claim of any kind is kept as it is, and no code is guessed from it"""
        class RasterioCRS:
            def to_wkt(self):
                return 'PROJCS["x"]'

            def to_epsg(self):
                return 'EPSG:27700'

            to_string = to_epsg

        class Osr:
            def ExportToWkt(self):
                return 'GEOGCS["y"]'

        for given, kept in (('epsg:27700', 'epsg:27700'), (27700, 27700), ({'init': 'epsg:4326'}, {'init': 'epsg:4326'}),
                            (types.SimpleNamespace(srs='+proj=utm +zone=30'), '+proj=utm +zone=30'),
                            (RasterioCRS(), 'PROJCS["x"]'), (Osr(), 'GEOGCS["y"]'), ('', None), (None, None), ('a\0b', 'a␀b')):
            self.assertEqual(self.stored(given), kept)

    @unittest.skipIf(pyproj is None, 'pyproj is not installed')
    def test_pyproj(self):
        """a CRS of pyproj is kept by the text that it was made from"""
        for given in ('EPSG:27700', 'OGC:CRS84', '+proj=utm +zone=30 +datum=WGS84 +type=crs', 'ESRI:102100'):
            self.assertEqual(self.stored(pyproj.CRS(given)), given)
        self.assertIn('PROJCRS', str(self.stored(pyproj.CRS(pyproj.CRS(27700).to_wkt()))))


class TheRest(ClientCase):
    def stored(self, payload, **more):
        self.capture(payload=payload, **more)
        return self.stub.captures.pop()

    def test_fields(self):
        """fields take what Python callers have: UUIDs, paths, rasterio's windows, numpy's numbers, times"""
        stored = self.stored({
            'work_key': uuid.UUID(int=5), 'task_id': 17, 'tile_z': 3.0, 'nodata': -9999.0, 'source_uris': pathlib.PurePosixPath('/a.tif'),
            'source_window': types.SimpleNamespace(col_off=0, row_off=256, width=256.5, height=256), 'target_crs': 'EPSG:3857',
            'failed_at': datetime.datetime(2026, 1, 2, 4, 4, 5, tzinfo=datetime.timezone(datetime.timedelta(hours=1))), 'sensitive': True,
        })
        self.assertEqual(stored['work_key'], '00000000-0000-0000-0000-000000000005')
        self.assertEqual((stored['task_id'], stored['tile_z'], stored['nodata']), ('17', 3, '-9999'))
        self.assertEqual(stored['source_uris'], ['/a.tif'])
        self.assertEqual(stored['source_window'], {'col_off': 0, 'row_off': 256, 'width': 256.5, 'height': 256})
        self.assertEqual((stored['failed_at'], stored['sensitive']), ('2026-01-02T03:04:05.000Z', True))
        self.assertNotIn('params', stored)
        self.assertEqual(self.stored({'failed_at': '2026-01-02T03:04:05.123456789Z'})['failed_at'], '2026-01-02T03:04:05.123456Z')
        self.assertEqual([self.stored({'nodata': value})['nodata'] for value in (float('nan'), 0.5, 255, '-inf')],
                         ['NaN', '0.5', '255', '-inf'])

    def test_unfit(self):
        """a value that its field cannot hold is kept beside the params, and the default stands in"""
        stored = self.stored({'work_key': 'k' * 2001, 'queue': 'q' * 201, 'srid': 'four', 'failed_at': 'yesterday', 'layer': 7,
                              'tile_z': -1, 'payload_ref': 'here', 'error_class': 'maybe'}, queue='nightly')
        self.assertEqual(stored['queue'], 'nightly')
        self.assertEqual(stored['params'], {'$unfit': {
            'work_key': 'k' * 2001, 'queue': 'q' * 201, 'srid': 'four', 'failed_at': 'yesterday', 'layer': 7, 'tile_z': -1,
            'payload_ref': 'here', 'error_class': 'maybe'}})
        self.assertRegex(stored['work_key'], r'^anonymous/unkeyed/[0-9a-f]{32}$')
        self.assertEqual(self.stored({'params': {'$replaced': 1, 'n': float('nan')}})['params'],
                         {'$value': {'$replaced': 1, 'n': None}, '$replaced': {'/n': 'NaN'}})
        self.assertEqual(self.stored({'params': [float('inf')]})['params'], {'$value': [None], '$replaced': {'/0': 'Infinity'}})

    def test_geometry_names(self):
        """the geometry may have the names of the HTTP interface, also before a redaction; base64 is WKB"""
        for given, kept in (({'geom_wkt': 'POINT(1 2)'}, 'POINT(1 2)'), ({'geometry': None, 'geom_wkb': '\\x' + POINT}, POINT),
                            ({'geom_wkb': base64.b64encode(bytes.fromhex(POINT)).decode()}, POINT),
                            ({'geom_geojson': {'type': 'Point'}}, {'type': 'Point'})):
            stored = self.stored(given)
            self.assertIn(kept, (stored.get('geom_wkt'), stored.get('geom_wkb'), stored.get('geom_geojson')))
            self.assertNotIn('params', stored)
        for name in ('geom_wkt', 'geometry'):
            self.assertNotIn('geom_wkt', self.stored({'geom_wkt': 'POINT(1 2)'}, redact={name: lambda *_: None}))

    def test_unknown_members(self):
        """members that no field has are named once a task with the nearest, and kept"""
        told = []
        for _ in range(2):
            stored = self.stored({'work_kei': 'k', 'qqqqqqqqq': 7, 'geometry': 'POINT(1 2)', 'geom_wkt': 'POINT(3 4)'}, warn=told.append)
        self.assertEqual(stored['params'], {'$unfit': {'work_kei': 'k', 'qqqqqqqqq': 7, 'geom_wkt': 'POINT(3 4)'}})
        self.assertEqual(len(told), 1)
        self.assertIn('"work_kei" (did you mean work_key?), "qqqqqqqqq", "geom_wkt" (a second geometry)', told[0])

    def test_told_failures(self):
        """a payload function or a redaction that raises is told once a task, without its words"""
        def raises(*_):
            raise LookupError('secret')

        told = []
        for _ in range(2):
            self.stored(raises, task_name='making', warn=told.append)
            self.stored({'work_key': 'k'}, task_name='redacting', redact=raises, warn=told.append)
        self.assertEqual([one.partition(';')[0] for one in told],
                         ['payload of task "making" raised LookupError', 'redact of task "redacting" failed (LookupError)'])

    def test_option_names(self):
        """an option that there is not is named when the task is wrapped, with the nearest"""
        with self.assertRaisesRegex(TypeError, r'no option task_nmae \(did you mean task_name\?\), zzzzzzzzz$'):
            dead_letter.dead_letter_on_failure(task_nmae='clip', zzzzzzzzz=1)

    def test_payload_function(self):
        """a payload function that raises, or that is a coroutine, still leaves a capture that says so"""
        def raises(*_):
            raise LookupError('no payload')

        async def late(*_):
            return {}

        for payload, told in ((raises, 'LookupError: no payload'), (late, 'the payload function is a coroutine')):
            @dead_letter.dead_letter_on_failure(**self.options(), payload=payload)
            def task(work):
                raise ValueError('x')

            raised_by(task, 1)
            stored = self.stub.captures.pop()
            self.assertEqual(stored['params'], {'$unfit': {'payload_error': told}})
            self.assertRegex(stored['work_key'], r'^task/unkeyed/[0-9a-f]{32}$')

    def test_arguments(self):
        """without a payload function the arguments are the payload, by their names"""
        @dead_letter.dead_letter_on_failure(**self.options())
        def reproject(parcel, src_crs, tile_z=1, *, snap=0.5, **more):
            raise ValueError('x')

        raised_by(reproject, FakeShapely2(), 'EPSG:27700', 3, mode='fast')
        stored = self.stub.captures.pop()
        self.assertEqual((stored['geom_wkb'], stored['src_crs'], stored['tile_z'], stored['task_name']), (POINT, 'EPSG:27700', 3, 'reproject'))
        self.assertEqual(stored['params'], {'more': {'mode': 'fast'}})
        work = types.SimpleNamespace(work_key='parcels/7', geom=FakeShapely2(), src_crs='EPSG:4326', params={'a': 1}, conn=object())
        raised_by(reproject, work, None)
        stored = self.stub.captures.pop()
        self.assertEqual((stored['work_key'], stored['geom_wkb'], stored['params']), ('parcels/7', POINT, {'a': 1}))
        raised_by(reproject, {'work_key': 'parcels/8', 'geom': 'POINT(1 2)'}, None)
        self.assertEqual(self.stub.captures.pop()['geom_wkt'], 'POINT(1 2)')

    def test_same_failure_same_key(self):
        """a payload without a key gets one from its content, whatever the order of a set is"""
        one, other = {0, 8}, {8, 0}
        self.assertNotEqual(list(one), list(other))
        keys = {self.stored({'params': {'tags': tags}})['work_key'] for tags in (one, other)}
        self.assertEqual(len(keys), 1)
        self.assertNotEqual({self.stored({'params': {'tags': ['other']}})['work_key']}, keys)

    def test_capture_id(self):
        """the id of a capture is the given one, so that a run that is repeated counts once; else it is drawn anew"""
        given = '0b8f9a52-1c2d-8e3f-8a4b-5c6d7e8f9a0b'
        self.assertEqual(self.stored({}, capture_id=lambda: given)['capture_id'], given)
        drawn = [self.stored({}, **more)['capture_id'] for more in ({}, {}, {'capture_id': lambda: 'seven'}, {'capture_id': lambda: 1 / 0})]
        self.assertEqual(len(set(drawn)), 4)
        for one in drawn:
            self.assertEqual(str(uuid.UUID(one)), one)

    def test_redaction(self):
        """a redaction sees payload and error before anything is written; one that fails lets no word of them through"""
        payload = {'work_key': 'k', 'src_crs': 'EPSG:4326', 'geometry': POINT, 'params': {'token': 'secret', 'snap': 1}}
        error = ValueError('secret in the text')

        def take_out(given, of):
            self.assertIs(of, error)
            return {**given, 'params': {'snap': 1}, 'error_text': 'cut', 'traceback': ''}

        stored = self.stored(payload, error=error, redact=take_out)
        self.assertEqual((stored['params'], stored['error_text'], stored['geom_wkb']), ({'snap': 1}, 'cut', POINT))
        stored = self.stored(payload, error=error, redact={'params': lambda *_: None, 'error_text': lambda text, _: text[10:],
                                                           'traceback': lambda *_: None, 'absent': lambda *_: 1})
        self.assertNotIn('params', stored)
        self.assertEqual((stored['error_text'], stored['traceback']), ('the text', ''))

        def fails(given, of):
            raise KeyError(given['params'])

        for redact in (fails, lambda *_: None, {'params': lambda *_: 1 / 0}):
            stored = self.stored(payload, error=error, redact=redact)
            self.assertNotIn('secret', json.dumps(stored))
            self.assertEqual(stored['work_key'], 'k')
            self.assertIn('$redaction_failed', stored['params'])
        self.assertEqual(payload['params'], {'token': 'secret', 'snap': 1})

    def test_code_version(self):
        """the code version is the given one, else the environment's"""
        self.assertEqual(self.stored({})['code_version'], '2.14.0')
        self.assertEqual(self.stored({}, code_version='3')['code_version'], '3')
        self.assertEqual(self.stored({'code_version': '4'}, code_version='3')['code_version'], '4')
        os.environ.update(DLO_CODE_VERSION='', GITHUB_SHA='of the build')
        self.assertEqual(self.stored({})['code_version'], 'of the build')

    def test_git(self):
        """without those the code version is the commit that is checked out, in a worktree and with packed refs too"""
        def git(*words, cwd):
            return subprocess.run(['git', '-c', 'user.name=x', '-c', 'user.email=x@x.example', *words], cwd=cwd, check=True,
                                  capture_output=True, text=True).stdout.strip()

        top, below = os.path.join(self.spool, 'top'), os.path.join(self.spool, 'top', 'a', 'b')
        os.makedirs(below)
        self.assertIsNone(dead_letter._git_revision('/'))
        git('init', '-q', cwd=top)
        self.assertIsNone(dead_letter._git_revision(below))
        git('commit', '-q', '--allow-empty', '-m', 'x', cwd=top)
        revision = git('rev-parse', '--short=12', 'HEAD', cwd=top)
        self.assertEqual(dead_letter._git_revision(below), revision)
        git('pack-refs', '--all', cwd=top)
        self.assertEqual(dead_letter._git_revision(below), revision)
        git('worktree', 'add', '-q', os.path.join(self.spool, 'tree'), cwd=top)
        git('commit', '-q', '--allow-empty', '-m', 'y', cwd=os.path.join(self.spool, 'tree'))
        other = dead_letter._git_revision(os.path.join(self.spool, 'tree'))
        self.assertEqual(other, git('rev-parse', '--short=12', 'HEAD', cwd=os.path.join(self.spool, 'tree')))
        self.assertNotEqual(other, revision)
        git('checkout', '-q', '--detach', cwd=top)
        self.assertEqual(dead_letter._git_revision(below), revision)


class TheEvidence(ClientCase):
    def stored(self, error):
        self.capture(error)
        return self.stub.captures.pop()

    def test_causes(self):
        """the traceback tells the causes as Python does, the error itself last, and notes and a child's stderr"""
        def lower():
            raise KeyError('deep')

        def upper():
            try:
                lower()
            except KeyError as error:
                raise ValueError('top') from error

        trace = self.stored(raised_by(upper))['traceback']
        self.assertLess(trace.index("KeyError: 'deep'"), trace.index('direct cause'))
        self.assertTrue(trace.endswith('ValueError: top\n'), trace)
        error = raised_by(subprocess.run, [sys.executable, '-c', 'import sys; sys.exit("no space")'], check=True, capture_output=True)
        self.assertIn('stderr: no space', self.stored(error)['traceback'])

    def test_long(self):
        """a long traceback keeps its head and its tail, where the error is"""
        def down(n):
            return down(n - 1) if n else int('x' * 4000)

        stored = self.stored(raised_by(down, 500))
        self.assertIn('in raised_by', stored['traceback'])
        self.assertIn('302 frames left out', stored['traceback'])
        self.assertIn('ValueError: invalid literal', stored['traceback'])
        stored = self.stored(ValueError('x' * 20_000 + ' the end'))
        self.assertLess(len(stored['traceback']), 10_200)
        for text in (stored['traceback'], stored['error_text']):
            self.assertIn('characters cut', text)
            self.assertTrue(text.rstrip().endswith('the end'))

    def test_group(self):
        """the members of an exception group stand in the traceback and are asked for the class"""
        class Group(Exception):
            exceptions = (ValueError('one'), TimeoutError('two'))

        stored = self.stored(Group('many'))
        self.assertIn('Member 2 of 2:\n\nTimeoutError: two', stored['traceback'])
        self.assertEqual(stored['failure_class'], 'upstream_timeout')

    def test_ring(self):
        """errors whose causes form a ring, and whose words cannot be read, are told and end"""
        a, b = ValueError('a\0\udc00'), ValueError('b')
        a.__cause__, b.__cause__ = b, a
        stored = self.stored(a)
        self.assertEqual(stored['error_text'], 'a␀\\udc00')

        class Wordless(Exception):
            def __str__(self):
                raise RuntimeError

            __repr__ = __str__

        self.assertEqual(self.stored(Wordless())['error_text'], '')

    def test_type(self):
        """the error's type is qualified"""
        self.assertEqual(self.stored(json.JSONDecodeError('x', 'y', 0))['error_type'], 'json.decoder.JSONDecodeError')
        self.assertEqual(self.stored(OSError())['error_type'], 'OSError')

    def test_own_classes(self):
        """classes of the caller's own are believed: in the payload, by a function, by rules"""
        self.capture(payload={'failure_class': 'oom'})
        self.assertEqual((self.stub.captures[-1]['failure_class'], self.stub.captures[-1]['error_class']), ('oom', 'transient'))
        self.capture(classify=lambda error: 'licence_expired')
        self.capture(classify=[dead_letter.ClassifyRule('ours', 'us', 'x', message='^x$')])
        self.capture(classify=lambda error: 1 / 0)
        self.assertEqual([one['failure_class'] for one in self.stub.captures[1:]], ['licence_expired', 'ours', 'unknown'])


if __name__ == '__main__':
    unittest.main()
