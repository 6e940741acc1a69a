import { deepStrictEqual as deepEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { planCompaction } from '../../../src/plan/plan-compaction.ts'
import { serializeConversation } from '../../../src/prompt/serialize-conversation.ts'
import { FORMAT_IDS, NEW_SESSION_FORMATS } from '../../../src/schemas/format-ids.ts'
import { selectBranch } from '../../../src/session/link-session.ts'
import type { Message } from '../../../src/session/message.ts'
import type { KeptMessage } from '../../../src/session/writers/turns.ts'
import { writeSession, WRITERS } from '../../../src/session/writers/write-session.ts'
import type { Holds } from '../../../src/session/writers/fit-turn.ts'
import { findLatestRequest } from '../../../src/summary/requests.ts'
import { readDocument } from '../../support/read-document.ts'
import { RENDERINGS } from '../../support/render-messages.ts'
import { addPast } from '../../support/add-past.ts'

const FACTS = { nowMs: Date.UTC(2026, 10, 22), seed: '', cwd: '/work' }

const WORDS = [
  'parser',
  'Ünïcode',
  '数据',
  '🙂',
  'a < b && c',
  '"quoted"',
  'line\nbreak',
  '\\',
  '{}',
  'src/a.ts',
  'never',
]
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 40 }).map((words) => words.join(' '))
const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }

const CALLS = [
  ['read', { path: 'src/a.ts' }],
  ['read', { path: 'docs/b.md', limit: 3 }],
  ['edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' }],
  ['write', { path: 'src/new.ts', content: 'export {}\n' }],
  ['bash', { command: 'npm test' }],
  ['task', { list: [1, { deep: true }], none: null }],
] as const

const call = (exitCodes: boolean) =>
  fc.record({
    call: fc.constantFrom(...CALLS),
    output: text,
    isError: fc.boolean(),
    exitCode: fc
      .option(fc.integer({ min: 0, max: 3 }), { nil: undefined })
      .map((code) => (exitCodes ? code : undefined)),
  })

/** A step of the agent: thinking, text, and calls with their results, which may end in another order. */
const step = (exitCodes: boolean) =>
  fc.record({
    thinking: fc.option(text),
    text: fc.option(text),
    calls: fc.array(call(exitCodes), { minLength: 1, maxLength: 3 }),
    isReversed: fc.boolean(),
  })

const turn = (exitCodes: boolean) =>
  fc.record({ request: text, hasImage: fc.boolean(), steps: fc.array(step(exitCodes), { maxLength: 3 }), answer: text })

type Conversation = ReturnType<ReturnType<typeof turn>['generate']>['value'][]

/** Returns the messages of a conversation, with what a format can hold. Results are in the order of their calls. */
function messagesOf(conversation: Conversation, holds: Pick<Holds, 'thinking' | 'images' | 'toolErrors'>): Message[] {
  let calls = 0
  const isError = (failed: boolean): boolean => failed && holds.toolErrors
  return conversation.flatMap(({ request, hasImage, steps, answer }): Message[] => [
    {
      role: 'user',
      content: [
        { type: 'text', text: request },
        ...(hasImage && holds.images !== 'none' ? [{ type: 'image' as const }] : []),
      ],
    },
    ...steps.flatMap((one): Message[] => {
      const named = one.calls.map((run) => ({ ...run, id: `call_${calls++}` }))
      return [
        {
          role: 'assistant',
          content: [
            ...(one.thinking !== null && holds.thinking ? [{ type: 'thinking' as const, thinking: one.thinking }] : []),
            ...(one.text === null ? [] : [{ type: 'text' as const, text: one.text }]),
            ...named.map(({ id, call: [name, values] }) => ({
              type: 'toolCall' as const,
              id,
              name,
              arguments: values,
            })),
          ],
        },
        ...named.map((run): Message => ({
          role: 'toolResult',
          toolCallId: run.id,
          toolName: run.call[0],
          content: [{ type: 'text', text: run.output }],
          isError: isError(run.isError),
          isPruned: false,
          ...(run.exitCode === undefined ? {} : { exitCode: run.exitCode }),
        })),
      ]
    }),
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ])
}

/** Returns messages as a writer gets them: images with their data, and the results of parallel calls in another order. */
function keptOf(messages: readonly Message[]): KeptMessage[] {
  const kept: KeptMessage[] = []
  let results: KeptMessage[] = []
  for (const message of messages) {
    if (message.role === 'toolResult') {
      results.unshift({ message })
      continue
    }
    kept.push(...results)
    results = []
    const content =
      message.role === 'user' ? message.content.map((block) => (block.type === 'image' ? image : block)) : []
    kept.push({ message, raw: { content } })
  }
  return [...kept, ...results]
}

/** Returns what the service finds in a session: where it would cut, and what it would send to a model. */
function findings(document: string, isLines: boolean, keepRecentTokens: number) {
  const { session } = readDocument(document, { isLines })
  const branch = selectBranch(session)
  const plan = planCompaction(branch, { keepRecentTokens })
  const transcript = (entries: readonly { message: Message }[]): string =>
    serializeConversation(
      entries.map(({ message }) => message),
      1_000_000,
    )
  const { history, turnPrefix, kept, files, tokensBefore, tokensKept, previousSummary, cut } = plan
  return {
    sizes: [history.length, turnPrefix.length, kept.length],
    isSplitTurn: cut?.isSplitTurn,
    transcripts: [history, turnPrefix, kept].map(transcript),
    files,
    tokensBefore,
    tokensKept,
    previousSummary,
    request: findLatestRequest([...history, ...turnPrefix, ...kept].map(({ message }) => message)),
  }
}

/** The session in pi's format, written by this test and not by a writer. */
function piSession(summary: string, messages: readonly Message[]): string {
  const entries = messages.map((message, index) => {
    const details =
      message.role === 'toolResult' && message.exitCode !== undefined ? { exitCode: message.exitCode } : {}
    return { type: 'message', id: `e${index + 1}`, parentId: `e${index}`, message: { ...message, details } }
  })
  return JSON.stringify({ entries: [{ type: 'compaction', id: 'e0', parentId: null, summary }, ...entries] })
}

const isReadable = (id: string): boolean => FORMAT_IDS.some((known) => known === id)

for (const id of NEW_SESSION_FORMATS.filter(isReadable))
  t.test(`a conversation in the format ${id} is cut and shown as the same conversation in pi's`, async () => {
    const { contentType, holds } = WRITERS[id]
    const isLines = contentType === 'application/x-ndjson'
    const turns = (minLength: number) => fc.array(turn(holds.exitCodes === 'all'), { minLength, maxLength: 4 })
    fc.assert(
      fc.property(turns(1), turns(0), text, fc.integer({ min: 1, max: 400 }), (present, past, summary, keep) => {
        const messages = messagesOf(present, holds)
        const written = (of: readonly Message[]) => writeSession(id, { summary, kept: keptOf(of), facts: FACTS })
        const { body, notCarried } = written(messages)
        const document = addPast(id, body, written(messagesOf(past, holds)).body)
        deepEqual(findings(document, isLines, keep), findings(piSession(summary, messages), false, keep))
        deepEqual(notCarried, {})
      }),
      { numRuns: 40, seed: 17 },
    )
  })

for (const [id, { holds, render }] of Object.entries(RENDERINGS))
  t.test(`a conversation in the format ${id} is cut and shown as the same conversation in pi's`, async () => {
    const turns = (minLength: number) => fc.array(turn(false), { minLength, maxLength: 4 })
    fc.assert(
      fc.property(turns(1), text, fc.integer({ min: 1, max: 400 }), (present, summary, keep) => {
        const messages = messagesOf(present, holds)
        const found = findings(render(summary, messages), false, keep)
        deepEqual(found, findings(piSession(summary, messages), false, keep))
      }),
      { numRuns: 40, seed: 17 },
    )
  })
