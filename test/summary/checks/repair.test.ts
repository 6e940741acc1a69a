import t from 'tap'
import { readSummary } from '../../../src/summary/summary.ts'
import { pairMessages } from '../../../src/extract/runs.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { expectationsOf } from '../../../src/summary/checks/expectations.ts'
import { describeFaults, inspectSummary } from '../../../src/summary/checks/inspect-summary.ts'
import { keepsFacts } from '../../../src/summary/checks/keeps-facts.ts'
import { repairByCode } from '../../../src/summary/checks/repair-by-code.ts'
import type { Message } from '../../../src/session/message.ts'
import { templates } from '../../support/templates.ts'

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const call: Message = {
  role: 'assistant',
  content: [{ type: 'toolCall', id: 'a', name: 'bash', arguments: { command: 'npm test' } }],
}
const result = (text: string): Message => ({
  role: 'toolResult',
  toolCallId: 'a',
  toolName: 'bash',
  content: [{ type: 'text', text }],
  isError: false,
  isPruned: false,
})

const WHOLE = [
  '## Goal\nFix `src/a.ts`.',
  '## Constraints & Preferences\n- x',
  '## Progress',
  '### Done\n- [x] y',
  '### In Progress\n(none)',
  '### Blocked\n(none)',
  '## State of the Code\n(none)',
  '## Key Decisions\n- z',
  '## Next Steps\n1. n',
  '## Critical Context\n- c',
].join('\n\n')

const without = (...headings: string[]): string =>
  headings.reduce((text, heading) => text.replace(new RegExp(`${heading}\n[^#]*(?=#|$)`), ''), WHOLE).trim()

function check(text: string, messages: readonly Message[], previousSummary = '') {
  const source = sourceOf(pairMessages(messages))
  const expected = expectationsOf(
    { kind: 'history', maxTokens: 1000, source },
    { previousSummary },
    { templates, previous: readSummary(previousSummary) },
  )
  const summary = readSummary(text)
  const findings = inspectSummary(summary, expected)
  const draft = { ...summary, findings, model: 'm', chunks: 1, calls: 1, redactions: 0, repairs: 0 }
  return {
    faults: describeFaults(findings, templates),
    text: repairByCode({ ...draft, usage: { inputTokens: 0, outputTokens: 0 } }, expected).text,
  }
}

const CHAT = [user('Fix src/a.ts.')]
const WORK = [...CHAT, call, result('ok')]

t.test('a summary with all sections needs no call and stays as it is', async (t) => {
  t.same(check(WHOLE, WORK), { faults: [], text: WHOLE })
})

t.test('missing sections without content are added in their places, without a call', async (t) => {
  const { faults, text } = check(without('### Blocked', '## Next Steps', '## Critical Context'), WORK)
  t.same(faults, [])
  t.equal(
    text,
    WHOLE.replace('## Next Steps\n1. n', '## Next Steps\n(none)').replace(
      '## Critical Context\n- c',
      '## Critical Context\n(none)',
    ),
  )
})

t.test('a missing goal is the newest request, without a call', async (t) => {
  const text = WHOLE.replace('Fix `src/a.ts`.', 'Fix src/a.ts.')
  t.same(check(without('## Goal'), WORK), { faults: [], text })
})

t.test('parts of the progress stay below its heading', async (t) => {
  const text = without('### Done', '### In Progress', '### Blocked').replace('## Progress', '## Progress\n\n- y')
  t.same(check(text, WORK), { faults: [], text })
})

t.test('a missing section that has content in the input needs a call, and code adds nothing', async (t) => {
  const cases: [what: string, text: string, messages: readonly Message[], previous?: string][] = [
    ['work was done', without('## Progress', '### Done', '### In Progress'), WORK],
    ['the user set a rule', without('## Constraints & Preferences'), [user('Fix src/a.ts. Never push to main.')]],
    ['the previous summary had it', without('## Key Decisions'), CHAT, '## Key Decisions\n- Use tabs.'],
    ['nobody can say what the goal was', without('## Goal'), [call, result('ok')], '## Goal\nShip it.'],
    ['the form was not followed', 'All went well.', CHAT],
  ]
  for (const [what, text, messages, previous] of cases) {
    const checked = check(text, messages, previous)
    t.equal(checked.faults.length, 1, what)
    t.equal(checked.text, text, what)
  }
})

t.test('the same sections are not needed where the input has nothing for them', async (t) => {
  for (const heading of ['## Constraints & Preferences', '## Key Decisions'])
    t.same(check(without(heading), CHAT, '## Key Decisions\n(none)').faults, [], heading)
})

t.test('an unknown fact is marked, without a call', async (t) => {
  const { faults, text } = check(WHOLE.replace('- c', '- c in `src/made-up.ts`'), WORK)
  t.same(faults, [])
  t.equal(text, WHOLE.replace('- c', '- c in `src/made-up.ts` (unverified)'))
})

const FACTS = Array.from({ length: 20 }, (_, index) => `- \`run ${index}\` in src/a${index}.ts took ${index + 100} ms`)
const FIRST = `## Goal\n${FACTS.join('\n')}`
const draft = (text: string, findings = {}) => ({ text, findings })

t.test('a second draft is a repair only if it keeps facts and length', async (t) => {
  const words = FACTS.map((line) => line.replace(/\d/g, 'x'))
  const cases: [what: string, second: string, keeps: boolean][] = [
    ['the same text', FIRST, true],
    ['other words', FIRST.replaceAll('took', 'needed'), true],
    ['one fact less', `## Goal\n${FACTS.slice(1).join('\n')}`, true],
    ['a quarter less', `## Goal\n${FACTS.slice(5).join('\n')}`, false],
    ['headings and a letter', `## Goal\nx\n\n## Progress\nx`, false],
    ['as long, with other facts', `## Goal\n${words.join('\n')}`, false],
  ]
  for (const [what, second, keeps] of cases) t.equal(keepsFacts(draft(FIRST), { text: second }), keeps, what)
})

t.test('a second draft may leave out what the input does not have, and what has no room', async (t) => {
  const unknown = FACTS.slice(0, 10).map((_, index) => `src/a${index}.ts`)
  const second = FACTS.map((line, index) => (index < 10 ? line.replace(/src\/a\d\.ts/, 'a file') : line)).join('\n')
  t.equal(keepsFacts(draft(FIRST), { text: second }), false)
  t.equal(keepsFacts(draft(FIRST, { grounding: { checked: 20, unknown } }), { text: second }), true)
  const half = FACTS.slice(10).join('\n')
  t.equal(keepsFacts(draft(FIRST, { size: { tokens: 400, limitTokens: 150 } }), { text: half }), true)
})
