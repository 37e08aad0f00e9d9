"""Dead Letter Office: keeps the failed work of a geospatial pipeline. One file, standard library only, Python 3.9 or
later.

    from dead_letter import dead_letter_on_failure

    @dead_letter_on_failure(url='http://127.0.0.1:3000', task_name='reproject_parcels',
                            payload=lambda parcel: {'work_key': parcel.key, 'geometry': parcel.geom,
                                                    'src_crs': parcel.crs, 'params': parcel.params})
    def reproject(parcel): ...

It belongs outside the retries (above their decorator): what reaches it has used up its budget. The task's own error is
always raised again as it was; a capture that fails never hides it, and never delays it by more than `timeout_s`.

Environment: DLO_URL, DLO_TOKEN, DLO_SPOOL_DIR (a folder or s3://bucket/prefix; of several with commas the first),
DLO_QUEUE, DLO_CODE_VERSION.
"""

import _thread
import atexit
import base64
import contextvars
import datetime
import decimal
import difflib
import email.utils
import enum
import errno
import fractions
import functools
import gzip
import hashlib
import hmac
import inspect
import json
import math
import operator
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import threading
import time
import traceback
import types
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings
from collections.abc import Mapping, Set
from json.encoder import encode_basestring
from typing import NamedTuple, Optional

__all__ = [
    'CLASSIFY_RULES', 'CaptureResult', 'ClassifyRule', 'DeadLetterWarning', 'capture', 'classify',
    'dead_letter_on_failure', 'flush', 'json_text', 'run',
]
__version__ = '0.1.0'

SIZE_RULE_BYTES = 1_000_000
DEFAULT_TIMEOUT_S = 2.0


class DeadLetterWarning(UserWarning):
    """Something about how captures are made is probably not meant so; no capture is lost by it."""


class CaptureResult(NamedTuple):
    """What became of one capture. `kept`: server | spool | nowhere. `line` is what was, or would have been, sent.
    `reason` says why the server did not take it; `file` is the spool file's name once that is sealed."""

    kept: str
    line: str = ''
    id: Optional[str] = None
    work_key: Optional[str] = None
    attempts: Optional[int] = None
    outcome: Optional[str] = None
    file: Optional[str] = None
    reason: Optional[str] = None


class _Options(NamedTuple):
    """Options of a capture; what is None is looked up in the environment when a task fails."""

    url: Optional[str] = None
    token: Optional[str] = None
    spool: object = None
    task_name: Optional[str] = None
    queue: Optional[str] = None
    run_id: Optional[str] = None
    code_version: Optional[str] = None
    timeout_s: Optional[float] = None
    max_spool_bytes: int = 1_000_000_000
    capture_aborts: bool = False
    on_capture_error: object = None
    warn: object = None
    classify: object = None
    redact: object = None
    now: object = None
    capture_id: object = None

    def text(self, name, variable):
        value = getattr(self, name)
        return str(value) if value else os.environ.get(variable) or None

    @property
    def seconds(self):
        try:
            return max(0.0, float(self.timeout_s)) if self.timeout_s is not None else DEFAULT_TIMEOUT_S
        except (TypeError, ValueError):
            return DEFAULT_TIMEOUT_S


def _attempt(function, *args):
    """What the function returns, or None where it raises: for code that is not ours. A stop by the user is let
    through."""
    try:
        return function(*args)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        return None


def _reason(error):
    """Words of an exception for a note; total."""
    words = _attempt(str, error)
    return (type(error).__name__ + (': ' + words if isinstance(words, str) and words else ''))[:300]


def _attribute(of, name):
    return _attempt(getattr, of, name, None)


# ---------------------------------------------------------------------------------------------------------------- JSON

_MAX_DEPTH = 200
_MAX_VALUES = 1_000_000
_MAX_GEOJSON_VALUES = 40_000_000
_SURROGATE = re.compile('[\ud800-\udfff]')


class JsonText(NamedTuple):
    """JSON that keeps what JSON can hold, and by JSON Pointer the name of every value that it could not."""

    text: str
    replaced: dict


def _quoted(text):
    quoted = encode_basestring(text)
    return _SURROGATE.sub(lambda unit: f'\\u{ord(unit.group()):04x}', quoted)


def _column_text(text):
    """Text that every text column takes: NUL becomes ␀, as the server stores it, and lone surrogates their visible
    escapes."""
    text = text.replace('\0', '␀')
    return _SURROGATE.sub(lambda unit: f'\\u{ord(unit.group()):04x}', text)


def _utf16_length(text):
    """The contract counts as JavaScript does."""
    return len(text) + sum(1 for one in text if ord(one) > 0xFFFF)


def _int_text(number):
    """All digits of an int, also past the limit of str(); None where that would take too long."""
    if number.bit_length() > 400_000:
        return None
    try:
        return str(number)
    except ValueError:
        return str(decimal.Decimal(number))


def _pointer(path):
    keys = []
    while path:
        path, key = path
        keys.append(str(key).replace('~', '~0').replace('/', '~1'))
    return ''.join('/' + key for key in reversed(keys))


def json_text(value, most=_MAX_VALUES):
    """JSON of any value; never raises, whatever the value is or does.

    Kept: numbers to the last bit (ints of any size, -0.0; also numpy's), text with NUL and lone surrogates (as
    escapes), the order of members; tuples are written as lists. Everything else is written as the nearest JSON value
    and named in `replaced`: NaN, infinities, Decimal, dates, UUIDs, paths, bytes, sets, enums, arrays, dataclasses and
    other objects, cycles, what cannot be read, and what lies beyond the depth and size that a payload may have. A key
    that is no text is written as text, as json.dumps does, and its member named; only where two keys of a dict would
    become one is that dict written as a list of pairs.
    """
    replaced = {}
    under_way = {}
    count = 0

    def write(item, path, depth):
        nonlocal count
        count += 1
        if count > most:
            replaced[_pointer(path)] = f'beyond {most} values'
            return 'null'
        kind = type(item)
        if kind is str:
            return _quoted(item)
        if item is None:
            return 'null'
        if kind is bool:
            return 'true' if item else 'false'
        if kind is float and math.isfinite(item):
            return repr(item)
        if depth > _MAX_DEPTH:
            replaced[_pointer(path)] = f'deeper than {_MAX_DEPTH}'
            return 'null'
        seen = under_way.get(id(item))
        if seen is not None:
            replaced[_pointer(path)] = f'cycle to {_pointer(seen) or "/"}'
            return 'null'
        try:
            was, form, data = _shape(item, most)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            was, form, data = f'unreadable: {_reason(error)}', 'text', 'null'
        if was is not None:
            replaced[_pointer(path)] = was
        if form == 'text':
            return data
        under_way[id(item)] = path
        try:
            if form == 'again':
                return write(data, path, depth + 1)
            if form == 'list':
                return '[' + ','.join([write(one, (path, i), depth + 1) for i, one in enumerate(data)]) + ']'
            if form == 'keyed':
                return '{' + ','.join([keyed(kind, key, one, path, depth) for kind, key, one in data]) + '}'
            return '{' + ','.join([_quoted(key) + ':' + write(one, (path, key), depth + 1) for key, one in data]) + '}'
        finally:
            del under_way[id(item)]

    def keyed(kind, key, item, path, depth):
        text = _quoted(key) + ':' + write(item, (path, key), depth + 1)
        if kind is not None:
            at = _pointer((path, key))
            replaced[at] = f'{kind} key, {replaced[at]}' if at in replaced else f'{kind} key'
        return text

    try:
        return JsonText(write(value, (), 0), replaced)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return JsonText('null', {'': f'unreadable: {_reason(error)}'})


def _shape(item, most):
    """(what it was | None, 'text' | 'again' | 'list' | 'members' | 'keyed', data) of a value that is not plain JSON."""
    kind = type(item)
    name = kind.__name__
    if isinstance(item, enum.Enum):
        return f'{name}.{item.name}', 'again', item.value
    if isinstance(item, str):
        return name, 'text', _quoted(str.__str__(item))
    if isinstance(item, int):
        digits = _int_text(int.__int__(item))
        was = None if kind is int else name
        return (was, 'text', digits) if digits else ('int (hex)', 'text', f'"{int.__int__(item):x}"')
    if isinstance(item, float):
        number = float.__float__(item)
        if math.isfinite(number):
            return None if _is_numpy(item) else name, 'text', float.__repr__(number)
        return 'NaN' if number != number else 'Infinity' if number > 0 else '-Infinity', 'text', 'null'
    if isinstance(item, (bytes, bytearray, memoryview)):
        return f'{name} (hex)', 'text', f'"{item.hex()}"'
    if isinstance(item, Mapping):
        pairs = list(item.items())
        if all(isinstance(key, str) for key, _ in pairs):
            return None if kind is dict else name, 'members', pairs
        keyed = [(None if isinstance(key, str) else type(key).__name__, _key_text(key), one) for key, one in pairs]
        if len({key for _, key, _ in keyed}) == len(keyed):
            return None if kind is dict else name, 'keyed', keyed
        return f'{name} (pairs)', 'list', pairs
    if isinstance(item, (list, tuple)):
        return None if kind in (list, tuple) else name, 'list', list(item)
    if isinstance(item, Set):
        return name, 'list', sorted(item, key=lambda one: json_text(one).text)
    for types_of, text in _TEXTS:
        if isinstance(item, types_of):
            return name, 'text', _quoted(text(item))
    if isinstance(item, datetime.timedelta):
        return 'timedelta (s)', 'text', repr(item.total_seconds())
    if isinstance(item, complex):
        return name, 'list', [item.real, item.imag]
    if isinstance(item, (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return name, 'text', _quoted(f'{item.__module__}.{item.__qualname__}')
    if isinstance(item, types.ModuleType):
        return name, 'text', _quoted(item.__name__)
    return _array(item, most) or _domain_object(item) or _instance(item)


def _key_text(key):
    """A key as json.dumps writes it; one that it refuses as the text of its JSON."""
    if isinstance(key, str):
        return str.__str__(key)
    key = _plain(key)
    if isinstance(key, float):
        number = float.__float__(key)
        if not math.isfinite(number):
            return 'NaN' if number != number else 'Infinity' if number > 0 else '-Infinity'
    text = json_text(key).text
    return json.loads(text) if text.startswith('"') else text


_TEXTS = (
    (decimal.Decimal, str),
    (fractions.Fraction, str),
    ((datetime.date, datetime.time), lambda item: item.isoformat()),
    (uuid.UUID, str),
    (pathlib.PurePath, str),
    (BaseException, lambda item: _reason(item)),
    ((range, slice), repr),
)


def _is_numpy(item):
    return type(item).__module__.partition('.')[0] == 'numpy'


def _array(item, most):
    """Scalars and arrays of numpy and of what resembles it."""
    dtype, shape = _attribute(item, 'dtype'), _attribute(item, 'shape')
    if dtype is None or not isinstance(shape, tuple):
        return None
    name = type(item).__name__
    is_time = _attribute(dtype, 'kind') in ('m', 'M')
    if shape == ():
        if is_time:
            return str(dtype), 'text', _quoted(str(item))
        value = item.item()
        return (name, 'text', _quoted(repr(item))) if type(value) is type(item) else (None, 'again', value)
    if _attribute(item, 'size') > most:
        return f'{name} ({dtype}) of {item.size} values', 'text', 'null'
    as_dict = _attribute(item, 'to_dict')
    if callable(as_dict):
        return f'{name} ({dtype})', 'again', as_dict()
    return f'{name} ({dtype})', 'again', (item.astype(str) if is_time else item).tolist()


def _domain_object(item):
    name = type(item).__name__
    geometry = _geometry_of_object(item, may_look_inside=False)
    if geometry is not None and geometry.rest is None:
        if geometry.format == 'wkb':
            return f'{name} (wkb hex)', 'text', f'"{geometry.data.hex()}"'
        return f'{name} ({geometry.format})', 'text', geometry.json()
    claim = _claim_of_object(item)
    return (name, 'text', _quoted(claim)) if claim is not None else None


def _instance(item):
    """An object by its members: dataclass and attrs fields, slots, and what lies in its __dict__."""
    kind = type(item)
    name = kind.__name__
    as_dict = _attribute(item, 'to_dict')
    made = _attempt(as_dict) if callable(as_dict) else None
    if isinstance(made, dict):
        return name, 'again', made
    names = list(getattr(kind, '__dataclass_fields__', ()))
    names += [one.name for one in getattr(kind, '__attrs_attrs__', ()) or ()]
    for base in kind.__mro__:
        slots = base.__dict__.get('__slots__', ())
        names += [slots] if isinstance(slots, str) else slots
    own = _attribute(item, '__dict__')
    if not names and not isinstance(own, dict) or inspect.isgenerator(item) or inspect.iscoroutine(item):
        words = repr(item)
        return name, 'text', _quoted(words if len(words) <= 10_000 else words[:10_000] + '…')
    names += [one for one in own or () if isinstance(one, str)]
    members = []
    for one in dict.fromkeys(names):
        if one in ('__dict__', '__weakref__'):
            continue
        try:
            members.append((one, getattr(item, one)))
        except (KeyboardInterrupt, SystemExit):
            raise
        except AttributeError:
            pass
        except BaseException as error:
            members.append((one, f'getter raised: {_reason(error)}'))
    return name, 'members', members


# ------------------------------------------------------------------------------------------------------------ geometry

class _Geometry:
    """A payload's geometry in the form in which it was given, never parsed."""

    def __init__(self, form, data, replaced=None, srid=None, rest=None, is_text=False):
        self.format = form
        self.data = data
        self.replaced = replaced or {}
        self.srid = srid
        self.rest = rest
        self.is_text = is_text
        self.bytes = data if form == 'wkb' else data.encode('utf-8', 'surrogatepass')

    def json(self):
        if self.format == 'wkb':
            return f'"{self.data.hex()}"'
        return _quoted(self.data) if self.is_text else self.data


_HEX = re.compile(r'(?:\\x|0x)?(0[01][0-9a-fA-F]+)\s*$')


def _geometry_of(value):
    """The geometry of a payload; None where the value is none that is known."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _Geometry('wkb', bytes(value))
    if isinstance(value, str):
        text = str.__str__(value)
        digits = _HEX.match(text)
        if digits and len(digits.group(1)) % 2 == 0:
            return _Geometry('wkb', bytes.fromhex(digits.group(1)))
        if text.lstrip().startswith('{'):
            return _Geometry('geojson', text, is_text=True)
        return _Geometry('wkt', _column_text(text), is_text=True)
    if isinstance(value, Mapping):
        return _geojson(value)
    return _geometry_of_object(value)


def _geojson(value):
    """A Feature's geometry is the geometry; the rest of the feature is kept beside the params."""
    inner = value.get('geometry') if value.get('type') == 'Feature' else None
    rest = None
    if isinstance(inner, Mapping):
        rest = {key: one for key, one in value.items() if key != 'geometry'}
        value = inner
    text, replaced = json_text(value, _MAX_GEOJSON_VALUES)
    return _Geometry('geojson', text, replaced, rest=rest)


def _geometry_of_object(item, may_look_inside=True):
    """shapely of any version, OGR, QGIS, GeoDjango, GeoAlchemy, what has __geo_interface__, a row of geopandas."""
    srid = _srid_of_object(item)
    for name in ('wkb', 'ExportToWkb', 'asWkb'):
        if name == 'ExportToWkb' and _attempt(lambda: item.IsMeasured()) is True:
            name = 'ExportToIsoWkb'
        given = _attribute(item, name)
        given = _attempt(given) if callable(given) else given
        if isinstance(given, str) and _HEX.match(given):
            given = _attempt(bytes.fromhex, given)
        if name == 'asWkb' and given is not None:
            given = _attempt(bytes, given)
        if isinstance(given, (bytes, bytearray, memoryview)) and len(given) > 0:
            return _Geometry('wkb', bytes(given), srid=srid)
    if type(item).__name__ in ('WKBElement', 'WKTElement'):
        data = _attribute(item, 'data')
        found = _geometry_of(data) if isinstance(data, (str, bytes, bytearray, memoryview)) else None
        if found is not None:
            found.srid = srid
        return found
    interface = _attribute(item, '__geo_interface__')
    if isinstance(interface, Mapping) and isinstance(interface.get('type'), str):
        found = _geojson(interface)
        found.srid = srid
        return found
    text = _attribute(item, 'wkt')
    if isinstance(text, str) and re.match(r'\s*(SRID=\d+;)?\s*[A-Za-z]+\s*(Z|M|ZM)?\s*(\(|EMPTY)', text):
        return _Geometry('wkt', _column_text(text), srid=srid, is_text=True)
    if not may_look_inside:
        return None
    inner = _attribute(item, 'geometry')
    if callable(inner) or isinstance(inner, (str, bytes)):
        return None
    if inner is None:
        inner = _attempt(lambda: item.GetGeometryRef())
    # One step: a row or a feature holds a geometry, not another row.
    if inner is None or inner is item or _attribute(inner, 'wkb') is None and _attribute(inner, 'ExportToWkb') is None:
        return None
    return _geometry_of_object(inner, may_look_inside=False)


def _srid_of_object(item):
    shapely = sys.modules.get('shapely')
    get_srid = _attribute(shapely, 'get_srid') if shapely is not None else None
    srid = _attempt(get_srid, item) if callable(get_srid) else None
    if srid is None:
        srid = _attribute(item, 'srid')
    number = _plain(srid)
    return number if type(number) is int and 0 < number <= 2_147_483_647 else None


# -------------------------------------------------------------------------------------------------------------- fields

_UUID = re.compile(r'[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z', re.I)
_REFERENCE = re.compile(r'sha256:[0-9a-f]{64}\Z')
_INT4 = 2_147_483_647


def _plain(value):
    """A scalar of numpy as Python's own; everything else as it is."""
    if _attribute(value, 'shape') == () and callable(_attribute(value, 'item')):
        return _attempt(lambda: value.item())
    return value


def _words(value):
    """The text of what Python callers use for names and keys; None for other values."""
    value = _plain(value)
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (uuid.UUID, pathlib.PurePath)):
        return str(value)
    return _int_text(int(value)) if isinstance(value, int) and not isinstance(value, bool) else None


def _text_to(most):
    """Text of at most so many characters: the contract's limits, over which the server would refuse the whole
    capture."""

    def field_text(value):
        words = _words(value)
        if not words:
            return None
        written = _column_text(words)
        return _quoted(written) if most is None or _utf16_length(written) <= most else None

    return field_text


def _integer_in(low, high):
    def field_text(value):
        number = _plain(value)
        if type(number) is float and number.is_integer():
            number = int(number)
        return str(number) if type(number) is int and low <= number <= high else None

    return field_text


def _number_text(number):
    """A float as text that names the same number in every language: 255 and not 255.0."""
    if number != number:
        return 'NaN'
    if math.isinf(number):
        return 'Infinity' if number > 0 else '-Infinity'
    return str(int(number)) if number.is_integer() and abs(number) < 1e21 and number != 0 else _zero_or_repr(number)


def _zero_or_repr(number):
    return '0' if number == 0 else repr(number)


def _nodata(value):
    value = _plain(value)
    if isinstance(value, float):
        return _quoted(_number_text(float.__float__(value)))
    return _quoted(str(value)) if isinstance(value, decimal.Decimal) else _text_to(None)(value)


def _claim_of_object(item):
    """What a CRS object says of its origin: the text that it was made from, else its WKT. An EPSG code is never
    guessed."""
    if isinstance(item, type):
        return None
    for name in ('srs', 'to_wkt', 'ExportToWkt', 'toWkt', 'wkt', 'to_string'):
        if name in ('wkt', 'to_string') and 'CRS' not in type(item).__name__.upper():
            continue
        claim = _attribute(item, name)
        claim = _attempt(claim) if callable(claim) else claim
        if isinstance(claim, str) and claim:
            return claim
    return None


def _crs(value):
    value = _plain(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return _int_text(int(value))
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else None
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value).decode('utf-8', 'surrogateescape')
    if isinstance(value, str):
        return _quoted(_column_text(str.__str__(value)))
    claim = _claim_of_object(value)
    if claim is not None:
        return _quoted(_column_text(claim))
    if isinstance(value, Mapping):
        written = json_text(value).text
        return written if written.startswith('{') else None
    return None


def _target_crs(value):
    written = _crs(value)
    return written if written is None or written.startswith('"') else _quoted(written)


def _source_uris(value):
    if isinstance(value, (str, pathlib.PurePath)):
        value = [value]
    if not isinstance(value, (list, tuple)):
        return None
    texts = [str(one) if isinstance(one, pathlib.PurePath) else one for one in value]
    if not all(isinstance(one, str) for one in texts):
        return None
    return '[' + ','.join(_quoted(_column_text(one)) for one in texts) + ']'


_WINDOW = ('col_off', 'row_off', 'width', 'height')


def _source_window(value):
    """The window of a raster as a dict or as rasterio's Window."""
    if isinstance(value, Mapping):
        if set(value) != set(_WINDOW):
            return None
        numbers = [_plain(value[name]) for name in _WINDOW]
    else:
        numbers = [_plain(_attribute(value, name)) for name in _WINDOW]
    if not all(type(one) in (int, float) and math.isfinite(one) for one in numbers):
        return None
    return '{' + ','.join(f'"{name}":{number!r}' for name, number in zip(_WINDOW, numbers)) + '}'


def _moment(value):
    """ISO 8601 with Z; a time without a zone is this machine's."""
    if isinstance(value, str):
        text = re.sub(r'[zZ]\Z', '+00:00', value.strip())
        # before 3.11 only three or six digits are read
        text = re.sub(r'\.(\d{1,9})', lambda match: '.' + match.group(1)[:6].ljust(6, '0'), text)
        value = _attempt(datetime.datetime.fromisoformat, text)
    if not isinstance(value, datetime.datetime):
        return None
    at = _attempt(lambda: value.astimezone(datetime.timezone.utc))
    if at is None or at.year < 1:
        return None
    precision = 'milliseconds' if at.microsecond % 1000 == 0 else 'microseconds'
    return at.replace(tzinfo=None).isoformat(timespec=precision) + 'Z'


def _failed_at(value):
    at = _moment(value)
    return _quoted(at) if at else None


def _pattern(matches):
    def field_text(value):
        words = str(value) if isinstance(value, uuid.UUID) else value
        return _quoted(words) if isinstance(words, str) and matches(words) else None

    return field_text


# A value that its field cannot hold is kept in params under `$unfit` instead of being lost.
_FIELDS = {
    'queue': _text_to(200),
    'task_id': _text_to(2000),
    'geom_hash': _text_to(500),
    'srid': _integer_in(-_INT4, _INT4),
    'src_crs': _crs,
    'tile_z': _integer_in(0, 32767),
    'tile_x': _integer_in(-_INT4, _INT4),
    'tile_y': _integer_in(-_INT4, _INT4),
    'tile_matrix_set': _text_to(200),
    'source_uris': _source_uris,
    'source_window': _source_window,
    'nodata': _nodata,
    'target_crs': _target_crs,
    'failure_class': _text_to(200),
    'error_class': _pattern(lambda words: words in ('transient', 'fatal')),
    'code_version': _text_to(500),
    'run_id': _text_to(500),
    'failed_at': _failed_at,
    'attempt_id': _pattern(_UUID.match),
    'sensitive': lambda value: json.dumps(value) if isinstance(value, bool) else None,
}
_KNOWN = {*_FIELDS, 'work_key', 'task_name', 'geometry', 'params', 'payload_ref'}


# --------------------------------------------------------------------------------------------------- what was raised

_MAX_CAUSES = 16
_TEXT_HEAD, _TEXT_TAIL = 2000, 1000
# The frames that decide and the last words stand at the end of Python's tracebacks.
_TRACE_HEAD, _TRACE_TAIL = 4000, 6000
_FRAMES_HEAD, _FRAMES_TAIL = 60, 140
_HERE = _attempt.__code__.co_filename


def _head_and_tail(text, head, tail):
    if len(text) <= head + tail:
        return text
    return f'{text[:head]}\n… {len(text) - head - tail} characters cut …\n{text[-tail:]}'


def _type_name(kind):
    module = _attribute(kind, '__module__')
    name = _attribute(kind, '__qualname__') or 'unknown'
    return name if module in ('builtins', '__main__', None) else f'{module}.{name}'


def _message(error):
    for words in (str, repr):
        text = _attempt(words, error)
        if isinstance(text, str):
            return text
    return ''


def _chain(error):
    """The error and what caused it, outermost first; a group's members count as causes. Cycles end the walk."""
    found, waiting = [], [error]
    while waiting and len(found) < _MAX_CAUSES:
        one = waiting.pop(0)
        if not isinstance(one, BaseException) or any(one is other for other in found):
            continue
        found.append(one)
        waiting.append(_cause_of(one))
        members = _attribute(one, 'exceptions')
        if isinstance(members, (list, tuple)):
            waiting.extend(members[:_MAX_CAUSES])
        # URLError and the like keep the cause as a value
        waiting.append(_attribute(one, 'reason'))
    return found


def _cause_of(error):
    if error.__cause__ is not None:
        return error.__cause__
    return None if error.__suppress_context__ else error.__context__


def _frames(error):
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)
              if frame.f_code.co_filename != _HERE]
    left_out = len(frames) - _FRAMES_HEAD - _FRAMES_TAIL
    if left_out <= 0:
        return ''.join(traceback.StackSummary.extract(iter(frames)).format())
    head = traceback.StackSummary.extract(iter(frames[:_FRAMES_HEAD])).format()
    tail = traceback.StackSummary.extract(iter(frames[-_FRAMES_TAIL:])).format()
    return ''.join([*head, f'  … {left_out} frames left out …\n', *tail])


def _one_error(error):
    frames = _attempt(_frames, error)
    words = _attempt(lambda: ''.join(traceback.format_exception_only(type(error), error)))
    if not isinstance(words, str):
        words = f'{_type_name(type(error))}: {_message(error)}\n'
    notes = _attribute(error, '__notes__')
    if isinstance(notes, (list, tuple)):
        words += ''.join(f'{note}\n' for note in notes if isinstance(note, str) and f'{note}\n' not in words)
    for name in ('stderr', 'output'):
        said = _attribute(error, name) if isinstance(error, subprocess.SubprocessError) else None
        said = said.decode('utf-8', 'replace') if isinstance(said, bytes) else said
        if isinstance(said, str) and said:
            words += f'{name}: {_head_and_tail(said, 500, 1500)}\n'
    return ('Traceback (most recent call last):\n' + frames if frames else '') + words


def _traceback_text(error):
    """In Python's order: what came first stands first, the error itself last, then the members of a group."""
    links, one, seen = [], error, []
    while one is not None and len(links) < _MAX_CAUSES and not any(one is other for other in seen):
        seen.append(one)
        links.append(one)
        one = _cause_of(one)
    parts = []
    for one in reversed(links):
        if one is not links[-1]:
            parts.append(
                '\nThe above exception was the direct cause of the following exception:\n\n'
                if one.__cause__ is not None
                else '\nDuring handling of the above exception, another exception occurred:\n\n')
        parts.append(_one_error(one))
    members = _attribute(error, 'exceptions')
    if isinstance(members, (list, tuple)):
        for i, member in enumerate(members[:_MAX_CAUSES], 1):
            if isinstance(member, BaseException) and member is not error:
                parts.append(f'\nMember {i} of {len(members)}:\n\n{_one_error(member)}')
    return ''.join(parts)


def _whole_evidence(error):
    """Uncut, for a redaction: half a secret at a cut would not be found. Total, also for errors whose own methods
    raise."""
    trace = _attempt(_traceback_text, error) or f'{_type_name(type(error))}: {_message(error)}'
    return {'error_type': _type_name(type(error)), 'error_text': _message(error), 'traceback': trace}


def _cut_evidence(evidence):
    return {
        'error_type': _column_text(evidence['error_type']),
        'error_text': _column_text(_head_and_tail(evidence['error_text'], _TEXT_HEAD, _TEXT_TAIL)),
        'traceback': _column_text(_head_and_tail(evidence['traceback'], _TRACE_HEAD, _TRACE_TAIL)),
    }


# ------------------------------------------------------------------------------------------------------ the classifier

class ClassifyRule(NamedTuple):
    """One line of the classifier. It holds when everything that it gives is found: `type` in the name of the error's
    class or of one of its bases (bare and qualified), `code` among its codes (exit code, errno and its name, SQLSTATE,
    AWS code), `status` among its HTTP statuses, `message` in its text. `source` is whose error it is, `says` what is
    recognised."""

    failure_class: str
    source: str
    says: str
    type: Optional[str] = None
    code: Optional[str] = None
    status: Optional[str] = None
    message: Optional[str] = None


# InternalError is not among them: as a type it is that of database drivers for whatever PostGIS complains of.
_AWS_NAMES = (r'(SlowDown|Throttl\w*|TooManyRequests\w*|RequestThrottled\w*|RequestLimitExceeded|'
              r'ProvisionedThroughputExceeded\w*|BandwidthLimitExceeded|LimitExceededException|RequestTimeout\w*|'
              r'EC2ThrottledException|PriorRequestNotComplete|TransactionInProgressException|ServiceUnavailable\w*|'
              r'Internal(Failure|ServerError|ServerException)|NetworkingError)$')

# The first rule that holds decides. What ran out of memory first, then waiting, then geometry before coordinates, as
# in the database's `dlq.classify`; of these two an error's type says more than its text. Extend it in place, or give
# the option `classify` rules of your own: CLASSIFY_RULES.insert(0, ClassifyRule('licence_expired', 'ours', '…',
# type=r'LicenceError$')).
CLASSIFY_RULES = [
    ClassifyRule('oom', 'Python, numpy, CUDA', 'MemoryError and its subclasses, OutOfMemoryError',
                 type=r'(?i)(^|\.)(_?(Array)?MemoryError|OutOfMemory(Error|Exception)?)$'),
    ClassifyRule('oom', 'PostgreSQL, libc', '53200 out_of_memory, ENOMEM', code=r'^(53200|ENOMEM)$'),
    ClassifyRule('upstream_timeout', 'subprocess', 'TimeoutExpired: the deadline of the parent itself',
                 type=r'^TimeoutExpired$'),
    ClassifyRule('oom', 'subprocess, multiprocessing, billiard', 'exit code 137, -9 (SIGKILL), 134 and -6 (abort)',
                 type=r'CalledProcessError|Subprocess|Process|Worker|Exit', code=r'^(137|-9|134|-6)$'),
    ClassifyRule('oom', 'V8, in the stderr of a child', 'heap limit, an array or string larger than there can be',
                 message=r'reached heap limit|reaching memory limit|worker_out_of_memory|'
                         r'array buffer allocation failed|invalid typed array length: \d{7}|'
                         r'(^|rangeerror: )invalid string length\s*(\n|$)|cannot create a string longer than'),
    ClassifyRule('oom', 'GDAL, GEOS, libc, numpy', 'out of memory, cannot allocate',
                 message=r'out of memory|(cannot|could not|failed to|unable to) (re)?allocate|malloc\S* ?(failed|'
                         r'of \d)|'
                         r'oom-?killed'),
    ClassifyRule('oom', 'C++, WebAssembly', 'bad_alloc, memory access out of bounds, a memory that cannot grow',
                 message=r'bad_?alloc|memory access out of bounds|(enlarge|grow) memory|aborted\(oom\)'),
    ClassifyRule('oom', 'child processes, by text', 'exit code 137, killed by SIGKILL, died with signal 9',
                 message=r'\bexit(ed)?( with)?( code| status)?:? 137\b|(killed|terminated|died)( by| with)?( signal)? '
                         r'(<signals\.)?sigkill|\bsignal 9\b'),
    ClassifyRule('oom', 'any, by text', 'MemoryError, OutOfMemoryError, written in the text',
                 message=r'memoryerror|outofmemory'),

    ClassifyRule('upstream_timeout', 'socket, asyncio, requests, urllib3, httpx, aiohttp, botocore, celery',
                 'TimeoutError and other types named so',
                 type=r'(?i)timed?out(error|exception|expired)?$|timelimitexceeded$|(^|\.)querycancell?ed(error)?$'),
    ClassifyRule('upstream_timeout', 'Python, requests, urllib3, aiohttp, botocore',
                 'ConnectionError and its subclasses, BrokenPipeError, gaierror, IncompleteRead …',
                 type=r'(?i)(^|\.)(connection(reset|refused|aborted|closed)?error|brokenpipeerror|gaierror|'
                      r'remotedisconnected|incompleteread(error)?|chunkedencodingerror|maxretryerror|'
                      r'newconnectionerror|nameresolutionerror|endpointconnectionerror|serverdisconnectederror)$'),
    ClassifyRule('upstream_timeout', 'web platform', 'AbortError', type=r'(?i)(^|\.)AbortError$'),
    ClassifyRule('upstream_timeout', 'requests, urllib3', 'RetryError, ProtocolError',
                 type=r'^(requests\.exceptions\.RetryError|urllib3\.exceptions\.ProtocolError)$'),
    ClassifyRule('upstream_timeout', 'httpx', 'ConnectError, ReadError, WriteError, RemoteProtocolError',
                 type=r'^http(x|core)\..*(Network|Connect|Read|Write|Close|RemoteProtocol)Error$'),
    ClassifyRule('upstream_timeout', 'aiohttp', 'ClientConnectorError, ClientPayloadError …',
                 type=r'^aiohttp\..*(ServerConnection|Client(Connect\w*|OS|Payload|Connection))Error$'),
    ClassifyRule('upstream_timeout', 'AWS', 'SlowDown, Throttling, RequestTimeout, ServiceUnavailable, InternalError …',
                 code=r'^InternalError$|^' + _AWS_NAMES),
    ClassifyRule('upstream_timeout', 'AWS', 'the same, as types', type=r'(?i)(^|\.)' + _AWS_NAMES),
    ClassifyRule('upstream_timeout', 'the operating system',
                 'ECONNRESET, ETIMEDOUT, ECONNREFUSED, EPIPE, EHOSTUNREACH …',
                 code=r'^(ECONNRESET|ETIMEDOUT|ECONNREFUSED|ECONNABORTED|EPIPE|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|'
                      r'ENETUNREACH|ENETDOWN|ENETRESET)$'),
    ClassifyRule('upstream_timeout', 'PostgreSQL',
                 '57014 and other timeouts, 08 connection, 53 no room, 55P03 lock, 40001, '
                 '40P01, 57P shutdown', code=r'^(57014|57P0[1-5]|55P03|40001|40P01|25P0[34]|08\w{3}|53\w{3})$'),
    ClassifyRule('upstream_timeout', 'psycopg', 'a connection that ended or was not had in time',
                 message=r'connection (terminated|broken|failed: )|timeout exceeded when trying to connect|'
                         r'query read timeout|server closed the connection|could not connect to server|'
                         r'couldn.t get a connection after|ssl syscall error'),
    ClassifyRule('upstream_timeout', 'requests, httpx, aiohttp, urllib, botocore',
                 'HTTP status 408, 425, 429, 502, 503, 504', status=r'^(408|425|429|502|503|504)$'),
    ClassifyRule('upstream_timeout', 'HTTP clients, by text',
                 'these statuses in the words of an HTTP or upstream error',
                 type=r'(?i)upstream|http', message=r'\b(408|425|429|502|503|504)\b'),
    ClassifyRule('upstream_timeout', 'GDAL, curl, requests, urllib, botocore',
                 'these statuses beside HTTP, status or upstream',
                 message=r'\b(https?(/\d(\.\d)?)?( (error|status|response|code|status code|response code|error code) ?)?'
                         r':?|status( ?code)?[:=]?|upstream (answered|returned|responded|sent|status|error)( with)?:?)'
                         r' ?(408|425|429|502|503|504)\b'),
    ClassifyRule('upstream_timeout', 'AWS, by text', 'SlowDown, Throttling … as the code in the text',
                 message=r'\b(slowdown|throttl\w*|toomanyrequests(exception)?|requestlimitexceeded|'
                         r'requestthrottled(exception)?|serviceunavailable(exception)?)[):]'),
    ClassifyRule('upstream_timeout', 'rasterio, fiona, GDAL over the network', 'CURL errors of the network',
                 message=r'curl error.*(resolve|connect|reset|recv|send|timed|ssl|empty reply)|recv failure|'
                         r'connection (was )?'
                         r"(refused|reset|aborted|closed)|could not resolve host|couldn't connect to server"),
    ClassifyRule('upstream_timeout', 'any, by text',
                 'timed out, remote end closed, service unavailable, too many requests',
                 message=r'socket hang up|other side closed|remote end closed|premature close|\btimed?[ -]out\b|'
                         r'\btimedout\b|gateway time|bad gateway|service unavailable|too many requests|'
                         r'reduce your request rate|encountered an internal error|'
                         r'failure in name resolution|broken pipe|retries exceeded'),
    ClassifyRule('upstream_timeout', 'Node, by text', 'ECONNRESET, ETIMEDOUT … as the code in the text',
                 message=r'\b(econnreset|econnrefused|econnaborted|epipe|eai_again|ehostunreach|ehostdown|enetunreach|'
                         r'enetdown|enetreset|e(socket)?timedout)\b|\b(und_)?err_\w*timeout\b'),
    ClassifyRule('upstream_timeout', 'any, by text', 'types of a broken connection, written in the text',
                 message=r'\b((new|endpoint)?connection(reset|refused|aborted|closed)?error|'
                         r'(remote|server)disconnected(error)?|incompleteread(error)?|querycancell?ed|'
                         r'timelimitexceeded)\b'),
    # The name of an option is no wait: quoted, assigned, part of a longer name, or said to be of a wrong kind.
    ClassifyRule('upstream_timeout', 'any, by text', 'timeout, ReadTimeout, TimeoutError',
                 message=r'''(^|[^\w'"`])[a-z]*timed?out(error|exception|expired)?(?=$|[^\w'"`=])'''
                         r'(?! (must|should|has to|needs to|is not|value|argument|parameter|option|setting|keyword|'
                         r'column|field)\b)'),

    ClassifyRule('invalid_geometry', 'GEOS, JTS', 'TopologyException, GEOSException, TopologicalError, ParseException',
                 type=r'(?i)(^|\.)(TopologyException|TopologicalError|GEOSException|NonNodedException|'
                      r'AssertionFailedException|ParseException|WKBReadingError|WKTReadingError)$'),
    ClassifyRule('invalid_geometry', 'shapely', 'ShapelyError and the other types of the module',
                 type=r'(?i)(^|\.)shapelyerror$|^shapely\..*(error|exception)$'),
    ClassifyRule('invalid_geometry', 'pipelines, by name', 'types that are named for geometry',
                 type=r'(?i)(geometry|topology|polygon)\w*(error|exception)$'),
    ClassifyRule('crs_mismatch', 'pyproj, rasterio, fiona, pipelines by name', 'CRSError, ProjError, ProjectionError',
                 type=r'(?i)(crs\w*|proj(ection|4)?)(error|exception)$|spatialreference\w*$'),

    ClassifyRule('invalid_geometry', 'GEOS, JTS', 'non-noded intersection, side location conflict, depth mismatch',
                 message=r'topology ?exception|non-?noded|side location conflict|depth mismatch at|'
                         r'unable to assign (free )?hole|'
                         r'directed edge visited twice|no outgoing diredge|found null diredge|'
                         r'orientationindex encountered nan'),
    ClassifyRule('invalid_geometry', 'GEOS, PostGIS, GDAL, shapely', 'a ring that is not closed or has too few points',
                 message=r"linear ?ring|closed (linestring|ring)|\brings?\b.*\b(not|isn't) closed|rings? must be closed|"
                         r'geometry requires more points|(4 or more|fewer than (4|four)) (positions|points)|'
                         r'at least (4|four) coordinates'),
    ClassifyRule('invalid_geometry', 'GEOS, PostGIS', 'self-intersection, hole outside the shell, nested shells',
                 message=r'self-?\s?intersect|ring self|holes? (lies|is|are) (outside|nested)|nested (holes|shells)|'
                         r'interior is disconnected|duplicate rings|too few points in geometry|'
                         r'invalid (input )?geometry|geometry (is|contains?) (not valid|invalid)'),
    ClassifyRule('invalid_geometry', 'GEOS, PostGIS, GDAL, shapely', 'WKB or WKT that cannot be read, by text',
                 message=r'\b(invalid|unknown|corrupt|bad|unsupported|truncated|cannot parse) (hex )?e?wk[bt]\b|'
                         r'unexpected eof parsing wk[bt]|\bwkb\b.*(structure|invalid|too (short|small)|does not match)|'
                         r'geometrytype \d+ not supported|could not create geometry|'
                         r'expected (geometry type|group (start|end)|coordinates)|'
                         r'ogrerr_(corrupt_data|unsupported_geometry|not_enough_data)|'
                         r'ogr error: (corrupt data|unsupported geometry|not enough data)'),
    ClassifyRule('invalid_geometry', 'GEOS, PostGIS', 'a vertex that is not finite',
                 message=r'coordinates must be finite|nan coordinate|non-?finite|invalid coordinate (value )?nan|'
                         r'coordinates? (is|are|contains?) (nan|not finite|inf)'),
    ClassifyRule('invalid_geometry', 'geojson libraries', 'coordinates or rings that cannot be used',
                 message=r'coordinates must (contain|only contain|be an array)|coord must be|'
                         r'first and last positions? are not equivalent|unable to complete output ring|'
                         r'input geometry is not a valid|tried to create degenerate segment'),
    ClassifyRule('invalid_geometry', 'GEOS, JTS, shapely, by text', 'their types, written in the text',
                 message=r'\b(geosexception|topologicalerror|shapelyerror)\b|\bparseexception\b|wk[bt]readingerror|'
                         r'(geometry|polygon)(error|exception)'),

    ClassifyRule('crs_mismatch', 'PROJ, GDAL, geopandas', 'unknown projection, CRS not found',
                 message=r'\b(unknown|unrecogni[sz]ed|unsupported|invalid) (projection|crs|srs|srid|epsg( code)?|'
                         r'coordinate (reference )?system|spatial ref\w*)(?=\W|$)'
                         r'(?! (column|field|parameter|argument|attribute|key|option)\b)|'
                         r'''\b(crs|srid|spatial_ref_sys)[): ]+([^\s"'/]+ )?(is )?(not found|unknown|no such)|'''
                         r'cannot find (proj|srid)|no translation for .* to proj|'
                         r'cannot transform naive geometries|\bcrs mismatch|no database context|'
                         r'\bcrss? do(es)? not match|axis order'),
    ClassifyRule('crs_mismatch', 'proj4, wkt-parser', 'a code or definition that cannot be read',
                 message=r"could not parse to valid json|could not get projection name|"
                         r"haven'?t handled .* in afterquote"),
    ClassifyRule('crs_mismatch', 'PROJ', 'proj_create and its context errors',
                 message=r'\bproj(_\w+)?: |proj_create|proj_trans|\bproj error\b|'
                         r'no arguments in initiali[sz]ation list'),
    ClassifyRule('crs_mismatch', 'PROJ, GDAL, rasterio', 'outside of the projection, latitude or longitude exceeded',
                 message=r'latitude or longitude exceeded|outside (of )?(the )?projection domain|'
                         r'tolerance condition error|'
                         r'(failed|unable|cannot) to (re)?(project|transform)|failed to reproject|'
                         r'unable to compute (a transformation|output bounds)|'
                         r'(cannot|failed to) find coordinate operation|cannot transform coordinates|'
                         r'points .*failed to transform|no operation found matching'),
    ClassifyRule('crs_mismatch', 'PostGIS', 'transform: invalid coordinate, mixed SRID, SRID 0',
                 message=r'transform: .*\(\d{4}\)|mixed srid|geometry has unknown .*srid|'
                         r'\bsrid \d+ (not found|is not)'),
    ClassifyRule('crs_mismatch', 'GDAL, rasterio', 'a source without a spatial reference',
                 message=r'\b(no|missing|without|lacks?) (a |any )?(spatial ref\w*|srs|crs|coordinate system|'
                         r'projection)(?=\W|$)(?! (column|field|parameter|argument|attribute|key|option)\b)'),
    ClassifyRule('crs_mismatch', 'pyproj, by text', 'CRSError, ProjError, written in the text',
                 message=r'crs[a-z]*(error|exception)\b|proj(ection|4)?(error|exception)'),
    ClassifyRule('crs_mismatch', 'any, by text', 'a latitude or longitude out of its range',
                 message=r'\b(latitude|longitude)\b.*out of (range|bounds)|'
                         r'out of (range|bounds).*\b(latitude|longitude)\b'),
]


def _codes(error):
    """The codes that an error carries, as text."""
    found = []
    for name in ('code', 'errno', 'returncode', 'exitcode', 'sqlstate', 'pgcode'):
        value = _attribute(error, name)
        if isinstance(value, (int, str)) and not isinstance(value, bool):
            found.append(str(value))
            if name == 'errno' and isinstance(value, int) and value in errno.errorcode:
                found.append(errno.errorcode[value])
    response = _attribute(error, 'response')
    told = response.get('Error') if isinstance(response, Mapping) else None
    if isinstance(told, Mapping) and isinstance(told.get('Code'), str):
        found.append(told['Code'])
    return found


def _statuses(error):
    """The HTTP statuses that an error or its response names, as text."""
    response = _attribute(error, 'response')
    found = [_attribute(of, name) for of in (error, response) if of is not None for name in ('status', 'status_code')]
    if isinstance(error, urllib.error.HTTPError):
        found.append(error.code)
    if isinstance(response, Mapping) and isinstance(response.get('ResponseMetadata'), Mapping):
        found.append(response['ResponseMetadata'].get('HTTPStatusCode'))
    return [str(int(one)) for one in found if isinstance(one, int)]


def _rule_holds(rule, names, codes, statuses, message):
    if not (rule.type or rule.code or rule.status or rule.message):
        return False
    for pattern, among in ((rule.type, names), (rule.code, codes), (rule.status, statuses)):
        if pattern and not any(re.search(pattern, one) for one in among):
            return False
    return not rule.message or re.search(rule.message, message, re.I) is not None


def classify(error, rules=None):
    """The class of what broke, by the first rule that holds for the error or, failing that, for one of its causes."""
    for one in _chain(error):
        kinds = [kind for kind in type(one).__mro__ if kind not in (Exception, BaseException, object)]
        names = [name for kind in kinds for name in (kind.__name__, _type_name(kind))]
        codes, statuses = _attempt(_codes, one) or [], _attempt(_statuses, one) or []
        message = _message(one)
        if len(message) > 4000:
            message = message[:2000] + '\n' + message[-2000:]
        for rule in CLASSIFY_RULES if rules is None else rules:
            if _attempt(_rule_holds, rule, names, codes, statuses, message):
                return rule.failure_class
    return 'unknown'


def _failure_class(error, own):
    """By the caller's own classifier (a function, or rules asked before the built-in ones), else by the built-in
    rules."""
    told = _attempt(own, error) if callable(own) else None
    if isinstance(told, str) and told:
        return told
    rules = [*own, *CLASSIFY_RULES] if isinstance(own, (list, tuple)) else None
    return _attempt(classify, error, rules) or 'unknown'


def _error_class(failure_class):
    return 'transient' if failure_class in ('upstream_timeout', 'oom') else 'fatal'


_ABORTS = ('asyncio.exceptions.CancelledError', 'concurrent.futures._base.CancelledError', 'trio.Cancelled',
           'KeyboardInterrupt', 'SystemExit', 'GeneratorExit', 'greenlet.GreenletExit')


def _is_abort(error):
    """True where the task was told to stop. A deadline is a failure."""
    members = _attribute(error, 'exceptions')
    if isinstance(members, tuple) and members:
        return all(_is_abort(member) for member in members)
    return any(_type_name(kind) in _ABORTS for kind in type(error).__mro__)


# -------------------------------------------------------------------------------------------------------- one capture

# Looked at in this order; the first is this product's own, the others are those of the usual builds.
VERSION_VARIABLES = (
    'DLO_CODE_VERSION', 'GIT_COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA', 'BUILD_SOURCEVERSION', 'BITBUCKET_COMMIT',
    'CIRCLE_SHA1', 'SOURCE_VERSION', 'SOURCE_COMMIT', 'GIT_SHA', 'COMMIT_SHA',
)
_GIT = {}


def _code_version(given):
    """As given, else from the environment, else the git revision around the working directory, looked up once."""
    if given:
        return str(given)
    for name in VERSION_VARIABLES:
        named = os.environ.get(name, '').strip()
        if named:
            return named
    if 'revision' not in _GIT:
        _GIT['revision'] = _attempt(lambda: _git_revision(os.getcwd()))
    return _GIT['revision']


_SHA = re.compile(r'[0-9a-f]{40}([0-9a-f]{24})?\Z')


def _git_revision(folder):
    """The commit that is checked out, read from the repository's files: no process is started while a task waits."""
    while not os.path.exists(os.path.join(folder, '.git')):
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)
    git = os.path.join(folder, '.git')
    if os.path.isfile(git):
        # in a worktree and in a submodule it is a file that says where
        git = os.path.join(folder, _text_of_file(git).partition('gitdir: ')[2])
    # branches and packed refs of a worktree lie in the repository that it was made from
    common = os.path.join(git, _text_of_file(os.path.join(git, 'commondir')) or '.')
    head = _text_of_file(os.path.join(git, 'HEAD'))
    found = [head]
    if head.startswith('ref: '):
        name = head[5:]
        packed = _text_of_file(os.path.join(common, 'packed-refs')).split('\n')
        found = [_text_of_file(os.path.join(git, name)), _text_of_file(os.path.join(common, name)),
                 *(line.partition(' ')[0] for line in packed if line.endswith(' ' + name))]
    return next((one[:12] for one in found if _SHA.match(one)), None)


def _text_of_file(path):
    try:
        with open(path, encoding='utf-8') as file:
            return file.read().strip()
    except OSError:
        return ''


class _Lost(NamedTuple):
    """What a lost capture is known by, after redaction."""

    task_name: str
    work_key: Optional[str]
    error_type: str
    error_text: str


class _Parts:
    """One capture taken apart, so that a geometry over the size rule can go another way than its line."""

    def __init__(self, capture_id, work_key, members, geometry, payload_ref, run_of, is_redrive, lost):
        self.run = run_of
        self.is_redrive = is_redrive
        self.capture_id = capture_id
        self.work_key = work_key
        self.lost = lost
        self.members = members
        self.geometry = geometry
        self.payload_ref = payload_ref
        is_large = geometry is not None and len(geometry.bytes) > SIZE_RULE_BYTES
        self.blob_sha256 = hashlib.sha256(geometry.bytes).hexdigest() if is_large else None

    def text(self, inline=False):
        """The capture's JSON; a large geometry is named by its hash unless it is asked for."""
        if self.blob_sha256 and not inline:
            last = f',"payload_ref":"sha256:{self.blob_sha256}","geom_format":"{self.geometry.format}"'
        else:
            last = f',"payload_ref":"{self.payload_ref}"' if self.payload_ref else ''
            if self.geometry is not None:
                last += f',"geom_{self.geometry.format}":{self.geometry.json()}'
        return '{' + self.members + last + '}'


def _payload_members(payload, is_quiet):
    """(members, unreadable) of a payload: a mapping, or an object by its attributes."""
    if payload is None:
        return {}, {}
    if inspect.iscoroutine(payload):
        payload.close()
        return {}, {'payload_error': 'the payload function is a coroutine'}
    if isinstance(payload, Mapping):
        members = _attempt(lambda: {_words(name) or repr(name): one for name, one in payload.items()})
        return ({}, {'payload': 'unreadable'}) if members is None else (members, {})
    try:
        _, form, data = _instance(payload)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return {}, {'payload': 'unreadable' if is_quiet else f'unreadable: {_reason(error)}'}
    if form == 'members':
        return dict(data), {}
    return (data, {}) if isinstance(data, dict) else ({'payload': payload}, {})


_ALIASES = ('geom_wkb', 'geom_wkt', 'geom_geojson', 'geom')


def _geometry_name(members):
    """The member that holds a payload's geometry."""
    return next((name for name in ('geometry', *_ALIASES) if members.get(name) is not None), 'geometry')


def _name_geometry(members):
    """The members with the geometry under its name; base64 is read as the HTTP interface does."""
    name = _geometry_name(members)
    if name == 'geometry':
        return members
    given = members[name]
    if name == 'geom_wkb' and isinstance(given, str) and re.match(r'A[A-Za-z0-9+/]{7,}={0,2}\Z', given):
        given = _attempt(base64.b64decode, given) or given
    return {**{key: one for key, one in members.items() if key != name}, 'geometry': given}


_MOST_NAMES = 5


def _warn_of_members(unknown, has_geometry, task_name, options):
    """Members that no field of a capture has, by name alone; told once a task."""
    if not unknown:
        return
    told = []
    for name in unknown[:_MOST_NAMES]:
        is_second = has_geometry and name in _ALIASES
        near = None if is_second else _nearest(name, _KNOWN)
        hint = ' (a second geometry)' if is_second else f' (did you mean {near}?)' if near else ''
        told.append(_quoted(name[:100]) + hint)
    more = f' and {len(unknown) - _MOST_NAMES} more' if len(unknown) > _MOST_NAMES else ''
    task = _quoted(task_name or 'anonymous')
    _tell_once(f'members {task_name}', f'the payload of task {task} has members that a capture does not know: '
               f'{", ".join(told)}{more}; they are kept in params under $unfit. Put what the task needs into params',
               options.warn)


def _nearest(name, known):
    return next(iter(difflib.get_close_matches(name[:60].lower(), sorted(known), 1)), None)


def _unknown_option(names):
    """Words for options that there are not, each with the one that it resembles."""
    near = [(name, _nearest(name, _Options._fields)) for name in sorted(names)]
    return 'knows no option ' + ', '.join(name + (f' (did you mean {one}?)' if one else '') for name, one in near)


def _make_parts(error, payload, options, task_name, unreadable=None):
    """Total: any payload gives its parts. Whatever could not be written as it is has its name in params (`$replaced`:
    JSON Pointer → what it was; `$unfit`: members that no field of the contract can hold)."""
    members, unread = _payload_members(payload, options.redact is not None)
    unread.update(unreadable or {})
    if 'payload_error' in unread:
        _tell_of_payload('is a coroutine', task_name, options)
    evidence = _whole_evidence(error)
    if options.redact is None:
        return _parts_of(error, members, unread, _cut_evidence(evidence), options, task_name)
    try:
        members, evidence = _redacted(members, evidence, options.redact, error)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as reason:
        # its text may quote the payload
        _tell_once(f'redact {task_name}', f'redact of task {_quoted(task_name or "anonymous")} failed '
                   f"({type(reason).__name__}); the capture holds neither the payload nor the error's words", options.warn)
        return _unredacted_parts(error, members, type(reason).__name__, options, task_name)
    return _parts_of(error, members, unread, _cut_evidence(evidence), options, task_name)


def _redacted(members, evidence, redact, error):
    given = {**members, **evidence}
    if isinstance(redact, Mapping):
        answer = dict(given)
        for name, of in redact.items():
            member = _geometry_name(answer) if name == 'geometry' else name
            if member in answer:
                answer[member] = of(answer[member], error)
                if answer[member] is None:
                    del answer[member]
    else:
        answer = redact(given, error)
    if not isinstance(answer, Mapping):
        raise TypeError('redact gave no mapping')
    rest = dict(answer)
    text = {name: rest.pop(name, '') for name in ('error_type', 'error_text', 'traceback')}
    text = {name: one if isinstance(one, str) else '' for name, one in text.items()}
    text['error_type'] = text['error_type'] or evidence['error_type']
    return rest, text


def _unredacted_parts(error, payload, failed, options, task_name):
    """A redaction that failed: what names the unit of work and the failure, and no word of the payload or of the
    error."""
    capture_id = _capture_id(options.capture_id)
    fitting = {'work_key': 2000, 'task_name': 500, 'queue': 200, 'failure_class': 200}
    members = {name: payload[name] for name, most in fitting.items()
               if name in payload and _text_to(most)(payload[name]) is not None}
    # not one derived from the content: from a hash of it, it could be guessed
    members.setdefault('work_key', f'{task_name[:500] or "anonymous"}/unkeyed/{capture_id}')
    members['params'] = {'$redaction_failed': failed}
    evidence = {'error_type': _column_text(_type_name(type(error))), 'error_text': '', 'traceback': ''}
    return _parts_of(error, members, {}, evidence, options._replace(capture_id=lambda: capture_id), task_name)


def _parts_of(error, payload, unreadable, evidence, options, task_name):
    unfit = dict(unreadable)
    payload = _name_geometry(payload)
    capture_id = _capture_id(options.capture_id)
    geometry = None
    given = payload.get('geometry')
    if given is not None:
        geometry = _attempt(_geometry_of, given)
        if geometry is None:
            unfit['geometry'] = given
        elif geometry.rest is not None:
            unfit['geometry'] = geometry.rest
    claimed = payload.get('failure_class')
    failure_class = claimed if isinstance(claimed, str) and claimed else _failure_class(error, options.classify)
    current = _current_run()
    defaults = {
        'failure_class': failure_class,
        'error_class': _error_class(failure_class),
        'queue': options.text('queue', 'DLO_QUEUE') or (current.queue if current else None),
        'run_id': options.run_id or (current.run_id if current else None),
        'code_version': _code_version(options.code_version),
        'failed_at': _attempt(options.now) if callable(options.now) else None,
        'srid': geometry.srid if geometry is not None else None,
    }
    if current is not None and (_words(payload.get('run_id')) or str(defaults['run_id'])) != current.run_id:
        current = None
    members = [f'"capture_id":"{capture_id}"']
    for name, field_text in _FIELDS.items():
        value = payload.get(name)
        is_none = value is None or isinstance(value, str) and value == ''
        written = None if is_none else _attempt(field_text, value)
        if not is_none and written is None:
            unfit[name] = value
        if written is None and defaults.get(name) is not None:
            written = _attempt(field_text, defaults[name])
        if written is None and name == 'failed_at':
            written = field_text(datetime.datetime.now(datetime.timezone.utc))
        if written is not None:
            members.append(f'"{name}":{written}')
    unknown = [name for name in payload if name not in _KNOWN]
    unfit.update((name, payload[name]) for name in unknown)
    _warn_of_members(unknown, geometry is not None, task_name, options)
    task_text = _text_to(500)
    task = task_text(payload.get('task_name')) or task_text(task_name) or _quoted('anonymous')
    members.append(f'"task_name":{task}')

    reference = payload.get('payload_ref')
    is_reference = isinstance(reference, str) and _REFERENCE.match(reference) is not None
    if reference and (not is_reference or geometry is not None):
        unfit['payload_ref'] = reference
        is_reference = False

    key = payload.get('work_key')
    key_text = _text_to(2000)(key)
    if key_text is None and not (key is None or isinstance(key, str) and key == ''):
        unfit['work_key'] = key
    params = _params_text(payload.get('params'), geometry.replaced if geometry else {}, unfit)
    if params is not None:
        members.append(f'"params":{params}')
    members.extend(f'"{name}":{_quoted(text)}' for name, text in evidence.items())
    work_key = key_text or _quoted(_derived_key(task_name, geometry, params, key))
    members.append(f'"work_key":{work_key}')
    return _Parts(capture_id, json.loads(work_key), ','.join(members), geometry, reference if is_reference else None,
                  current, bool(payload.get('attempt_id')),
                  _Lost(json.loads(task), json.loads(work_key), evidence['error_type'], evidence['error_text']))


def _params_text(params, geometry_replaced, unfit):
    """Params that are no object, or that use the reserved names themselves, are kept whole under `$value`."""
    own = None if params is None else json_text(params)
    replaced = dict(own.replaced) if own else {}
    replaced.update((f'geom_geojson:{path}', was) for path, was in geometry_replaced.items())
    notes = []
    if replaced:
        notes.append('"$replaced":' + json_text(replaced).text)
    if unfit:
        notes.append('"$unfit":' + json_text(unfit).text)
    if not notes:
        return own.text if own else None
    body = own.text if own else '{}'
    if not body.startswith('{') or re.search(r'"\$(replaced|unfit)":', body):
        return '{"$value":' + ','.join([body, *notes]) + '}'
    return '{' + ','.join(notes) + '}' if body == '{}' else body[:-1] + ',' + ','.join(notes) + '}'


def _derived_key(task_name, geometry, params, key):
    """From the key where there was one that is no key (too long, no text), else from the payload: the same failure
    meets the same entry, whichever client captured it."""
    if key is None or isinstance(key, str) and key == '':
        shape = '{}'
        if geometry is not None:
            is_large = len(geometry.bytes) > SIZE_RULE_BYTES
            text = f'"sha256:{hashlib.sha256(geometry.bytes).hexdigest()}"' if is_large else geometry.json()
            shape = f'{{"geom_{geometry.format}":{text}}}'
        of = f'[{shape},{_quoted(params or "")}]'
    else:
        of = json_text([key]).text
    digest = hashlib.sha256(of.encode('utf-8')).hexdigest()
    return f'{_column_text(task_name)[:500] or "anonymous"}/unkeyed/{digest[:32]}'


def _capture_id(given):
    told = _attempt(given) if callable(given) else given
    told = str(told) if isinstance(told, (str, uuid.UUID)) else ''
    return told if _UUID.match(told) else str(uuid.uuid4())


# ------------------------------------------------------------------------------------------------- waiting, and no more

class _TimeUp(Exception):
    pass


class _InFlight:
    """Work that goes on behind the caller, so that `flush()` and the end of the process can wait for it."""

    def __init__(self):
        self.changed = threading.Condition()
        self.count = 0

    def add(self, by):
        with self.changed:
            self.count += by
            self.changed.notify_all()

    def wait(self, seconds):
        with self.changed:
            return self.changed.wait_for(lambda: self.count <= 0, seconds)


def _bounded(work, seconds):
    """What `work` returns or raises, or _TimeUp. It runs in a thread of its own, since neither a look-up of a name nor
    a write to a disk that hangs can be broken off; such a thread is left behind."""
    done = threading.Event()
    box = []
    process = _PROCESS

    def body():
        try:
            box.append((True, work()))
        except BaseException as error:
            box.append((False, error))
        finally:
            done.set()
            process.in_flight.add(-1)

    process.in_flight.add(1)
    try:
        threading.Thread(target=body, name='dead-letter', daemon=True).start()
    except (RuntimeError, MemoryError):
        # No more threads, or the interpreter is ending: the timeouts of the sockets have to do.
        body()
    if not done.wait(max(0.0, seconds)):
        raise _TimeUp
    is_fine, value = box[0]
    if is_fine:
        return value
    try:
        raise value
    finally:
        # the frame holds the error, which holds the frame
        del value, box[:]


# ------------------------------------------------------------------------------------------------------------- sending

class _Refused(Exception):
    """The server will never take this; `status` is its answer."""

    def __init__(self, text, status=0):
        super().__init__(text)
        self.status = status


class _Away(Exception):
    """Waiting may help; `retry_after_s` where the server said for how long, `is_unreachable` where it said nothing."""

    def __init__(self, text, retry_after_s=None, is_unreachable=True):
        super().__init__(text)
        self.retry_after_s = retry_after_s
        self.is_unreachable = is_unreachable


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected POST becomes a GET without its body, and would carry the token elsewhere."""

    def redirect_request(self, *_):
        return None


_GZIP_FROM_BYTES = 64_000
_MAX_ANSWER_BYTES = 1_000_000
_FIRST_PAUSE_S = 0.05
_LONGEST_RETRY_AFTER_S = 3600.0


def _opener(url):
    """The environment's proxies, but none for this machine itself."""
    parsed = urllib.parse.urlsplit(url)
    host = parsed.hostname or ''
    return _opener_of(parsed.scheme == 'https', host in ('localhost', '::1') or host.startswith('127.'))


@functools.lru_cache(maxsize=None)
def _opener_of(is_https, is_local):
    handlers = [_NoRedirect()] + ([urllib.request.ProxyHandler({})] if is_local else [])
    if is_https:
        # made once: to read the certificates takes longer than a capture
        import ssl
        handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context()))
    return urllib.request.build_opener(*handlers)


def _request(method, url, body, headers, deadline):
    """(status, headers, body) of one HTTP exchange, whatever the status is. Raises _Away where there is no answer."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise _Away('the time for sending is up')
    request = urllib.request.Request(url, data=body, method=method, headers={
        'user-agent': f'dead-letter-office-python/{__version__}', **headers})
    try:
        with _opener(url).open(request, timeout=left) as answer:
            return answer.status, answer.headers, _read(answer, deadline)
    except urllib.error.HTTPError as error:
        try:
            return error.code, error.headers, _attempt(_read, error, deadline) or b''
        finally:
            error.close()
    except (OSError, ValueError, EOFError) as error:
        raise _Away(_reason(getattr(error, 'reason', None) or error)) from error
    except Exception as error:
        raise _Away(_reason(error)) from error


def _read(answer, deadline):
    pieces, size = [], 0
    while size <= _MAX_ANSWER_BYTES:
        if time.monotonic() >= deadline:
            raise _Away('the answer did not end in time')
        piece = answer.read(65_536)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b''.join(pieces)


def _retry_after(headers):
    told = headers.get('retry-after') if headers is not None else None
    if not told:
        return None
    try:
        seconds = float(told)
    except ValueError:
        at = _attempt(email.utils.parsedate_to_datetime, told)
        seconds = at.timestamp() - time.time() if at is not None else 0.0
    return max(0.0, min(seconds, _LONGEST_RETRY_AFTER_S))


class _Server:
    """One server as this process knows it: whether it is worth asking now, and whether it takes gzip."""

    FIRST_REST_S, LONGEST_REST_S = 1.0, 60.0

    def __init__(self, url):
        self.url = url
        self.lock = threading.Lock()
        self.is_troubled = False
        self.is_probed = False
        self.rest_s = self.FIRST_REST_S
        self.rest_until = 0.0
        self.takes_gzip = True

    def may_be_asked(self):
        """yes; no: it failed a moment ago; once: this caller is the one that tries, and tells the others what came
        of it."""
        with self.lock:
            if not self.is_troubled:
                return 'yes'
            if self.is_probed or time.monotonic() < self.rest_until:
                return 'no'
            self.is_probed = True
            return 'once'

    def answered(self):
        with self.lock:
            self.is_troubled = self.is_probed = False
            self.rest_s = self.FIRST_REST_S

    def failed(self, retry_after_s=None):
        with self.lock:
            # those that were under way when it failed for the first one say nothing new
            if not self.is_troubled or self.is_probed:
                self.rest_until = time.monotonic() + max(self.rest_s, retry_after_s or 0.0)
                self.rest_s = min(self.rest_s * 2, self.LONGEST_REST_S)
            self.is_troubled, self.is_probed = True, False

    def send(self, method, path, body, content_type, token, deadline, tries=math.inf, unreachable_tries=math.inf,
             known=None):
        """The answer's body. Tried again with growing pauses while waiting may help and there is time; `known` gets why
        each try failed, for the caller whose time is up before."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                return self._once(method, path, body, content_type, token, deadline)
            except _Away as away:
                if known is not None:
                    known.append(away)
                tries -= 1
                unreachable_tries -= away.is_unreachable
                wait = max(pause * random.uniform(0.75, 1.25), away.retry_after_s or 0.0)
                if min(tries, unreachable_tries) <= 0 or time.monotonic() + wait >= deadline:
                    raise
            time.sleep(wait)
            pause *= 3

    def _once(self, method, path, body, content_type, token, deadline):
        try:
            url = urllib.parse.urljoin(self.url, path)
        except ValueError as error:
            raise _Refused(f'“{self.url}” is no URL: {error}') from error
        headers = {'content-type': content_type}
        if token:
            headers['authorization'] = f'Bearer {token}'
        is_packed = self.takes_gzip and len(body) >= _GZIP_FROM_BYTES and method == 'POST'
        if is_packed:
            packed = gzip.compress(body, 1)
            status, told, answer = _request(method, url, packed, {**headers, 'content-encoding': 'gzip'}, deadline)
            if status == 415:
                self.takes_gzip = False
                is_packed = False
        if not is_packed:
            status, told, answer = _request(method, url, body, headers, deadline)
        if 200 <= status < 300:
            return answer
        text = _answered(status, answer)
        if status in (408, 425, 429) or status >= 500:
            raise _Away(text, _retry_after(told), is_unreachable=False)
        raise _Refused(text, status)


def _answered(status, body):
    """An answer as part of a reason: without a semicolon, which parts a reason from the next."""
    return f'HTTP {status}: ' + body[:300].decode('utf-8', 'replace').replace(';', ',')


def _answer_of(body):
    """(id, work_key, attempts, outcome) of a stored capture."""
    try:
        answer = json.loads(body)
        return str(answer['id']), str(answer['work_key']), int(answer['attempts']), str(answer['outcome'])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _Refused(f'not an answer of a dead letter office: {_answered(200, body)}') from error


# The server refuses a longer line.
_MAX_LINE_BYTES = 33_000_000
# A server that is being restarted is there again sooner than anyone wants to wait, or much later.
_SPOOL_AFTER_TRIES = 3


def _send_capture(server, parts, token, deadline, tries, has_spool, inline=False):
    """Stores one capture at the server, a large geometry first. Where that is not taken, and there is no spool to go to
    either, the line carries it itself."""
    limits = {'tries': tries, 'unreachable_tries': _SPOOL_AFTER_TRIES if has_spool else math.inf}
    if parts.blob_sha256 and not inline:
        now = time.monotonic()
        until = deadline if has_spool else now + (deadline - now) / 2
        try:
            server.send('PUT', f'/api/blobs/{parts.blob_sha256}', parts.geometry.bytes, 'application/octet-stream',
                        token, until, **limits)
        except (_Refused, _Away):
            if has_spool or len(parts.geometry.bytes) * 2 > _MAX_LINE_BYTES:
                raise
            inline = True
    body = parts.text(inline).encode('utf-8')
    return _answer_of(server.send('POST', '/api/dead-letters', body, 'application/json', token, deadline, **limits))


# ----------------------------------------------------------------------------------------------------------- the spool

_MAX_FILE_BYTES = 64_000_000
_MAX_FILE_AGE_S = 60.0
_MAX_WAITING_BYTES = 64_000_000
_MAX_FILES = 3
_STALLED_S = 5.0
_LOOK_AGAIN_S, _LOOK_AGAIN_WHEN_FULL_S = 10.0, 1.0


def _spool_line(text):
    """The bytes of one line of a spool file: the capture's text behind the sha256 of its UTF-8 bytes."""
    body = text.replace('\r', ' ').replace('\n', ' ').encode('utf-8')
    return b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'","capture":' + body + b'}\n'


class _SpoolNames:
    """Names of one writer's files, in order: `<host>-<pid>-<random8>-<seq>.ndjson`."""

    def __init__(self):
        host = re.sub('[^A-Za-z0-9._-]', '_', socket.gethostname()) or 'host'
        self.writer = f'{host}-{os.getpid()}-{os.urandom(4).hex()}'
        self.seq = 0

    def next(self):
        self.seq += 1
        return f'{self.writer}-{self.seq:06d}.ndjson'


class _WaitingLine:
    def __init__(self, data, deadline):
        self.data = data
        self.deadline = deadline
        self.file = None
        self.error = None

    @property
    def is_settled(self):
        return self.file is not None or self.error is not None


class _GroupCommit:
    """Lines that wait while others are written share the next write and its fsync: whoever gets its turn writes them
    all."""

    def __init__(self, where, commit):
        self.where = where
        self.commit = commit
        self.lock = threading.Lock()
        self.turn = threading.Lock()
        self.waiting = []
        self.busy_since = None

    def append(self, text, deadline):
        line = _WaitingLine(_spool_line(text), deadline)
        with self.lock:
            if self.busy_since is not None and time.monotonic() - self.busy_since > _STALLED_S:
                raise OSError(f'the spool {self.where} has not answered for {_STALLED_S:.0f} s')
            if sum(len(one.data) for one in self.waiting) + len(line.data) > _MAX_WAITING_BYTES:
                raise OSError(f'the spool {self.where} is too slow: {len(self.waiting)} captures wait for it already')
            self.waiting.append(line)
        with self.turn:
            if not line.is_settled:
                self._write()
        if line.error is not None:
            raise line.error
        return line.file

    def _write(self):
        with self.lock:
            group, self.waiting = self.waiting, []
            self.busy_since = time.monotonic()
        error = OSError(f'the spool {self.where} did not keep the line')
        try:
            self.commit(group)
        except Exception as reason:
            error = reason
        finally:
            for line in group:
                if not line.is_settled:
                    line.error = error
            with self.lock:
                self.busy_since = None


_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, 'O_BINARY', 0)


def _write_all(fd, data):
    view = memoryview(data)
    while view:
        written = os.write(fd, view)
        if written == 0:
            raise OSError(errno.EIO, 'the disk took no byte of a write')
        view = view[written:]


def _sync_folder(folder):
    if os.name == 'nt':
        # a folder cannot be opened there
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _is_full(error):
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


class _SpoolFile:
    """One file of the spool while it is written. A line is safe when fsync returned and the path still names the file
    that was written: a loader may seal it by renaming it at any moment, and reads nothing that comes after."""

    def __init__(self, path):
        self.path = path
        self.good_bytes = 0
        self.is_usable = True
        self.opened_at = time.monotonic()
        self.fd = os.open(path + '.open', _NEW_FILE | os.O_APPEND, 0o660)
        try:
            _sync_folder(os.path.dirname(path))
            self.inode = os.fstat(self.fd).st_ino
        except BaseException:
            os.close(self.fd)
            _attempt(os.unlink, path + '.open')
            raise

    def append(self, data):
        """Raises where the bytes are not safe; `is_usable` says whether the file may still be written to."""
        self.is_usable = False
        try:
            _write_all(self.fd, data)
            os.fsync(self.fd)
        except OSError as error:
            # After a failed fsync nobody knows what the disk holds: the lines are cut off here, and go to another file.
            os.ftruncate(self.fd, self.good_bytes)
            self.is_usable = _is_full(error)
            raise
        try:
            is_ours = os.stat(self.path + '.open').st_ino == self.inode
        except FileNotFoundError:
            is_ours = False
        if not is_ours:
            raise OSError(errno.ESTALE, f'{self.path} was taken away')
        self.good_bytes += len(data)
        self.is_usable = True

    def close(self):
        fd, self.fd = self.fd, -1
        if fd >= 0:
            _attempt(os.close, fd)

    def seal(self):
        """Nothing is written to it from here on; an empty one goes. A loader may have sealed it already."""
        self.close()
        try:
            if self.good_bytes == 0:
                os.unlink(self.path + '.open')
            else:
                os.rename(self.path + '.open', self.path)
        except OSError:
            pass


class _DirectorySpool:
    def __init__(self, folder, max_bytes):
        self.where = folder
        self.max_bytes = max_bytes
        self.names = _SpoolNames()
        self.lines = _GroupCommit(folder, self._commit)
        self.file = None
        self.timer = None
        self.is_made = False
        self.held_bytes = 0
        self.looked_at = -math.inf
        self.room = threading.Lock()

    def append(self, text, deadline):
        return self.lines.append(text, deadline)

    def _commit(self, group):
        self._make_folder()
        left = []
        for line in group:
            if self._take(len(line.data)):
                left.append(line)
            else:
                line.error = self._full()
        for _ in range(_MAX_FILES):
            if not left:
                return
            try:
                file = self._current_file(sum(len(line.data) for line in left))
                file.append(b''.join(line.data for line in left))
                for line in left:
                    line.file = file.path
                return
            except OSError as error:
                if self.file is not None and not self.file.is_usable:
                    self._seal()
                if error.errno == errno.ENOENT:
                    # somebody took the folder away
                    self.is_made = False
                    self._make_folder()
                if _is_full(error):
                    self._one_by_one(left, error)
                    return
                reason = error
        raise OSError(f'the spool {self.where} could not be written to: {reason}')

    def _one_by_one(self, group, error):
        """The disk has no room for all of them: some may still fit."""
        for line in group:
            try:
                if len(group) > 1:
                    file = self._current_file(len(line.data))
                    file.append(line.data)
                    line.file = file.path
                    continue
            except OSError as reason:
                error = reason
                if self.file is not None and not self.file.is_usable:
                    self._seal()
            line.error = OSError(f'the spool {self.where} could not be written to: {error}')

    def _make_folder(self):
        if self.is_made:
            return
        try:
            first = self.where
            while not os.path.isdir(os.path.dirname(first)):
                first = os.path.dirname(first)
            os.makedirs(self.where, mode=0o770, exist_ok=True)
            made = self.where
            while len(made) >= len(first):
                _sync_folder(os.path.dirname(made))
                made = os.path.dirname(made)
        except OSError as error:
            raise OSError(f'the spool {self.where} cannot be made or written to: {error}; '
                          'set DLO_SPOOL_DIR to a folder that can') from error
        self.is_made = True

    def _current_file(self, size):
        if self.file is not None:
            is_over = self.file.good_bytes > 0 and self.file.good_bytes + size > _MAX_FILE_BYTES
            if is_over or time.monotonic() - self.file.opened_at >= _MAX_FILE_AGE_S:
                self._seal()
        if self.file is None:
            self.file = _SpoolFile(os.path.join(self.where, self.names.next()))
            self.timer = threading.Timer(_MAX_FILE_AGE_S, self.seal)
            self.timer.daemon = True
            _attempt(self.timer.start)
            _seal_at_the_end_of_a_child()
        return self.file

    def _seal(self):
        file, self.file = self.file, None
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if file is not None:
            file.seal()

    def seal(self, seconds=_STALLED_S):
        """Hands what was kept so far to the loader."""
        if self.lines.turn.acquire(timeout=seconds):
            try:
                self._seal()
            finally:
                self.lines.turn.release()

    def abandon(self):
        """In a child that was forked: the file is the parent's."""
        if self.file is not None:
            self.file.close()

    def put_blob(self, sha256, data, deadline):
        """Under another name first, so that what has this name is whole."""
        self._make_folder()
        blobs = os.path.join(self.where, 'blobs')
        path = os.path.join(blobs, sha256)
        os.makedirs(blobs, mode=0o770, exist_ok=True)
        # read, since one that a failing disk damaged would stand for the geometry otherwise
        if _attempt(_sha256_of_file, path) != sha256:
            if not self._take(len(data)):
                raise self._full()
            part = os.path.join(blobs, f'.{os.urandom(8).hex()}.part')
            try:
                fd = os.open(part, _NEW_FILE, 0o660)
                try:
                    _write_all(fd, data)
                    os.fsync(fd)
                finally:
                    os.close(fd)
                os.rename(part, path)
            except BaseException:
                _attempt(os.unlink, part)
                raise
        _sync_folder(blobs)

    def _take(self, size):
        """True where so many bytes fit; they count from now on. Others write here too, and the loader takes away."""
        with self.room:
            seen_s = time.monotonic() - self.looked_at
            has_room = self.held_bytes + size <= self.max_bytes
            if seen_s > _LOOK_AGAIN_S or not has_room and seen_s > _LOOK_AGAIN_WHEN_FULL_S:
                lines = _bytes_in(self.where, re.compile(r'\.ndjson(\.open)?\Z'))
                self.held_bytes = lines + _bytes_in(os.path.join(self.where, 'blobs'), re.compile(''))
                self.looked_at = time.monotonic()
                has_room = self.held_bytes + size <= self.max_bytes
            if has_room:
                self.held_bytes += size
            return has_room

    def _full(self):
        return OSError(f'the spool {self.where} is full: it holds {self.held_bytes / 1e6:.0f} MB of at most '
                       f'{self.max_bytes / 1e6:.0f}; load it with `dlo ingest`, or raise max_spool_bytes')


def _sha256_of_file(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def _bytes_in(folder, of):
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if of.search(entry.name):
                    total += _attempt(lambda: entry.stat().st_size) or 0
    except OSError:
        pass
    return total


class _BucketSpool:
    """One object for the lines that wait, whole and sealed by its PUT."""

    def __init__(self, url):
        self.where = url
        match = re.match(r's3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?\Z', url)
        if match is None:
            raise ValueError(f'“{url[:100]}” is no s3://bucket/prefix')
        self.bucket, prefix = match.group(1), (match.group(2) or '').rstrip('/')
        self.prefix = prefix + '/' if prefix else ''
        self.names = _SpoolNames()
        self.lines = _GroupCommit(url, self._commit)

    def append(self, text, deadline):
        return self.lines.append(text, deadline)

    def put_blob(self, sha256, data, deadline):
        self._put(f'blobs/{sha256}', data, 'application/octet-stream', deadline)

    def seal(self, seconds=_STALLED_S):
        if self.lines.turn.acquire(timeout=seconds):
            self.lines.turn.release()

    def abandon(self):
        pass

    def _commit(self, group):
        key = 'spool/' + self.names.next()
        body = b''.join(line.data for line in group)
        self._put(key, body, 'application/x-ndjson', max(line.deadline for line in group))
        for line in group:
            line.file = f'{self.where}/{key}'

    def _put(self, key, body, content_type, deadline):
        """Tried again under the same name for as long as a capture waits for it."""
        pause = 0.1
        while True:
            url, headers = self._signed(key, body)
            try:
                status, _, answer = _request('PUT', url, body, {**headers, 'content-type': content_type}, deadline)
                if 200 <= status < 300:
                    return
                reason = f'HTTP {status}: {answer[:300].decode("utf-8", "replace")}'
                helps = status in (408, 429) or status >= 500
            except _Away as away:
                reason, helps = str(away), True
            if not helps or time.monotonic() + pause >= deadline:
                raise OSError(f'the spool {self.where} did not take {key}: {reason}')
            time.sleep(pause)
            pause = min(pause * 2, 2.0)

    def _signed(self, key, body):
        """AWS Signature Version 4 of a PUT."""
        environment = os.environ
        access, secret = environment.get('AWS_ACCESS_KEY_ID'), environment.get('AWS_SECRET_ACCESS_KEY')
        if not access or not secret:
            raise OSError(f'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set to reach {self.where}')
        region = environment.get('AWS_REGION') or 'us-east-1'
        endpoint = environment.get('DLO_S3_ENDPOINT')
        if endpoint:
            base = f'{endpoint.rstrip("/")}/{self.bucket}/'
        elif '.' in self.bucket:
            # a certificate for *.s3.region.amazonaws.com does not cover a name with dots in it
            base = f'https://s3.{region}.amazonaws.com/{self.bucket}/'
        else:
            base = f'https://{self.bucket}.s3.{region}.amazonaws.com/'
        url = base + urllib.parse.quote(self.prefix + key, safe='/-_.~')
        parsed = urllib.parse.urlsplit(url)
        now = datetime.datetime.now(datetime.timezone.utc).strftime('%Y%m%dT%H%M%SZ')
        digest = hashlib.sha256(body).hexdigest()
        headers = {'host': parsed.netloc, 'x-amz-content-sha256': digest, 'x-amz-date': now}
        if environment.get('AWS_SESSION_TOKEN'):
            headers['x-amz-security-token'] = environment['AWS_SESSION_TOKEN']
        names = ';'.join(sorted(headers))
        canonical = '\n'.join(['PUT', parsed.path, '', *(f'{name}:{headers[name]}' for name in sorted(headers)), '',
                               names, digest])
        scope = f'{now[:8]}/{region}/s3/aws4_request'
        to_sign = '\n'.join(['AWS4-HMAC-SHA256', now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        signing = b'AWS4' + secret.encode()
        for word in (now[:8], region, 's3', 'aws4_request'):
            signing = hmac.new(signing, word.encode(), hashlib.sha256).digest()
        signature = hmac.new(signing, to_sign.encode(), hashlib.sha256).hexdigest()
        headers['authorization'] = (f'AWS4-HMAC-SHA256 Credential={access}/{scope}, SignedHeaders={names}, '
                                    f'Signature={signature}')
        return url, headers


# -------------------------------------------------------------------------------------------- what a process has once

class _Process:
    """Everything that is one for a process and that a forked child must not share with its parent."""

    def __init__(self):
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.in_flight = _InFlight()
        self.servers = {}
        self.spools = {}
        self.runs = []
        self.told = set()
        self.seals_with_multiprocessing = False

    def server(self, url):
        with self.lock:
            return self.servers.setdefault(url, _Server(url))

    def spool(self, where, max_bytes):
        """The spool of this place: one for a process, whoever asks; the options of the first to ask hold."""
        is_bucket = where.startswith('s3://')
        where = where.rstrip('/') if is_bucket else os.path.abspath(where)
        with self.lock:
            if where not in self.spools:
                self.spools[where] = _BucketSpool(where) if is_bucket else _DirectorySpool(where, max_bytes)
            return self.spools[where]


_PROCESS = _Process()


def _this_process():
    """The state of this process, also in one that was forked where Python did not see it."""
    if _PROCESS.pid != os.getpid():
        _after_fork()
    return _PROCESS


def _after_fork():
    global _PROCESS
    parent, _PROCESS = _PROCESS, _Process()
    for spool in parent.spools.values():
        _attempt(spool.abandon)


def _at_exit():
    """Waits a moment for what goes on, and hands the spool's files to the loader."""
    process = _this_process()
    process.in_flight.wait(DEFAULT_TIMEOUT_S)
    for spool in list(process.spools.values()):
        _attempt(spool.seal, 1.0)


def _seal_at_the_end_of_a_child():
    """A child of multiprocessing ends without running what is registered with atexit."""
    process = _PROCESS
    util = sys.modules.get('multiprocessing.util')
    if util is not None and not process.seals_with_multiprocessing:
        process.seals_with_multiprocessing = True
        _attempt(lambda: util.Finalize(None, _at_exit, exitpriority=1))


atexit.register(_at_exit)
if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_after_fork)


def _tell_once(key, text, warn=None):
    """To the option `warn`, else one line on stderr; once a process, and no word of a payload."""
    process = _this_process()
    if key not in process.told:
        process.told.add(key)
        _attempt(warn, text) if callable(warn) else _attempt(_tell, text)


def _tell(text):
    sys.stderr.write(f'dead-letter-office: {text}\n')
    sys.stderr.flush()


# ----------------------------------------------------------------------------------------------------------- capturing

def capture(error, payload=None, **options):
    """Captures one failure and returns what became of it, within `timeout_s`. Never raises: neither for the error's nor
    for the payload's sake. `payload` is a dict by the names of the contract, or a function without arguments that
    makes it.
    """
    try:
        known = {name: value for name, value in options.items() if name in _Options._fields}
        if len(known) != len(options):
            _warn(f'capture() {_unknown_option(set(options) - set(known))}')
        settings = _Options(**known)
        make = payload if callable(payload) else lambda: payload
        if not _has_little_stack(sys._getframe(1)):
            return _captured(error, make, settings, settings.task_name or '')
        box = []
        _in_own_stack(lambda: box.append(_captured(error, make, settings, settings.task_name or '')), settings.seconds)
        return box[0] if box else CaptureResult('nowhere', reason='the capture did not end in time')
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as reason:
        return CaptureResult('nowhere', reason=_reason(reason))


def flush(timeout_s=10.0):
    """Waits for captures that still go on and hands the spool's files to the loader; False where time was up before."""
    process = _this_process()
    is_done = process.in_flight.wait(timeout_s)
    for spool in list(process.spools.values()):
        _attempt(spool.seal)
    return is_done


def _captured(error, payload, options, task_name):
    """Blocks for as long as the options allow."""
    deadline = time.monotonic() + options.seconds
    made, unreadable = _made_payload(payload, options, task_name)
    return _deliver(_make_parts(error, made, options, task_name, unreadable), options, deadline)


def _tell_of_payload(what, task_name, options):
    """`what` quotes nothing: the text of what was raised may hold the payload."""
    _tell_once(f'payload {task_name}', f'payload of task {_quoted(task_name or "anonymous")} {what}; the capture is made '
               'without it, and params.$unfit.payload_error says why', options.warn)


def _made_payload(payload, options, task_name):
    """(payload, unreadable): a payload that cannot be made at all still leaves a capture that says so."""
    try:
        return payload(), None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as reason:
        told = 'the payload function raised' if options.redact is not None else _reason(reason)
        _tell_of_payload(f'raised {type(reason).__name__}', task_name, options)
        return None, {'payload_error': told}


# Of the time of a capture that has a spool, the server gets this much; the rest is the spool's.
_SERVER_PART = 0.6


def _deliver(parts, options, deadline):
    """To the server; where it does not take the capture in time, to the spool, also what it refuses for good: the
    loader then shows it with the reason. What neither takes goes into the caller's own hands."""
    url, line = options.text('url', 'DLO_URL'), parts.text()
    reasons = []
    spool = _spool_of(options, reasons)
    server = _this_process().server(url) if url else None
    may_ask = 'no' if server is None else 'yes' if spool is None else server.may_be_asked()
    server_deadline = deadline if spool is None else deadline - options.seconds * (1 - _SERVER_PART)
    if may_ask != 'no':
        tries = 1 if may_ask == 'once' else math.inf
        result = _try_server(server, parts, options, server_deadline, tries, reasons, spool is not None)
        if result is not None:
            return CaptureResult('server', line, *result)
    elif server is not None:
        reasons.append(f'{url} did not answer a moment ago')
    if spool is not None:
        try:
            file = _in_spool(spool, parts, line, deadline)
            _count_dead_letter(parts)
            _tell_once(f'spool {spool.where}', f'captures are kept in {spool.where} until it is loaded, by a worker or '
                       '`dlo ingest`', options.warn)
            return CaptureResult('spool', line, work_key=parts.work_key, file=file, reason='; '.join(reasons) or None)
        except Exception as error:
            reasons.append(str(error) or _reason(error))
        if server is not None and (may_ask == 'no' or parts.blob_sha256):
            # what the spool cannot take has nowhere else to go
            result = _try_server(server, parts, options, deadline, math.inf, reasons, inline=bool(parts.blob_sha256))
            if result is not None:
                return CaptureResult('server', line, *result)
    if server is None and spool is None:
        reasons.append('neither DLO_URL nor DLO_SPOOL_DIR is set')
    reason = '; '.join(reasons)
    _give_up(line, reason, parts.lost, options)
    return CaptureResult('nowhere', line, work_key=parts.work_key, reason=reason)


def _spool_of(options, reasons):
    if options.spool is False:
        return None
    try:
        where = options.spool or _first_spool()
        return _this_process().spool(os.fspath(where), options.max_spool_bytes) if where else None
    except (ValueError, TypeError, OSError) as error:
        reasons.append(_reason(error))
        return None


def _first_spool():
    """The variable is a list for the loader, parted by commas: a writer takes the first, so that both can share one
    setting. None where it names nothing."""
    return next((one.strip() for one in os.environ.get('DLO_SPOOL_DIR', '').split(',') if one.strip()), None)


def _try_server(server, parts, options, deadline, tries, reasons, has_spool=False, inline=False):
    """The stored capture, or None with one more reason."""
    token, began = options.text('token', 'DLO_TOKEN'), time.monotonic()
    try:
        result = _bounded(lambda: _send_capture(server, parts, token, deadline, tries, has_spool, inline),
                          deadline - began)
    except _TimeUp:
        server.failed()
        reasons.append('no answer in time')
        return None
    except _Away as away:
        server.failed(away.retry_after_s)
        reasons.append(str(away))
        return None
    except Exception as error:
        server.answered()
        reasons.append(str(error) or _reason(error))
        return None
    # an answer that took half of what a capture may take would hold up a thousand of them as badly as none
    if time.monotonic() - began > (deadline - began) / 2:
        server.failed()
    else:
        server.answered()
    _count_dead_letter(parts)
    return result


def _in_spool(spool, parts, line, deadline):
    def keep():
        if parts.blob_sha256:
            spool.put_blob(parts.blob_sha256, parts.geometry.bytes, deadline)
        return spool.append(line, deadline)

    try:
        return _bounded(keep, deadline - time.monotonic())
    except _TimeUp:
        raise OSError(f'the spool {spool.where} did not answer in time') from None


def _give_up(line, reason, lost, options):
    if callable(options.on_capture_error):
        _attempt(options.on_capture_error, line, reason)
    else:
        _attempt(lambda: _tell(_lost_line(lost, reason, options)))


_LOST_TEXT_CHARACTERS = 200
_LOST_REASON_CHARACTERS = 600


def _lost_line(lost, reason, options):
    """The one line on stderr for a capture that nothing took: which one, why, and what to do. Of the payload it holds no
    more than the key: numbers that may be coordinates and long hex are left out of the error's words, and of a server's
    answer, which may quote what was sent, only its status and code are told."""
    key = '' if lost.work_key is None else f', work_key {_quoted(_one_line(lost.work_key))}'
    text = _without_coordinates(_one_line(lost.error_text))[:_LOST_TEXT_CHARACTERS]
    error = _one_line(lost.error_type) + (f': {text}' if text else '')
    url = options.text('url', 'DLO_URL')
    server = _without_user(url) if url else 'no server'
    spool = None if options.spool is False else options.spool or _first_spool()
    places = f'{server} did not take it' if spool is None else f'neither {server} nor the spool {spool} took it'
    why = _without_user(_one_line(_HTTP_ANSWER.sub(_status_and_code, reason)))[:_LOST_REASON_CHARACTERS]
    if spool is None:
        why += '; there is no spool'
        next_step = 'set DLO_SPOOL_DIR to a folder that keeps captures meanwhile'
    else:
        next_step = f'free or mend {spool}'
    task = _quoted(_one_line(lost.task_name or 'anonymous'))
    return (f'a capture is lost (task {task}{key}, {error}): {places}: {why}. Next: {next_step}, or give '
            'on_capture_error a function that keeps the line')


# Quoted answers hold no semicolon.
_HTTP_ANSWER = re.compile(r'\bHTTP (\d{3}): [^;]*')
_NUMBER = r'[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?'
_COORDINATES = re.compile(rf'(?<![\w.]){_NUMBER}(?:(?:\s*,\s*|\s+){_NUMBER})+(?![\w-])'
                          r'|[-+]?\d+\.\d{3,}(?:[eE][-+]?\d+)?')


def _status_and_code(answer):
    code = re.search(r'"code":\s*"([a-z_]{1,40})"', answer.group())
    return f'HTTP {answer.group(1)}' + (f' {code.group(1)}' if code else '')


def _one_line(text):
    return re.sub(r'[\s\x00-\x1f\x7f-\x9f]+', ' ', str(text)).strip()


def _without_coordinates(text):
    """Numbers in a row, numbers with three and more decimals, and hex as long as the smallest WKB."""
    return _COORDINATES.sub('…', re.sub('[0-9a-fA-F]{32,}', '…', text))


def _without_user(text):
    return re.sub(r'//[^/@\s]*@', '//…@', text)


# ----------------------------------------------------------------------------------------------------------- the guard

_RETRY_LIBRARIES = ('tenacity', 'backoff', 'retrying', 'retry', 'stamina', 'opnieuw', 'retry_decorator')
_LOOPS = ('asyncio', 'concurrent', 'threading', 'multiprocessing', 'queue', 'celery', 'billiard', 'dask', 'distributed')
_AGAIN_WITHIN_S = 300.0


def _warn(text, warn=None):
    if callable(warn):
        _attempt(warn, text)
        return
    try:
        warnings.warn(text, DeadLetterWarning, stacklevel=4)
    except Warning:
        # -W error is no reason to raise anything but the task's own error
        _attempt(_tell, text)


class _Call:
    """One running call of a wrapped task: what a call inside it captured last, by the error's identity."""

    __slots__ = ('parent', 'captured')

    def __init__(self, parent):
        self.parent = parent
        self.captured = None


_CALL = contextvars.ContextVar('dead_letter_call', default=None)


def _depth(frame):
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth


# Frames that a capture needs. Before Python 3.10 the interpreter is aborted where a handler of a RecursionError goes
# some 50 frames deeper than the limit, so near it the capture gets a stack of its own.
_FRAMES_NEEDED = 350


def _has_little_stack(frame):
    return sys.getrecursionlimit() - _depth(frame) < _FRAMES_NEEDED


def _in_own_stack(work, seconds):
    """Runs work in a thread that is started and awaited by C alone: no frame of Python's is left for more."""
    done = _thread.allocate_lock()
    done.acquire()
    _PROCESS.in_flight.add(1)
    _thread.start_new_thread(contextvars.copy_context().run, (_run_and_release, work, done, _PROCESS))
    if seconds is not None:
        done.acquire(True, seconds + 0.25)


def _run_and_release(work, done, process):
    try:
        work()
    except BaseException as reason:
        _attempt(_tell, f'a capture failed: {type(reason).__name__}')
    finally:
        process.in_flight.add(-1)
        done.release()


class _Task:
    """A wrapped task: its options, and what the guard knows of its calls."""

    def __init__(self, function, options, payload):
        self.function = function
        self.options = options
        self.payload = payload
        self.task_name = options.task_name or getattr(function, '__name__', None) or type(function).__name__
        self.warned = False
        self.last = None

    def is_failure(self, error):
        return self.options.capture_aborts or not _is_abort(error)

    def payload_of(self, args, kwargs):
        if self.payload is None:
            return lambda: _payload_from_arguments(self.function, args, kwargs)
        return (lambda: self.payload(*args, **kwargs)) if callable(self.payload) else lambda: self.payload

    def lost(self, error, reason):
        """A capture that could not be made: nothing of it is redacted, so the error's words stay out."""
        lost = _Lost(self.task_name, None, _type_name(type(error)), '')
        _give_up('', f'the capture could not be made: {type(reason).__name__}', lost, self.options)

    def failed(self, error, args, kwargs, call, caller):
        """Captures; raises nothing but a stop by the user that arrives meanwhile."""
        try:
            if _has_little_stack(caller):
                self._failed_elsewhere(error, args, kwargs, call)
                return
            if not self.is_failure(error):
                return
            deadline = time.monotonic() + self.options.seconds
            parts = self._parts(error, args, kwargs, call)
            if parts is not None:
                _attempt(self.guard, parts, caller)
                _deliver(parts, self.options, deadline)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as reason:
            _attempt(self.lost, error, reason)

    async def failed_async(self, error, args, kwargs, call, caller):
        """As `failed`, and the loop goes on meanwhile: only the payload function runs in it."""
        asyncio = sys.modules.get('asyncio')
        try:
            if _has_little_stack(caller):
                self._failed_elsewhere(error, args, kwargs, call, wait=False)
                return
            if not self.is_failure(error):
                return
            loop = _attempt(asyncio.get_running_loop) if asyncio is not None else None
            if loop is None:
                self.failed(error, args, kwargs, call, caller)
                return
            deadline = time.monotonic() + self.options.seconds
            made = _made_payload(self.payload_of(args, kwargs), self.options, self.task_name)
            context = contextvars.copy_context()
            done = loop.create_future()

            def body():
                try:
                    parts = context.run(self._parts, error, args, kwargs, call, made)
                    if parts is not None:
                        _attempt(self.guard, parts, caller)
                        context.run(_deliver, parts, self.options, deadline)
                except BaseException as reason:
                    _attempt(self.lost, error, reason)
                finally:
                    process.in_flight.add(-1)
                    _attempt(lambda: loop.call_soon_threadsafe(lambda: done.done() or done.set_result(None)))

            process = _this_process()
            process.in_flight.add(1)
            try:
                threading.Thread(target=body, name='dead-letter', daemon=True).start()
            except (RuntimeError, MemoryError):
                body()
            await asyncio.wait([done], timeout=self.options.seconds + 0.25)
        except Exception as reason:
            _attempt(self.lost, error, reason)

    def _failed_elsewhere(self, error, args, kwargs, call, wait=True):
        def work():
            deadline = time.monotonic() + self.options.seconds
            parts = self._parts(error, args, kwargs, call) if self.is_failure(error) else None
            if parts is not None:
                _deliver(parts, self.options, deadline)

        _in_own_stack(work, self.options.seconds if wait else None)

    def _parts(self, error, args, kwargs, call, made=None):
        """None where the very same failure was captured by a call inside this one (a task that calls itself)."""
        payload, unreadable = made or _made_payload(self.payload_of(args, kwargs), self.options, self.task_name)
        parts = _make_parts(error, payload, self.options, self.task_name, unreadable)
        mark = (id(error), self.task_name, parts.work_key)
        if call is not None:
            if call.parent is not None:
                call.parent.captured = mark
            if call.captured == mark:
                return None
        return parts

    def guard(self, parts, caller):
        """Warns once where the wrapper sits inside a retry, so that every try would be captured."""
        if self.warned or parts.is_redrive:
            return
        frame = caller
        for _ in range(3):
            if frame is None:
                break
            library = str(frame.f_globals.get('__name__', '')).partition('.')[0]
            if library in _RETRY_LIBRARIES:
                self.warned = True
                _warn(f'{self.task_name}: dead_letter_on_failure is inside {library} and captures every try; '
                      'put it above the decorator that retries', self.options.warn)
                return
            frame = frame.f_back
        if caller is None or str(caller.f_globals.get('__name__', '')).partition('.')[0] in _LOOPS:
            return
        now = time.monotonic()
        seen = (id(caller), caller.f_code.co_name, parts.work_key)
        if self.last is not None and self.last[0] == seen and now - self.last[1] < _AGAIN_WITHIN_S:
            self.warned = True
            _warn(f'{self.task_name}: the same unit of work was captured twice from one place within '
                  f'{now - self.last[1]:.0f} s; put dead_letter_on_failure outside of what retries it',
                  self.options.warn)
        self.last = (seen, now)


def _payload_from_arguments(function, args, kwargs):
    """The payload where none is given: an argument that has a work_key is the unit of work; else the arguments by their
    names, what the contract names as its fields and the rest as params, the first geometry as the geometry."""
    bound = _attempt(lambda: dict(inspect.signature(function).bind(*args, **kwargs).arguments))
    if bound is None:
        bound = {**{f'argument_{i}': value for i, value in enumerate(args)}, **kwargs}
    bound.pop('self', None)
    bound.pop('cls', None)
    for value in bound.values():
        if isinstance(value, Mapping):
            if 'work_key' in value:
                return value
        elif _attribute(value, 'work_key') is not None:
            members = {name: _attribute(value, name) for name in sorted(_KNOWN) + list(_ALIASES)}
            return {name: one for name, one in members.items() if one is not None and not callable(one)}
    members, params = {}, {}
    for name, value in bound.items():
        if name in _KNOWN and name != 'params':
            members[name] = value
        elif name == 'params' and isinstance(value, Mapping):
            params.update(value)
        elif members.get('geometry') is None and (name in _ALIASES or not isinstance(value, (str, bytes, Mapping, list))
                                                  and _geometry_of_object(value) is not None):
            members['geometry'] = value
        else:
            params[name] = value
    if params:
        members['params'] = params
    return members


# ------------------------------------------------------------------------------------------------------- the decorator

def dead_letter_on_failure(function=None, /, *, payload=None, **options):
    """Wraps a task so that a failure is captured with its payload; the same error is always raised again.

    For functions, coroutines, generators and asynchronous generators. Put it outside the retry (above its decorator),
    so that it fires when the budget is spent. Bare (`@dead_letter_on_failure`), the environment says where captures
    go.

    payload        makes the payload from the task's arguments when it fails; else the arguments are kept by their names
    url, token     the server (DLO_URL, DLO_TOKEN)
    spool          a folder or s3://bucket/prefix for what the server does not take (the first of DLO_SPOOL_DIR); False
                   for none
    task_name      else the function's name
    queue, run_id  labels (DLO_QUEUE; the id of the run around it)
    code_version   else the environment's (DLO_CODE_VERSION, the usual builds'), else git's revision
    timeout_s      the most that a capture may hold the task up, spool included (2.0)
    max_spool_bytes  what the spool's folder may hold (1 GB)
    capture_aborts   True: cancellations and the like are captured too
    classify       a function error → class or None, or a list of ClassifyRule that is asked before the built-in ones
    redact         a function (members, error) → members, or a dict of functions (value, error) → value by field
    on_capture_error(line, reason)  gets the capture that neither the server nor the spool took
    warn(text)     is told what is wrong with the setup, once each; else Python's warnings and stderr
    now(), capture_id()  the clock and the id (a UUID), for runs that are repeated
    """
    unknown = set(options) - set(_Options._fields)
    if unknown:
        raise TypeError(f'dead_letter_on_failure() {_unknown_option(unknown)}')
    settings = _Options(**options)

    def wrap(task):
        if isinstance(task, (staticmethod, classmethod)):
            return type(task)(wrap(task.__func__))
        if not callable(task):
            raise TypeError(f'dead_letter_on_failure() wraps a function, not {type(task).__name__}')
        return _wrapper_of(_Task(task, settings, payload))

    return wrap if function is None else wrap(function)


def _wrapper_of(task):
    function = task.function
    if inspect.isasyncgenfunction(function):
        wrapper = _wrapped_async_generator(task, function)
    elif inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, '__call__', None)):
        wrapper = _wrapped_coroutine(task, function)
    elif inspect.isgeneratorfunction(function):
        wrapper = _wrapped_generator(task, function)
    else:
        wrapper = _wrapped_function(task, function)
    return functools.update_wrapper(wrapper, function)


def _wrapped_function(task, function):
    def wrapper(*args, **kwargs):
        outer = _CALL.get()
        call = _Call(outer)
        _CALL.set(call)
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            try:
                task.failed(error, args, kwargs, call, sys._getframe(1))
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:
                # at the very end of the stack not even that can be called
                pass
            raise
        finally:
            _CALL.set(outer)
        if inspect.iscoroutine(result):
            return _awaited(task, result, args, kwargs)
        return result

    return wrapper


async def _awaited(task, coroutine, args, kwargs):
    try:
        result = await coroutine
    except BaseException as error:
        await task.failed_async(error, args, kwargs, None, sys._getframe(1))
        raise
    return result


def _wrapped_coroutine(task, function):
    async def wrapper(*args, **kwargs):
        outer = _CALL.get()
        call = _Call(outer)
        _CALL.set(call)
        try:
            result = await function(*args, **kwargs)
        except BaseException as error:
            await task.failed_async(error, args, kwargs, call, sys._getframe(1))
            raise
        finally:
            _CALL.set(outer)
        return result

    return wrapper


def _wrapped_generator(task, function):
    def wrapper(*args, **kwargs):
        try:
            result = yield from function(*args, **kwargs)
        except BaseException as error:
            try:
                task.failed(error, args, kwargs, None, sys._getframe(1))
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:
                pass
            raise
        return result

    return wrapper


def _wrapped_async_generator(task, function):
    async def wrapper(*args, **kwargs):
        generator = function(*args, **kwargs)
        sent = thrown = None
        try:
            while True:
                if thrown is None:
                    step = generator.asend(sent)
                else:
                    step, thrown = generator.athrow(thrown), None
                try:
                    value = await step
                except StopAsyncIteration:
                    break
                try:
                    sent = yield value
                except GeneratorExit:
                    await generator.aclose()
                    raise
                except BaseException as error:
                    # thrown below, outside of this handler, so that the error's context stays what it was
                    thrown, sent = error, None
        except BaseException as error:
            await task.failed_async(error, args, kwargs, None, sys._getframe(1))
            raise
        finally:
            thrown = None

    return wrapper


# ------------------------------------------------------------------------------------------------------ the run ledger

_RUN = contextvars.ContextVar('dead_letter_run', default=None)
# Of the time at the end, what the report of the start may still take.
_START_PART = 0.5
# Of the time, what the last report spends on a server that did not answer a moment ago: it has nowhere else to go.
_DOUBTFUL_PART = 0.25
# Some 14 MB of the longest names; the server adds the pieces up.
_TILES_A_REPORT = 500_000
# A server that takes long for more than this may answer captures as ever.
_MANY_TILES = 10_000
_MAX_TILE_ZOOM = 29
_TILE = re.compile(r'([0-9]{1,2})/([0-9]{1,9})/([0-9]{1,9})\Z')
# Of tiles and counts that are none, so many are told by name.
_NAMED = 5


def _current_run():
    """The run of this context; in a thread that has none, the only one of the process."""
    current = _RUN.get()
    if current is not None:
        return current
    runs = _this_process().runs
    return runs[0] if len(runs) == 1 else None


def _count_dead_letter(parts):
    if parts.run is not None:
        with parts.run.lock:
            parts.run.captured.add(parts.work_key)


class run:
    """The ledger of one run: how much was expected, how much succeeded, how much was captured.

        with run('nightly-2026-11-30', 'reproject_parcels', expected=len(parcels)) as ledger:
            for parcel in parcels:
                reproject(parcel)
                ledger.succeeded()

    Captures inside it get its run_id and are counted. The server is told at the start, beside the block, and at the end
    (finished, or failed where an error leaves the block), which takes `timeout_s` at most (2.0); one that is away costs
    a warning with what the report said, never the run. `tiles` (each as z/x/y or as three numbers) instead of
    `expected`, with `ledger.succeeded('14/8/5')`, lets the ledger tell which are missing; what is no tile is left out
    and named. Also as `async with`. A process counts for itself: work in child processes is added by
    `ledger.succeeded(n)`.
    """

    def __init__(self, run_id=None, task_name=None, *, expected=None, tiles=None, **options):
        unknown = set(options) - set(_Options._fields)
        if unknown:
            raise TypeError(f'run() knows no option {", ".join(sorted(unknown))}')
        self.options = _Options(**options)
        self.task_name = str(task_name or 'anonymous')
        self.run_id = str(run_id) if run_id else None
        self.queue = self.options.text('queue', 'DLO_QUEUE')
        self.lock = threading.Lock()
        self.captured = set()
        self.done_count = 0
        self.done_tiles = {}
        self.left_out = []
        self.left_out_count = 0
        self.tiles = self.expected = None
        if tiles is not None:
            named = {}
            for tile in tiles:
                self._note('tiles', tile, named)
            self.tiles = list(named)
            self.expected = len(self.tiles)
        if expected is not None:
            self.expected = _whole(expected)
            if self.expected is None or self.expected < 0:
                self.expected = None
                self._leave_out('expected', expected)

    def succeeded(self, done=1):
        """Counts units of work that were done, or notes the tile of one."""
        with self.lock:
            count = _whole(done)
            if count is not None:
                self.done_count += count
            else:
                self._note('succeeded', done, self.done_tiles)

    def _note(self, member, tile, tiles):
        name = _attempt(_tile_name, tile)
        if name is None:
            self._leave_out(member, tile)
        else:
            tiles[name] = True

    def _leave_out(self, member, value):
        """What the server would refuse, and the whole report with it."""
        self.left_out_count += 1
        if len(self.left_out) < _NAMED:
            words = _attempt(str, value)
            self.left_out.append(f'{member} “{words[:40] if isinstance(words, str) else type(value).__name__}”')

    @property
    def counts(self):
        with self.lock:
            return {'succeeded': max(0, self.done_count) + len(self.done_tiles), 'dead_lettered': len(self.captured)}

    def __enter__(self):
        self._begin()
        return self

    def __exit__(self, kind, error, trace):
        _RUN.set(self.outer)
        self._end(error)
        return False

    async def __aenter__(self):
        self._begin()
        return self

    async def __aexit__(self, kind, error, trace):
        _RUN.set(self.outer)
        asyncio = sys.modules['asyncio']
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def end():
            self._end(error)
            # the loop may be closed by then
            _attempt(loop.call_soon_threadsafe, lambda: done.done() or done.set_result(None))

        # a thread of its own: those of the loop's pool may all be busy with the work itself
        try:
            threading.Thread(target=end, name='dead-letter', daemon=True).start()
        except (RuntimeError, MemoryError):
            end()
        await asyncio.wait([done], timeout=self.options.seconds + 0.1)
        return False

    def _begin(self):
        self.started_at = _moment(datetime.datetime.now(datetime.timezone.utc))
        self.clock = time.monotonic()
        if self.run_id is None:
            self.run_id = f'{self.task_name[:400]}/{self.started_at}/{uuid.uuid4().hex[:8]}'
        self.outer = _RUN.get()
        _RUN.set(self)
        _this_process().runs.append(self)
        self.is_known = False
        self.begun = threading.Event()
        try:
            threading.Thread(target=self._tell_begin, name='dead-letter', daemon=True).start()
        except (RuntimeError, MemoryError):
            self.begun.set()

    def _tell_begin(self):
        try:
            # where that fails, the report at the end says all of it again
            self._report({'status': 'running'}, self.tiles, time.monotonic() + self.options.seconds, False)
            self.is_known = True
        except Exception:
            pass
        finally:
            self.begun.set()

    def _end(self, error):
        deadline = time.monotonic() + self.options.seconds
        runs = _this_process().runs
        if self in runs:
            runs.remove(self)
        status, counts = 'finished' if error is None else 'failed', self.counts
        try:
            self.begun.wait(self.options.seconds * _START_PART)
            with self.lock:
                # by name where every success has one
                named = list(self.done_tiles) if self.done_count == 0 and self.done_tiles else None
            self._report({
                'status': status,
                'finished_at': _moment(datetime.datetime.now(datetime.timezone.utc)),
                'duration_ms': round((time.monotonic() - self.clock) * 1000),
                'succeeded': counts['succeeded'] if named is None else named,
                'dead_lettered': counts['dead_lettered'],
            }, None if self.is_known else self.tiles, deadline, True)
        except Exception as reason:
            of = '' if self.expected is None else f' of {self.expected}'
            self._warn(f'was not reported to the ledger: {_attempt(_ledger_words, reason)}; it would have said: '
                       f'{self.task_name} {status}, {counts["succeeded"]}{of} succeeded, '
                       f'{counts["dead_lettered"]} dead-lettered')
        if self.left_out_count:
            more = self.left_out_count - len(self.left_out)
            self._warn(f'of {self.task_name}: left out of its reports: {", ".join(self.left_out)}'
                       f'{f" and {more} more" if more else ""}: a tile is z/x/y with z up to {_MAX_TILE_ZOOM} and x and '
                       'y below 2^z, a count a whole number')

    def _warn(self, text):
        text = f'the run "{self.run_id[:500]}" {text}'
        _attempt(self.options.warn, text) if callable(self.options.warn) else _attempt(_tell, text)

    def _report(self, members, tiles, deadline, is_last):
        """Raises the reason where the ledger did not take it. What came of it, captures know too."""
        url = self.options.text('url', 'DLO_URL')
        if not url:
            raise _Refused('neither the option url nor DLO_URL is set')
        server, token = _this_process().server(url), self.options.text('token', 'DLO_TOKEN')
        may_ask = server.may_be_asked()
        if may_ask == 'no':
            if not is_last:
                raise _Away(f'{url} did not answer a moment ago')
            deadline = min(deadline, time.monotonic() + self.options.seconds * _DOUBTFUL_PART)
        tiles_in_it = sum(len(one) for one in (tiles, members.get('succeeded')) if isinstance(one, list))
        tells_breaker = may_ask == 'once' or (may_ask == 'yes' and tiles_in_it <= _MANY_TILES)
        known = []

        def send():
            for body in self._bodies(members, tiles):
                server.send('POST', '/api/runs', body, 'application/json', token, deadline, known=known)

        try:
            _bounded(send, deadline - time.monotonic())
        except (_TimeUp, _Away) as away:
            if tells_breaker:
                server.failed(getattr(away, 'retry_after_s', None))
            raise known[-1] if known else away
        except Exception:
            server.answered()
            raise
        server.answered()

    def _bodies(self, members, tiles):
        """What is more than one report may hold goes ahead of it, in reports of its own."""
        name = {'run_id': self.run_id, 'task_name': self.task_name, 'queue': self.queue}
        report = {**name, 'code_version': _code_version(self.options.code_version), 'started_at': self.started_at,
                  'expected': self.expected, 'tiles': tiles, **members}
        reports = []
        for member in ('tiles', 'succeeded'):
            named = report.get(member)
            if isinstance(named, list) and len(named) > _TILES_A_REPORT:
                del report[member]
                reports += [{**name, member: named[i:i + _TILES_A_REPORT]}
                            for i in range(0, len(named), _TILES_A_REPORT)]
        for one in [*reports, report]:
            yield json.dumps({key: value for key, value in one.items() if value is not None}).encode('ascii')


def _ledger_words(reason):
    """The server's words. A report has nothing of a payload in it that they could quote."""
    if isinstance(reason, _TimeUp):
        return 'no answer in time'
    text = str(reason) or _reason(reason)
    told = re.match(r'(HTTP \d{3}): .*?"message"\s*:\s*("(?:[^"\\]|\\.)*")', text, re.S)
    return f'{told.group(1)}: {json.loads(told.group(2))}' if told else text


def _whole(value):
    """Of what counts as an integer, also numpy's; None for anything else."""
    return _attempt(operator.index, value)


def _tile_name(tile):
    """z/x/y; None where the server would take it for no tile."""
    if not isinstance(tile, str):
        if all(hasattr(tile, part) for part in 'zxy'):
            # those of mercantile are in another order
            tile = (tile.z, tile.x, tile.y)
        tile = '/'.join(str(operator.index(part)) for part in tile)
    told = _TILE.match(tile)
    if told is None:
        return None
    z, x, y = map(int, told.groups())
    return f'{z}/{x}/{y}' if z <= _MAX_TILE_ZOOM and x < 1 << z and y < 1 << z else None
