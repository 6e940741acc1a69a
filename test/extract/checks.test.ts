import t from 'tap'
import { CheckNames, readCheck } from '../../src/extract/checks.ts'
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
]

for (const [one, other] of DIFFERENT)
  t.test(`different checks: ${one}, ${other}`, async (t) => {
    t.strictNotSame(readCheck(one).parts, readCheck(other).parts)
  })

/** Returns the failures that are left after commands; a `-` before one says that it has failed. */
function leftAfter(...commands: string[]): string[] {
  const runs = commands.map((line) => ({ command: line.replace(/^- /, ''), hasFailed: line.startsWith('- ') }))
  const failed = new FailedChecks<string>(new CheckNames(runs.map(({ command }) => readCheck(command))))
  for (const { command, hasFailed } of runs)
    if (hasFailed) failed.fail(readCheck(command), command)
    else failed.pass(readCheck(command))
  return failed.values()
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
  ['a command that a summary has cut', ['- npm test -- some/very/lo…', 'npm test -- some/very/long.test.ts'], []],
  ['a cut command that failed again', ['- make lon…', '- make long'], ['make long']],
]

for (const [what, commands, left] of HISTORIES)
  t.test(`failures are those of checks that never passed later: ${what}`, async (t) => {
    t.strictSame(leftAfter(...commands), left)
  })
