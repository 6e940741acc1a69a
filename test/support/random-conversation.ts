import fc from 'fast-check'
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from '../../src/session/message.ts'
import type { ContentSupport } from '../../src/agents/shared/fit-turn.ts'

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

/** A text of any length, in several scripts, with characters that formats escape. */
export const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 40 }).map((words) => words.join(' '))

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

/** A conversation of at least so many turns. @param exitCodes whether results may have an exit status */
export const turns = (minLength: number, exitCodes: boolean) => fc.array(turn(exitCodes), { minLength, maxLength: 4 })

type Conversation = ReturnType<ReturnType<typeof turn>['generate']>['value'][]

/** Returns the messages of a conversation, with what a format can hold. Results are in the order of their calls. */
export function messagesOf(
  conversation: Conversation,
  supports: Pick<ContentSupport, 'thinking' | 'images' | 'toolErrors'>,
): Message[] {
  let calls = 0
  const isError = (failed: boolean): boolean => failed && supports.toolErrors
  return conversation.flatMap(({ request, hasImage, steps, answer }): Message[] => [
    {
      role: 'user',
      content: [
        { type: 'text', text: request },
        ...(hasImage && supports.images !== 'none' ? [{ type: 'image' as const }] : []),
      ],
    },
    ...steps.flatMap((one): Message[] => {
      const named = one.calls.map((run) => ({ ...run, id: `call_${calls++}` }))
      return [
        {
          role: 'assistant',
          content: [
            ...(one.thinking !== null && supports.thinking
              ? [{ type: 'thinking' as const, thinking: one.thinking }]
              : []),
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

/** A conversation with an earlier compaction. */
export interface Conversed {
  /** Undefined if nothing was compacted. */
  summary: string | undefined
  messages: readonly Message[]
}

/** Returns a session in pi's format, written by this function and not by a writer. */
export function piSession({ summary, messages }: Conversed): string {
  const entries = messages.map((message, index) => {
    const details =
      message.role === 'toolResult' && message.exitCode !== undefined ? { exitCode: message.exitCode } : {}
    const parentId = index === 0 && summary === undefined ? null : `e${index}`
    return { type: 'message', id: `e${index + 1}`, parentId, message: { ...message, details } }
  })
  const compaction = summary === undefined ? [] : [{ type: 'compaction', id: 'e0', parentId: null, summary }]
  return JSON.stringify({ entries: [...compaction, ...entries] })
}

/** A part of a conversation: a message of the user, an answer, or the results of all calls of the answer before. */
export type Part = UserMessage | AssistantMessage | { role: 'results'; results: ToolResultMessage[] }

/** Returns a conversation with the results of one answer's calls together. */
export function partsOf(messages: readonly Message[]): Part[] {
  const parts: Part[] = []
  for (const message of messages) {
    const last = parts.at(-1)
    if (message.role === 'user' || message.role === 'assistant') parts.push(message)
    if (message.role !== 'toolResult') continue
    if (last?.role === 'results') last.results.push(message)
    else parts.push({ role: 'results', results: [message] })
  }
  return parts
}

/** Returns the text of a message's content. */
export const textOf = ({ content }: { content: UserMessage['content'] }): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')
