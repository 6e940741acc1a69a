import t from 'tap'
import { countSkippedTests, describeFailedTests } from '../../src/extract/failed-tests.ts'

const unittest =
  'Traceback (most recent call last):\n  File "tests/test_a.py", line 38, in test_cut\n    self.assertEqual(1, 2)\n' +
  '\n======\nFAIL: test_whole (test_a.A.test_whole)\n------\nTraceback (most recent call last):\n' +
  '  File "tests/test_a.py", line 34, in test_whole\nAssertionError: 1 != 2\n\n------\nRan 19 tests in 0.003s\n\n'

const CASES: [output: string, said: string | undefined][] = [
  [`${unittest}FAILED (failures=2)`, '2 of 19 tests failed: test_cut, test_whole'],
  [`${unittest}FAILED (failures=1, errors=1)`, '2 of 19 tests failed: test_cut, test_whole'],
  ['Ran 1 test in 0.001s\n\nFAILED (errors=1)', '1 of 1 test failed'],
  [
    'FAILED tests/a.py::A::test_b[x] - assert 1 == 2\nERROR tests/c.py\n=== 2 failed, 17 passed, 1 warning in 0.30s ===',
    '2 of 19 tests failed: A::test_b[x], and 1 more',
  ],
  ['not ok 1 - adds\nok 2 - divides\n# pass 1\n# fail 1', '1 of 2 tests failed: adds'],
  [
    "    not ok 1 - adds\n      failureType: 'testCodeFailure'\n    not ok 2 - divides # time=3ms\n" +
      'not ok 1 - numbers\nnot ok 2 - later # TODO\n# tests 3\n# suites 1\n# pass 1\n# fail 2',
    '2 of 3 tests failed: adds, divides',
  ],
  [
    'not ok 1 - adds\n  ---\n  error: no\n  expected: 90\n  actual: 95\n  ...\n# tests 3\n# pass 2\n# fail 1',
    '1 of 3 tests failed: adds (expected 90, actual 95)',
  ],
  ['# Subtest: a\n    not ok 1 - should be equal\nnot ok 1 - a\n# failed 1 test', '1 test failed: a'],
  [
    '▶ numbers\n  ✖ adds (1.2ms)\n✖ numbers (2ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.js:3:1\n✖ adds (1.2ms)',
    '1 of 2 tests failed: adds',
  ],
  [
    '  ● numbers › adds\n\n    expect(1)\n\nTests:       1 failed, 1 skipped, 3 passed, 5 total',
    '1 of 5 tests failed: adds',
  ],
  [
    ' FAIL  src/a.test.ts > numbers > adds\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)',
    '1 of 4 tests failed: adds',
  ],
  ['--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/empty (0.00s)\nFAIL', '1 test failed: TestA/empty'],
  [
    '88% tests passed, 2 tests failed out of 18\n\nThe following tests FAILED:\n\t 10 - audio_stream (Failed)\n\t 16 - pool (SEGFAULT)\n',
    '2 of 18 tests failed: audio_stream, pool',
  ],
  ['test a::adds ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored', '1 of 3 tests failed: a::adds'],
  ['  1) test adds (AppTest)\n     test/app_test.exs:3\n\n410 tests, 1 failure', '1 of 410 tests failed: test adds'],
  ['3 examples, 1 failure\n\nFailed examples:\nrspec ./a_spec.rb:3 # A adds', '1 of 3 tests failed: A adds'],
  ['  20 passing (1s)\n  1 failing\n\n  1) parses:', '1 of 21 tests failed'],
  [
    `${['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `not ok 1 - ${name}\n`).join('')}# pass 1\n# fail 7`,
    '7 of 8 tests failed: a, b, c, d, e, and 2 more',
  ],
  ['410 tests, 0 failures', undefined],
  ['ok 1 - adds\n# tests 1\n# pass 1\n# fail 0', undefined],
  ['Error: no', undefined],
]

for (const [output, said] of CASES)
  t.test(`failed tests: ${JSON.stringify(said)} of ${JSON.stringify(output)}`, async (t) => {
    t.equal(describeFailedTests(output), said)
  })

t.test('tests that a run has left out are counted', async (t) => {
  for (const [output, count] of [
    ['test result: ok. 7 passed; 0 failed; 2 ignored; 0 measured', 2],
    ['=== 3 passed, 1 skipped in 0.30s ===', 1],
    ['Tests:       1 skipped, 12 todo, 3 passed, 16 total', 13],
    ['ℹ pass 1\nℹ skipped 1\nℹ todo 2', 3],
    ['OK (skipped=4)', 4],
    ['9 passed', 0],
  ] as const)
    t.equal(countSkippedTests(output), count, output)
})
