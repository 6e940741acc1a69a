import t from 'tap'
import { carryConstraints as carryInto } from '../../src/summary/constraints.ts'
import { readSummary } from '../../src/summary/summary.ts'
import type { Message } from '../../src/session/message.ts'
import { user } from '../prompt/message-builders.ts'

interface Sources {
  messages: Message[]
  maxTokens: number
  previousSummary?: string
}

function carryConstraints(text: string, { previousSummary = '', ...sources }: Sources) {
  const { summary, restored } = carryInto(readSummary(text), {
    ...sources,
    previousSummary: readSummary(previousSummary),
  })
  return { summary: summary.text, restored }
}

const SUMMARY = '## Goal\nGo on.\n\n## Constraints & Preferences\n- Never touch migrations/.\n\n## Next Steps\n1. x'

t.test("a demand that the summary lacks is added, in the user's words", async (t) => {
  const messages = [user('Never use floats for money. Fix the parser.'), user('必须用中文写注释。')]
  t.strictSame(carryConstraints(SUMMARY, { messages, maxTokens: 100 }), {
    summary:
      '## Goal\nGo on.\n\n## Constraints & Preferences\n- Never touch migrations/.\n- Never use floats for money.\n- 必须用中文写注释。\n\n## Next Steps\n1. x',
    restored: 2,
  })
})

t.test('constraints of the previous summary are carried over, each once', async (t) => {
  const previousSummary =
    '## Goal\nx\n\n## Constraints & Preferences\n- Keep the public API as it is.\n- Error: a value must always be set\n- (none)\n- Do not touch the `migrations/` folder.\n\n## Progress\ny'
  const { summary, restored } = carryConstraints(SUMMARY, { previousSummary, messages: [], maxTokens: 100 })
  t.equal(restored, 1)
  t.match(summary, '- Never touch migrations/.\n- Keep the public API as it is.\n')
})

t.test('a paraphrase is accepted, and a task does not count as a constraint', async (t) => {
  const said = '## Constraints & Preferences\n- Money is never stored as floats'
  const messages = [user('Never use floats for money.'), user('Add a changelog entry.')]
  t.strictSame(carryConstraints(said, { messages, maxTokens: 100 }), { summary: said, restored: 0 })
})

t.test('a demand that differs from a stated one in a name is added', async (t) => {
  const pairs = [
    ['Never edit files in vendor/', 'Never edit files in generated/'],
    ['Keep the API v1 stable', 'Keep the API v2 stable'],
    ['Never touch the schema files', 'Never touch the config files'],
  ] as const
  for (const [stated, lacking] of pairs)
    t.strictSame(
      carryConstraints(`## Constraints & Preferences\n- ${stated}`, { messages: [user(lacking)], maxTokens: 100 }),
      {
        summary: `## Constraints & Preferences\n- ${stated}\n- ${lacking}`,
        restored: 1,
      },
    )
})

t.test('a missing section is added after the goal', async (t) => {
  const { summary } = carryConstraints('## Goal\nx\n\n## Next Steps\ny', {
    messages: [user('Never push.')],
    maxTokens: 100,
  })
  t.equal(summary, '## Goal\nx\n\n## Constraints & Preferences\n- Never push.\n\n## Next Steps\ny')
})

t.test('the newest demands are added as far as there is room', async (t) => {
  const messages = [user('Never push to main at all.'), user('Always write tests first.')]
  t.equal(
    carryConstraints('## Goal\nx', { messages, maxTokens: 8 }).summary,
    '## Goal\nx\n\n## Constraints & Preferences\n- Always write tests first.',
  )
})

t.test(
  'a demand in a request that the goal quotes stands there, and is a constraint of the next summary',
  async (t) => {
    const goal =
      '## Goal\nNewest request:\n> Fix the parser. Never use floats for money.\n\n## Constraints & Preferences\n(none)'
    const messages = [user('Fix the parser. Never use floats for money.')]
    t.strictSame(carryConstraints(goal, { messages, maxTokens: 100 }), { summary: goal, restored: 0 })
    const next = carryConstraints(SUMMARY, { previousSummary: goal, messages: [], maxTokens: 100 })
    t.match(next.summary, '- Never touch migrations/.\n- Never use floats for money.\n')
  },
)

t.test('beside a demand of the previous summary stands what the user has said of it since', async (t) => {
  const previousSummary =
    '## Goal\nNewest request:\n> Fix the parser. Always use tabs.\n\n## Constraints & Preferences\n- Never push to main.\n- Never log names.'
  const messages = [user('You may push to main now.'), user('Now the lexer, please.')]
  const { summary } = carryConstraints('## Goal\nx', { previousSummary, messages, maxTokens: 100 })
  t.equal(
    summary,
    '## Goal\nx\n\n## Constraints & Preferences\n- Never push to main. (the user later: "You may push to main now.")\n- Never log names.\n- Always use tabs.',
  )
  const next = carryConstraints('## Goal\ny', { previousSummary: summary, messages: [], maxTokens: 100 })
  t.match(next.summary, '- Never push to main. (the user later: "You may push to main now.")', 'it is carried on')
})

t.test('a ban does not state what the user has said of it later', async (t) => {
  const draft = '## Constraints & Preferences\n- Do not push to main'
  const line = '- Never push to main. (the user later: "You may push to main now.")'
  const messages = [user('Never push to main.'), user('You may push to main now.')]
  t.strictSame(carryConstraints(draft, { messages, maxTokens: 100 }), { summary: `${draft}\n${line}`, restored: 1 })
  for (const stated of [line, '- Pushing to main is allowed now'])
    t.equal(carryConstraints(`## Constraints & Preferences\n${stated}`, { messages, maxTokens: 100 }).restored, 0)
})

t.test('an older value is not restored beside the newest one', async (t) => {
  const draft = '## Constraints & Preferences\n- Answer in English'
  const previousSummary = '## Constraints & Preferences\n- Always answer in German.'
  const messages = [user('From now on answer in English again.')]
  t.strictSame(carryConstraints(draft, { previousSummary, messages, maxTokens: 100 }), { summary: draft, restored: 0 })
})

t.test('demands of a request that is still open are carried on with its name, and dropped after it', async (t) => {
  const demand = 'Only the report, don\'t touch the import. (only for: "Write the report.")'
  const previousSummary = `## Constraints & Preferences\n- ${demand}`
  const carried = (said: string): string =>
    carryConstraints('## Goal\nx', { previousSummary, messages: [user(said)], maxTokens: 100 }).summary
  t.equal(carried('continue'), `## Goal\nx\n\n## Constraints & Preferences\n- ${demand}`)
  t.equal(carried('Now change the import.'), '## Goal\nx')
})
