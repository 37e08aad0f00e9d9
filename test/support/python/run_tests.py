"""Runs the client's Python tests for vitest. `--list` prints their names; else each test's outcome, as JSON.

A test's name is the first line of its docstring.
"""

import io
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '../../../public/clients')]
sys.dont_write_bytecode = True


def tests_of(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests_of(one)
        else:
            yield one


class Outcomes(unittest.TestResult):
    def __init__(self):
        super().__init__(io.StringIO(), True, 0)
        self.outcomes = {}

    def addSuccess(self, test):
        self.outcomes[name_of(test)] = 'passed'

    def addSkip(self, test, reason):
        self.outcomes[name_of(test)] = f'skipped: {reason}'

    def addError(self, test, err):
        self.outcomes[name_of(test)] = self._exc_info_to_string(err, test)

    addFailure = addError

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.outcomes[name_of(test)] = f'{subtest.params}: {self._exc_info_to_string(err, test)}'
        super().addSubTest(test, subtest, None)


def name_of(test):
    return test.shortDescription() or test.id()


class KeepsFailures(Outcomes):
    def addSuccess(self, test):
        self.outcomes.setdefault(name_of(test), 'passed')


def main():
    suite = unittest.defaultTestLoader.discover(HERE, pattern='test_*.py', top_level_dir=HERE)
    tests = list(tests_of(suite))
    if '--list' in sys.argv:
        print(json.dumps([name_of(test) for test in tests]))
        return
    wanted = [word for word in sys.argv[1:] if not word.startswith('-')]
    result = KeepsFailures()
    unittest.TestSuite(test for test in tests if not wanted or any(word in test.id() for word in wanted)).run(result)
    print(json.dumps(result.outcomes))


if __name__ == '__main__':
    main()
