import t from 'tap'
import { CheckRuns } from '../../src/extract/check-runs.ts'
import { collectFiles } from '../../src/extract/collect-files.ts'
import { findWork } from '../../src/extract/find-work.ts'
import { endedRuns, outcomeOf, pairMessages } from '../../src/extract/runs.ts'
import type { Message } from '../../src/session/message.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../support/build-entries.ts'

let calls = 0

/** A call with its result. @param cwd the folder of the session; empty where it is not known */
function did(cwd: string, name: string, args: object, output = 'ok', exitCode = 0): EntryDraft[] {
  const id = `c${calls++}`
  return [
    assistant('', [call(id, name, args)], cwd === '' ? {} : { cwd }),
    result(id, output, { toolName: name, exitCode, isError: exitCode !== 0 }),
  ]
}

const messagesOf = (drafts: readonly EntryDraft[]): Message[] => buildEntries(drafts).map(({ message }) => message!)

/** A command that has failed, and one that has passed later, each with the folder of the session. */
type Course = readonly [cwd: string, failed: string | object, passed: string | object, cwdLater?: string]

const ran = (cwd: string, given: string | object, exitCode: number): EntryDraft[] =>
  did(cwd, 'bash', typeof given === 'string' ? { command: given } : given, exitCode === 0 ? '' : 'boom', exitCode)

/** Returns the commands that fail at the end. */
function failingAfter(runs: readonly EntryDraft[][]): string[] {
  const paired = pairMessages(messagesOf(runs.flat()))
  const checks = new CheckRuns(paired.runs.values())
  for (const [at, run] of endedRuns(paired).entries()) checks.note(run, { kind: outcomeOf(run).kind, at })
  return checks.failing().map(({ command }) => command)
}

const over: readonly Course[] = [
  ['/p', 'make -C /p check', 'make check'],
  ['/p', 'make check', 'make -C /p check'],
  ['/p', 'make -C fw check', 'cd /p/fw && make check'],
  ['/p', 'make -C fw check', { command: 'make check', workdir: '/p/fw' }],
  ['/p', 'make -C fw check', { command: 'make check', workdir: 'fw' }],
  ['/p', 'cd /p && npm test', 'npm test'],
  ['/p', 'npm --prefix web test', 'npm test', '/p/web'],
  ['/p/web', 'npm test', 'cd web && npm test', '/p'],
  ['/p/web', 'npm --prefix .. test', 'npm test', '/p'],
  ['/home/x/p', 'make -C ~/p check', 'make check'],
  ['/home/x/p', 'cd /home/x/p/a && cargo test', 'cargo test --manifest-path a/Cargo.toml'],
]

for (const [cwd, failed, passed, cwdLater = cwd] of over)
  t.test(`a check is the same in one folder: ${JSON.stringify([cwd, failed, passed, cwdLater])}`, async (t) => {
    const course = [ran(cwd, failed, 2), ran(cwdLater, passed, 0)]
    t.strictSame(failingAfter([...course, ran('/elsewhere', passed, 0)]), [])
  })

const live: readonly Course[] = [
  ['/p', 'pytest -q', 'cd ../main && pytest -q'],
  ['/p', 'pytest -q', 'cd /tmp/other && pytest -q'],
  ['/p', 'pytest -q', 'pytest -q', '/tmp/other'],
  ['/p', 'pytest -q', { command: 'pytest -q', workdir: '/tmp/other' }],
  ['/p', 'pytest -q', { command: 'pytest -q', workdir: 'sub' }],
  ['/p', { command: 'npm test', workdir: '/p/web' }, { command: 'npm test', workdir: '/p/api' }],
  ['/p', 'cd web && npm test', 'cd api && npm test'],
  ['/p', 'make -C fw check', 'make check'],
  ['/p', 'make check', 'make -C fw check'],
  ['/p', 'npm test', 'npm --prefix web test'],
]

for (const [cwd, failed, passed, cwdLater = cwd] of live)
  t.test(`a check is another one in another folder: ${JSON.stringify([cwd, failed, passed, cwdLater])}`, async (t) => {
    t.equal(failingAfter([ran(cwd, failed, 2), ran(cwdLater, passed, 0)]).length, 1)
  })

const apart: readonly (readonly [failed: string, passed: string, isLive: boolean])[] = [
  ['pytest -q', 'git stash push -u && pytest -q', true],
  ['pytest -q', 'git stash && pytest -q | tail -3', true],
  ['pytest -q', 'git stash && pytest -q; git stash pop', true],
  ['pytest -q', 'git checkout HEAD~1 && pytest -q', true],
  ['pytest -q', 'git checkout a1b2c3d && pytest -q', true],
  ['pytest -q', 'git switch --detach HEAD^ && pytest -q', true],
  ['pytest -q', 'git stash && git pull --rebase && git stash pop && pytest -q', false],
  ['pytest -q', 'pytest -q && git stash', false],
  ['pytest -q', 'git stash list && pytest -q', false],
  ['pytest -q', 'git stash drop; pytest -q', false],
  ['pytest -q', 'git checkout -b fix && pytest -q', false],
  ['pytest -q', 'git checkout fix && pytest -q', false],
  ['pytest -q', 'git checkout HEAD~1 -- a.py && pytest -q', false],
  ['git stash && pytest -q', 'pytest -q', false],
  // The exit status of a part that is piped is that of the program behind the pipe.
  ['npm run lint', 'npm run lint | tail -1 && git commit -m x', true],
  ['npm run lint', 'npm run lint 2>&1 | grep -v warn && npm publish', true],
  ['npm run lint', 'set -o pipefail; npm run lint | tail -1 && git commit -m x', false],
  ['npm run lint', 'set -euo pipefail && npm run lint | tail -1 && git commit -m x', false],
  ['npm run lint', 'npm run lint && npm test | tail -1 && git commit -m x', false],
  ['npm run lint', 'npm run lint && git commit -m x', false],
]

for (const cwd of ['/p', ''])
  for (const [failed, passed, isLive] of apart)
    t.test(`${failed} ${isLive ? 'fails still' : 'has passed'} ${cwd && `in ${cwd} `}after ${passed}`, async (t) => {
      const later = did(
        cwd,
        'bash',
        { command: passed },
        passed.includes('commit') ? '[main abc1234] x' : '4 passed in 1s',
      )
      t.equal(failingAfter([ran(cwd, failed, 1), later]).length, isLive ? 1 : 0)
    })

t.test('a failure names its folder where the same command runs in several', async (t) => {
  const web = { command: 'npm test', workdir: '/p/web' }
  t.strictSame(failingAfter([ran('/p', web, 1), ran('/p', 'npm test', 0)]), ['cd /p/web && npm test'])
  t.strictSame(failingAfter([ran('/p', web, 1)]), ['npm test'])
})

const boxes = (...runs: EntryDraft[][]): string[] =>
  findWork(pairMessages(messagesOf([user('Plan it.'), ...runs.flat()])))
    .items.filter(({ kind }) => kind === 'box')
    .map(({ text, state, source }) => `${text} ${state} ${source}`)

const PLAN = '- [ ] Lexer\n- [ ] Parser'
const tick = (path: string) => ({ path, oldText: '- [ ] Lexer', newText: '- [x] Lexer' })

t.test('a box is ticked however its file is named', async (t) => {
  const written = did('/p', 'write', { path: 'PLAN.md', content: PLAN })
  const ticked = (path: string) => [`Lexer done ${path}`, `Parser open ${path}`]
  t.strictSame(boxes(written, did('/p', 'edit', tick('/p/PLAN.md'))), ticked('/p/PLAN.md'))
  t.strictSame(boxes(written, did('/p/web', 'edit', tick('../PLAN.md'))), ticked('../PLAN.md'))
  const search = { command: "grep '\\[ \\]' PLAN.md", workdir: '/p' }
  t.strictSame(boxes(written, did('/q', 'bash', search, '- [ ] Parser')), ['Parser open PLAN.md'])
  t.strictSame(
    boxes(written, did('/p', 'edit', tick('/p/PLAN.md')), did('/p', 'read', { path: 'PLAN.md' }, PLAN)),
    ['Lexer open PLAN.md', 'Parser open PLAN.md'],
    'and is open again where the file is read so later',
  )
})

t.test('boxes of another file with the same name stay as they are', async (t) => {
  const written = did('/p', 'write', { path: 'PLAN.md', content: PLAN })
  const open = ['Lexer open PLAN.md', 'Parser open PLAN.md']
  for (const other of [
    did('/p', 'edit', tick('/q/PLAN.md')),
    did('/p/web', 'edit', tick('PLAN.md')),
    did('/p', 'bash', { command: "grep '\\[ \\]' PLAN.md", workdir: '/q' }, '', 1),
    did('/p', 'bash', { command: "cd web && grep '\\[ \\]' PLAN.md" }, '', 1),
  ])
    t.strictSame(
      boxes(written, other)
        .slice(0, 2)
        .map((line) => line.replace(/^(\w+ open) .*/, '$1 PLAN.md'))
        .sort(),
      open,
    )
})

t.test('where the folder is not known, a shell that was moved shows nothing of a file that is known', async (t) => {
  const look = (cwd: string) => [
    did(cwd, 'write', { path: 'PLAN.md', content: PLAN }),
    did(cwd, 'bash', { command: 'cd web' }),
    did(cwd, 'bash', { command: 'cat PLAN.md' }, PLAN.replace('[ ] Lexer', '[x] Lexer')),
  ]
  t.strictSame(boxes(...look(''))[0], 'Lexer open PLAN.md')
  t.strictSame(boxes(...look('/p'))[0], 'Lexer done PLAN.md')
})

/** Returns the lists of files after calls. */
const filesAfter = (...runs: EntryDraft[][]) => collectFiles(pairMessages(messagesOf(runs.flat())))

t.test('rule 9: a file that is named in two ways stands once, as a tool for files has named it last', async (t) => {
  const edit = (cwd: string, path: string) => did(cwd, 'edit', { path, oldText: 'a', newText: 'b' })
  const sed = did('/p', 'bash', { command: "sed -i 's/a/b/' a.ts" })
  t.strictSame(filesAfter(edit('/p', '/p/a.ts'), edit('/p', './a.ts')).modifiedFiles, ['./a.ts'])
  t.strictSame(filesAfter(edit('/p', './a.ts'), edit('/p', '/p/a.ts')).modifiedFiles, ['/p/a.ts'])
  t.strictSame(filesAfter(edit('/p', '/p/a.ts'), sed).modifiedFiles, ['/p/a.ts'])
  t.strictSame(filesAfter(sed, edit('/p', '/p/a.ts')).modifiedFiles, ['/p/a.ts'])
  t.strictSame(filesAfter(did('/p', 'read', { path: 'a.ts' }), edit('/p', '/p/a.ts')), {
    readFiles: [],
    modifiedFiles: ['/p/a.ts'],
  })
  t.strictSame(filesAfter(edit('/p', 'a.ts'), edit('/p/web', 'a.ts')).modifiedFiles, ['a.ts'])
  t.strictSame(filesAfter(edit('', 'a.ts'), edit('', '/p/a.ts')).modifiedFiles, ['/p/a.ts', 'a.ts'], 'not known')
})
