import contextlib
import gzip
import io
import json
import os
import unittest
from concurrent.futures import ThreadPoolExecutor

import dead_letter
from client_case import ClientCase

LARGE = b'\x01\x02\x00\x00\x00' + bytes(1_000_000)


class TheServer(ClientCase):
    def paths(self):
        return [f'{method} {path[:20]}' for method, path, *_ in self.stub.requests]

    def test_answer(self):
        """a capture that the server took says what became of it"""
        result = self.capture(payload={'work_key': 'k'}, token='t0ken')
        self.assertEqual((result.kept, result.id, result.work_key, result.attempts, result.outcome), ('server', '1', 'k', 1, 'created'))
        _, path, headers, body = self.stub.requests[0]
        self.assertEqual((path, headers['Content-Type'], headers['Authorization']), ('/api/dead-letters', 'application/json', 'Bearer t0ken'))
        self.assertEqual(body.decode(), result.line)

    def test_tried_again(self):
        """a server that is starting, broken or busy is tried again, under the same id, after the time that it names"""
        self.stub.moods = ['reset', (503, {}), (429, {'retry-after': '0.01'}), (503, {'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT'})]
        result = self.capture(payload={'work_key': 'k'})
        self.assertEqual((result.kept, len(self.stub.requests)), ('server', 5))
        ids = {json.loads(body)['capture_id'] for *_, body in self.stub.requests}
        self.assertEqual(len(ids), 1)

    def test_long_wait(self):
        """a server that asks to wait for longer than there is time gets no second request; the spool takes the captures meanwhile"""
        self.stub.moods = [(429, {'retry-after': '3600'})]
        results = [self.capture(payload={'work_key': i}, spool=self.spool) for i in range(3)]
        self.assertEqual([result.kept for result in results], ['spool'] * 3)
        self.assertIn('did not answer a moment ago', results[2].reason)
        self.assertEqual(len(self.stub.requests), 1)
        self.assertEqual([capture['work_key'] for capture in self.spooled()], ['0', '1', '2'])

    def test_refused(self):
        """a refusal is not tried again; the spool keeps the capture, else the caller gets it with the reason"""
        self.stub.mood = (413, {})
        self.assertEqual(self.capture(payload={'work_key': 'k'}, spool=self.spool).kept, 'spool')
        result = self.capture(payload={'work_key': 'lost'})
        self.assertEqual((result.kept, len(self.stub.requests)), ('nowhere', 2))
        line, reason = self.lost[0]
        self.assertEqual((json.loads(line)['work_key'], line), ('lost', result.line))
        self.assertIn('HTTP 413', reason)
        self.assertEqual([capture['work_key'] for capture in self.spooled()], ['k'])

    def told(self, *args, **more):
        """What one capture writes to stderr."""
        with contextlib.redirect_stderr(io.StringIO()) as told:
            self.capture(*args, on_capture_error=None, **more)
        return told.getvalue()

    def test_words_on_stderr(self):
        """a lost capture is one line: task, key, error, why the server and the spool did not take it, the next step"""
        self.stub.mood = (400, {})
        error = ValueError('no bounds\n' + 'é' * 300)
        words = f'(task "clip", work_key "parcels/1", ValueError: no bounds {"é" * 190}): '
        payload = {'work_key': 'parcels/1', 'task_name': 'clip'}
        self.assertEqual(self.told(error, payload), f'dead-letter-office: a capture is lost {words}{self.stub.url} did not take it: HTTP 400 x; '
                         'there is no spool. Next: set DLO_SPOOL_DIR to a folder that keeps captures meanwhile, or give '
                         'on_capture_error a function that keeps the line\n')
        taken = os.path.join(self.spool, 'file')
        open(taken, 'w').close()
        told = self.told(error, payload, spool=taken)
        self.assertRegex(told, f'neither {self.stub.url} nor the spool {taken} took it: HTTP 400 x; the spool {taken} cannot be made')
        self.assertIn(f'Next: free or mend {taken}, or give on_capture_error', told)

    def test_secrets_on_stderr(self):
        """that line holds nothing of the payload but its key, the error's words as redacted, and no word of the answer"""
        self.stub.mood = 'nonsense'
        payload = {'work_key': 'k', 'geometry': 'POINT(1018234.5 700123.25)', 'params': {'a': 'hunter2'}}
        told = self.told(ValueError('hunter2'), payload, redact={'error_text': lambda *_: 'hidden', 'work_key': lambda *_: 'other'})
        self.assertIn('work_key "other", ValueError: hidden): ', told)
        failed = self.told(ValueError('hunter2'), payload, redact=lambda *_: {}['hunter2'], warn=lambda _: None)
        self.assertIn('work_key "k", ValueError): ', failed)
        plain = self.told(ValueError('bad POINT (1018234.5 700123.25)'), payload)
        for one in (told, failed, plain):
            self.assertNotRegex(one, 'hunter2|1018234|700123|<html>')
        with open(os.path.join(os.path.dirname(__file__), '../../fixtures/lost-texts.json'), encoding='utf-8') as file:
            for given, left in json.load(file):
                self.assertEqual(dead_letter._without_coordinates(given), left)

    def test_other_answers(self):
        """a page, or a redirect, is no answer of a dead letter office, and nothing is sent elsewhere"""
        self.stub.moods = ['nonsense', (302, {'location': '/elsewhere'})]
        for _ in range(2):
            self.assertEqual(self.capture().kept, 'nowhere')
        self.assertEqual(self.paths(), ['POST /api/dead-letters'] * 2)

    def test_gzip(self):
        """a large body goes packed; to a server that takes no gzip it goes as it is, from then on"""
        words = {'work_key': 'k', 'params': {'words': 'word ' * 50_000}}
        self.assertEqual(self.capture(payload=words).kept, 'server')
        self.assertEqual(json.loads(gzip.decompress(self.stub.requests[0][3]))['params'], words['params'])
        self.stub.moods = [(415, {})]
        self.assertEqual(self.capture(payload=words).kept, 'server')
        self.assertEqual(self.capture(payload=words).kept, 'server')
        encodings = [headers.get('Content-Encoding') for _, _, headers, _ in self.stub.requests]
        self.assertEqual(encodings, ['gzip', 'gzip', None, None])

    def test_large_geometry(self):
        """a geometry over the size rule goes to the blob store first, and the capture names it"""
        self.assertEqual(self.capture(payload={'work_key': 'k', 'geometry': LARGE}).kept, 'server')
        (method, path, headers, body), post = self.stub.requests
        self.assertEqual((method, body, headers['Content-Type']), ('PUT', LARGE, 'application/octet-stream'))
        stored = json.loads(post[3])
        self.assertEqual((stored['payload_ref'], stored['geom_format']), ('sha256:' + path.rpartition('/')[2], 'wkb'))
        self.assertNotIn('geom_wkb', stored)
        exact = self.capture(payload={'work_key': 'k', 'geometry': LARGE[:1_000_000]})
        self.assertIn('"geom_wkb"', exact.line)

    def test_no_blob_store(self):
        """a large geometry that the blob store does not take goes to the spool, else inline in its line"""
        payload = {'work_key': 'k', 'geometry': LARGE}
        taken = os.path.join(self.spool, 'a-file')
        with open(taken, 'w'):
            pass
        for spool in (None, taken):
            self.stub.moods = [(413, {})]
            self.assertEqual(self.capture(payload=payload, spool=spool).kept, 'server')
            stored = self.stub.captures.pop()
            self.assertEqual(bytes.fromhex(stored['geom_wkb']), LARGE)
            self.assertNotIn('payload_ref', stored)
        self.stub.moods = [(413, {})]
        self.assertEqual(self.capture(payload=payload, spool=self.spool).kept, 'spool')
        self.assertEqual(len(os.listdir(os.path.join(self.spool, 'blobs'))), 1)
        self.assertEqual(self.stub.captures, [])

    def test_unreachable(self):
        """a server that cannot be reached is asked three times where there is a spool, and then left alone"""
        self.stub.mood = 'reset'
        self.assertEqual([self.capture(spool=self.spool).kept for _ in range(3)], ['spool'] * 3)
        self.assertEqual(len(self.stub.requests), 3)

    def test_server_again(self):
        """a server that comes back is found by one capture, and then gets them all"""
        self.stub.moods = [(503, {'retry-after': '3600'})]
        server = dead_letter._this_process().server(self.stub.url)
        self.assertEqual(self.capture(spool=self.spool).kept, 'spool')
        self.assertEqual(server.may_be_asked(), 'no')
        server.rest_until = 0.0
        self.assertEqual([server.may_be_asked(), server.may_be_asked()], ['once', 'no'])
        server.failed()
        server.rest_until = 0.0
        self.assertEqual([self.capture(spool=self.spool).kept for _ in range(2)], ['server', 'server'])

    def test_spool_that_fails(self):
        """what the spool cannot take is offered to the server all the same"""
        taken = os.path.join(self.spool, 'a-file')
        with open(taken, 'w'):
            pass
        server = dead_letter._this_process().server(self.stub.url)
        server.failed(3600)
        self.assertEqual(self.capture(spool=taken).kept, 'server')
        self.stub.mood = (413, {})
        result = self.capture(spool=taken)
        self.assertEqual(result.kept, 'nowhere')
        self.assertIn('set DLO_SPOOL_DIR to a folder that can', result.reason)

    def test_nowhere(self):
        """without a server and a spool, the reason names the variables"""
        self.assertIn('neither DLO_URL nor DLO_SPOOL_DIR', self.capture(url=None).reason)
        self.assertEqual(self.capture(url=None, spool=self.spool).kept, 'spool')
        os.environ['DLO_SPOOL_DIR'] = self.spool
        self.assertEqual(self.capture(url=None).kept, 'spool')
        self.assertEqual(self.capture(url=None, spool=False).kept, 'nowhere')

    def test_several_spools(self):
        """of the spools that DLO_SPOOL_DIR names for the loader the first is written to; commas of an option are its path's"""
        one, two = os.path.join(self.spool, 'one'), os.path.join(self.spool, 'two')
        os.environ['DLO_SPOOL_DIR'] = f' ,{one} , {two}'
        self.assertEqual(self.capture(url=None).kept, 'spool')
        self.assertEqual(self.capture(url=None, spool=os.path.join(self.spool, 'with,comma')).kept, 'spool')
        self.assertEqual(sorted(os.listdir(self.spool)), ['one', 'with,comma'])
        os.environ['DLO_SPOOL_DIR'] = ' , '
        result = self.capture(url=None)
        self.assertEqual(result.kept, 'nowhere')
        self.assertIn('neither DLO_URL nor DLO_SPOOL_DIR', result.reason)


class TheLedger(ClientCase):
    def reports(self):
        return [json.loads(body) for _, path, _, body in self.stub.requests if path == '/api/runs']

    def test_run(self):
        """a run tells its start and its end, gives its captures its id, and counts a unit once"""
        with dead_letter.run('nightly', 'clip', expected=3, queue='q', url=self.stub.url) as ledger:
            self.assertTrue(ledger.begun.wait(60))
            ledger.succeeded()
            for key in 'aab':
                self.capture(payload={'work_key': key})
        begin, end = self.reports()
        self.assertEqual((begin['run_id'], begin['task_name'], begin['queue'], begin['status'], begin['expected'], begin['code_version']),
                         ('nightly', 'clip', 'q', 'running', 3, '2.14.0'))
        self.assertEqual((end['status'], end['succeeded'], end['dead_lettered'], end['started_at']),
                         ('finished', 1, 2, begin['started_at']))
        self.assertIsInstance(end['duration_ms'], int)
        captures = [json.loads(body) for _, path, _, body in self.stub.requests if path == '/api/dead-letters']
        self.assertEqual({capture['run_id'] for capture in captures}, {'nightly'})

    def test_run_that_fails(self):
        """a run that an error leaves is failed, and the error goes on; one whose server is away goes on too"""
        with self.assertRaises(KeyError):
            with dead_letter.run(task_name='clip', tiles=[(14, 8, 5), '14/8/6'], url=self.stub.url) as ledger:
                self.assertTrue(ledger.begun.wait(60))
                ledger.succeeded((14, 8, 5))
                raise KeyError('x')
        begin, end = self.reports()
        self.assertEqual((begin['tiles'], begin['expected']), (['14/8/5', '14/8/6'], 2))
        self.assertRegex(begin['run_id'], r'^clip/\d{4}-.*Z/[0-9a-f]{8}$')
        self.assertEqual((end['status'], end['succeeded']), ('failed', ['14/8/5']))
        told = []
        with dead_letter.run('nightly', url='http://127.0.0.1:9', timeout_s=0.1, warn=told.append):
            pass
        self.assertEqual(len(told), 1)
        self.assertIn('not reported', told[0])

    def test_bad_tiles(self):
        """what is no tile is left out of a run's reports and named, once for each run"""
        class Tile:  # as mercantile has them
            x, y, z = 1, 3, 3

        told = []
        for run_id in ('one', 'two'):
            tiles = ['3/1/2', '3/9/9', (3, 1, 2), Tile()]
            with dead_letter.run(run_id, 'clip', tiles=tiles, url=self.stub.url, warn=told.append) as ledger:
                self.assertTrue(ledger.begun.wait(60))
                for done in ('3/1/2', 'junk', (3, 8, 0), None, 2.5, '3/1/3\n', (1, 2)):
                    ledger.succeeded(done)
                self.assertEqual(ledger.counts['succeeded'], 1)
        reports = self.reports()
        self.assertEqual([(one['tiles'], one['expected']) for one in reports[::2]], [(['3/1/2', '3/1/3'], 2)] * 2)
        self.assertEqual([one['succeeded'] for one in reports[1::2]], [['3/1/2']] * 2)
        self.assertEqual(len(told), 2)
        self.assertIn('the run "two" of clip: left out of its reports: tiles “3/9/9”, succeeded “junk”, '
                      'succeeded “(3, 8, 0)”, succeeded “None”, succeeded “2.5” and 2 more: a tile is z/x/y', told[1])

    def test_refused(self):
        """a server that refuses a run's report is quoted, for each run anew, with what the report said"""
        self.stub.mood = (400, {})
        told = []
        for run_id in ('one', 'two'):
            with dead_letter.run(run_id, 'clip', expected=5, url=self.stub.url, warn=told.append) as ledger:
                ledger.succeeded(2)
        self.assertEqual(told, [f'the run "{run_id}" was not reported to the ledger: HTTP 400: secret-of-the-payload; '
                                'it would have said: clip finished, 2 of 5 succeeded, 0 dead-lettered'
                                for run_id in ('one', 'two')])

    def test_hanging_ledger(self):
        """a ledger that hangs holds up neither a run's work nor for long its result, and captures know of it"""
        import asyncio
        self.stub.mood = 'hang'
        told = []
        with dead_letter.run('nightly', 'clip', url=self.stub.url, timeout_s=0.2, warn=told.append):
            self.assertEqual(told, [])
        self.assertEqual(len(told), 1)
        self.assertIn('clip finished, 0 succeeded', told[0])
        server = dead_letter._this_process().server(self.stub.url)
        self.assertEqual(server.may_be_asked(), 'no')

        async def go():
            # every thread of the loop's pool is busy with the work itself
            loop = asyncio.get_running_loop()
            loop.set_default_executor(ThreadPoolExecutor(1))
            busy = loop.run_in_executor(None, self.stub.release.wait)
            async with dead_letter.run('other', 'clip', url=self.stub.url, timeout_s=0.2, warn=told.append):
                pass
            self.stub.release.set()
            await busy

        asyncio.run(go())
        self.assertEqual(len(told), 2)

    def test_known_trouble(self):
        """a server that did not answer a moment ago is asked by a run's end alone, and captures hear of its answer"""
        server = dead_letter._this_process().server(self.stub.url)
        server.failed()
        with dead_letter.run('nightly', 'clip', url=self.stub.url, timeout_s=60) as ledger:
            self.assertTrue(ledger.begun.wait(60))
        self.assertEqual([one['status'] for one in self.reports()], ['finished'])
        self.assertEqual(server.may_be_asked(), 'yes')

    def test_threads(self):
        """captures in threads of a run belong to it"""
        import threading
        with dead_letter.run('nightly', url=self.stub.url) as ledger:
            threads = [threading.Thread(target=self.capture, kwargs={'payload': {'work_key': str(i)}}) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(ledger.counts, {'succeeded': 0, 'dead_lettered': 8})

    def test_async(self):
        """a run of coroutines does not hold up the loop, and runs side by side keep their captures apart"""
        import asyncio

        async def one(run_id):
            async with dead_letter.run(run_id, url=self.stub.url) as ledger:
                @dead_letter.dead_letter_on_failure(**self.options())
                async def task():
                    raise ValueError('x')

                await asyncio.gather(task(), return_exceptions=True)
                return ledger.counts['dead_lettered']

        async def go():
            return await asyncio.gather(one('a'), one('b'))

        self.assertEqual(asyncio.run(go()), [1, 1])
        self.assertEqual(sorted(capture['run_id'] for capture in self.stub.captures if 'error_type' in capture), ['a', 'b'])


if __name__ == '__main__':
    unittest.main()
