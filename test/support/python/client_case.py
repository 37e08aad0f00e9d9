"""What the client's tests share: a server, a spool folder, and a client as a fresh process has it."""

import json
import os
import shutil
import tempfile
import unittest

import dead_letter
from stub_server import StubServer


class ClientCase(unittest.TestCase):
    def setUp(self):
        for name in [name for name in os.environ if name.startswith(('DLO_', 'AWS_'))]:
            del os.environ[name]
        os.environ['DLO_CODE_VERSION'] = '2.14.0'
        dead_letter._after_fork()
        self.stub = StubServer()
        self.addCleanup(self.stub.close)
        self.spool = tempfile.mkdtemp(prefix='dlo-spool-')
        self.addCleanup(shutil.rmtree, self.spool, True)
        self.lost = []

    def options(self, **more):
        """A deadline that no test waits for, unless it says so."""
        return {'url': self.stub.url, 'timeout_s': 60.0, 'on_capture_error': lambda *lost: self.lost.append(lost), **more}

    def capture(self, error=None, payload=None, **more):
        return dead_letter.capture(error or ValueError('x'), payload, **self.options(**more))

    def spooled(self):
        """The captures in the spool, in the order of their files; every line whole."""
        dead_letter.flush()
        found = []
        for name in sorted(os.listdir(self.spool)):
            if name.endswith(('.ndjson', '.open')):
                with open(os.path.join(self.spool, name), 'rb') as file:
                    data = file.read()
                self.assertTrue(data.endswith(b'\n'))
                found += [json.loads(line)['capture'] for line in data.splitlines()]
        return found


def raised_by(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except BaseException as error:
        return error
    raise AssertionError('nothing was raised')
