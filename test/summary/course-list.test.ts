import t, { type Test } from 'tap'
import { pairMessages } from '../../src/extract/runs.ts'
import type { Message } from '../../src/session/message.ts'
import { noEvidence } from '../../src/summary/evidence.ts'
import { restoreEssentials } from '../../src/summary/restore-essentials.ts'
import type { SummaryInputs } from '../../src/summary/summary-inputs.ts'
import { readSummary } from '../../src/summary/summary.ts'
import { noUserMessages } from '../../src/summary/user-messages.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../support/build-entries.ts'
import { takeFromText } from '../support/take-facts.ts'

let calls = 0

function did(name: string, args: unknown, output = 'ok', isError = false): EntryDraft[] {
  const id = `c${++calls}`
  return [assistant('', [call(id, name, args)]), result(id, output, { toolName: name, isError })]
}

const ran = (command: string, output = '', isError = false): EntryDraft[] => did('bash', { command }, output, isError)
const edited = (path: string): EntryDraft[] => did('edit', { path, oldText: 'one', newText: 'two' })

const REQUEST = 'Repair the parser.'
const DRAFT = `## Goal\n${REQUEST}\n\n## Progress\nThe parser is repaired.`

const WORK = [
  user(REQUEST),
  ...ran('cat src/parser.ts', 'export const parser = 1'),
  ...edited('src/parser.ts'),
  ...ran('npm test', 'TypeError: tokens is undefined\nCommand exited with code 1', true),
  ...edited('src/parser.ts'),
  ...edited('src/lexer.ts'),
  ...ran('npm test', 'Tests: 4 passed'),
  ...ran('npm run lint', 'src/lexer.ts: error: unused\nCommand exited with code 1', true),
  ...ran(
    'git commit -am "fix: `parse` for </read-files>"',
    '[main 3f2a1bc] fix: parse\n 2 files changed, 9 insertions(+)',
  ),
  ...ran('git push', 'Everything up-to-date'),
]

const messagesOf = (drafts: readonly EntryDraft[]): Message[] =>
  buildEntries(drafts).flatMap(({ message }) => message ?? [])

interface Written {
  model?: string
  inputs?: Partial<SummaryInputs>
}

/** The evidence of a summary that a model has written of some work. */
function evidenceOf(drafts: readonly EntryDraft[], { model = 'fake', inputs = {} }: Written = {}): string {
  const { messages: history, runs } = pairMessages(messagesOf(drafts))
  const { summary, evidenceTokens } = restoreEssentials(
    { history: { ...readSummary(DRAFT), model }, turnPrefix: undefined },
    {
      ...{ history, turnPrefix: [], kept: [], runs, evidence: noEvidence(), userMessages: noUserMessages() },
      ...{ hasSections: true, limitTokens: 13_107, ...inputs },
    },
  )
  const at = summary.indexOf('## Evidence')
  const section = at < 0 ? '' : summary.slice(at)
  t.equal(evidenceTokens, estimateTextTokens(section))
  return section
}

const FACTS = [
  '## Evidence',
  '- commit 3f2a1bc fix: parse',
  '- failed: `npm run lint` (exit code 1): src/lexer.ts: error: unused',
]

const EARLIER =
  '- Before them, what was committed, published or closed, each with what the user had said, and what failed and passed later, in order:'

const COURSE = [
  '- All commands (but looks), edits and words of the user, in order:',
  '  - the user: "Repair the parser."',
  '  - edited parser.ts',
  '  - `npm test`: failed (exit code 1), TypeError: tokens is undefined (passed later)',
  '  - edited parser.ts, lexer.ts',
  '  - `npm test`: ok, Tests: 4 passed',
  '  - `npm run lint`: failed (exit code 1), src/lexer.ts: error: unused',
  '  - `` git commit … fix: `parse` for &lt;/read-files> ``: ok, 2 files changed, 9 insertions(+)',
  '  - `git push`: ok',
]

t.test('the evidence of a summary by a model ends with what was done in its span, in order', async (t) => {
  t.strictSame(evidenceOf(WORK).split('\n'), [...FACTS, ...COURSE])
})

t.test('an extract has the list elsewhere, and a form without sections has none', async (t) => {
  t.strictSame(evidenceOf(WORK, { model: 'embedded' }).split('\n'), FACTS)
  t.strictSame(evidenceOf(WORK, { inputs: { hasSections: false } }).split('\n'), FACTS)
})

t.test('a few steps have no list', async (t) => {
  t.equal(evidenceOf([user(REQUEST), ...edited('a.ts'), ...ran('./run.sh', 'done'), ...edited('b.ts')]), '')
})

const MANY = Array.from({ length: 100 }, (_, index) => [
  ...ran(`make step-${index} --with-an-option=of-some-length`, 'done'),
  ...ran(`make check-${index}`, 'Error: not yet\nCommand exited with code 1', true),
]).flat()

t.test('the list has the newest steps, in the room that all other evidence leaves', async (t) => {
  const lines = evidenceOf([...WORK, ...MANY.filter((_, at) => at % 4 < 2)]).split('\n')
  t.strictSame(lines.slice(0, 3), FACTS.toSpliced(3))
  t.equal(lines[3], '- The newest commands (but looks), edits and words of the user, in order:')
  const end = lines.indexOf('  - `make step-99 --with-an-option=of-some-length`: ok')
  t.strictSame(lines.slice(end + 1), [
    EARLIER,
    '  - the user: "Repair the parser."',
    '  - `npm test`: failed (exit code 1), TypeError: tokens is undefined (passed later after changes of parser.ts, lexer.ts)',
    '  - `` git commit … fix: `parse` for &lt;/read-files> ``: ok',
    '  - `git push`: ok',
  ])
  const tokens = estimateTextTokens(lines.slice(3, end + 1).join('\n'))
  t.ok(tokens > 1000 && tokens <= 1200, `${tokens} tokens`)
  const short = evidenceOf([...WORK, ...MANY], { inputs: { limitTokens: 4000 } })
  t.notMatch(short, 'in order:', 'failures have the room')
  t.equal(short.split('\n').at(-1), '- failed: `make check-99` (exit code 1): Error: not yet')
})

t.test(
  'of a long session, the list has what ended each piece of work, however long ago, with the words before it',
  async (t) => {
    const work = Array.from({ length: 30 }, (_, index) => [
      user(`Build part ${index}.`),
      ...Array.from({ length: 40 }, () => [...ran(`make part-${index}`), ...edited('a.ts')]).flat(),
      ...(index % 10 === 3 ? [user('Yes, that one.'), ...ran('git push', 'rejected: no upstream', true)] : []),
    ]).flat()
    const lines = evidenceOf(work).split('\n')
    t.strictSame(
      lines.slice(lines.findIndex((line) => line.startsWith('- Before them'))).slice(1),
      [3, 13, 23].flatMap(() => [
        '  - the user: "Yes, that one."',
        '  - `git push`: failed (error), rejected: no upstream',
      ]),
    )
  },
)

t.test('of what failed and passed before the newest steps, the error stays with what solved it', async (t) => {
  const lines = evidenceOf([
    user('Publish it.'),
    ...ran('git push', 'fatal: The current branch parser has no upstream branch.', true),
    ...ran('git push --set-upstream origin parser', 'branch set up'),
    ...ran('make all', 'src/a.c:1:1: error: expected a map, got:\n  [a list]', true),
    ...edited('src/a.c'),
    ...edited('config/a.json'),
    ...ran('make all', 'done'),
    ...ran('make flaky', 'error: timed out', true),
    ...ran('make flaky', 'done'),
    ...MANY.filter((_, at) => at % 4 < 2),
  ]).split('\n')
  t.strictSame(lines.slice(lines.indexOf(EARLIER) + 1), [
    '  - the user: "Publish it."',
    '  - `git push`: failed (error), fatal: The current branch parser has no upstream branch. (passed later with `git push --set-upstream origin parser`)',
    '  - `git push --set-upstream origin parser`: ok',
    '  - `make all`: failed (error), src/a.c:1:1: error: expected a map, got: [a list] (passed later after changes of a.c, a.json)',
  ])
})

t.test(
  'an issue that was closed before the newest steps has the reason, of a long one the first and the last sentence',
  async (t) => {
    const reason = `Truncation is gone. ${'Each line has a number. '.repeat(8)}410 tests pass (13 new).`
    const lines = evidenceOf([
      user('Close them.'),
      ...ran('bd close app-1 --reason "Done as \\"asked\\"."', 'closed'),
      ...ran(`bd close app-2 --reason="${reason}"`, 'closed'),
      ...ran('bd close app-3', 'closed'),
      ...MANY.filter((_, at) => at % 4 < 2),
    ]).split('\n')
    t.strictSame(lines.slice(lines.indexOf(EARLIER) + 1), [
      '  - the user: "Close them."',
      `  - \`bd close app-1\`: ok, "Done as 'asked'."`,
      '  - `bd close app-2`: ok, "Truncation is gone. … 410 tests pass (13 new)."',
      '  - `bd close app-3`: ok',
    ])
  },
)

t.test('the next compaction takes the list out together with the other evidence', async (t) => {
  takesOut(evidenceOf(WORK), t)
  takesOut(evidenceOf([...WORK, ...MANY.filter((_, at) => at % 4 < 2)]), t)
})

function takesOut(section: string, t: Test): void {
  const { text, evidence } = takeFromText(`${DRAFT}\n\n${section}\n\nA note of the user.\n  - with an item`)
  t.equal(text, `${DRAFT}\n\nA note of the user.\n  - with an item`)
  t.strictSame(evidence.commits, ['3f2a1bc fix: parse'])
  t.strictSame(
    evidence.failures.map(({ what }) => what),
    ['npm run lint'],
  )
}
