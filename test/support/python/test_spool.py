import hashlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import unittest

import dead_letter
from client_case import ClientCase

LARGE = bytes(1_000_001)
CLIENTS = os.path.dirname(dead_letter.__file__)
STRACE = shutil.which('strace')


def capture_in_child(spool, key):
    dead_letter.capture(ValueError('child'), {'work_key': key}, spool=spool, timeout_s=60.0)


class TheSpool(ClientCase):
    def keep(self, key, **more):
        return self.capture(payload={'work_key': key}, url=None, spool=self.spool, **more)

    def keys(self):
        return [capture['work_key'] for capture in self.spooled()]

    def script(self, text, **environment):
        """A pipeline of its own; `keep(key)` captures into the spool."""
        head = ('import sys, os, signal, dead_letter\n'
                'def keep(key): return dead_letter.capture(ValueError("x"), {"work_key": key}, timeout_s=60.0)\n')
        return subprocess.run([sys.executable, '-c', head + text], capture_output=True, text=True, env={
            **os.environ, 'DLO_SPOOL_DIR': self.spool, 'PYTHONPATH': CLIENTS, 'PYTHONDONTWRITEBYTECODE': '1', **environment})

    def test_line(self):
        """a line is the capture's text behind its checksum, and its file is named by host, process and number"""
        result = self.keep('k€')
        self.assertTrue(os.path.exists(result.file + '.open'))
        with open(result.file + '.open', 'rb') as file:
            line = file.read()
        text = result.line.encode()
        self.assertEqual(line, b'{"sha256":"' + hashlib.sha256(text).hexdigest().encode() + b'","capture":' + text + b'}\n')
        self.assertRegex(os.path.basename(result.file), rf'^.+-{os.getpid()}-[0-9a-f]{{8}}-000001\.ndjson$')
        dead_letter.flush()
        self.assertEqual(os.listdir(self.spool), [os.path.basename(result.file)])

    def test_threads(self):
        """threads share writes and their fsync, and every line that counts is there once"""
        syncs = []
        real, os.fsync = os.fsync, lambda fd: (syncs.append(fd), real(fd))
        begin = threading.Barrier(16)

        def work(n):
            begin.wait()
            for i in range(20):
                self.assertEqual(self.keep(f'{n}/{i}').kept, 'spool')

        try:
            threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            os.fsync = real
        self.assertEqual(sorted(self.keys()), sorted(f'{n}/{i}' for n in range(16) for i in range(20)))
        self.assertLess(len(syncs), 320)

    def test_loader_meanwhile(self):
        """a loader that seals the file under the writer misses no line that counts"""
        kept = [self.keep('0')]
        os.rename(kept[0].file + '.open', kept[0].file)
        kept += [self.keep('1'), self.keep('2')]
        self.assertEqual([one.kept for one in kept], ['spool'] * 3)
        self.assertEqual(kept[1].file, kept[2].file)
        # the line that the sealed file got too late stands in both
        self.assertEqual(sorted(set(self.keys())), ['0', '1', '2'])
        with open(kept[1].file, 'rb') as file:
            self.assertEqual(len(file.readlines()), 2)

    def test_old_file(self):
        """a file that is old enough is sealed without another capture, and is not written to again"""
        sealed = threading.Event()
        real, dead_letter._MAX_FILE_AGE_S = dead_letter._MAX_FILE_AGE_S, 0.01
        seal, dead_letter._SpoolFile.seal = dead_letter._SpoolFile.seal, lambda file: (seal(file), sealed.set())
        try:
            first = self.keep('0')
            self.assertTrue(sealed.wait(60))
            self.assertTrue(os.path.exists(first.file))
            self.assertNotEqual(self.keep('1').file, first.file)
        finally:
            dead_letter._MAX_FILE_AGE_S, dead_letter._SpoolFile.seal = real, seal
        self.assertEqual(self.keys(), ['0', '1'])

    def test_full_file(self):
        """a file that is large enough is sealed"""
        real, dead_letter._MAX_FILE_BYTES = dead_letter._MAX_FILE_BYTES, 1500
        try:
            files = {self.keep(str(i)).file for i in range(6)}
        finally:
            dead_letter._MAX_FILE_BYTES = real
        self.assertGreater(len(files), 1)
        self.assertEqual(self.keys(), list('012345'))

    def test_bound(self):
        """a full spool takes no more, says what to do, and takes again once it is loaded"""
        first = self.keep('0', max_spool_bytes=500)
        full = self.keep('1')
        self.assertEqual((first.kept, full.kept), ('spool', 'nowhere'))
        self.assertIn('load it with `dlo ingest`, or raise max_spool_bytes', full.reason)
        dead_letter.flush()
        os.unlink(first.file)
        dead_letter._this_process().spools[self.spool].looked_at = float('-inf')
        self.assertEqual(self.keep('2').kept, 'spool')

    def test_folder_taken_away(self):
        """a folder that is taken away while it is written to is made again"""
        self.keep('0')
        shutil.rmtree(self.spool)
        self.assertEqual(self.keep('1').kept, 'spool')
        self.assertEqual(self.keys(), ['1'])

    def test_blob(self):
        """a large geometry lies in blobs under its hash, whole, and its line names it"""
        digest = hashlib.sha256(LARGE).hexdigest()
        path = os.path.join(self.spool, 'blobs', digest)
        for _ in range(2):
            result = self.capture(payload={'work_key': 'k', 'geometry': LARGE}, url=None, spool=self.spool)
            with open(path, 'rb') as file:
                self.assertEqual(file.read(), LARGE)
            # one that was damaged meanwhile is written anew
            with open(path, 'r+b') as file:
                file.write(b'?')
        os.unlink(path)
        self.capture(payload={'work_key': 'k', 'geometry': LARGE}, url=None, spool=self.spool)
        self.assertEqual(os.listdir(os.path.join(self.spool, 'blobs')), [digest])
        self.assertIn(f'"payload_ref":"sha256:{digest}"', result.line)

    def test_fork(self):
        """a forked child writes to a file of its own and leaves the parent's alone"""
        self.keep('parent')
        child = os.fork()
        if child == 0:
            try:
                self.keep('child')
                dead_letter.flush()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.keep('parent again')
        names = sorted(os.listdir(self.spool))
        self.assertEqual(sorted(re.search(r'-(\d+)-[0-9a-f]{8}-', name).group(1) for name in names), sorted([str(os.getpid()), str(child)]))
        self.assertEqual(sorted(self.keys()), ['child', 'parent', 'parent again'])

    def test_fork_meanwhile(self):
        """a child that is forked while another thread captures is not stuck in its locks"""
        stop = threading.Event()

        def capture_on():
            while not stop.is_set():
                self.keep('parent')

        thread = threading.Thread(target=capture_on)
        thread.start()
        try:
            for i in range(10):
                child = os.fork()
                if child == 0:
                    try:
                        signal.alarm(60)
                        self.keep(f'child {i}')
                        dead_letter.flush()
                    finally:
                        os._exit(0)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            stop.set()
            thread.join()
        self.assertEqual({key for key in self.keys() if key != 'parent'}, {f'child {i}' for i in range(10)})

    def test_multiprocessing(self):
        """children of multiprocessing, forked or spawned, hand their files to the loader when they end"""
        for method in ('fork', 'spawn'):
            context = multiprocessing.get_context(method)
            children = [context.Process(target=capture_in_child, args=(self.spool, f'{method}/{i}')) for i in range(2)]
            for child in children:
                child.start()
            for child in children:
                child.join()
                self.assertEqual(child.exitcode, 0)
        self.assertEqual([name for name in os.listdir(self.spool) if name.endswith('.open')], [])
        self.assertEqual(sorted(self.keys()), ['fork/0', 'fork/1', 'spawn/0', 'spawn/1'])

    def test_exit(self):
        """a pipeline that ends, or that ends by an error, hands its file to the loader"""
        for end in ('', 'raise SystemExit(3)', 'raise ValueError("end")'):
            self.script(f'keep("k"); {end}')
        self.assertEqual([name for name in os.listdir(self.spool) if name.endswith('.open')], [])
        self.assertEqual(self.keys(), ['k'] * 3)

    def test_at_exit(self):
        """a capture made while the interpreter ends is kept"""
        told = self.script('import atexit; atexit.register(lambda: print(keep("late").kept))')
        self.assertEqual((told.stdout, self.keys()), ('spool\n', ['late']), told.stderr)

    def test_kill(self):
        """a pipeline that is killed leaves every line that counts, whole"""
        killed = self.script('for i in range(50): keep(str(i)); print(i, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)')
        self.assertEqual(killed.returncode, -signal.SIGKILL)
        self.assertEqual(self.keys(), killed.stdout.split())
        self.assertEqual(len(self.keys()), 50)

    def test_short_write(self):
        """a write that the disk cuts short is cut off, and the line goes to another file whole"""
        limit = 4000
        told = self.script(f'import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n'
                           'for i in range(20): print(keep(str(i)).kept)')
        self.assertEqual(told.stdout.split(), ['spool'] * 20, told.stderr)
        self.assertGreater(len(os.listdir(self.spool)), 1)
        self.assertEqual(sorted(self.keys(), key=int), [str(i) for i in range(20)])
        self.assertEqual(resource.getrlimit(resource.RLIMIT_FSIZE)[0], resource.RLIM_INFINITY)

    @unittest.skipUnless(STRACE, 'strace is not installed')
    def test_failing_fsync(self):
        """after an fsync that failed the line is cut off and goes to another file"""
        script = ('import os, dead_letter\n'
                  'for i in range(3): print(dead_letter.capture(ValueError("x"), {"work_key": str(i)}, timeout_s=60.0).kept)')
        # The first capture's thread syncs the folder above, the folder, and the line: the second or the third fails.
        for when in (2, 3):
            self.spool = os.path.join(self.spool, f'fails-{when}')
            told = subprocess.run(
                [STRACE, '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync', '-e', f'inject=fsync:error=EIO:when={when}',
                 sys.executable, '-c', script], capture_output=True, text=True,
                env={**os.environ, 'DLO_SPOOL_DIR': self.spool, 'PYTHONPATH': CLIENTS, 'PYTHONDONTWRITEBYTECODE': '1'})
            self.assertEqual(told.stdout.split(), ['spool'] * 3, told.stderr)
            self.assertEqual(sorted(self.keys()), ['0', '1', '2'])
            self.assertEqual({name.rpartition('-')[2] for name in os.listdir(self.spool) if os.path.getsize(os.path.join(self.spool, name))},
                             {'000002.ndjson'})

    def test_without_site_packages(self):
        """the client needs nothing but the standard library"""
        told = subprocess.run(
            [sys.executable, '-I', '-S', '-B', '-W', 'error', '-c',
             f'import sys; sys.path.insert(0, {CLIENTS!r}); import dead_letter\n'
             'made = dead_letter.capture(ValueError("x"), {"work_key": "k", "geometry": b"\\x01"}, spool=sys.argv[1], timeout_s=60.0)\n'
             'print(made.kept, [name for name in sys.modules if name.partition(".")[0] in ("numpy", "shapely", "pyproj", "asyncio")])',
             self.spool], capture_output=True, text=True)
        self.assertEqual(told.stdout, 'spool []\n', told.stderr)


class TheSource(unittest.TestCase):
    def test_python_3_9(self):
        """the file is Python 3.9 and imports the standard library alone"""
        import ast
        with open(dead_letter.__file__, encoding='utf-8') as file:
            tree = ast.parse(file.read(), feature_version=(3, 9))
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        names = getattr(sys, 'stdlib_module_names', None)
        if names:
            self.assertEqual({name for name in imported if name.partition('.')[0] not in names}, set())
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        bound = {name.partition('.')[0] for name in imported}
        self.assertEqual({name for name in bound if name not in used and name not in ('collections', 'json', 'typing')}, set())
        self.assertIn('json', used)

    def test_line_for_json(self):
        """the names that it gives out are there"""
        for name in dead_letter.__all__:
            self.assertTrue(hasattr(dead_letter, name), name)
        self.assertEqual(json.loads(dead_letter.json_text({}).text), {})


if __name__ == '__main__':
    unittest.main()
