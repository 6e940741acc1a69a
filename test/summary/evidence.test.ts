import fc from 'fast-check'
import t from 'tap'
import { takeFromText } from '../support/take-facts.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import type { Message } from '../../src/session/message.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import {
  collectEvidence as collectPaired,
  findStatedEvidence,
  mergeEvidence,
  noEvidence,
  withoutStated,
  type Evidence,
} from '../../src/summary/evidence.ts'
import { writeEvidence } from '../../src/summary/evidence-section.ts'
import { casesOf } from '../support/random-cases.ts'

const collectEvidence = (messages: Message[], earlier?: Evidence) => collectPaired(pairMessages(messages), earlier)

function extractEvidence(text: string) {
  const { text: rest, evidence } = takeFromText(text)
  return { text: rest, evidence }
}

let calls = 0

/** A command that an agent ran, and its result. */
function run(command: string, output: string, isError = false): Message[] {
  const id = `c${++calls}`
  return [
    { role: 'assistant', content: [{ type: 'toolCall', id, name: 'bash', arguments: { command } }] },
    {
      role: 'toolResult',
      toolCallId: id,
      toolName: 'bash',
      content: [{ type: 'text', text: output }],
      isError,
      isPruned: false,
    },
  ]
}

t.test('a commit that was taken back is none', async (t) => {
  const first = run('git commit -m "One"', '[main 1111aaa] One')
  const second = run('git commit -m "Two"', '[main 2222bbb] Two')
  const after = (...messages: Message[][]) => collectEvidence([...first, ...second, ...messages.flat()]).commits
  t.same(after(run('git reset --soft HEAD~1', '')), ['1111aaa One'])
  t.same(after(run('git reset --hard 1111aaa', 'HEAD is now at 1111aaa One')), ['1111aaa One'])
  t.same(after(run('git commit --amend -m "Two of two"', '[main 3333ccc] Two of two')), [
    '1111aaa One',
    '3333ccc Two of two',
  ])
  t.same(after(run('git revert --no-edit 1111aaa', '[main 4444ddd] Revert "One"')), [
    '2222bbb Two',
    '4444ddd Revert "One"',
  ])
  for (const [command, isError] of [
    ['git reset README.md', false],
    ['git reset --hard HEAD~1', true],
    ['git reset --hard origin/main', false],
  ] as const)
    t.same(after(run(command, '', isError)), ['1111aaa One', '2222bbb Two'], command)
  const earlier = collectEvidence([...first, ...second])
  t.same(collectEvidence(run('git reset --soft HEAD~1', ''), earlier).commits, ['1111aaa One'], 'in a later compaction')
})

t.test('only the output of a command that makes commits has commits', async (t) => {
  const output = '[main 1234567] Deployed, all green\n'
  const commitsOf = (command: string) => collectEvidence(run(command, output)).commits
  for (const command of [
    'git commit -m "x"',
    'git add -A && git -c user.name="A B" -C sub commit -qm x',
    'cd src; GIT_EDITOR=true git rebase --continue 2>&1 | tail -3',
    'bash -lc git commit -m x',
    `bash -lc "git commit -m 'x'"`,
    '/usr/bin/git --no-pager merge topic',
    'git cherry-pick abc\ngit revert abc',
    'if true; then git am < a.patch; fi',
    'echo $(git commit -m x)',
    'git \\\n  commit -m x',
    "git commit -F - <<'EOF'\nx\nEOF",
  ])
    t.same(commitsOf(command), ['1234567 Deployed, all green'], command)
  for (const command of [
    'cat notes.txt',
    'git log',
    'git show notes',
    'cat "a; git commit"',
    "grep 'git commit' notes.txt",
    'echo git commit',
    'cat git commit',
    'legit commit',
    'git --help commit-tree',
  ])
    t.same(commitsOf(command), [], command)
})

t.test('of a quarter of a million commits, the newest ten are named, and the others counted', async (t) => {
  const output = Array.from({ length: 250_000 }, (_, index) => `[main ${(0xabcdef0 + index).toString(16)}] m`).join(
    '\n',
  )
  const evidence = collectEvidence(run('git rebase main', output))
  t.equal(evidence.commits.length, 250_000)
  const linesBeside = (text: string) => writeEvidence(withoutStated(evidence, text), ROOMY).split('\n').slice(1)
  const lines = linesBeside('')
  t.strictSame([lines.length, lines[0], lines.at(-1)], [11, '- 249990 older commits', '- commit ac0af7f m'])
  const stated = lines.slice(2).map((line) => line.replace('commit', '[x] m (done, in commit'))
  t.strictSame(
    linesBeside(['## Done', '- [x] first (in commit abcdef0)', ...stated].join('\n')),
    ['- 249989 older commits', lines[1]],
    'one list with those that the text states',
  )
})

const failure = (what: string, error = 'Error: no', hasPassed = false) => ({
  what,
  status: 'exit code 1',
  error,
  hasPassed,
})

const ROOMY = { maxTokens: 10_000 }

t.test('failures, commits, and files deleted or renamed are collected, each command once', async (t) => {
  const evidence = collectEvidence([
    ...run('npm test', 'AssertionError: expected 3\nCommand exited with code 1', true),
    ...run('npm run lint', 'src/a.ts: error\nexit code 2', true),
    ...run('npm test', 'ok'),
    ...run('git commit -m "Mend it"', '[main 3f2a1bc] Mend it\n 1 file changed'),
    ...run('rm old.ts && git mv a.ts b.ts', ''),
    { role: 'bashExecution', command: 'make', output: 'make: boom error', exitCode: 2, cancelled: false },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'e', name: 'edit', arguments: { path: 'x.ts' } }] },
    {
      role: 'toolResult',
      toolCallId: 'e',
      toolName: 'edit',
      content: [{ type: 'text', text: 'Error: text not found' }],
      isError: true,
      isPruned: false,
    },
  ])
  t.strictSame(evidence, {
    failures: [
      { what: 'npm test', status: 'exit code 1', error: 'AssertionError: expected 3', hasPassed: true },
      { what: 'npm run lint', status: 'exit code 2', error: 'src/a.ts: error', hasPassed: false },
      { what: 'make', status: 'exit code 2', error: 'make: boom error', hasPassed: false },
      { what: 'edit x.ts', status: 'error', error: 'Error: text not found', hasPassed: false },
    ],
    commits: ['3f2a1bc Mend it'],
    olderCommits: 0,
    deleted: ['old.ts'],
    renamed: [{ from: 'a.ts', to: 'b.ts' }],
  })
})

const FAILS = 'not ok 1 - adds\n# tests 3\n# fail 1'
const PASSES = '# tests 3\n# pass 3\n# fail 0'
const FAILED = run('npm test', FAILS, true)
const WRITTEN = 'npm test > out.log 2>&1'

const IN_FILES: [what: string, messages: Message[], left: [what: string, error: string][]][] = [
  ['is shown by the same command', [...FAILED, ...run(`${WRITTEN}; tail -3 out.log`, PASSES)], []],
  [
    'is piped from there to a search',
    run(`${WRITTEN}; cat out.log | grep -A9 "not ok"`, FAILS, true),
    [[`${WRITTEN}; cat out.log | grep -A9 "not ok"`, '1 of 3 tests failed: adds']],
  ],
  ['has no error that is searched', [...FAILED, ...run(`${WRITTEN}; grep -c "not ok" out.log`, '0', true)], []],
  [
    'is shown by the next command',
    [...FAILED, ...run(`${WRITTEN}; date`, 'Sunday'), ...run('tail -3 out.log', PASSES)],
    [],
  ],
  [
    'shows a failure in the next command',
    [...run(`${WRITTEN} &`, ''), ...run('sleep 9; cat out.log', FAILS)],
    [[`${WRITTEN} & sleep 9; cat out.log`, '1 of 3 tests failed: adds']],
  ],
  [
    'says why the command has failed',
    [...run(WRITTEN, '', true), ...run('grep "not ok" out.log', 'not ok 1 - adds')],
    [[`${WRITTEN}; grep "not ok" out.log`, '1 test failed: adds']],
  ],
  [
    'is not complete yet',
    [...FAILED, ...run(`${WRITTEN} &`, ''), ...run('tail -3 out.log', 'ok 1 - divides')],
    [['npm test', '1 of 3 tests failed: adds']],
  ],
  [
    'is shown in part',
    [...FAILED, ...run(`${WRITTEN}; date`, 'Sunday'), ...run('grep divides out.log', 'ok 2 - divides')],
    [['npm test', '1 of 3 tests failed: adds']],
  ],
  [
    'has other parts than the failed ones',
    [...run(WRITTEN, '', true), ...run('tail -3 out.log', PASSES)],
    [[WRITTEN, '']],
  ],
  [
    'is that of another command',
    [...FAILED, ...run(WRITTEN, '', true), ...run('node a.js > out.log', ''), ...run('cat out.log', PASSES)],
    [[WRITTEN, '']],
  ],
]

for (const [what, messages, left] of IN_FILES)
  t.test(`the output of a check in a file says how it ended: it ${what}`, async (t) => {
    const current = collectEvidence(messages).failures.filter(({ hasPassed }) => !hasPassed)
    t.strictSame(
      current.map(({ what, error }) => [what, error]),
      left,
    )
  })

/** A call of a file tool, and its result. */
function use(name: string, path: string, isError = false): Message[] {
  const id = `c${++calls}`
  return [
    { role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: { path } }] },
    {
      role: 'toolResult',
      toolCallId: id,
      toolName: name,
      content: [{ type: 'text', text: isError ? 'Error: text not found' : 'ok' }],
      isError,
      isPruned: false,
    },
  ]
}

t.test('a file that exists again is not deleted', async (t) => {
  const deletedAfter = (...later: Message[]): string[] =>
    collectEvidence([...run('rm -rf src/a.ts dist', ''), ...later]).deleted
  t.same(deletedAfter(...use('write', 'src/b.ts')), ['src/a.ts', 'dist'])
  const cases: [what: string, later: Message[], deleted: string[]][] = [
    ['written', use('write', 'src/a.ts'), ['dist']],
    ['written by its absolute path', use('write', '/home/u/proj/src/a.ts'), ['dist']],
    ['read', use('read', './src/a.ts:1-20'), ['dist']],
    ['written by a command', run('echo x > src/a.ts', ''), ['dist']],
    ['renamed to', run('git mv b.ts src/a.ts', ''), ['dist']],
    ['copied to', run('cp b.ts src/a.ts', ''), ['dist']],
    ['restored', run('git checkout -- src/a.ts', ''), ['dist']],
    ['all restored', run('git reset --hard', ''), []],
    ['a folder with a new file', use('write', 'dist/out.js'), ['src/a.ts']],
    ['a failed call', use('write', 'src/a.ts', true), ['src/a.ts', 'dist']],
    ['deleted once more', [...use('write', 'src/a.ts'), ...run('rm src/a.ts', '')], ['dist', 'src/a.ts']],
  ]
  for (const [what, later, deleted] of cases) t.same(deletedAfter(...later), deleted, what)
  const absolute = run('rm -rf /home/u/proj/src/a.ts /home/u/proj/dist', '')
  const deletedOf = (path: string): string[] => collectEvidence([...absolute, ...use('write', path)]).deleted
  t.same(deletedOf('src/a.ts'), ['/home/u/proj/dist'], 'deleted by its absolute path, written by a relative one')
  t.same(deletedOf('dist/out.js'), ['/home/u/proj/src/a.ts'], 'a folder deleted so, with a new file')
  t.same(deletedOf('other/a.ts'), ['/home/u/proj/src/a.ts', '/home/u/proj/dist'], 'another file of that name')
})

t.test('a failed edit is left out after a tool has changed the file', async (t) => {
  const failuresOf = (messages: Message[]): string[] => collectEvidence(messages).failures.map(({ what }) => what)
  const failed = use('edit', 'a.ts', true)
  t.same(failuresOf(failed), ['edit a.ts'])
  t.same(failuresOf([...failed, ...use('edit', 'a.ts')]), [])
  const unmarked = use('edit', 'a.ts').map((message) =>
    message.role === 'toolResult' ? { ...message, isUnmarked: true as const } : message,
  )
  t.same(failuresOf([...failed, ...unmarked]), [], 'by a client that marks no success')
  t.same(failuresOf([...failed, ...use('write', 'a.ts')]), [])
  t.same(failuresOf([...failed, ...use('read', 'a.ts'), ...use('edit', 'b.ts')]), ['edit a.ts'])
  t.same(failuresOf([...failed, ...use('edit', 'a.ts'), ...use('edit', 'a.ts', true)]), ['edit a.ts'])
})

t.test('a look, an answer of a search, and a call that the user has refused are no failures of the work', async (t) => {
  const [call, result] = run('npm publish', 'The user does not want this', true)
  const refused = { ...result, userAnswers: [{ question: '', answer: 'not yet' }] } as Message
  const failed = collectEvidence([
    ...run('cat missing.txt', 'cat: missing.txt: No such file or directory\nCommand exited with code 1', true),
    ...run('grep -rn nothing src', '(no output)\n\nCommand exited with code 1', true),
    ...run('cd src && ls lib', "ls: cannot access 'lib': No such file or directory", true),
    ...use('read', 'missing.ts', true),
    ...(call === undefined ? [] : [call, refused]),
    ...run('diff a.txt b.txt', '1c1\n< a\n---\n> b\nCommand exited with code 1', true),
    ...run('python3 --version; cat setup.cfg', 'cat: setup.cfg: No such file or directory', true),
    ...run('curl -sf localhost:3000', 'Command exited with code 7', true),
    ...use('edit', 'a.ts', true),
  ]).failures
  t.strictSame(
    failed.map(({ what, status }) => `${what}: ${status}`),
    ['curl -sf localhost:3000: exit code 7', 'edit a.ts: error'],
  )
})

t.test('a program that is not installed is a failure until the agent goes on in another way', async (t) => {
  const missing = run('aspell list < a.md', 'bash: aspell: command not found\nCommand exited with code 127', true)
  const left = (messages: Message[], earlier?: Evidence) =>
    collectEvidence(messages, earlier).failures.map(({ what, error }) => `${what}: ${error}`)
  const fact = 'aspell list < a.md: bash: aspell: command not found'
  t.same(left(missing), [fact])
  t.same(left([...missing, ...run('ls', 'a.md'), ...use('read', 'a.md')]), [fact])
  t.same(left([...missing, ...use('edit', 'a.md')]), [])
  t.same(left([...missing, ...run('npx cspell a.md', '0 issues')]), [])
  t.same(left(run('ls', 'a.md'), collectEvidence(missing)), [fact], 'in a later summary')
  t.same(left(use('edit', 'a.md'), collectEvidence(missing)), [])
})

t.test(
  'a check that failed in one form and passed in another is not current, and stands there only against the text',
  async (t) => {
    const evidence = collectEvidence([
      ...run('cd app && npm test 2>&1 | tail -3', 'Tests: 1 failed\nError: no', true),
      ...run('npm run lint', 'a.ts: error\nCommand exited with code 2', true),
      ...run('CI=1 npm test && git push', 'Tests: 3 passed'),
    ])
    const shown = (text: string): string[] => writeEvidence(withoutStated(evidence, text), ROOMY).split('\n').slice(1)
    const lint = '- failed: `npm run lint` (exit code 2): a.ts: error'
    t.strictSame(shown('## Progress\nGo on.'), [lint])
    t.strictSame(shown('## Progress\n- `npm test` fails: `Error: no`'), [
      '- failed, later passed: `cd app && npm test 2>&1 | tail -3` (error): Error: no',
      lint,
    ])
  },
)

t.test('of a run of tests, those that failed are named, and a text may state them, or the reason', async (t) => {
  const output = 'not ok 1 - adds\nnot ok 2 - divides\nTypeError: n is undefined\n# pass 17\n# fail 2'
  const evidence = collectEvidence(run('npm test', output, true))
  const shown = (text: string): string[] => writeEvidence(withoutStated(evidence, text), ROOMY).split('\n').slice(1)
  const line = '- failed: `npm test` (error): 2 of 19 tests failed: adds, divides; TypeError: n is undefined'
  t.strictSame(shown('## Progress'), [line])
  t.strictSame(shown('- `npm test` fails: `Error: no`'), [line])
  t.strictSame(shown('- `npm test` fails: `TypeError: n is undefined`'), [])
  t.strictSame(shown('- `npm test` fails: `adds, divides`'), [])
})

t.test('a command whose output has shown a failure has passed if the same command shows none later', async (t) => {
  const build = 'npm run build 2>&1 | tail -3'
  const failed = run(build, 'npm error command failed')
  const left = (messages: Message[]) => collectEvidence(messages).failures.map(({ hasPassed }) => hasPassed)
  t.strictSame(left([...failed, ...run(build, 'copied 3 files')]), [true])
  t.strictSame(
    left([...failed, ...run('npm run build 2>&1 | tail -1', 'copied 3 files')]),
    [false],
    'another part of it',
  )
  t.strictSame(left([...run('./run.sh', 'no', true), ...run('./run.sh | tail', 'no')]), [false], 'another command')
})

t.test('new messages continue the evidence of earlier compactions', async (t) => {
  const earlier: Evidence = {
    failures: [failure('npm test'), { ...failure('edit a.ts'), status: 'error' }],
    commits: ['1111111 one'],
    olderCommits: 3,
    deleted: ['a.ts', 'b.ts'],
    renamed: [],
  }
  const messages = [...run('npm test', 'ok'), ...use('edit', 'a.ts')]
  t.strictSame(collectEvidence(messages, earlier), {
    failures: [failure('npm test', 'Error: no', true)],
    commits: ['1111111 one'],
    olderCommits: 3,
    deleted: ['b.ts'],
    renamed: [],
  })
})

const PROVEN: Evidence = {
  failures: [failure('npm test', 'AssertionError: expected 3'), failure('make')],
  commits: ['3f2a1bc9 Fix the parser', '7d8e9f0 Add a test'],
  olderCommits: 0,
  deleted: ['src/old.ts', 'src/older.ts'],
  renamed: [],
}

const STATING: [line: string, left: Partial<Evidence>][] = [
  ['- [x] Fixed the parser in commit 3f2a1bc.', { commits: ['7d8e9f0 Add a test'] }],
  ['- Committed as `3f2a1bc` and `7d8e9f0`', { commits: [] }],
  ['- Deleted `src/old.ts`, `src/older.ts`.', { deleted: [] }],
  ['- removed the old file `src/old.ts` (nobody used it)', { deleted: ['src/older.ts'] }],
  ['- `npm test` fails: `AssertionError: expected 3`', { failures: [failure('make')] }],
  ['- `npm test` (exit code 1): `AssertionError: expected 3`', { failures: [failure('make')] }],
  // Not the same fact, or not certain.
  ['- Hash 3f2a1bc is in the cache.', {}],
  ['- The commit 3f2a1bc (unverified) has it.', {}],
  ['- Removed `src/old.ts` from the index.', {}],
  ['- `npm test` failed with `AssertionError: expected 3`, and passes now', {}],
  ['- `npm test` fails: `TypeError: x`', {}],
  ['- `make` and `npm test` were run', {}],
]

for (const [line, left] of STATING)
  t.test(`left out of the evidence, and read again from the text: ${line}`, async (t) => {
    const text = `## Progress\n\n### Done\n${line}`
    const shown = withoutStated(PROVEN, text)
    t.strictSame(shown, { ...PROVEN, ...left })
    const again = mergeEvidence(findStatedEvidence(text), shown)
    const names = (evidence: Evidence) => ({
      failures: evidence.failures.map(({ what }) => what).sort(),
      commits: evidence.commits.map((commit) => commit.slice(0, 7)).sort(),
      deleted: [...evidence.deleted].sort(),
    })
    t.match(names(again), names(PROVEN), 'nothing is lost at the next compaction')
  })

t.test('evidence is written with one line per fact, and can be read again', async (t) => {
  const evidence: Evidence = {
    failures: [failure('npm test'), failure('make `all`', '', true)],
    commits: ['3f2a1bc Mend it'],
    olderCommits: 14,
    deleted: ['old.ts'],
    renamed: [{ from: 'a.ts', to: 'b.ts' }],
  }
  const section = writeEvidence(evidence, ROOMY)
  t.equal(
    section,
    [
      '## Evidence',
      '- 14 older commits',
      '- commit 3f2a1bc Mend it',
      '- deleted: `old.ts`',
      '- renamed: `a.ts` -> `b.ts`',
      '- failed: `npm test` (exit code 1): Error: no',
      '- failed, later passed: `` make `all` `` (exit code 1)',
    ].join('\n'),
  )
  const summary = `## Goal\nGo on.\n\n${section}\n\n---\n\n**Turn Context (split turn):**\n\nMore.`
  t.strictSame(extractEvidence(summary), {
    text: '## Goal\nGo on.\n\n---\n\n**Turn Context (split turn):**\n\nMore.',
    evidence,
  })
})

t.test('a summary without evidence is returned unchanged, and lines that code did not write stay', async (t) => {
  t.strictSame(extractEvidence('## Goal\nx'), { text: '## Goal\nx', evidence: noEvidence() })
  t.equal(extractEvidence('## Evidence\n- somebody wrote this\n## Next\ny').text, '- somebody wrote this\n## Next\ny')
})

t.test('newer evidence replaces older evidence of the same fact', async (t) => {
  const older = { ...noEvidence(), failures: [failure('a', 'old'), failure('b')], commits: ['1111111 one'] }
  const newer = { ...noEvidence(), failures: [failure('a', 'new')], commits: ['2222222 two', '1111111 one'] }
  t.strictSame(mergeEvidence(older, newer), {
    ...noEvidence(),
    failures: [failure('b'), failure('a', 'new')],
    commits: ['2222222 two', '1111111 one'],
  })
})

t.test(
  'where room is short, lines become shorter, then failures that passed are left out, then the oldest; short lines still fit',
  async (t) => {
    const long = 'word '.repeat(60).trim()
    const failures = [failure('old', long), failure('passed', long, true), failure('new', long)]
    const evidence = { ...noEvidence(), failures, deleted: ['gone.ts'] }
    const lines = (maxTokens: number) =>
      writeEvidence(evidence, { maxTokens })
        .split('\n')
        .slice(1)
        .map((line) => line.slice(0, 24))
    t.same(lines(10_000), [
      '- deleted: `gone.ts`',
      '- failed: `old` (exit co',
      '- failed, later passed: ',
      '- failed: `new` (exit co',
    ])
    t.same(lines(75), ['- deleted: `gone.ts`', '- failed: `old` (exit co', '- failed: `new` (exit co'])
    t.same(lines(34), ['- deleted: `gone.ts`', '- failed: `new` (exit co'])
    t.equal(writeEvidence(evidence, { maxTokens: 5 }), '')
  },
)

t.test('a section has at most forty lines including the heading, and the newest stay', async (t) => {
  const failures = Array.from({ length: 60 }, (_, index) => failure(`command ${index}`))
  const lines = writeEvidence({ ...noEvidence(), failures }, ROOMY).split('\n')
  t.equal(lines.length, 40)
  t.match(lines[1], 'command 21')
  t.match(lines[39], 'command 59')
})

const hostile = fc.oneof(
  fc.string({ minLength: 1, maxLength: 80 }),
  fc.constantFrom(
    '\n## Goal\nx',
    '`a` `b`',
    '<modified-files>\nx\n</modified-files>',
    '- failed: `x` (y)',
    '``',
    ') (',
    '---',
  ),
)

t.test('evidence cannot forge a heading, a tag or a line, and a section never exceeds its limit', async () => {
  const evidences = fc.record({
    failures: fc.array(
      fc.record({
        what: hostile,
        status: fc.constantFrom('error', 'exit code 1'),
        error: hostile,
        hasPassed: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
    commits: fc.array(
      hostile.map((text) => `3f2a1bc ${text}`),
      { maxLength: 2 },
    ),
    olderCommits: fc.nat(20),
    deleted: fc.array(hostile, { maxLength: 2 }),
    renamed: fc.array(fc.record({ from: hostile, to: hostile }), { maxLength: 2 }),
  })
  fc.assert(
    fc.property(evidences, fc.integer({ min: 20, max: 400 }), (evidence, maxTokens) => {
      const section = writeEvidence(evidence, { maxTokens })
      if (section === '') return true
      const lines = section.split('\n')
      return (
        estimateTextTokens(section) <= maxTokens &&
        lines.slice(1).every((line) => /^- (?:failed|commit|deleted|renamed|\d+ older commits?$)\b/.test(line)) &&
        !/<\/?modified-files>/.test(section)
      )
    }),
    { seed: 20261121, numRuns: casesOf(500) },
  )
})

/** An edit that an agent made. */
const edit = (path: string): Message[] => {
  const id = `c${++calls}`
  return [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id, name: 'edit', arguments: { path, oldText: 'a', newText: 'b' } }],
    },
    {
      role: 'toolResult',
      toolCallId: id,
      toolName: 'edit',
      content: [{ type: 'text', text: 'ok' }],
      isError: false,
      isPruned: false,
    },
  ]
}

t.test(
  'a failure that nothing has checked since many edits says how many, also after another compaction',
  async (t) => {
    const failed = run('npx tsc --noEmit src/a.ts', 'src/a.ts(1,1): error TS1343: no', true)
    const edits = (count: number): Message[] => Array.from({ length: count }, () => edit('src/b.ts')).flat()
    const text = (evidence: Evidence): string =>
      writeEvidence(evidence, { maxTokens: 500 }).split('\n').slice(1).join('\n')
    const line = (status: string): string =>
      `- failed: \`npx tsc --noEmit src/a.ts\` (${status}): src/a.ts(1,1): error TS1343: no`
    t.equal(text(collectEvidence([...failed, ...edits(9)])), line('error'))
    const first = collectEvidence([...failed, ...edits(12)])
    t.equal(text(first), line('error, 12 edits since'))
    const { evidence } = extractEvidence(`## Evidence\n${text(first)}`)
    t.equal(text(collectEvidence(edits(3), evidence)), line('error, 15 edits since'))
    t.equal(
      text(collectEvidence(run('npx tsc --noEmit src/a.ts', ''), evidence)),
      line('error').replace('failed:', 'failed, later passed:'),
    )
  },
)

t.test('a failure has what the user said of it next, also after another compaction', async (t) => {
  const user = (content: string): Message => ({ role: 'user', content: [{ type: 'text', text: content }] })
  const failed = run('go test ./...', 'FAIL\tshop/internal/crawl\t0.1s', true)
  const text = (messages: Message[], earlier?: Evidence): string =>
    writeEvidence(collectEvidence(messages, earlier), { maxTokens: 500 }).split('\n')[1] ?? ''
  const line = (said: string): string =>
    `- failed: \`go test ./...\` (error${said === '' ? '' : `; the user then: "${said}"`}): FAIL shop/internal/crawl 0.1s`
  t.equal(text([user('Run all tests.'), ...failed]), line(''), 'the user has said nothing since')
  t.equal(text([...failed, user('Yes. Now the docs.')]), line(''), 'the user has named nothing of it')
  t.equal(text([...failed, user('thanks'), user('"internal/crawl" is Bao’s.')]), line('internal/crawl is Bao’s.'))
  const naming = 'internal/crawl is left to Bao.'
  const said = [user('Run all tests.'), ...failed, user(`Good, now the docs. ${naming}`)]
  t.equal(text(said), line(naming), 'the sentence that names something of it')
  const again = `- failed: \`go test ./...\` (error; the user earlier: "${naming}"): FAIL shop/internal/crawl 0.1s`
  t.equal(text([...said, ...failed]), again, 'it has failed again')
  const { evidence: repeated } = extractEvidence(`## Evidence\n${again}`)
  t.equal(text([], repeated), again)
  const { evidence } = extractEvidence(`## Evidence\n${text(said)}`)
  t.equal(text([user('And the page.')], evidence), line(naming))
  t.equal(text(run('go test ./...', 'ok  \tshop/internal/crawl\t0.1s'), evidence).includes('later passed'), true)
})

t.test('the next message names a test by most of its words, which holds for its next failure too', async (t) => {
  const user = (content: string): Message => ({ role: 'user', content: [{ type: 'text', text: content }] })
  const failed = (test: string): Message[] =>
    run(
      'composer test',
      `1) App\\Tests\\Pdf\\InvoiceTest::${test}\nFailed asserting that 1 is 2.\nTests: 9, Assertions: 12, Failures: 1.`,
      true,
    )
  const said = 'Der Umlaut-Test ist rot, die Schrift fehlt. Einfach ignorieren.'
  const text = (messages: Message[]): string =>
    writeEvidence(collectEvidence(messages), { maxTokens: 500 }).split('\n')[1] ?? ''
  const line = (who: string): string =>
    `- failed: \`composer test\` (error; the user ${who}: "${said}"): 1 of 9 tests failed: InvoiceTest::testUmlauts; Failed asserting that 1 is 2.`
  const first = [...failed('testUmlauts'), user(said)]
  t.equal(text(first), line('then'))
  t.equal(text([...first, user('Now the vouchers.'), ...failed('testUmlauts')]), line('earlier'))
  t.notMatch(text([...first, user('Now the vouchers.'), ...failed('testTotals')]), 'the user')
  t.notMatch(text([...failed('testPricesOfGroups'), user('Show the prices in green.')]), 'the user')
})

t.test('what was said of a test by its name before it has run stands beside its failure', async (t) => {
  const user = (content: string): Message => ({ role: 'user', content: [{ type: 'text', text: content }] })
  const output = 'FAILED tests/test_a.py::test_dose - KeyError: x\n=== 1 failed, 8 passed in 3.51s ==='
  const status = (said: string): string | undefined =>
    collectEvidence([user(said), ...run('pytest -q', output, true)]).failures[0]?.status
  t.equal(
    status('Add the report. test_dose is red in CI, leave it.'),
    'error; the user earlier: "test_dose is red in CI, leave it."',
  )
  t.equal(status('Add the dose to the report.'), 'error')
})

t.test('of tests of pytest, the last one has its reason', async (t) => {
  const output = 'FAILED tests/test_a.py::test_dose - AssertionError: 3 != 4\n=== 1 failed, 8 passed in 3.51s ==='
  const [failure] = collectEvidence(run('pytest -q', output, true)).failures
  t.equal(failure?.error, '1 of 9 tests failed: test_dose; FAILED tests/test_a.py::test_dose - AssertionError: 3 != 4')
})

t.test('of a chain, the failed tests are named from their first line on', async (t) => {
  const output = 'FAILED tests/test_a.py::test_dose - KeyError: x\n=== 1 failed, 8 passed in 3.51s ==='
  const [failure] = collectEvidence(run('alembic upgrade head && pytest -q | tail -2', output)).failures
  t.match(failure, { what: 'pytest -q', error: /^1 of 9 tests failed: test_dose; FAILED / })
})

t.test('tests that a run of all does not show to fail again say so', async (t) => {
  const failed = (command: string, ...names: string[]): Message[] =>
    run(
      command,
      `${names.map((name) => `${name} FAILED`).join('\n')}\n\n9 tests completed, ${names.length} failed`,
      true,
    )
  const some = failed('./gradlew :app:test --tests A', 'A > adds()')
  const text = (...names: string[]): string =>
    writeEvidence(collectEvidence([...some, ...failed('./gradlew :app:test', ...names)]), { maxTokens: 500 })
  t.match(text('B > asks()'), '--tests A` (error, run again since without this error): 1 of 9 tests failed: A > adds()')
  t.notMatch(text('B > asks()', 'A > adds()'), 'run again')
  const cut = run('./gradlew :app:test | tail -2', 'B > asks() FAILED\n9 tests completed, 2 failed', true)
  t.notMatch(writeEvidence(collectEvidence([...some, ...cut]), { maxTokens: 500 }), 'run again', 'not all are named')
})

t.test('a check that has run again without its error says so, where nothing says how it ended', async (t) => {
  const smoke = (isError: boolean, before = ''): Message[] =>
    run(`${before}./smoke.sh docs`, isError ? 'docs 404 EXPECTED 200' : 'docs 200', isError)
  const text = (...messages: Message[][]): string =>
    writeEvidence(collectEvidence(messages.flat()), { maxTokens: 500 }).split('\n')[1] ?? ''
  const shown = (isError: boolean): Message[] =>
    run('./smoke.sh docs 2>&1 | tail -1', isError ? 'docs 404 EXPECTED 200' : 'docs 200')
  t.match(text(smoke(true), shown(false)), '(error, run again since without this error)')
  t.notMatch(text(smoke(true), shown(true)), 'run again')
  t.notMatch(text(smoke(true), smoke(true)), 'run again')
  const chain = run('git log -1 && ./smoke.sh docs', 'docs 404 EXPECTED 200', true)
  t.notMatch(text(chain, run('git log -1 && ls', 'docs')), 'run again', 'another part has run again')
  for (const hidden of ['| grep -i warn', '> log 2>&1; tail -1 log', '2>&1 | tail -c 10', '&'])
    t.notMatch(text(smoke(true), run(`./smoke.sh docs ${hidden}`, 'Warning: old')), 'run again', hidden)
})

for (const hidden of [
  ...[
    'npm run lint | tail -0',
    'npm run lint & sleep 1',
    'npm run lint || exit 0',
    '! npm run lint',
    'npm run lint; true',
  ],
  ...[
    '(npm run lint; exit 0)',
    'npm run lint | head -3',
    'timeout 1 npm run lint || true',
    'npm run lint; ls; echo $?',
  ],
])
  t.test(`a failure stays where its check has run again, and the exit status is another's: ${hidden}`, async (t) => {
    const failed = run('npm run lint', 'src/a.ts: 3 problems', true)
    const [left, ...others] = collectEvidence([...failed, ...run(hidden, '')]).failures
    t.match(left, { what: 'npm run lint', hasPassed: false, status: /^error, (?:not known since|run again since)/ })
    t.same(others, [])
    t.same(failuresOf(failed, run(hidden, ''), run('npm run lint', '')), ['npm run lint (passed)'])
  })

t.test('the last of several commands has passed if their client says that they have', async (t) => {
  const failed = run('./smoke.sh docs', 'docs 404', true)
  const left = (command: string): number =>
    collectEvidence([...failed, ...run(command, 'it was docs 404 before\nready')]).failures.filter(
      ({ hasPassed }) => !hasPassed,
    ).length
  t.equal(left('make apply | tail -1 && ./smoke.sh docs'), 0)
  t.equal(left('make apply | tail -1; ./smoke.sh docs'), 0)
  for (const command of [
    'make apply | tail -1 && ./smoke.sh docs | tail -1',
    'make apply | tail -1 || ./smoke.sh docs',
    './smoke.sh docs; make apply',
    'make apply; ! ./smoke.sh docs',
    'for i in a b; do make $i; ./smoke.sh docs; done | tail',
    'make apply; ./smoke.sh docs &',
    'cd web; ./build.sh; cd ../other; ./smoke.sh docs',
  ])
    t.equal(left(command), 1, command)
})

t.test('a part of a command that its output shows to have passed has not failed with it', async (t) => {
  const left = (...messages: Message[][]): string[] =>
    collectEvidence(messages.flat()).failures.flatMap(({ what, hasPassed }) => (hasPassed ? [] : [what]))
  const tests = 'test result: FAILED. 8 passed; 1 failed'
  const both = (rest: string): Message[] => run('cargo test | tail -1; cargo clippy | tail -1', `${tests}\n${rest}`)
  const passed = run('cargo test', 'test result: ok. 9 passed; 0 failed')
  t.same(left(both('    Finished `dev` profile in 0.98s'), passed), [])
  t.same(left(both('error: could not compile `x`'), passed).length, 1)
  t.same(left(both('warning: unused'), passed).length, 1)

  const conflict = run(
    'git commit -qm "A" && git fetch && git rebase main',
    'CONFLICT (content): Merge conflict in a.ts',
    true,
  )
  t.same(left(conflict), ['git rebase main'])
  t.same(
    left(conflict, run('git add a.ts && git rebase --continue', 'Successfully rebased and updated refs/heads/x.')),
    [],
  )
  t.same(left(conflict, run('git rebase --abort', '')), ['git rebase main'], 'it was given up, and is not done')
  t.same(left(conflict, run('git commit -qm "B"', '')), ['git rebase main'])
  t.same(left(conflict, run('cd ../docs && git rebase --continue', '')), ['git rebase main'], 'in another folder')
  const pull = run('git pull', 'fatal: Could not read from remote repository.', true)
  t.same(left(pull, run('git rebase --continue', '')), ['git pull'])
  const stash = run('git stash pop && npm test', 'CONFLICT (content): a.ts\nThe stash entry is kept.', true)
  t.same(left(stash, run('npm test', 'ok')), ['git stash pop && npm test'])

  const chain = 'npx tsc && npx vitest run | tail -1 && git push -q && gh pr checks 8'
  t.same(left(run(chain, '      Tests  291 passed (291)\na11y\tfail', true)), ['git push && gh pr checks 8'])
  const rebased = 'Successfully rebased and updated refs/heads/x.\n      Tests  291 passed (291)\na11y\tfail'
  t.same(left(run(`git rebase --continue | tail -1 && ${chain}`, rebased, true)), ['git push && gh pr checks 8'])
  t.same(left(run('npx tsc && npx vitest run', '      Tests  291 passed (291)', true)), ['npx tsc && npx vitest run'])
  const made = run('make paper 2>&1 | tail -2', 'make: *** [Makefile:4: main.pdf] Error 1')
  t.same(left(made, run('make paper 2>&1 | tail -1', 'Output written on main.pdf')), [])
  t.same(left(made, run('make paper 2>&1 | tail -1', 'make: stopped in /p')).length, 1)
  t.same(left(made, run('make paper 2>/dev/null | tail -1', 'Output written on main.pdf')).length, 1)
})

t.test('a failure of which some tests passed since names their runs, also after another compaction', async (t) => {
  const all = run('pytest -q', 'E   KeyError: rows', true)
  const some = (name: string, isError = false): Message[] => run(`pytest -q ${name}`, '2 passed in 1s', isError)
  const text = (evidence: Evidence): string =>
    writeEvidence(evidence, { maxTokens: 500 }).split('\n').slice(1).join('\n')
  const line = (status: string): string => `- failed: \`pytest -q\` (${status}): E KeyError: rows`
  const first = text(
    collectEvidence([...all, ...some('tests/a.py'), ...Array.from({ length: 12 }, () => edit('a')).flat()]),
  )
  t.equal(first, line('error, 12 edits since; passed since: `pytest -q tests/a.py`'))
  const { evidence } = extractEvidence(`## Evidence\n${first}`)
  t.equal(
    text(collectEvidence([...edit('a'), ...some('"tests/b.py(2)"')], evidence)),
    line('error, 13 edits since; passed since: `pytest -q tests/a.py`, `pytest -q tests/b.py(2)`'),
  )
  const second = text(collectEvidence(some('"tests/b.py(2)"'), evidence))
  t.equal(text(extractEvidence(`## Evidence\n${second}`).evidence), second, 'with brackets in a name')
  t.match(text(collectEvidence(some('tests/a.py', true), evidence)), line('error, 12 edits since'))
  const live = '- failed: `cd b && pytest tests/a.py` (error): E KeyError: rows'
  const both = extractEvidence(`## Evidence\n${live}\n${first}`).evidence
  t.equal(
    text(collectEvidence([], both)),
    `${live.replace(/: E .*/, '')}\n${first}`,
    'what has passed was in no other folder',
  )
  t.equal(text(collectEvidence(all, evidence)), line('error'))
  t.equal(
    text(collectEvidence(run('pytest -q', '4 passed in 1s'), evidence)),
    line('error').replace('failed:', 'failed, later passed:'),
  )
})

const failuresOf = (...messages: Message[][]) =>
  collectEvidence(messages.flat()).failures.map(({ what, hasPassed }) => `${what}${hasPassed ? ' (passed)' : ''}`)

t.test('a failure that the same command does not show again stays, with that command', async (t) => {
  const failed = run('BIN=x node drive.mjs add; ls -d /tmp/d-* | wc -l', 'Error: ENOTEMPTY, not empty\n1', true)
  const loop = (end: string) =>
    `for i in 1 2; do BIN=x node drive.mjs add > /dev/null${end}; done; ls -d /tmp/d-* | wc -l`
  const [seen] = collectEvidence([...failed, ...run(loop(''), '0')]).failures
  t.match(seen?.status, /^error, not known since `for i in 1 2; do BIN=x/)
  t.same(failuresOf(failed, run(loop(''), 'Error: ENOTEMPTY, not empty\n0')).length, 2, 'it shows the error again')
  t.same(failuresOf(failed, run(loop(' 2> err.txt'), '0')).length, 1, 'its errors go elsewhere')
  t.same(failuresOf(failed, run('for i in 1 2; do BIN=x node drive.mjs remove; done; echo done', 'done')).length, 1)
})

t.test(
  'a success proves what its last commands check, and what only looked beside a check has not to pass',
  async (t) => {
    const failed = run(
      'sed -i s/a/b/ a.mjs && grep -c b a.mjs && node --test lib 2>&1 | grep -E "^not ok"',
      'not ok 5 - a',
    )
    const passed = 'sed -i s/b/c/ a.mjs; node --test lib 2>&1 | grep -E "^not ok|^# (pass|fail)"'
    t.same(failuresOf(failed, run(passed, '# pass 5\n# fail 0')).length, 1)
    t.match(failuresOf(failed, run(passed, '# pass 5\n# fail 0')), [/\(passed\)$/])
    t.notMatch(failuresOf(failed, run('node --test lib; echo done', 'done')), [/\(passed\)$/])
    const both = run('npm run build; npm test', 'npm error build', true)
    t.notMatch(
      failuresOf(both, run('npm run build; npm test', 'not ok 1 - a\n# fail 1', true), run('npm test', 'ok')),
      [/passed/],
    )
  },
)

t.test('the errors of a compiler that was given single files are over once the project has passed', async (t) => {
  const apart = 'cd lib && npx tsc --noEmit --skipLibCheck src/**/*.ts 2>&1 | grep -v tui'
  const failed = run(apart, 'src/a.ts(5,4): error TS2802: iterate with --downlevelIteration')
  t.match(failuresOf(failed, run('cd lib && npm run check', 'ok')), [/\(passed\)$/])
  t.notMatch(failuresOf(failed, run('cd app && npm run check', 'ok')), [/passed/], 'another project')
  const both = [run('cd app && npm run check', 'ok'), run('cd lib && npm run check', 'ok')]
  t.match(failuresOf(failed, ...both), [/\(passed\)$/], 'the command runs in several folders')
  t.notMatch(failuresOf(failed, run('cd lib && npm run format', 'ok')), [/passed/])
  const project = run('cd lib && npx tsc --noEmit', 'src/a.ts(5,4): error TS2802: iterate', true)
  t.notMatch(failuresOf(project, run('cd lib && npm run check', 'ok')), [/passed/], 'it has the configuration')
})

t.test('of several commands that failed with the same error, the newest says it', async (t) => {
  const failures = [
    failure('npm run publish', 'error TS2554'),
    failure('npm run lint', 'Error: no'),
    failure('npm run build', 'error TS2554'),
  ]
  t.strictSame(writeEvidence({ ...noEvidence(), failures }, ROOMY).split('\n'), [
    '## Evidence',
    '- failed: `npm run publish` (exit code 1)',
    '- failed: `npm run lint` (exit code 1): Error: no',
    '- failed: `npm run build` (exit code 1): error TS2554',
  ])
})

t.test(
  'of several commands, the one fails whose results say so, and a commit that was made has not failed',
  async (t) => {
    const red = 'not ok 7 - the sum\n# pass 17\n# fail 1'
    const tried =
      "node src/cli.js cost a-test.ksf --start 25:00 2>&1 | grep Error; npm test 2>&1 | grep -E '^not ok|^# fail'"
    const committed = `${tried}; git add -A && git commit -qm 'Refuse a start' && git log --oneline -1`
    const evidence = collectEvidence(
      [
        run("git commit -m 'Refuse'", 'fatal: no name'),
        run(committed, `RangeError: no start\n${red}\n11d606f Refuse a start`),
        run(tried, `RangeError: no start\n${red}`),
      ].flat(),
    )
    t.strictSame(evidence.commits, ['11d606f Refuse a start'])
    t.strictSame(
      evidence.failures.filter(({ hasPassed }) => !hasPassed).map(({ what, error }) => `${what}: ${error}`),
      ['npm test: 1 of 18 tests failed: the sum'],
    )
    const green = 'RangeError: no start\n# pass 18\n# fail 0'
    t.match(failuresOf(run(tried, `RangeError: no start\n${red}`), run(tried, green)), ['npm test (passed)'])
    t.match(failuresOf(run('npm test; npm run lint', `${red}\na.ts:1:1: error: no`)), ['npm test; npm run lint'])
    t.match(failuresOf(run('npm test; npm run lint', '# pass 3\n# fail 0\na.ts:1:1: error: no')), ['npm run lint'])
  },
)

const commitsIn: Record<string, string> = {
  '- [x] Add a test (said to be done, in commit 3f2a1bc)': '3f2a1bc Add a test',
  '- Add a test (in commit 3f2a1bc)': '3f2a1bc Add a test',
  '- commit, and push it => Pushed. It is commit 3f2a1bc (answered)': '3f2a1bc It is commit 3f2a1bc (answered)',
}

for (const [line, commit] of Object.entries(commitsIn))
  t.test(`what a summary says of a commit is the sentence that names it: ${line}`, async (t) =>
    t.strictSame(findStatedEvidence(line).commits, [commit]),
  )
