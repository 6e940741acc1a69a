import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { pairMessages } from '../../src/extract/runs.ts'
import { fitBudget, measureBlocks } from '../../src/prompt/fit-budget.ts'
import type { Block } from '../../src/prompt/transcript-piece.ts'
import { serializeConversation } from '../support/serialize-conversation.ts'
import { blocksOf } from '../../src/prompt/transcript-blocks.ts'
import type { Message } from '../../src/session/message.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { assistant, call, result, thinking, user } from './message-builders.ts'
import { casesOf } from '../support/random-cases.ts'

const rows = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index}: a row of the ledger, number ${index * 7}`).join('\n')

/** A call and its result. */
const ask = (id: string, [name, values, output]: [string, object, string], status = {}): Message[] => [
  assistant(call(name, values, id)),
  { ...result(output, status), toolCallId: id },
]

const words = fc.nat(40).map((count) => rows('word', count))
const values = fc.oneof(
  fc.nat(3).map((file) => ({ path: `f${file}.md` })),
  fc.tuple(fc.nat(3), words).map(([file, content]) => ({ path: `f${file}.md`, content })),
  fc.nat(3).map((number) => ({ command: `make ${number}` })),
)
const turn = fc.oneof(
  words.map((text) => [user(text)]),
  fc.tuple(words, words).map(([thought, text]) => [assistant(thinking(thought), text)]),
  fc
    .tuple(fc.nat(99), fc.constantFrom('read', 'write', 'bash', 'edit', 'todo_write'), values, words, fc.boolean())
    .map(([id, name, args, output, isError]) => ask(`c${id}`, [name, args, output], { isError })),
)
const session = fc.array(turn, { maxLength: 25 }).map((turns) => turns.flat())
// The search for a smaller counterexample ends after a minute: each of its steps takes a whole run.
const PROPERTY = { seed: 20261122, numRuns: casesOf(200), interruptAfterTimeLimit: 60_000 }

const tokensOf = (shown: ReturnType<typeof fitBudget>): number =>
  measureBlocks(shown.map(({ kind, text }): Block => ({ kind, pieces: [{ text, value: 'fixed', form: 'text' }] })))

const saidByUser = (messages: readonly Message[]): Block[] =>
  blocksOf(pairMessages(messages.filter(({ role }) => role === 'user')))

t.test('nothing exceeds the budget but what the user said', async () => {
  fc.assert(
    fc.property(session, fc.integer({ min: 100, max: 6000 }), (messages, budget) => {
      const shown = fitBudget(blocksOf(pairMessages(messages)), budget)
      // A block is measured in pieces, each with the pairs of characters inside it only.
      assert.ok(tokensOf(shown) <= Math.max(budget, measureBlocks(saidByUser(messages)) + 40) * 1.02)
    }),
    PROPERTY,
  )
})

t.test('if everything fits, nothing is cut', async () => {
  fc.assert(
    fc.property(session, (messages) => {
      const blocks = blocksOf(pairMessages(messages))
      const whole = blocks.map(({ pieces }) => pieces.map(({ text }) => text).join(''))
      assert.deepEqual(
        fitBudget(blocks, measureBlocks(blocks)).map(({ text }) => text),
        whole,
      )
    }),
    PROPERTY,
  )
})

t.test('a larger budget never shows less: no line of a block is lost', async () => {
  const linesOf = (messages: readonly Message[], budget: number): Map<string, number> => {
    const lines = new Map<string, number>()
    const shown = fitBudget(blocksOf(pairMessages(messages)), budget).flatMap(({ text }) => text.split(/\n|\\n/))
    // Lines at a cut may be parts of lines, and their other parts.
    for (const line of shown)
      if (/^\w+ \d+: a row of the ledger, number \d+$/.test(line)) lines.set(line, (lines.get(line) ?? 0) + 1)
    return lines
  }
  fc.assert(
    fc.property(session, fc.integer({ min: 100, max: 4000 }), fc.nat(3000), (messages, budget, more) => {
      const [few, many] = [linesOf(messages, budget), linesOf(messages, budget + more)]
      for (const [line, count] of few) assert.ok((many.get(line) ?? 0) >= count, line)
    }),
    PROPERTY,
  )
})

t.test('what the user said is never cut, and older blocks are left out first', async (t) => {
  const messages = [
    user(rows('first', 50)),
    ...ask('a', ['bash', { command: 'old' }, rows('old', 50)]),
    user('Now the lexer.'),
    ...ask('b', ['bash', { command: 'new' }, rows('new', 2)]),
  ]
  const shown = serializeConversation(messages, estimateTextTokens(rows('first', 50)) + 100)
  t.ok(shown.includes(rows('first', 50)) && shown.includes('Now the lexer.'))
  t.match(shown, 'bash(command="new")')
  t.notMatch(shown, 'bash(command="old")')
  t.match(shown, /\(\d answers, tool calls and outputs of this transcript were left out/)
})

const FILLER = Array.from({ length: 12 }, (_, index) =>
  ask(`z${index}`, ['bash', { command: `ls ${index}` }, 'ok']),
).flat()
/** The newest messages, so that what is compared is not among them. */
const NEWEST = [assistant(rows('newest', 400))]

/** Which of two things has more of its lines in the transcript. */
function countShown(messages: readonly Message[], budget: number, names: readonly string[]): number[] {
  const shown = serializeConversation(messages, budget)
  return names.map((name) => shown.split(new RegExp(`${name} \\d+: a row`)).length - 1)
}

/** In the messages, what is worth more has rows of `more`, and what is worth less has rows of `less`. */
const CASES: [string, Message[]][] = [
  [
    'the newest output of a repeated call before an older one',
    [
      ...ask('a', ['bash', { command: 'make' }, rows('less', 200)]),
      ...ask('b', ['bash', { command: 'make' }, rows('more', 200)]),
    ],
  ],
  [
    'a file as it was read last before an earlier reading',
    [
      ...ask('a', ['read', { path: 'a.ts', offset: 1 }, rows('less', 200)]),
      ...ask('b', ['read', { path: 'a.ts' }, rows('more', 200)]),
    ],
  ],
  [
    'the newest version of a written file before an older one',
    [
      ...ask('a', ['write', { path: 'a.ts', content: rows('less', 200) }, 'ok']),
      ...ask('b', ['write', { path: 'a.ts', content: rows('more', 200) }, 'ok']),
    ],
  ],
  [
    'what was written into a file before what was read from it earlier',
    [
      ...ask('a', ['read', { path: 'a.ts' }, rows('less', 200)]),
      ...ask('b', ['write', { path: 'a.ts', content: rows('more', 200) }, 'ok']),
    ],
  ],
  [
    'a reading before the output of a command that succeeded',
    [
      ...ask('a', ['read', { path: 'a.ts' }, rows('more', 200)]),
      ...ask('b', ['bash', { command: 'make' }, rows('less', 200)]),
    ],
  ],
  [
    'a failure before a success',
    [
      ...ask('a', ['bash', { command: 'make' }, rows('more', 200)], { isError: true }),
      ...ask('b', ['bash', { command: 'ls' }, rows('less', 200)]),
    ],
  ],
  [
    'a document that the user named before another file',
    [
      user('Read docs/rules.md first.'),
      ...ask('a', ['read', { path: '/work/docs/rules.md' }, rows('more', 200)]),
      ...ask('b', ['read', { path: '/work/src/a.ts' }, rows('less', 200)]),
    ],
  ],
  [
    'an issue that the user named before another output',
    [
      user('Work on issue #14.'),
      ...ask('a', ['bash', { command: 'gh issue view 14' }, rows('more', 200)]),
      ...ask('b', ['bash', { command: 'npm ls' }, rows('less', 200)]),
    ],
  ],
  [
    'an issue of a tracker before another output, if the user named only the epic',
    [
      user('Work on bead spotter-4te.'),
      ...ask('a', ['bash', { command: 'bd show spotter-4te.3' }, rows('more', 200)]),
      ...ask('b', ['bash', { command: 'npm ls' }, rows('less', 200)]),
    ],
  ],
  [
    'the instructions of a project before another file',
    [
      ...ask('a', ['read', { path: '/work/AGENTS.md' }, rows('more', 200)]),
      ...ask('b', ['read', { path: '/work/src/a.ts' }, rows('less', 200)]),
    ],
  ],
  [
    'the newest list of tasks before an older one',
    [
      ...ask('a', ['todo_write', { todos: rows('less', 200) }, 'ok']),
      ...ask('b', ['todo_write', { todos: rows('more', 200) }, 'ok']),
    ],
  ],
  [
    'what the assistant said before what it thought',
    [assistant(thinking(rows('less', 200))), assistant(rows('more', 200))],
  ],
]
for (const [name, messages] of CASES)
  t.test(`${name}, at any budget that is too small`, async (t) => {
    const all = [...messages, ...FILLER, ...NEWEST]
    const counts = [3000, 6000, 9000, 12_000].map((budget) => countShown(all, budget, ['more', 'less']))
    t.ok(
      counts.every(([first = 0, second = 0]) => first >= second),
      JSON.stringify(counts),
    )
    t.ok(
      counts.some(([first = 0, second = 0]) => first > 2 * second),
      JSON.stringify(counts),
    )
  })

t.test('an output that is there twice is shown once, also where everything fits', async (t) => {
  const output = rows('row', 20)
  const messages = [...ask('a', ['bash', { command: 'a' }, output]), ...ask('b', ['bash', { command: 'b' }, output])]
  const shown = serializeConversation(messages, Infinity)
  t.equal(shown.split(output).length - 1, 1)
  t.match(shown, `[Tool result]: (the same output as of a newer call below: ${output.length} characters)`)
})

t.test('other outputs of the same length stay', async (t) => {
  const outputs = [rows('one', 20), rows('two', 20), rows('six', 20), rows('two', 20)]
  const messages = outputs.flatMap((output, index) => ask(`a${index}`, ['bash', { command: `c${index}` }, output]))
  const shown = serializeConversation(messages, Infinity)
  t.strictSame(
    outputs.map((output) => shown.split(output).length - 1),
    [1, 1, 1, 1],
  )
})

const PROGRAM = rows('line', 120)

t.test('instructions of the project stay before the outputs and files of newer calls', async (t) => {
  const messages = [
    user('Go.'),
    ...ask('a', ['read', { path: 'AGENTS.md' }, 'Always run `npm run check`.']),
    ...Array.from({ length: 9 }, (_, index) =>
      ask(`w${index}`, ['write', { path: `${index}.ts`, content: PROGRAM }, 'ok']),
    ).flat(),
  ]
  t.match(serializeConversation(messages, 2500), 'Always run `npm run check`.')
})

t.test('a call that was stopped gives way to one that was run', async (t) => {
  const stopped = assistant(call('write', { path: 'stopped.ts', content: PROGRAM }, 's'))
  const run = ask('r', ['write', { path: 'run.ts', content: PROGRAM }, 'ok'])
  const next = ask('n', ['bash', { command: 'ls' }, 'run.ts'])
  const shown = serializeConversation([user('Go.'), ...run, stopped, user('No, not that.'), ...next], 2100)
  const lengths = ['"run.ts"', '"stopped.ts"'].map(
    (path) => shown.split('\n').find((line) => line.includes(path))?.length,
  )
  t.ok((lengths[0] ?? 0) > 1000 && (lengths[1] ?? 0) < 1000, lengths.join())
})

t.test('a finding before a call is no announcement', async (t) => {
  const messages = (text: string): Message[] => [
    user('Go.'),
    assistant(text, call('bash', { command: 'make' }, 'a')),
    ...FILLER,
    ...NEWEST,
  ]
  t.match(serializeConversation(messages('The theme is required! It is the 4th argument:'), 900), '4th argument')
  t.notMatch(serializeConversation(messages('Now let me run the check:'), 900), 'run the check')
})

t.test('what the user answered to a question of the agent, or said in a refusal, is never cut', async (t) => {
  const answer = `User has answered your questions: "How?"="${rows('answer', 60)}".`
  const refusal = `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${rows('refusal', 60)}`
  const messages = [
    user('Fix it.'),
    ...ask('a', ['AskUserQuestion', { questions: [{ question: 'How?' }] }, answer]).map((message) =>
      message.role === 'toolResult' ? { ...message, userAnswers: [{ question: 'How?', answer }] } : message,
    ),
    ...ask('b', ['bash', { command: 'git push' }, refusal], {
      isError: true,
      userAnswers: [{ question: '', answer: refusal }],
    }),
    ...Array.from({ length: 30 }, (_, index) =>
      ask(`c${index}`, ['bash', { command: `make ${index}` }, rows('x', 90)]),
    ).flat(),
  ]
  const transcript = serializeConversation(messages, 1000)
  t.ok(transcript.includes(rows('answer', 60)))
  t.ok(transcript.includes(`[Tool result]: (failed)\n${refusal}`))
})
