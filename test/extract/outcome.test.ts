import t from 'tap'
import { onlyLooks } from '../../src/extract/exit-status.ts'
import type { Outcome } from '../../src/extract/outcome.ts'
import { outcomeOf, type EndedRun } from '../../src/extract/runs.ts'
import { splitCommand } from '../../src/extract/shell.ts'
import type { ToolResultMessage } from '../../src/session/message.ts'

const readOutcome = (result: EndedRun['result'], command?: string): Outcome =>
  outcomeOf({ result, ...(command !== undefined && { command }) })

const result = (output: string, fields: Partial<ToolResultMessage> = {}): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 'bash',
  content: [{ type: 'text', text: output }],
  isError: false,
  isPruned: false,
  ...fields,
})

/** What a log has about failures, and commands that show it: whatever it names, they have succeeded. */
const LOG = 'FATAL: password authentication failed for user "worker"\nFAILED to start\n3 failed\nError: exit 1'
const LOOKS_AT_LOGS = [
  ...['kubectl -n staging logs worker-7f9c --tail=20', 'kubectl --context prod logs api | grep -i error | tail -5'],
  ...['kubectl -n staging get events', 'oc describe pod worker', 'docker compose -f prod.yml logs --tail=9 worker'],
  ...['docker service logs web', 'sudo journalctl -u nginx', 'systemctl status nginx', 'dmesg | tail'],
  ...['tail -f /var/log/app.log', 'grep ERROR app.log', 'zcat app.log.1.gz | grep ERROR', 'git log --oneline -20'],
  ...[
    'curl -s https://ci.example.com/job/12/log',
    'heroku logs -n 200',
    'pm2 logs api',
    'npm run logs',
    'stern worker',
  ],
  ...["ssh prod 'journalctl -u api -n 50'", 'ssh -p 22 me@web "tail -50 /var/log/app.log | grep ERROR"'],
  ...['docker exec -it -u root web tail -n 20 /app/err.log', 'kubectl exec -n x worker-1 -- cat /tmp/err.log'],
]

/** Outputs in a format that does not say how a command ended, and what they say about it themselves. */
const FAILED: [command: string, output: string][] = [
  ['pytest -q && echo ok || echo bad', 'bad'],
  ['npm test', 'not ok 2 - parses\n# pass 1\n# fail 1'],
  ['npm test', '> app@1.0.0 test\n> jest\n\n FAIL  src/a.test.js\nTests:       1 failed, 3 passed, 4 total'],
  ['npm test 2>&1 | tail -5', 'Tests: 1 failed'],
  ['npx jest', 'Test Suites: 1 failed, 2 passed, 3 total\nTime: 1.2 s'],
  [
    'npx vitest run',
    ' Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 30 passed (32)\n   Duration  812ms',
  ],
  ['npx mocha', '  3 passing (12ms)\n  1 failing\n\n  1) parses:\n     AssertionError: no'],
  ['node --test', '✖ parses a tag (1.2ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1'],
  ['npx tap', '# Subtest: a\n    not ok 1 - equal\nnot ok 1 - a\n1..1\n# failed 1 test'],
  ['pytest -q', 'F.\n=== FAILURES ===\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 1 passed in 0.12s'],
  ['pytest', '=========== 2 failed, 7 passed in 0.30s ==========='],
  ['python -m unittest', 'Ran 3 tests in 0.001s\n\nFAILED (failures=1)'],
  ['go test ./...', '--- FAIL: TestParse (0.00s)\nFAIL\nFAIL\texample.com/x\t0.01s'],
  ['go build ./...', '# example.com/x\n./main.go:5:2: undefined: foo'],
  [
    'mix test | head -100',
    '** (Mix) Could not start application otel: exited in: start\n    ** (BadMapError) expected a map',
  ],
  ['cargo test', 'test result: FAILED. 2 passed; 1 failed; 0 ignored'],
  ['cargo build', 'error[E0382]: borrow of moved value\nerror: could not compile `x` (lib) due to 1 previous error'],
  ['make', 'cc -c a.c\nmake: *** [Makefile:3: a.o] Error 127'],
  ['make', "a.c:3:5: error: expected ';' before '}' token\nmake: *** [a.o] Error 1"],
  ['npx tsc --noEmit', 'src/a.ts(3,1): error TS2554: Expected 1 arguments'],
  ['npx eslint .', '/a.ts\n  3:1  error  x is unused  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)'],
  ['mvn test', '[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE'],
  ['./gradlew test', '3 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\nBUILD FAILED in 3s'],
  ['dotnet test', 'Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4'],
  ['dotnet build', 'Program.cs(3,9): error CS0103: The name x does not exist\nBuild FAILED.'],
  ['bundle exec rspec', '3 examples, 1 failure\n\nFailed examples:\nrspec ./a_spec.rb:3'],
  ['vendor/bin/phpunit', 'FAILURES!\nTests: 3, Assertions: 3, Failures: 1.'],
  ['bun test', ' 3 pass\n 1 fail\nRan 4 tests across 1 file.'],
  ['mypy .', 'a.py:3: error: Incompatible types\nFound 1 error in 1 file (checked 2 source files)'],
  ['git push', "! [rejected] main -> main (fetch first)\nerror: failed to push some refs to 'origin'"],
  ['git merge next', 'CONFLICT (content): Merge conflict in a.ts\nAutomatic merge failed; fix conflicts'],
  ['git status', 'fatal: not a git repository (or any of the parent directories): .git'],
  ['docker build .', 'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1'],
  ['docker ps', 'Error response from daemon: client version is too old'],
  ['pnpm test', 'vitest: nothing\n ELIFECYCLE  Test failed. See above for more details.'],
  ['npm run build', 'npm error Missing script: "build"\nnpm error To see a list of scripts, run:\nnpm error   npm run'],
  ['pip install nope', 'ERROR: No matching distribution found for nope'],
  ['foo --version', 'bash: line 1: foo: command not found'],
  ['./run.sh', '/bin/sh: 1: ./run.sh: not found'],
  ['./run.sh', 'bash: ./run.sh: Permission denied'],
  ['cat missing.txt', 'cat: missing.txt: No such file or directory'],
  ['ls src missing', "ls: cannot access 'missing': No such file or directory\nsrc:\na.ts"],
  ['./a.out', 'Segmentation fault (core dumped)'],
  [
    'python app.py',
    'Traceback (most recent call last):\n  File "app.py", line 3, in <module>\n    main()\nValueError: no',
  ],
  ['node app.js', "node:internal\n  throw err;\nError: Cannot find module 'x'\n    at f (a.js:1)\n\nNode.js v20.11.0"],
  ['go run .', 'panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nexit status 2'],
  ['cargo run', "thread 'main' panicked at src/main.rs:3:5:\nno"],
  ['java -jar app.jar', 'Exception in thread "main" java.lang.IllegalStateException: no\n\tat a.B.c(B.java:3)'],
  ['./deploy.sh', 'deploying\n\nCommand exited with code 3'],
  ['./deploy.sh', 'Exit code: 3\nWall time: 1 seconds\nOutput:\ndeploying'],
  ['npm test || true', '410 tests, 2 failures'],
  [
    'ansible-playbook site.yml',
    'PLAY RECAP ***\nweb1 : ok=3 changed=0 unreachable=1 failed=0\nweb2 : ok=9 changed=1 unreachable=0 failed=0',
  ],
  ['ansible-playbook site.yml', 'web1   : ok=9    changed=1    unreachable=0    failed=2    skipped=1'],
  ['npx vitest run | tail -3', '\u001b[2m      Tests \u001b[22m \u001b[31m1 failed\u001b[39m | [32m3 passed[39m (4)'],
  ["Rscript -e 'devtools::test()' | tail -2", '── Failed tests ──\n[ FAIL 2 | WARN 0 | SKIP 0 | PASS 12 ]'],
  ['Rscript a.R | tail -2', 'Calls: main -> f\nExecution halted'],
  ['dbt test | tail -1', '10:00:01  Done. PASS=11 WARN=0 ERROR=1 SKIP=0 TOTAL=12'],
  ['swift test | tail -1', '\t Executed 12 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds'],
  ['./build/tests | tail -2', 'test cases: 12 | 11 passed | 1 failed'],
  ['sbt test | tail -3', '[info] Tests: succeeded 11, failed 1, canceled 0'],
  ['prove -lr t | tail -1', 'Result: FAIL'],
  ['flutter test | tail -1', '00:04 +11 -1: Some tests failed.'],
  ['bundle exec rubocop | tail -1', '12 files inspected, 1 offense detected'],
  ['npx pyright | tail', '2 errors, 1 warning, 0 informations'],
  ['npx turbo test | tail -2', 'Tasks:    2 successful, 3 total\nFailed:    app#test'],
  ['npx elm-test | tail -2', 'Passed:   11\nFailed:   1'],
  ['docker exec c sh -c "pytest | tail -3"; echo $?', '1 error in collection\n0'],
  ['npx tsc --noEmit; echo "exit: $?"', 'exit: 1'],
  ['npm test; echo $?', 'assertion wrong\n1'],
  ['npm test; echo "rc=$?"', 'something broke\nrc=1'],
  ['npm test | tail -3; echo "rc=${PIPESTATUS[0]}"', 'something broke\nrc=1'],
  ['./tests | tail -3', '[  PASSED  ] 11 tests.\n[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] A.B'],
  ['npx vitest run | tail -3', '      Tests  3 passed (3)\n     Errors  1 error'],
  ['npx jest | tail -3', 'Tests: 9 passed, 9 total\nJest: "global" coverage threshold for lines (90%) not met: 80%'],
  ['./mvnw verify | tail', 'Tests run: 12, Failures: 0, Errors: 0\n[ERROR] Failed to execute goal x:check'],
  ['node --test | tail -3', '# pass 3\n# fail 0\n# cancelled 1'],
  ['mix dialyzer | tail -5', 'Total errors: 1, Skipped: 0, Unnecessary Skips: 0\ndone in 0m3.1s'],
  ...[
    ...[
      'docker compose exec web npm test',
      "ssh prod 'cd app && make test'",
      'docker run --rm app pytest',
      'npm run logs:test',
    ],
    ...[
      'npx eslint logs',
      'npm test; tail -20 app.log',
      'npm run build > build.log; cat build.log',
      'kubectl apply -f x.yml',
    ],
    ...['kubectl -n staging rollout status deploy/worker', 'docker exec web ./health.sh', 'heroku run rake db:migrate'],
  ].map((command): [string, string] => [command, LOG]),
]

const SUCCEEDED: [command: string, output: string][] = [
  ['npm test', 'ok 1 - reports 2 failed jobs\nok 2 - fails on an empty text\n1..2\n# pass 2\n# fail 0'],
  ['npm test', 'not ok 1 - later # TODO write it\nok 2 - parses\n# pass 1\n# fail 0\n# todo 1'],
  ['npm test', '  ✓ fails on a missing file (3 ms)\n  ✓ 2 failed uploads\nTests:       2 passed, 2 total'],
  ['npx vitest run', ' ✓ src/error.test.ts (3 tests) 5ms\n Test Files  1 passed (1)\n      Tests  3 passed (3)'],
  ['npx mocha', '  errors\n    ✔ fails on an unknown tag\n\n  1 passing (9ms)'],
  ['node --test', '✔ fails on bad input (1ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0'],
  ['pytest -q', 'tests/test_error.py ...\n3 passed in 0.05s'],
  ['pytest', '=========== 7 passed, 1 xfailed, 2 warnings in 0.30s ==========='],
  ['python -m unittest', '....\nRan 4 tests in 0.001s\n\nOK'],
  ['go test ./...', 'ok  \texample.com/errors\t0.013s\nok  \texample.com/fail\t(cached)'],
  ['cargo test', 'test fails_on_empty ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored'],
  ['cargo build', 'warning: unused variable: `error`\n    Finished `dev` profile [unoptimized] target(s) in 0.10s'],
  ['npx tsc --noEmit', ''],
  ['npx eslint src/errors.ts', ''],
  ['npx eslint .', '✖ 2 problems (0 errors, 2 warnings)'],
  ['npx tsc --watch false', 'Found 0 errors. Watching for file changes.'],
  ['mvn test', '[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS'],
  ['./gradlew test', '> Task :test\n\nBUILD SUCCESSFUL in 3s'],
  ['dotnet test', 'Passed!  - Failed:     0, Passed:     4, Skipped:     0, Total:     4'],
  ['dotnet build', 'Build succeeded.\n    0 Warning(s)\n    0 Error(s)'],
  ['bundle exec rspec', '3 examples, 0 failures'],
  ['vendor/bin/phpunit', 'OK (3 tests, 3 assertions)'],
  ['bun test', ' 4 pass\n 0 fail\nRan 4 tests across 1 file.'],
  ['ansible-playbook site.yml | tail -3', 'PLAY RECAP ***\nweb1 : ok=9 changed=1 unreachable=0 failed=0\nreal 8m12s'],
  [
    'west build app 2>&1 | tail',
    '[212/212] Linking C executable zephyr/zephyr.elf\nGenerating files for board: native_sim',
  ],
  ['mix dialyzer | tail -5', 'Total errors: 0, Skipped: 0, Unnecessary Skips: 0\ndone in 0m3.1s'],
  ['mix credo | tail -5', '689 mods/funs, found no issues.\n\nUse `mix credo explain` to explain issues'],
  ['npx vitest run | tail -3', '      Tests  3 passed (3)\n   Start at  10:00:00\n   Duration  812ms'],
  ['npx vitest run | tail -3', '\u001b[2m      Tests \u001b[22m \u001b[32m3 passed\u001b[39m (3)'],
  ["Rscript -e 'devtools::test()' | tail -2", 'Duration: 0.4 s\n\n[ FAIL 0 | WARN 1 | SKIP 0 | PASS 12 ]'],
  ['R CMD check . | tail -3', '* DONE\n\nStatus: OK'],
  ['dbt test | tail -1', '10:00:01  Done. PASS=12 WARN=0 ERROR=0 SKIP=0 TOTAL=12'],
  ['ctest | tail -3', '100% tests passed, 0 tests failed out of 12\n\nTotal Test time (real) =   1.20 sec'],
  ['swift test | tail -1', '\t Executed 12 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds'],
  ['./build/tests | tail -1', '[  PASSED  ] 12 tests.'],
  ['flutter test | tail -1', '00:04 +12: All tests passed!'],
  ['prove -lr t | tail -3', 'All tests successful.\nFiles=3, Tests=12\nResult: PASS'],
  ['npx elm-test | tail -2', 'Passed:   12\nFailed:   0'],
  ['cd app && npx tsc --noEmit\necho "EXIT=$?"', 'EXIT=0'],
  ['npm run lint && npm test; echo "exit: $?"', 'exit: 0'],
  ['mypy .', 'Success: no issues found in 2 source files'],
  ['ruff check --fix', 'Found 2 errors (2 fixed, 0 remaining).'],
  ['xcodebuild test -scheme App', 'Test case passed\n** TEST SUCCEEDED **'],
  ['npm install', 'npm warn deprecated x@1.0.0: error-prone\nadded 3 packages in 1s\nfound 0 vulnerabilities'],
  ['npm run build', 'vite v5 building\n✓ 31 modules transformed.\ndist/error-3f2a.js  3 kB\n✓ built in 812ms'],
  [
    'npm test',
    'WARN: error: connection lost, retrying\nError: handled on purpose\n    at a.js:1\nTests: 3 passed, 3 total',
  ],
  [
    'python retry.py && pytest',
    'ERROR:root:Traceback (most recent call last):\nValueError: no\ntrying again\n4 passed in 0.1s',
  ],
  ['npm test && npm run build', 'Tests: 3 passed, 3 total\nError: the cache is unreadable\n✓ built in 812ms'],
  ['git commit -m "fails"', '[main 3f2a1bc] Fix what failed: error in parser\n 1 file changed, 1 insertion(+)'],
  ['git commit -qm "Keep it"', ''],
  ['git commit -a --message "Keep it" --quiet', ''],
  ['git pull', 'Already up to date.'],
  ['git log --oneline | head', '3f2a1bc FAILED tests fixed\n3f2a1bd error: fixed'],
  ['git diff', '-error: no\n+FAIL: yes'],
  ['ls src', 'error.ts\nerrors\nfail-fast.ts\nFAILED'],
  ['grep -rn Error src', 'src/a.ts:3:  throw new Error("no")\nsrc/b.ts:9: error: no'],
  ['grep -rn FAILED logs | head', 'FAILED: the old build'],
  ['cd app && cat build.log', 'BUILD FAILED in 3s\n1 failed'],
  ['docker logs web', 'error: the database refused the connection\n3 failed'],
  ['find . -name "*.log"', './error.log\n./failed: 3.log'],
  ['rm -rf dist && mkdir dist', ''],
  ['./deploy.sh', 'error: the cache is cold\ndone\n\nCommand exited with code 0'],
  ...LOOKS_AT_LOGS.map((command): [string, string] => [command, LOG]),
]

const UNKNOWN: [command: string, output: string][] = [
  ['npm run lint | tail -1; echo ok', 'ok'],
  ['npm run lint || true; echo OK', 'OK'],
  ['./deploy.sh', ''],
  ['git commit -m "Keep it -q"', ''],
  ['git commit -qam "Keep it"; git rev-parse --short HEAD', '1a2b3c4'],
  ['./deploy.sh', 'deployed'],
  ['ninja | tail -1', '[11/212] Linking C executable zephyr/zephyr.elf'],
  ['node server.js', 'Error: lost the connection, retrying\nListening on 3000'],
  ['npx tsc --noEmit | head; echo "exit: $?"', 'exit: 0'],
  // What is printed last decides: a success before it may be that of a part.
  ['terraform validate; terraform plan | tail', 'Success! The configuration is valid.\n\n╷\n│ Error: Reference to x'],
  ['sbt test | tail -2', '[info] All tests passed.\n[error] (web / Test / test) sbt.TestsFailedException'],
  ['make | tail -2', '[100%] Built target core\nld: library not found for -lz'],
  ['golangci-lint run | tail', '0 issues.\nlevel=error msg="Running error: context loading failed"'],
  ['./import.sh | tail', 'rows=100 ok=100 errors=0\nCRITICAL: target table empty'],
  ['./import.sh | tail', 'passed=3 failed=0\nTime limit reached, 12 rows not written'],
  ['./tests | tail', 'passed: 12, failed: 0, crashed: 1'],
  ['./tests | tail', 'tests: 0, passed: 0, failed: 0'],
  ['octave --eval runtests | tail -1', 'PASSES 12 out of 13 tests, 0 errors'],
  ['printf "y\\n" | terraform apply | tail -3; echo "exit ${PIPESTATUS[0]}"', 'x is not there\nexit 0'],
  ['./import.sh | tail', 'errors: 0 warnings: 3\nAbbruch: Datei nicht lesbar'],
  ['npx nx test | tail', 'all specs passed except 3'],
  // A line that says failure beside ones that say success
  ['./smoke.sh | tail', 'OK login\nKO checkout'],
  ['./smoke.sh | tail', 'KO checkout\nOK login'],
  ['./pruefen.sh | tail', 'OK Anmeldung\nFEHLER Kasse'],
  ['./smoke.sh | tail', 'OK connexion\npaiement ... ÉCHEC'],
  ['./check.sh | tail', 'OK 登录\n失败 支付'],
  ['! npm test; echo $?', 'assertion wrong\n0'],
  ['ssh h "npm test | tail -1"; echo $?', 'assertion wrong\n0'],
  ['for f in a b; do node $f.test.js; echo "exit $?"; done', 'boom\nexit 1\nfine\nexit 0'],
  ['npm run lint; npm test; echo "exit: $?"', 'exit: 0'],
  ['zig build test --summary all | tail -1', 'Build Summary: 2/3 steps succeeded; 11/12 tests passed'],
  ['node import.js', 'We had 3 errors last week, and now 0 failures.'],
  ['node import.js', 'read 100 records, 3 errors\nwrote the report\ndone\nbye\nsee report.txt'],
  ['grep -rn nothing src', ''],
  ['docker compose up -d; sleep 5; docker compose logs web', 'web started\nFATAL: no\n3 failed\nerror: no'],
  ['./start.sh & sleep 2; tail -20 app.log', 'error: no'],
]

for (const [kind, cases] of Object.entries({ failed: FAILED, succeeded: SUCCEEDED, unknown: UNKNOWN }))
  for (const [command, output] of cases)
    t.test(`without a status: ${kind}: ${JSON.stringify([command, output])}`, async (t) => {
      t.equal(readOutcome(result(output, { isUnmarked: true }), command).kind, kind)
    })

/** Two commands on lines, behind the options of the shell, and an output that looks like a failure. */
const BUILD_AND_TEST = (options: string): [command: string, output: string] => [
  `${options}\nnpm run build\nnpm test`,
  'FAILED 1 test was flaky',
]

/** Where the client says how a command ended, that counts, unless a pipe or the like hides it. */
const MARKED: [name: string, command: string, output: string, outcome: Outcome][] = [
  ['a success', 'npm test', 'not ok 2 - parses', { kind: 'succeeded' }],
  ['a failure in a pipe', 'npm test 2>&1 | tail -20', 'ok 1\nnot ok 2 - parses', { kind: 'failed', status: 'error' }],
  ['a failure in a pipe', 'npx tsc | head', 'a.ts(3,1): error TS2554: Expected', { kind: 'failed', status: 'error' }],
  [
    'a failure before another command',
    'make test; echo done',
    '--- FAIL: A\ndone',
    { kind: 'failed', status: 'error' },
  ],
  ['a success in a pipe', 'npm test 2>&1 | tail -20', '9 passed, 0 failed', { kind: 'succeeded' }],
  ['a search for errors that found none', 'make 2>&1 | grep -i error | head -5', '(no output)', { kind: 'succeeded' }],
  ['nothing in a pipe', './deploy.sh | tail -1', 'deployed', { kind: 'unknown' }],
  ['a pipe that fails', 'set -o pipefail; ./deploy.sh | tail -1', 'deployed', { kind: 'succeeded' }],
  ['a pipe of a reading program', 'ls src | head -3', 'error: no', { kind: 'succeeded' }],
  ['the last program of a pipe', 'echo 1 | node a.js', 'FAIL', { kind: 'succeeded' }],
  ['commands joined by &&', 'cd app && npm test', 'FAIL', { kind: 'succeeded' }],
  ['commands on lines of a script that stops at a failure', ...BUILD_AND_TEST('set -e'), { kind: 'succeeded' }],
  ['commands on lines that stop at a failure, among others', ...BUILD_AND_TEST('set -ue'), { kind: 'succeeded' }],
  ['commands on lines of another script', ...BUILD_AND_TEST('set -u'), { kind: 'failed', status: 'error' }],
  ['a command with a semicolon behind it', 'npm test;', 'FAIL', { kind: 'succeeded' }],
  ['a check that is to fail', '! npm test', 'assertion wrong', { kind: 'unknown' }],
  ['a pipe at another place', 'ssh h "npm test | tail -1"', 'assertion wrong', { kind: 'unknown' }],
  ['a search that is to find nothing', '! grep -rn TODO src', '', { kind: 'succeeded' }],
  ['a quoted pipe', 'node -e "a | b; c"', 'FAIL', { kind: 'succeeded' }],
  [
    'a printed status',
    'npm test | tail -3; echo "exit: $?"',
    'x\nexit: 1',
    { kind: 'failed', status: 'exit code 1', exitCode: 1 },
  ],
  [
    'a printed status of the first program in a pipe',
    'npm test | tail -3; echo "exit: ${PIPESTATUS[0]}"',
    'x\nexit: 1',
    { kind: 'failed', status: 'exit code 1', exitCode: 1 },
  ],
  [
    'a status that was asked for of a program that is no check',
    'python3 -m gaps nothing.csv; echo "exit $?"',
    "nothing.csv: [Errno 2] No such file or directory: 'nothing.csv'\nexit 2",
    { kind: 'unknown' },
  ],
  [
    'a crash whose status was asked for',
    'python3 -m gaps nothing.csv; echo "exit $?"',
    'Traceback (most recent call last):\n  File "gaps.py", line 3, in <module>\nValueError: no\nexit 1',
    { kind: 'failed', status: 'exit code 1', exitCode: 1 },
  ],
  [
    'a quiet commit whose log is shown, behind a search that finds a wanted error',
    'PORT=x node server.js 2>&1 | grep Error; git commit -qm "Check the port" && git log --oneline | head -1',
    'Error: PORT must be a number.\n1a2b3c4 Check the port',
    { kind: 'succeeded' },
  ],
  [
    'a quiet commit that was refused, whose log shows the one before it',
    'npm test 2>&1 | tail -1; git commit -qm "Check the port" && git log --oneline | head -1',
    'Error: the hook refuses it.\n1a2b3c3 Read the port',
    { kind: 'failed', status: 'error' },
  ],
  [
    'what follows a commit',
    'git commit -qm "Check the port" && git log --oneline | head -1; for d in a b; do node $d.js; echo "$d $?"; done',
    '1a2b3c4 Check the port\na 0\nb 1',
    { kind: 'unknown' },
  ],
  [
    'errors that a search quotes from files',
    'for d in a b; do node $d.js > out.txt 2> err.txt; echo "$d $?"; grep -m1 -iE "error" out.txt err.txt; done',
    'a 0\nb 1\nerr.txt:Error: Cannot find module x\nc 0',
    { kind: 'unknown' },
  ],
  [
    'a log behind a restart',
    'kubectl rollout restart deploy/web && kubectl logs deploy/web',
    LOG,
    { kind: 'succeeded' },
  ],
  ['a file that ends with a status', 'cat run.log', 'no\nCommand exited with code 1', { kind: 'succeeded' }],
]

for (const [name, command, output, outcome] of MARKED)
  t.test(`with the status of a success: ${name}: ${JSON.stringify([command, output])}`, async (t) => {
    t.strictSame(readOutcome(result(output), command), outcome)
  })

/** Status 1: whether it is the answer "no", or a failure. */
const ANSWERS: [command: string | undefined, output: string, kind: string][] = [
  ['grep -rn nothing src', '', 'succeeded'],
  ['rg nothing', '(no output)\n\nCommand exited with code 1', 'succeeded'],
  ['cd src && grep -c nothing a.ts', '0\n\nCommand exited with code 1', 'succeeded'],
  ['grep a x; grep b y', 'a line of x', 'succeeded'],
  ['git checkout a.ts && git status && grep -c old a.ts', '0\nUpdated 1 path from the index', 'succeeded'],
  ['git checkout a.ts; grep -c old a.ts', 'error: no\n0', 'failed'],
  ['git checkout a.ts && grep -c old a.ts', 'error: pathspec did not match', 'failed'],
  ['test -f a.ts', 'Chunk ID: a1b2c3\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:', 'succeeded'],
  ['diff a b', '', 'succeeded'],
  ['git diff --exit-code', '', 'succeeded'],
  ['diff a b', '1c1\n< a\n> b', 'unknown'],
  ['cd out && cmp a b', 'a b differ: byte 1, line 1', 'unknown'],
  ['diff a missing', 'diff: missing: No such file or directory', 'failed'],
  ['npm run build && diff a b', '1c1\n< a\n> b', 'failed'],
  ['jq -e .done a.json', 'false', 'succeeded'],
  ['jq -e .done missing.json', 'jq: error: Could not open missing.json: No such file or directory', 'failed'],
  ['./gaps --json', '[\n  {\n    "kind": "gap"\n  }\n]\n\nCommand exited with code 1', 'unknown'],
  ['./gaps --json', '{"error": "There is no such file."}', 'failed'],
  ['./gaps --json', '[\n  {\n    "kind": "gap"\nError: no', 'failed'],
  ['npx eslint -f json src', '[{"filePath": "a.ts", "errorCount": 1}]', 'failed'],
  ['grep x missing.txt', 'grep: missing.txt: No such file or directory', 'failed'],
  ['cat missing.txt | grep x', 'cat: missing.txt: No such file or directory', 'failed'],
  ['npm run check 2>&1 | grep "error TS"', '', 'succeeded'],
  ['npm run check 2>&1 | grep -E "(✖|fail)" | head -5', '(no output)', 'succeeded'],
  ['npm run check 2>&1 | grep wrap-ansi', '', 'unknown'],
  ['npm test && grep -q x a.ts', '', 'failed'],
  ['npm test', 'half of it\n\nCommand aborted', 'unknown'],
  ['npm test', '', 'failed'],
  [undefined, 'No files found', 'succeeded'],
  [undefined, 'No matches found in src', 'succeeded'],
  [undefined, 'No such file: a.ts', 'failed'],
]

for (const [command, output, kind] of ANSWERS)
  t.test(`with the status 1: ${kind}: ${JSON.stringify([command, output])}`, async (t) => {
    t.equal(
      readOutcome(
        result(output, { isError: true, ...(command !== undefined && !output.endsWith('aborted') && { exitCode: 1 }) }),
        command,
      ).kind,
      kind,
    )
  })

const STATED: [name: string, fields: Partial<ToolResultMessage>, output: string, outcome: object][] = [
  ['an exit code', { isError: true, exitCode: 3 }, '', { kind: 'failed', status: 'exit code 3', exitCode: 3 }],
  ['an exit code alone', { exitCode: 2 }, '', { kind: 'failed', status: 'exit code 2', exitCode: 2 }],
  [
    "a note in the output's last line",
    { isError: true },
    'no\n\nCommand exited with code 2',
    { kind: 'failed', status: 'exit code 2', exitCode: 2 },
  ],
  ['an exit code of 0', { exitCode: 0 }, '3 failed', { kind: 'succeeded', exitCode: 0 }],
  [
    'the last of two notes, where the first one is quoted',
    { isError: true },
    'exit code 1\nis what the old script has printed\n\nCommand exited with code 2',
    { kind: 'failed', status: 'exit code 2', exitCode: 2 },
  ],
  [
    'the last of two notes, where it is a success',
    { isUnmarked: true },
    'exit code 1\nis what the old script has printed\n\nCommand exited with code 0',
    { kind: 'succeeded', exitCode: 0 },
  ],
  ['an error without a code', { isError: true }, 'no', { kind: 'failed', status: 'error' }],
]

for (const [name, fields, output, outcome] of STATED)
  t.test(`the client's words count: ${name}`, async (t) => {
    t.strictSame(readOutcome(result(output, fields), 'make'), outcome)
  })

t.test(
  'a look at a log says nothing about the work, and a command at another place is one if its code is',
  async (t) => {
    const looks = (command: string): boolean => onlyLooks(splitCommand(command))
    t.same(
      LOOKS_AT_LOGS.filter((command) => !looks(command)),
      ['curl -s https://ci.example.com/job/12/log'],
    )
    const works = [
      "ssh prod 'tail app.log && make deploy'",
      'docker exec web curl -f localhost/health',
      'make logs-check',
    ]
    t.same(works.filter(looks), [])
  },
)

t.test('a command that the user has stopped has not failed', async (t) => {
  const stopped = result('aborted by user', { isError: true, exitCode: 130 })
  t.strictSame(readOutcome(stopped, 'dbt run'), { kind: 'unknown', isAborted: true, exitCode: 130 })
  const failed = result('FAILED tests/test_up.py::test_large\n1 failed, 2 passed in 3s', {
    isError: true,
    exitCode: 130,
  })
  t.equal(readOutcome(failed, 'pytest').kind, 'failed', 'unless its output shows a failure')
})

t.test('a call that the user has refused has not run: no output of a command is such a refusal', async (t) => {
  const refused = { kind: 'failed', status: 'refused by the user', isRefused: true }
  const outcomes = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'Error: The user rejected permission to use this specific tool call.',
    'Command rejected by user',
  ].map((text) => readOutcome(result(text, { isError: true }), 'npm publish'))
  t.strictSame(outcomes, [refused, refused, refused])
  t.strictSame(readOutcome(result('The user rejected it.'), 'cat log.txt'), { kind: 'succeeded' })
  t.strictSame(readOutcome(result('FATAL: user "me" was denied', { isError: true }), 'psql'), {
    kind: 'failed',
    status: 'error',
  })
})

/** Whether a command that has failed has not run, because its program is not there. */
const MISSING: [command: string, output: string, isMissing: boolean][] = [
  ['aspell list < a.md', 'bash: line 1: aspell: command not found', true],
  ['wc -l a.md; aspell list < a.md | sort | head', '12 a.md\nbash: aspell: command not found', true],
  ['jest && npm run lint', '/bin/sh: 1: jest: not found', true],
  ['fd -e ts', 'zsh: command not found: fd', true],
  ['./events; python3 -m pyflakes *.py', '2 events\n/usr/bin/python3: No module named pyflakes', true],
  ['node --test; aspell list < a.md', 'not ok 1 - a\n# fail 1\nbash: aspell: command not found', false],
  ['npm test', 'sh: 1: jest: not found', false],
  ['./run.sh', '/bin/sh: 1: ./run.sh: not found', false],
  ['python3 app.py', 'ModuleNotFoundError: No module named flask', false],
  ['jest; npm run lint', 'bash: jest: command not found\nnpm error Missing script: "lint"', false],
]

for (const [command, output, isMissing] of MISSING)
  t.test(`a program that is ${isMissing ? '' : 'not '}missing: ${JSON.stringify([command, output])}`, async (t) => {
    const outcome = readOutcome(result(output, { isError: true, exitCode: 127 }), command)
    const failed = { kind: 'failed', status: 'exit code 127', exitCode: 127 }
    t.strictSame(outcome, isMissing ? { ...failed, isMissing } : failed)
  })

t.test('of other tools, only what the client says counts', async (t) => {
  t.strictSame(
    [result('exit code 1'), result('error: no', { isUnmarked: true }), result('', { isError: true })].map((one) =>
      readOutcome(one),
    ),
    [{ kind: 'succeeded' }, { kind: 'unknown' }, { kind: 'failed', status: 'error' }],
  )
})

t.test('the outcome of a command of the user is read in the same way', async (t) => {
  const run = (output: string, exitCode?: number, cancelled = false) =>
    readOutcome(
      { role: 'bashExecution', command: 'make', output, cancelled, ...(exitCode === undefined ? {} : { exitCode }) },
      'make',
    ).kind
  t.strictSame(
    [run('made', 0), run('made', 2), run('make: *** [a] Error 1'), run('made'), run('1 failed', undefined, true)],
    ['succeeded', 'failed', 'failed', 'unknown', 'unknown'],
  )
})
