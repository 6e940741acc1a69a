import t from 'tap'
import { CheckNames } from '../../src/extract/check-names.ts'
import { readCheck, type Check } from '../../src/extract/checks.ts'
import { FailedChecks } from '../../src/extract/failed-checks.ts'

/** Commands that check the same as the first one of their list. */
const SAME: string[][] = [
  [
    'npm test',
    'npm test 2>&1 | tail -20',
    'npm test | head -50',
    "npm test 2>&1 | grep -vE '^ok' | head -20",
    'cd /repo && npm test',
    'cd /repo; npm test > out.log 2>&1; echo $?',
    'CI=1 NODE_ENV=test npm test',
    'timeout -s KILL 300 npm test',
    'time nice -n 10 npm test',
    `bash -lc 'cd /repo && npm test'`,
    'bash -lc npm test',
    'set -o pipefail; npm test 2>&1 | tee log.txt | tail -3; exit ${PIPESTATUS[0]}',
    '(cd /repo && npm test)',
    'npm   test &> /dev/null',
    'source .env && npm test',
  ],
  ['npx tsc --noEmit && npm test', 'npx tsc --noEmit 2>&1 | head && npm test | tail -3'],
  ['git commit -m "a"', "git commit -qm 'b; c'", "git -C sub -c user.name='A B' commit -F - <<'EOF'\nx\nEOF"],
  ['git commit -m "a"', 'git add -A && git commit -m "a"', 'git add a.ts b.ts; git commit -am "b"'],
  ['git add a.ts b.ts', 'git add -f a.ts b.ts', 'git add a.ts && git add -- b.ts'],
  [
    'source lib/ids.sh && new_id 16 | grep -E x && echo ok && new_parent | grep y',
    "bash -c 'source lib/ids.sh\nid=$(new_id)\nif [[ $id =~ x ]]; then echo ok; else exit 1; fi'",
  ],
  ['python3 -c "print(1)"', "python3 - <<'EOF'\nprint(2)\nEOF"],
  ['cp a.json b.json', 'mkdir -p x && cp $(npm root -g)/pi/a.json b.json'],
  ['git push origin main', 'git push -u origin main'],
  ['grep -rn "a b" src', 'cd /repo && grep -rn "a b" src | head -5'],
]

for (const [first = '', ...others] of SAME)
  t.test(`the same check: ${first}`, async (t) => {
    for (const other of others) t.strictSame(readCheck(other).parts, readCheck(first).parts, other)
  })

const DIFFERENT: [string, string][] = [
  ['npm test', 'npm run lint'],
  ['source lib/ids.sh && new_id', 'source lib/names.sh && new_id'],
  ['npm test -- a.test.ts', 'npm test -- b.test.ts'],
  ['grep -rn "a" src', 'grep -rn "b" src'],
  ['cat a.log | grep x', 'cat a.log | grep y'],
  ['npm test && npm run lint', 'npm test'],
  ['git add a.ts', 'git add b.ts'],
  ['git add a.ts', 'git add -n a.ts'],
  ['git push origin main', 'git push --dry-run origin main'],
  ['git push', 'git push -n'],
  ['git commit -m "a"', 'git commit --dry-run -m "a"'],
  ['cp a.json themes/', 'cp b.json themes/x.json'],
]

for (const [one, other] of DIFFERENT)
  t.test(`different checks: ${one}, ${other}`, async (t) => {
    t.strictNotSame(readCheck(one).parts, readCheck(other).parts)
  })

/** Returns the failures that are left after commands; a `-` before one says that it has failed. */
const leftAfter = (...commands: string[]): string[] => leftWith(...commands).map(({ value }) => value)

/** Returns them with the runs of some of their tests that have passed since. */
function leftWith(...commands: string[]): ReturnType<FailedChecks<string>['left']> {
  const runs = commands.map((line) => ({ command: line.replace(/^- /, ''), hasFailed: line.startsWith('- ') }))
  const failed = new FailedChecks<string>(new CheckNames(runs.map(({ command }) => readCheck(command))))
  for (const { command, hasFailed } of runs)
    if (hasFailed) failed.fail(readCheck(command), command)
    else failed.pass(readCheck(command))
  return failed.left()
}

const HISTORIES: [what: string, commands: string[], left: string[]][] = [
  ['passed in another form', ['- cd app && npm test 2>&1 | tail -3', 'CI=1 npm test'], []],
  ['failed again', ['- npm test', 'npm test', '- npm test | tail -5'], ['npm test | tail -5']],
  ['listed at its newest failure', ['- npm test', '- make', '- npm test'], ['make', 'npm test']],
  ['passed as a part of a longer command', ['- npm test', 'npx tsc && npm test && git push'], []],
  ['all parts passed one by one', ['- npx tsc && npm test', 'npx tsc', 'npm test'], []],
  ['one part has not passed', ['- npx tsc && npm test', 'npm test'], ['npx tsc && npm test']],
  ['a list of commands proves no single one', ['- npm run lint', 'npm run lint; npm test'], ['npm run lint']],
  ['two folders are two checks', ['- cd a && npm test', 'cd b && npm test'], ['cd a && npm test']],
  ['a folder that is left out at times', ['- cd /repo/a && npm test', 'npm test', 'cd /repo/a && make'], []],
  [
    'a single test passed with all tests',
    ['- node --test test/a.test.ts', '- mix test a_test.exs', 'npm test', 'mix test'],
    [],
  ],
  ['all tests are not proven by one', ['- npm test', 'node --test test/a.test.ts'], ['npm test']],
  [
    'a commit refused twice is one failure',
    ['- git add -A && git commit -m "a"', '- git commit -m "b"'],
    ['git commit -m "b"'],
  ],
  ['paths that were refused were staged one by one', ['- git add a.ts b.css', 'git add a.ts', 'git add -f b.css'], []],
  ['what was not staged was committed', ['- git add a.ts b.css', 'git add -A && git commit -m "a"'], []],
  ['one of the refused paths was not staged', ['- git add a.ts b.css', 'git add a.ts'], ['git add a.ts b.css']],
  ['a push that named no branch', ['- git push 2>&1', 'git push --set-upstream origin topic'], []],
  ['another branch was pushed', ['- git push origin main', 'git push origin v1'], ['git push origin main']],
  ['a command that a summary has cut', ['- npm test -- some/very/lo…', 'npm test -- some/very/long.test.ts'], []],
  ['a part that failed again alone', ['- npx tsc && npm test', 'npx tsc', '- npm test'], ['npm test']],
  [
    'a part of a chain that may have stopped before',
    ['- npm test', '- make && npm test'],
    ['npm test', 'make && npm test'],
  ],
  [
    'one of several in a pattern',
    ['- ctest -R menu', '- npx jest -t adds', 'ctest -R "menu|tare"', 'npx jest -t "a|adds"'],
    [],
  ],
  ['another pattern', ['- ctest -R men', 'ctest -R "menu|tare"'], ['ctest -R men']],
  ['some tests of R', [`- Rscript -e 'devtools::test(filter = "dates")'`, `R -q -e "devtools::test()"`], []],
  [
    'a file of tests of R',
    [`- Rscript -e 'testthat::test_file("tests/testthat/test-a.R")'`, 'Rscript -e "devtools::test()"'],
    [],
  ],
  ['a cut command that failed again', ['- make lon…', '- make long'], ['make long']],
]

for (const [what, commands, left] of HISTORIES)
  t.test(`failures are those of checks that never passed later: ${what}`, async (t) => {
    t.strictSame(leftAfter(...commands), left)
  })

const SPELLINGS = [
  ['npm test', 'npm run test', 'npm t', 'npm run-script test'],
  ['pnpm run lint', 'pnpm lint'],
  ['python -m pytest -q', 'pytest -q', 'python3 -m pytest -q', '.venv/bin/pytest -q', 'uv run pytest -q'],
  ['python3 -m unittest', '.venv/bin/python -m unittest'],
  ['npx jest a', './node_modules/.bin/jest a', 'pnpm exec jest a'],
  ['cd web && npm test', 'cd /workspace/app/web && npm run test', 'cd /workspace/app && cd ./web/ && npm test'],
  ['npm --prefix web test', 'cd web && npm test', 'npm test --prefix=/workspace/app/web', 'pushd web; npm test; popd'],
  ['make -C web test', 'cd web && make test', 'make test -C $PWD/web', 'cd app && make -C ../web test'],
  ['pnpm -C web test', 'cd web && pnpm run test'],
  ['yarn --cwd web test', 'cd web && yarn test'],
  ['cargo test --manifest-path web/Cargo.toml', 'cd web && cargo test'],
  ['go -C web test ./...', 'cd /home/ann/web && go test ./...', 'cd ~/web && go test ./...'],
]

/** Commands, and the options that change neither what they check nor its outcome. */
const WAYS: [command: string, options: string[]][] = [
  [
    'pytest',
    ['-q', '-vv -s', '-x', '--tb=short -q', '--tb no', '-n auto', '-rA --maxfail=1', '--color=no --no-header'],
  ],
  ['pytest -k add', ['-q', '-p no:cacheprovider', '--durations=5']],
  ['go test ./...', ['-count=1', '-v -count 1', '-failfast -json', '-timeout 60s', '-parallel 4']],
  [
    'npm test',
    ['--silent', '-s', '-- --silent', '-- --reporter dot', '-- --run --no-color', '-- --bail --watch=false'],
  ],
  ['npx tap a.test.ts', ['-R terse', '--reporter=tap', '-j4', '--jobs=1 --timeout=120', '--bail']],
  ['npx jest', ['--verbose', '--no-cache', '--runInBand --maxWorkers 2', '--forceExit']],
  ['npx vitest run', ['--reporter=dot', '--silent --bail 1', '--no-file-parallelism']],
  ['cargo test', ['-q', '-j 2 --color always', '--no-fail-fast -- --nocapture', '-- --test-threads=1']],
  ['npx tsc --noEmit', ['--pretty false', '--pretty', '--incremental false']],
  ['npx eslint .', ['--quiet', '-f unix', '--format=json --cache', '--fix']],
  ['make test', ['-s', '-j4', '-j 8 --no-print-directory']],
  ['mvn test', ['-q', '-B -ntp', '-T 4']],
  ['./gradlew test', ['-q', '--console=plain --no-daemon', '--info']],
  ['bundle exec rspec', ['-f d', '--format documentation --no-color', '--fail-fast']],
  ['vendor/bin/phpunit', ['--testdox', '--colors=always --stop-on-failure']],
  ['dotnet test', ['--nologo -v q', '--verbosity minimal']],
  ['ctest', ['-V', '--output-on-failure -j4']],
  ['ruff check .', ['-q', '--output-format=concise --no-cache', '--fix']],
  ['python3 -m unittest', ['-v', '-q']],
]

for (const [command, options] of WAYS)
  t.test(`one check in several ways: ${command} ${options.join(', ')}`, async (t) => {
    for (const one of options) {
      t.strictSame(leftAfter(`- ${command}`, `${command} ${one}`), [], one)
      t.strictSame(leftAfter(`- ${command} ${one}`, command), [], one)
    }
  })

/** Runs of which the second covers the first. */
const COVERED: [some: string, all: string][] = [
  ['npx tap test/a.test.ts', 'npx tap -j4'],
  ['npx tap test/a.test.ts -R terse', 'npm test'],
  ['node --import tsx --test test/a.test.ts', 'npm test'],
  ['npm test -- -t adds', 'npm test --silent'],
  ['pytest tests/a.py::test_x', 'python -m pytest -q'],
  ['pytest tests/a.py -k x', 'pytest tests'],
  ['go test ./store -run TestA', 'go test ./...'],
  ['go test ./store/sub', 'go test ./store/...'],
  ['cargo test --lib adds', 'cargo test'],
  ['mvn test -Dtest=Foo', 'mvn test'],
  ['./gradlew test --tests Foo', './gradlew test'],
  ['dotnet test --filter A', 'dotnet test'],
  ['vendor/bin/phpunit --filter a', 'vendor/bin/phpunit'],
  ['bundle exec rspec a_spec.rb:12', 'bundle exec rspec a_spec.rb'],
  ['npx eslint src/a.ts', 'npx eslint .'],
  ['npx playwright test a.spec.ts', 'npx playwright test'],
  ['php artisan test --filter=A', 'php artisan test'],
  ['west twister -T tests/a -p sim', 'west twister -T tests -p sim'],
  ['xcodebuild test -scheme A -only-testing:ATests/B', 'xcodebuild test -scheme A'],
  ['./gradlew migrate test', './gradlew clean migrate test'],
  ['ctest --test-dir build -R json', 'ctest --test-dir build -j4'],
  ['dbt test -s orders', 'dbt test'],
  ['dbt run --select orders', 'dbt build'],
  ['./mvnw test -pl core -am', 'mvn clean verify'],
  ['./mvnw verify -Dit.test=PayIT', './mvnw verify'],
  ['npx playwright test e2e/pay.spec.ts --project=chromium', 'npx playwright test'],
  ['npx vitest --run src/a.test.ts', 'npx vitest run'],
  ['npm run test:unit -- a', 'npm run test:unit'],
  ['swift test --filter A', 'swift test'],
  ['./gradlew :app:testDebug --tests a', './gradlew :app:lint :app:testDebug --continue'],
]

for (const [some, all] of COVERED)
  t.test(`a part has passed with the whole, and the whole not with a part: ${some}, ${all}`, async (t) => {
    t.strictSame(leftAfter(`- ${some}`, all), [])
    t.strictSame(leftWith(`- ${all}`, some), [{ value: all, isUnseen: false, passed: [some] }])
    t.strictSame(leftAfter(`- cd a && ${some}`, `cd b && ${all}`), [`cd a && ${some}`], 'in another folder')
  })

const PARTS: [what: string, commands: string[], passed: string[]][] = [
  ['it failed again since', ['- npx jest', 'npx jest a.test.ts', '- npx jest a.test.ts'], []],
  ['one of its tests failed since', ['- pytest', 'pytest tests/a.py', '- pytest tests/a.py::test_x'], []],
  ['it failed with one more option since', ['- pytest', 'pytest tests/a.py', '- pytest tests/a.py --db=pg'], []],
  ['a run of more failed since', ['- pytest', 'pytest tests/a.py', '- pytest tests'], []],
  ['it passed before', ['npx jest a.test.ts', '- npx jest'], []],
  ['another part failed since', ['- pytest', 'pytest tests/a.py', '- pytest tests/b.py'], ['pytest tests/a.py']],
  ['it has other options', ['- pytest', 'pytest -m slow a.py'], ['pytest -m slow a.py']],
  ['it has fewer words', ['- npx tsc -p web', 'npx tsc'], ['npx tsc']],
  ['it may have the model', ['- dbt build -s a+', 'dbt run -s b'], ['dbt run -s b']],
  ['it has built first', ['- cargo build', 'cargo test --workspace'], ['cargo test --workspace']],
  ['it has built another program', ['- cargo build', 'go test ./...'], []],
  ['it has only built', ['- cargo test', 'cargo build'], []],
  ['it has another model', ['- dbt build -s a', 'dbt run -s b'], []],
  ['it is of other things', ['- npx tsc -p web', 'npx tsc -p api'], []],
  ['it failed with other options since', ['- pytest', 'pytest -m slow a.py', '- pytest a.py'], []],
  ['it is in another folder', ['- cd a && pytest', 'cd b && pytest tests/a.py'], []],
  ['it is in a folder, and that run in an unknown one', ['- pytest', 'cd web && pytest tests/a.py'], []],
  ['it leaves some out', ['- pytest', 'pytest -k "not slow"', 'pytest -k !slow'], []],
  ['it is long, and has brackets', ['- pytest', `pytest -k "(${'a'.repeat(80)})"`], [`pytest -k (${'a'.repeat(80)})`]],
  ['its name would end a line', ['- pytest', 'pytest -k "<a>"'], []],
  [
    'there are many',
    ['- pytest', ...['a', 'b', 'c', 'd'].map((one) => `pytest ${one}`)],
    ['b', 'c', 'd'].map((one) => `pytest ${one}`),
  ],
]

for (const [what, commands, passed] of PARTS)
  t.test(`runs of some tests of a run that failed, if ${what}`, async (t) => {
    t.strictSame(leftWith(...commands)[0]?.passed, passed)
  })

/** What Gradle prints of tasks; the last one has failed. */
const gradle = (...tasks: string[]): string =>
  [...tasks.map((task) => `> Task ${task}`), `Execution failed for task '${tasks.at(-1) ?? ''}'.`, ''].join('\n')

const TASKS: [what: string, command: string, output: string, left: string[] | undefined][] = [
  ['the task has passed', './gradlew :app:test', gradle(':app:ksp', ':app:compileDebug', ':app:test'), undefined],
  ['it has failed', './gradlew :app:test', gradle(':app:ksp'), []],
  ['only the one that had failed has passed', './gradlew :app:test', gradle(':app:ksp', ':app:link'), [':app:ksp']],
  [
    'it ran with another property',
    './gradlew -Pa :app:test',
    gradle(':app:ksp', ':app:compileDebug', ':b'),
    [':app:ksp'],
  ],
  ['it ran elsewhere', 'cd other && ./gradlew b', gradle(':app:ksp', ':app:compileDebug', ':b'), []],
  ['it was left out', './gradlew b', gradle(':app:ksp SKIPPED', ':app:compileDebug SKIPPED', ':b'), []],
  ['only a part of the output is there', './gradlew b | head', '> Task :app:ksp\n> Task :app:compileDebug', []],
]

for (const [what, command, output, passed] of TASKS)
  t.test(`a task of Gradle that failed, if later ${what}`, async (t) => {
    const checks = ['./gradlew :app:compileDebug', command].map(readCheck)
    const failed = new FailedChecks<string>(new CheckNames(checks))
    const [before, after] = checks as [Check, Check]
    failed.fail(before, 'build', gradle(':app:ksp'))
    failed.fail(after, 'later', output)
    t.strictSame(failed.left().find(({ value }) => value === 'build')?.passed, passed)
  })

t.test('a task of tests has not passed because some of its tests have', async (t) => {
  const failed = new FailedChecks<string>(new CheckNames([]))
  failed.fail(readCheck('./gradlew :app:test'), 'all', gradle(':app:test'))
  failed.pass(readCheck("./gradlew :app:test --tests '*A*'"), '> Task :app:test\n\nBUILD SUCCESSFUL in 3s')
  t.strictSame(failed.left()[0]?.passed, ['./gradlew :app:test --tests *A*'])
})

const CONFLICTS: [failed: string, since: string, passed: string[]][] = [
  ['git rebase main', 'git rebase --abort', ['git rebase --abort']],
  ['git pull --rebase', 'git add a && git rebase --continue', ['git rebase --continue']],
  ['git merge dev', 'git commit -am "Merge dev"', ['git commit']],
  ['git merge dev', 'git rebase --abort', []],
  ['git merge dev', 'cd ../other && git merge --abort', []],
  ['git push', 'git commit -am "Merge dev"', []],
]

for (const [command, since, passed] of CONFLICTS)
  t.test(`what has ended a conflict stands beside it: ${command}, ${since}`, async (t) => {
    const failed = new FailedChecks<string>(new CheckNames([command, since].map(readCheck)))
    failed.fail(readCheck(command), 'conflict', 'CONFLICT (content): Merge conflict in a')
    failed.pass(readCheck(since))
    t.strictSame(failed.left()[0]?.passed, passed)
  })

t.test('a commit says nothing of a pull that found no server', async (t) => {
  const failed = new FailedChecks<string>(new CheckNames([]))
  failed.fail(readCheck('git pull'), 'pull', 'fatal: unable to access: Could not resolve host')
  failed.pass(readCheck('git commit -m a'))
  t.strictSame(failed.left()[0]?.passed, [])
})

t.test('tests that were left out, or that there are not, have not passed', async (t) => {
  const passedBy = (output: string): boolean => {
    const failed = new FailedChecks<string>(new CheckNames([]))
    failed.fail(readCheck('cargo test'), 'all')
    failed.pass(readCheck('cargo test refunds'), output)
    return failed.left()[0]?.passed.length === 1
  }
  for (const output of [
    'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out',
    'running 1 test\ntest pay::refunds ... ignored\n\ntest result: ok. 0 passed; 0 failed; 1 ignored',
    '=== 4 passed, 1 skipped in 0.2s ===',
    '=== 4 passed, 1 xfailed in 0.2s ===',
    '=== no tests ran in 0.01s ===',
    'Done. PASS=11 WARN=0 ERROR=0 SKIP=1 TOTAL=12',
    '[ FAIL 0 | WARN 0 | SKIP 2 | PASS 12 ]',
    'Tests:       0 total',
    '1 example, 0 failures, 1 pending',
    'ok  \tshop/pay\t0.2s [no tests to run]',
    'Tests run: 4, Failures: 0, Errors: 0, Skipped: 1',
    '00:01 +3 ~1: All tests passed!',
    'No tests found, exiting with code 0',
    '  0 passing (2ms)',
    'ok | 0 passed | 0 failed | 3 filtered out (0ms)',
    'Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.001) seconds',
    'No test matches the given testcase filter `A` in /src/a.dll',
    'Tests run: 0, Failures: 0, Errors: 0, Skipped: 0',
    '=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tshop/pay\t0.2s',
  ])
    t.notOk(passedBy(output), output)
  for (const output of [
    'running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored\n\nrunning 0 tests\ntest result: ok. 0 passed',
    '=== 4 passed in 0.2s ===',
    '12 tests, 0 failures',
    'Done. PASS=12 WARN=0 ERROR=0 SKIP=0 TOTAL=12',
    'ok  \tshop/pay\t0.2s\n?   \tshop/web\t[no test files]',
    'Tests run: 0, Failures: 0\nTests run: 4, Failures: 0, Errors: 0, Skipped: 0',
    'BUILD SUCCESSFUL in 20s',
    '',
  ])
    t.ok(passedBy(output), output)
})

/** Checks in other folders: with them, the folder counts. */
const ELSEWHERE = ['npm test', 'make test', 'pnpm test', 'yarn test', 'cargo test', 'go test ./...'].map(
  (command) => `cd other && ${command}`,
)

/** Commands, and others that do the same in another way, or not the same. */
const RETRIES: [failed: string, same: string[], others: string[]][] = [
  [
    'helm upgrade api ./chart',
    ['helm upgrade api ./chart --wait --timeout 5m', 'helm upgrade --atomic api ./chart'],
    [
      ...['helm upgrade api ./chart --dry-run', 'helm upgrade web ./chart --wait', 'helm rollback api --wait'],
      ...['helm upgrade api ./chart -n staging', 'helm upgrade api ./other --wait'],
    ],
  ],
  ['helm upgrade api ./chart -n prod --atomic', [], ['helm upgrade api ./chart -n prod', 'helm upgrade api ./chart']],
  ['kubectl apply -f a.yaml', ['kubectl apply -f a.yaml --server-side'], ['kubectl apply -f b.yaml --server-side']],
  [
    'ssh host2 imapsync --host1 a --user1 test@a.de --host2 b',
    ['ssh host2 imapsync --ssl2 --host1 a --user1 test@a.de --host2 b'],
    [
      'ssh host3 imapsync --ssl2 --host1 a --user1 test@a.de --host2 b',
      'ssh host2 imapsync --ssl2 --host1 a --host2 b',
    ],
  ],
  [
    'west build -b nrf52 app',
    ['west build -p -b nrf52 app', 'west build --pristine=always -b nrf52 app'],
    ['west build -p -b sim app'],
  ],
  [
    'docker build -t x .',
    ['docker build --no-cache -t x .'],
    ['docker build -f b.Dockerfile -t x .', 'docker build -t y .'],
  ],
  ['docker compose up -d --build', [], ['docker compose up -d']],
  [
    'terraform apply',
    ['terraform apply -auto-approve'],
    ['terraform apply -target=a', 'terraform apply -refresh-only', 'terraform plan'],
  ],
  [
    'ansible-playbook site.yml',
    ['ansible-playbook site.yml -v'],
    ['ansible-playbook site.yml --check', 'ansible-playbook site.yml -l web'],
  ],
  ['pg_dump app', [], ['pg_dump app --clean', 'pg_dump app --schema-only']],
  ['twine upload dist/*', [], ['twine upload --repository testpypi dist/*']],
  ['alembic upgrade head', [], ['alembic upgrade head --sql']],
  ['docker compose up', [], ['docker compose up -d']],
  ['trivy image app', [], ['trivy image --severity CRITICAL app']],
  ['pip install --require-hashes -r a.txt', [], ['pip install -r a.txt']],
  ['vercel deploy --prod', [], ['vercel deploy']],
  ['git push --dry-run origin main', ['git push origin main'], ['git push', 'git push origin dev']],
  ['./deploy.sh', [], ['./deploy.sh --force']],
  ['npm install', ['npm install --legacy-peer-deps'], ['npm install --dry-run']],
  ['npm install a@2', ['npm install a@1.4', 'npm install a'], ['npm install b@1']],
  ['flutter pub add a', ['flutter pub add a:1.4.0'], ['flutter pub add b:1.4.0']],
  ['pip install "a[x]>=2"', ["pip install 'a[x]<2'"], ['pip install https://a.b/c.whl']],
  ['npm install https://a.b/c.tgz', [], ['npm install https://a.b/d.tgz']],
]

for (const [failed, same, others] of RETRIES)
  t.test(`a command that has failed is over with the next try in another way: ${failed}`, async (t) => {
    for (const one of same) t.strictSame(leftAfter(`- ${failed}`, one), [], one)
    for (const one of others) t.strictSame(leftAfter(`- ${failed}`, one), [failed], one)
  })

for (const spellings of SPELLINGS)
  t.test(`one check in several spellings: ${spellings.join(', ')}`, async (t) => {
    for (const one of spellings)
      for (const other of spellings) t.strictSame(leftAfter(...ELSEWHERE, `- ${one}`, other), [], `${one}, ${other}`)
  })

for (const [one, other, ...more] of [
  ['bun run test', 'bun test'],
  ['npm --prefix web test', 'npm --prefix api test'],
  ['npm --prefix web t', 'npm test'],
  ['gmake -C firmware check', 'gmake check'],
  ['git -C vendor/lib pull', 'git pull'],
  ['npm run lint -- --dir web', 'cd web && npm run lint'],
  ['cd web && npm test', 'cd packages/web && npm test'],
  ['cd web && npm test', 'cd /a/web && npm test', 'cd /b/web && npm test'],
  ['python2 a.py', 'python3 a.py'],
  ...[
    ['pytest', '--cov-fail-under=90', '-W error', '-m slow', '-p xdist'],
    ['go test ./...', '-race', '-short', '-tags e2e', '-count=10', '-vet=off'],
    ['npm test', '-- --coverage', '-- --ci', '-- -u', '-w web', '--if-present', '-v', '-- --config e2e.js'],
    ['npm run lint', '-- --quiet'],
    ['npm run build', '-- --format esm'],
    ['npx jest', '--config e2e.js a.test.ts', '--passWithNoTests'],
    ['npx tsc', '-v', '--strict', '-p tsconfig.build.json'],
    ['npx eslint . --max-warnings 0', '--quiet'],
    ['make test', '-q', '-n', 'e2e'],
    ['./gradlew test', '-x lint', '-x check'],
    ['mvn test', '-o', '-s ci.xml', 'verify'],
    ['cargo test', '--release', '-p core', '-- --ignored'],
    ['ctest', '-R json -C Debug'],
    ['dotnet test', '--no-build'],
    ['./check.sh', '-v'],
    ['python3 check.py', '--quiet'],
  ].flatMap(([command = '', ...options]) =>
    options.flatMap((one) => [[command, `${command} ${one}`] as const, [`${command} ${one}`, command] as const]),
  ),
  ['npx jest --config e2e.js a.test.ts', 'npm test'],
  ['npx jest a.test.ts', 'npm run test:e2e'],
  ['mvn test', 'mvn verify -DskipTests'],
  ['dbt test', 'dbt run'],
  ['dbt test -s a', 'dbt build -s b'],
  ['ruff check --select D src', 'ruff check .'],
  ['flake8 --select W505 src', 'flake8 src'],
  ['mvn -pl core -am test', 'mvn -pl core test'],
  ['npx cypress run --project ./admin', 'npx cypress run'],
  [`Rscript -e "devtools::test('pkgA')"`, `Rscript -e 'devtools::test()'`],
  [`Rscript -e 'testthat::test_file("inst/slow/test-a.R")'`, `Rscript -e 'devtools::test()'`],
  ['npx playwright test a.spec.ts', 'npm test'],
  ['west twister -T tests/a', 'west twister -T tests -p sim'],
  ['pytest tests/e2e/a.py', 'pytest tests/unit'],
  ['pytest tests/ab.py', 'pytest tests/a'],
  ['go test ./store', 'go test'],
] as const)
  t.test(`two checks: ${one}, ${other}`, async (t) => {
    t.strictSame(leftAfter(...more, `- ${one}`, other), [one])
  })

/** A check with what it has printed, or the path of a file that was changed. */
type Event = string | [command: string, output?: string]

const TYPE_ERROR = "test/a.test.ts(9,5): error TS2353: no 'r' in type"
const TSC: Event = ['cd app && npx tsc --skipLibCheck', TYPE_ERROR]
const CHECK_PASSED: Event = ['cd app && npm run check 2>&1 | tail -3']

const REPORTS: [what: string, events: Event[], left: string[]][] = [
  [
    'another check that reports such errors passes after their files were changed',
    [['cd app && npm run check', TYPE_ERROR], TSC, 'app/test/a.test.ts', CHECK_PASSED],
    [],
  ],
  ['their files were not changed', [['cd app && npm run check', TYPE_ERROR], TSC, 'b.ts', CHECK_PASSED], [TSC[0]]],
  ['the other check reports no such errors', [TSC, 'app/test/a.test.ts', CHECK_PASSED], [TSC[0]]],
  [
    'the other check is that of another folder',
    [['npm run check', TYPE_ERROR], TSC, 'app/test/a.test.ts', ['npm run check']],
    [TSC[0]],
  ],
  [
    'the script passes that has named the command when it failed',
    [
      ['cd app && npm run build | tail -3', 'npm error command sh -c tsgo -p build.json && chmod +x cli.js'],
      ['cd app && npx tsgo -p build.json', 'no place'],
      ['cd app && npm run build'],
    ],
    [],
  ],
]

for (const [what, events, left] of REPORTS)
  t.test(`what a check reports says when it is fixed: ${what}`, async (t) => {
    const checks = events.flatMap((one) => (typeof one === 'string' ? [] : readCheck(one[0])))
    const failed = new FailedChecks<string>(new CheckNames(checks))
    for (const one of events)
      if (typeof one === 'string') failed.change(one)
      else if (one[1] === undefined) failed.pass(readCheck(one[0]))
      else failed.fail(readCheck(one[0]), one[0], one[1])
    t.strictSame(
      failed.left().map(({ value }) => value),
      left,
    )
  })

t.test('a chain that fails in its tests shows that the checks before them have passed', async (t) => {
  const chain = readCheck("npm run typecheck && node --import tsx --test a.test.ts 2>&1 | sed '/failing/,$d'; exit 1")
  const failed = new FailedChecks<string>(new CheckNames([]))
  failed.fail(readCheck('npm run typecheck'), 'types', 'src/a.ts(2,5): error TS2741: no kind')
  t.strictSame(failed.fail(chain, 'chain', 'src/a.ts(2,5): error TS2741: no kind'), [], 'no test has run')
  t.strictSame(failed.fail(chain, 'chain', '✖ refuses the 31st of June (3ms)\nℹ fail 1'), ['types'])
  t.strictSame(failed.pass(readCheck('npm test')), ['chain'], 'all tests pass')
  t.strictSame(
    failed.left().map(({ value }) => value),
    [],
  )
})

const CHAIN = 'python3 flow.py && python3 check_report.py'
const NUMBER = 'linde +13.8 kg\nline 37: +13.6 is in no output'

for (const [what, before, passed, left] of [
  ['the second has reported such an error', ['- python3 check_report.py', 'line 9: 0.2 is in no output'], ['flow'], []],
  ['the first has reported it', ['- python3 flow.py', 'line 9: 0.2 is in no output'], [], ['chain']],
  ['none has reported it', ['- python3 check_report.py', 'line 9: 83 characters are too many'], [], ['chain']],
] as const)
  t.test(`the error of a chain says which of its commands have passed: ${what}`, async (t) => {
    const failed = new FailedChecks<string>(new CheckNames([]))
    failed.fail(readCheck('python3 flow.py'), 'flow', "NameError: name 'read' is not defined")
    failed.fail(readCheck(before[0].slice(2)), 'before', before[1])
    t.strictSame(
      failed.fail(readCheck(CHAIN), 'chain', NUMBER).filter((one) => one === 'flow'),
      passed,
    )
    failed.pass(readCheck('python3 check_report.py'))
    t.strictSame(
      failed
        .left()
        .map(({ value }) => value)
        .filter((one) => one === 'chain'),
      left,
    )
  })

t.test('a chain whose output has the results of its tests says how these are now', async (t) => {
  const failed = new FailedChecks<string>(new CheckNames([]))
  failed.fail(readCheck('make && ctest'), 'tests', '93% tests passed, 1 tests failed out of 16')
  failed.fail(
    readCheck('make && ctest && cppcheck src'),
    'chain',
    '100% tests passed, 0 tests failed out of 16\na.c:2:3: error: no',
  )
  t.strictSame(
    failed.left().map(({ value }) => value),
    ['chain'],
  )
})

t.test('an error that any program may have says nothing of the commands of a chain', async (t) => {
  const failed = new FailedChecks<string>(new CheckNames([]))
  failed.fail(readCheck('python3 check_report.py'), 'report', "NameError: name 'read' is not defined")
  failed.fail(readCheck('python3 flow.py'), 'flow', "KeyError: 'linde'")
  t.strictSame(failed.fail(readCheck(CHAIN), 'chain', "NameError: name 'read' is not defined"), [])
})

t.test('a script that does not show the errors of its command again is over with it', async (t) => {
  const build = readCheck('cd app && npm run build 2>&1 | tail -3')
  const compile = readCheck('cd app && npx tsgo -p build.json | grep error')
  const failed = new FailedChecks<string>(new CheckNames([build, compile]))
  failed.fail(build, 'build', 'npm error command sh -c tsgo -p build.json && chmod +x cli.js')
  failed.fail(compile, 'compile', 'src/theme.ts(4,3): error TS2353: no linkUrl')
  t.strictSame(failed.rerun(build, 'Waiting for the debugger to disconnect...'), ['build', 'compile'])
})

t.test('a check runs in the folder that was entered last before it, whatever stands before', async (t) => {
  const folderOf = (command: string): string => readCheck(command).folder
  t.equal(folderOf('git worktree add ../wt main && cd ../wt && pytest -q'), '../wt')
  t.equal(folderOf('ls; cd /tmp/other; pytest -q'), '/tmp/other')
  t.equal(folderOf('cd - && pytest -q'), '-')
  t.equal(folderOf('cd && pytest -q'), '~')
  t.equal(folderOf('cd a && npm test && cd ../b && npm test'), 'a')
})
