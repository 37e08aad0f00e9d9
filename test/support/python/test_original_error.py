import asyncio
import contextlib
import inspect
import io
import os
import signal
import sys
import threading
import traceback
import unittest
import warnings

import dead_letter
from client_case import ClientCase, raised_by
from dead_letter import dead_letter_on_failure


class Hostile(Exception):
    def __str__(self):
        raise RuntimeError('no words')

    __repr__ = __str__


def refuse(*_):
    raise RuntimeError('refused')


class TheOriginalError(ClientCase):
    def assert_untouched(self, error, context=None):
        self.assertIs(error.__context__, context)
        self.assertIsNone(error.__cause__)
        self.assertFalse(error.__suppress_context__)
        self.assertFalse(vars(error))
        names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        self.assertEqual(names, ['raised_by', 'wrapper', 'task'])

    def test_same_object(self):
        """a task raises the very same error, with its own traceback and context, after its capture was stored"""
        error = ValueError('bounds lie outside')

        @dead_letter_on_failure(**self.options(), payload=lambda parcel: {'work_key': parcel})
        def task(parcel):
            raise error

        self.assertIs(raised_by(task, 'parcels/1'), error)
        self.assert_untouched(error)
        stored = self.stub.captures[0]
        self.assertEqual(stored['work_key'], 'parcels/1')
        self.assertEqual(stored['task_name'], 'task')
        self.assertEqual(stored['error_type'], 'ValueError')
        self.assertEqual(stored['error_text'], 'bounds lie outside')
        self.assertIn('in task', stored['traceback'])
        self.assertNotIn('dead_letter.py', stored['traceback'])
        self.assertEqual(stored['code_version'], '2.14.0')
        self.assertEqual(stored['failure_class'], 'unknown')

    def test_everything_fails(self):
        """nothing hides it: no server, no spool, and every function of the caller's that raises"""
        taken = os.path.join(self.spool, 'a-file')
        with open(taken, 'w'):
            pass
        hostile = {'url': 'http://127.0.0.1:9', 'spool': taken, 'timeout_s': 0.05, 'on_capture_error': refuse, 'warn': refuse}
        for more in ({}, {'payload': refuse}, {'redact': refuse}, {'classify': refuse}, {'now': refuse},
                     {'capture_id': refuse}, {'url': 'not a url'}, {'url': 7}, {'spool': 's3://'}, {'timeout_s': 'soon'},
                     {'task_name': object()}):
            for error in (ValueError('x'), Hostile(), KeyError(Hostile())):
                with self.subTest(more=more, error=type(error)):
                    @dead_letter_on_failure(**{**hostile, **more})
                    def task(work):
                        raise error

                    self.assertIs(raised_by(task, {'work_key': Hostile(), 'geometry': Hostile(), 'params': Hostile()}), error)
                    self.assert_untouched(error)

    def test_hung(self):
        """a server that hangs holds the task up for no longer than the deadline"""
        for mood in ('hang', 'half'):
            self.stub.mood = mood
            error = ValueError(mood)

            @dead_letter_on_failure(**self.options(timeout_s=0.3, spool=self.spool))
            def task():
                raise error

            # the server is released only when the test is over, so that to come here at all is the proof
            self.assertIs(raised_by(task), error)
            self.assertIn(mood, [capture['error_text'] for capture in self.spooled()])
            dead_letter._after_fork()

    def test_interrupt(self):
        """Ctrl-C while a capture waits is not swallowed"""
        self.stub.mood = 'hang'
        main = threading.main_thread().ident
        self.stub.on_hang = lambda: signal.pthread_kill(main, signal.SIGINT)
        # a shell's background job ignores it
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        error = ValueError('x')

        @dead_letter_on_failure(**self.options())
        def task():
            raise error

        interrupt = raised_by(task)
        self.assertIsInstance(interrupt, KeyboardInterrupt)
        self.assertIs(interrupt.__context__, error)

    def test_no_failures(self):
        """to be told to stop is no failure unless asked; a deadline is one"""
        for error in (KeyboardInterrupt(), SystemExit(3), GeneratorExit(), asyncio.CancelledError()):
            def stop():
                raise error

            self.assertIs(raised_by(dead_letter_on_failure(**self.options())(stop)), error)
            self.assertEqual(self.stub.captures, [])
            self.assertIs(raised_by(dead_letter_on_failure(**self.options(capture_aborts=True))(stop)), error)
            self.assertEqual(len(self.stub.captures), 1)
            self.stub.captures.clear()

        def late():
            raise asyncio.TimeoutError()

        raised_by(dead_letter_on_failure(**self.options())(late))
        self.assertEqual(self.stub.captures[0]['failure_class'], 'upstream_timeout')

    def test_recursion(self):
        """a task that calls itself to the limit of the stack is captured, once for one key, and its error goes on"""
        @dead_letter_on_failure(**self.options(), payload=lambda n: {'work_key': 'deep'})
        def task(n):
            return task(n + 1)

        self.assertIsInstance(raised_by(task, 0), RecursionError)
        self.assertEqual(len(self.stub.captures), 1)
        self.assertIn('RecursionError', self.stub.captures[0]['traceback'])

    def test_recursion_shallow(self):
        """a task that runs out of stack inside is captured as it is"""
        def down(n):
            return down(n + 1)

        @dead_letter_on_failure(**self.options())
        def task():
            return down(0)

        self.assertIsInstance(raised_by(task), RecursionError)
        self.assertEqual(len(self.stub.captures), 1)

    def test_near_the_limit(self):
        """any error near the limit of the stack is captured with a stack of its own"""
        nested = []
        for _ in range(150):
            nested = [nested]

        @dead_letter_on_failure(**self.options(), payload=lambda: {'params': nested})
        def task():
            self.assertEqual(self.capture(ValueError('by hand'), payload=lambda: {'params': nested}).kept, 'server')
            raise ValueError('deep down')

        def down(n):
            return down(n - 1) if n else task()

        depth = 0
        frame = sys._getframe()
        while frame:
            depth, frame = depth + 1, frame.f_back
        self.assertEqual(str(raised_by(down, sys.getrecursionlimit() - depth - 25)), 'deep down')
        self.assertEqual([(capture['error_text'], capture['params']) for capture in self.stub.captures],
                         [('by hand', nested), ('deep down', nested)])

    def test_memory(self):
        """a task that ran out of memory is captured as oom"""
        @dead_letter_on_failure(**self.options())
        def task():
            return bytearray(1 << 62)

        self.assertIsInstance(raised_by(task), MemoryError)
        self.assertEqual(self.stub.captures[0]['failure_class'], 'oom')
        self.assertEqual(self.stub.captures[0]['error_class'], 'transient')

    def test_left_alone(self):
        """a task that succeeds keeps its result, its name, its kind and its self"""
        class Owner:
            factor = 3

            @dead_letter_on_failure(**self.options())
            def scale(self, by):
                """Scales."""
                return self.factor * by

            @dead_letter_on_failure(**self.options())
            @staticmethod
            def plain(by):
                return by

            @dead_letter_on_failure(**self.options())
            @classmethod
            def of_class(cls):
                return cls

        self.assertEqual(Owner().scale(2), 6)
        self.assertEqual(Owner.scale.__name__, 'scale')
        self.assertEqual(Owner.scale.__doc__, 'Scales.')
        self.assertEqual(Owner.plain(4), 4)
        self.assertIs(Owner.of_class(), Owner)

        @dead_letter_on_failure
        async def waits():
            return 1

        @dead_letter_on_failure
        async def streams():
            yield 1

        @dead_letter_on_failure
        def yields():
            yield 1

        self.assertTrue(inspect.iscoroutinefunction(waits))
        self.assertTrue(inspect.isasyncgenfunction(streams))
        self.assertTrue(inspect.isgeneratorfunction(yields))
        self.assertEqual(asyncio.run(waits()), 1)
        self.assertEqual(list(yields()), [1])
        self.assertRaises(TypeError, dead_letter_on_failure, colour='red')
        self.assertRaises(TypeError, dead_letter_on_failure(), 7)

    def test_bare(self):
        """bare, it is configured by the environment, at the moment of the failure"""
        @dead_letter_on_failure
        def task():
            raise ValueError('x')

        os.environ.update(DLO_URL=self.stub.url, DLO_TOKEN='t0ken', DLO_QUEUE='nightly')
        raised_by(task)
        self.assertEqual(self.stub.captures[0]['queue'], 'nightly')
        self.assertEqual(self.stub.requests[0][2]['Authorization'], 'Bearer t0ken')


class Generators(ClientCase):
    def test_generator(self):
        """a generator that fails while it is iterated is captured once; one that is left early did not fail"""
        @dead_letter_on_failure(**self.options(), payload=lambda n: {'work_key': f'n{n}'})
        def task(n):
            got = yield 'first'
            if got:
                yield got
            raise ValueError(n)

        one = task(1)
        self.assertEqual(next(one), 'first')
        self.assertEqual(one.send('echo'), 'echo')
        one.close()
        self.assertEqual(self.stub.captures, [])
        self.assertEqual(str(raised_by(list, task(2))), '2')
        self.assertEqual([capture['work_key'] for capture in self.stub.captures], ['n2'])

    def test_thrown_in(self):
        """what is thrown into a generator reaches it, and its error keeps its own context"""
        after = ValueError('after')

        async def inner():
            try:
                yield 1
            except KeyError:
                pass
            raise after

        async def go(wrapped):
            stream = wrapped()
            await stream.__anext__()
            try:
                await stream.athrow(KeyError('thrown'))
            except ValueError as error:
                return error

        self.assertIs(asyncio.run(go(dead_letter_on_failure(**self.options())(inner))), after)
        self.assertIsNone(after.__context__)
        self.assertEqual(len(self.stub.captures), 1)

    def test_async_generator(self):
        """an asynchronous generator is captured where it fails, takes what is sent, and closes what it wraps"""
        closed = []

        @dead_letter_on_failure(**self.options())
        async def task(n):
            try:
                got = yield 1
                yield got
                raise ValueError(n)
            finally:
                closed.append(n)

        async def go():
            stream = task(1)
            self.assertEqual(await stream.asend(None), 1)
            self.assertEqual(await stream.asend('echo'), 'echo')
            await stream.aclose()
            self.assertEqual((closed, self.stub.captures), ([1], []))
            return [value async for value in task(2)]

        self.assertEqual(str(raised_by(asyncio.run, go())), '2')
        self.assertEqual(len(self.stub.captures), 1)


class Coroutines(ClientCase):
    def test_loop_goes_on(self):
        """the event loop goes on while a capture waits for a server"""
        self.stub.moods = ['hang']
        error = ValueError('x')

        @dead_letter_on_failure(**self.options())
        async def task():
            raise error

        async def release():
            # runs only if the loop is free while the server hangs; with a loop that is held up, this test ends in a timeout
            await asyncio.get_running_loop().run_in_executor(None, self.stub.arrived.wait)
            self.stub.release.set()

        async def go():
            return await asyncio.gather(task(), release(), return_exceptions=True)

        self.assertIs(asyncio.run(go())[0], error)
        self.assertIsNone(error.__context__)
        self.assertEqual(self.lost, [])
        self.assertEqual(len(self.stub.captures), 1)

    def test_cancelled_meanwhile(self):
        """a task that is cancelled while its capture waits is cancelled, and the capture goes on"""
        self.stub.moods = ['hang']

        @dead_letter_on_failure(**self.options())
        async def task():
            raise ValueError('x')

        async def go():
            running = asyncio.ensure_future(task())
            await asyncio.get_running_loop().run_in_executor(None, self.stub.arrived.wait)
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            return running.cancelled()

        self.assertTrue(asyncio.run(go()))
        self.stub.release.set()
        self.assertTrue(dead_letter.flush(60))
        self.assertEqual(len(self.stub.captures), 1)

    def test_cancellation(self):
        """a cancelled coroutine is no failure"""
        @dead_letter_on_failure(**self.options())
        async def task():
            await asyncio.Event().wait()

        async def go():
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(task(), 0.01)

        asyncio.run(go())
        self.assertEqual(self.stub.captures, [])

    def test_callable_that_gives_a_coroutine(self):
        """a function that gives a coroutine, and an object that is called for one, are captured as they are awaited"""
        async def fails():
            raise ValueError('late')

        class Task:
            async def __call__(self):
                raise ValueError('late')

        for task in (lambda: fails(), Task()):
            wrapped = dead_letter_on_failure(**self.options(), task_name='late')(task)
            self.assertIsInstance(raised_by(asyncio.run, wrapped()), ValueError)
        self.assertEqual([capture['task_name'] for capture in self.stub.captures], ['late', 'late'])


class TheGuard(ClientCase):
    def told(self, run):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter('always')
            run()
        return [str(one.message) for one in found if issubclass(one.category, dead_letter.DeadLetterWarning)]

    def test_retry_library(self):
        """a capture inside a retry library is told, once"""
        # a frame of a module named as the library is what tells it; the library itself need not be installed
        library = {'__name__': 'tenacity'}
        exec('def call(task):\n for _ in range(3):\n  try: task()\n  except ValueError: pass', library)

        @dead_letter_on_failure(**self.options())
        def task():
            raise ValueError('x')

        told = self.told(lambda: library['call'](task))
        self.assertEqual(len(told), 1)
        self.assertIn('inside tenacity', told[0])
        self.assertEqual(len(self.stub.captures), 3)

    def test_loop(self):
        """the same unit of work captured again from one place is told; different units and redrives are not"""
        def work(keys, **more):
            @dead_letter_on_failure(**self.options(), payload=lambda key: {'work_key': key, **more})
            def task(key):
                raise ValueError('x')

            for key in keys:
                with contextlib.suppress(ValueError):
                    task(key)

        self.assertEqual(len(self.told(lambda: work('aab'))), 1)
        self.assertEqual(self.told(lambda: work('abc')), [])
        self.assertEqual(self.told(lambda: work('aa', attempt_id='5a3f2f0e-27a7-4d5a-9c55-3f1f0f5f7a11')), [])

    def test_warnings_as_errors(self):
        """where warnings are errors, the task's own error is raised all the same"""
        with warnings.catch_warnings():
            warnings.simplefilter('error')

            @dead_letter_on_failure(**self.options(), payload=lambda: {'work_key': 'k'})
            def task():
                raise ValueError('x')

            with contextlib.redirect_stderr(io.StringIO()) as told:
                for _ in range(2):
                    with self.assertRaises(ValueError):
                        task()
            self.assertIn('captured twice', told.getvalue())


if __name__ == '__main__':
    unittest.main()
