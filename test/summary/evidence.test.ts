import fc from 'fast-check'
import t from 'tap'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import type { Message } from '../../src/session/message.ts'
import { collectEvidence, noEvidence, type Evidence, mergeEvidence } from '../../src/summary/evidence.ts'
import { extractEvidence, writeEvidence } from '../../src/summary/evidence-section.ts'

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

t.test('a quarter of a million commits are no more than forty lines', async (t) => {
  const output = Array.from({ length: 250_000 }, (_, index) => `[main ${(0xabcdef0 + index).toString(16)}] m`).join(
    '\n',
  )
  const evidence = collectEvidence(run('git rebase main', output))
  t.equal(evidence.commits.length, 250_000)
  t.equal(writeEvidence(evidence, ROOMY).split('\n').length, 40)
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
      { what: 'npm run lint', status: 'exit code 2', error: 'src/a.ts: error', hasPassed: false },
      { what: 'npm test', status: 'exit code 1', error: 'AssertionError: expected 3', hasPassed: true },
      { what: 'make', status: 'exit code 2', error: 'make: boom error', hasPassed: false },
      { what: 'edit x.ts', status: 'error', error: 'Error: text not found', hasPassed: false },
    ],
    commits: ['3f2a1bc Mend it'],
    deleted: ['old.ts'],
    renamed: [{ from: 'a.ts', to: 'b.ts' }],
  })
})

t.test('evidence is written with one line per fact, and can be read again', async (t) => {
  const evidence: Evidence = {
    failures: [failure('npm test'), failure('make `all`', '', true)],
    commits: ['3f2a1bc Mend it'],
    deleted: ['old.ts'],
    renamed: [{ from: 'a.ts', to: 'b.ts' }],
  }
  const section = writeEvidence(evidence, ROOMY)
  t.equal(
    section,
    [
      '## Evidence',
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
        lines.slice(1).every((line) => /^- (?:failed|commit|deleted|renamed)\b/.test(line)) &&
        !/<\/?modified-files>/.test(section)
      )
    }),
    { seed: 20261121, numRuns: 500 },
  )
})
