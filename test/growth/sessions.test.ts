import t from 'tap'
import type { FormatId } from '../../src/schemas/format.ts'
import { prepareNative } from '../../src/agents/native.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import { asLines, readDocument } from '../support/read-document.ts'

const item = (payload: object) => ({ timestamp: 't', type: 'response_item', payload })
const words = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const asked = (text: string) => item(words(text))
const line = (uuid: string, parentUuid: string) => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: 's', isSidechain: false, message: { role: 'user', content: 'x' } },
})
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))

/** Sessions that are slow to read, and to write back if the format has a place for it, if the time grows with the square of their length. */
const HOSTILE: readonly [name: string, format: FormatId, make: (count: number) => object[]][] = [
  [
    'rewound messages',
    'gemini',
    (count) => [
      ...list(count, (at) => ({ id: `k${at}`, type: 'user', content: 'x' })),
      ...list(count, (at) => [{ id: `g${at}`, type: 'gemini', content: 'x' }, { $rewindTo: `g${at}` }]).flat(),
    ],
  ],
  [
    'reasoning before an answer',
    'codex',
    (count) => [
      asked('x'),
      ...list(count, () => item({ type: 'reasoning', summary: [], encrypted_content: 'x' })),
      asked('y'),
    ],
  ],
  [
    'turns that were rolled back',
    'codex',
    (count) => [
      asked('x'),
      asked('y'),
      ...list(count, () => [
        asked('z'),
        { timestamp: 't', type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
      ]).flat(),
    ],
  ],
  [
    'entries without ids on one line',
    'codex',
    (count) => [{ type: 'compacted', payload: { message: 's', replacement_history: list(count, () => words('x')) } }],
  ],
  [
    'fragments of one message',
    'claude-code',
    (count) =>
      list(count, (at) => ({
        ...line(`a${at}`, `a${at - 1}`),
        type: 'assistant',
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      })),
  ],
  [
    'skipped nodes in a chain, and an entry after each',
    'claude-code',
    (count) =>
      list(count, (at) =>
        at % 2 === 0 ? { ...line(`s${at}`, `s${at - 2}`), type: 'progress' } : line(`u${at}`, `s${at - 1}`),
      ),
  ],
  [
    'condensed events, each by its range',
    'openhands-v0',
    (count) =>
      list(count, (at) => [
        { id: 2 * at, source: 'user', action: 'message', args: { content: 'x' } },
        {
          ...{ id: 2 * at + 1, source: 'agent', action: 'condensation' },
          args: { forgotten_events_start_id: 0, forgotten_events_end_id: 2 * at - 4, summary: 's' },
        },
      ]).flat(),
  ],
]

/** Returns the work of preparing a native form that keeps the newest entry. */
function prepare(format: FormatId, lines: string): () => void {
  const { session, source } = readDocument(lines, { isLines: true, query: { format } })
  const newest = session.entries.at(-1)
  if (newest === undefined) throw new Error('The session has no entries.')
  const posted = { ...source, kept: [newest] as const, isWhole: true, requestFields: [] }
  return () => {
    if (prepareNative(format, posted) === undefined) throw new Error('There is no native form.')
  }
}

for (const [name, format, make] of HOSTILE)
  t.test(`the time to read and to write back ${name} in ${format} grows with their number`, async (t) => {
    const [short, long] = [asLines(make(5_000)), asLines(make(20_000))]
    const growths = {
      read: growthOf({ work: readDocument, short, long }),
      written: growthOf({
        work: (run: () => void) => {
          run()
        },
        ...{ short: prepare(format, short), long: prepare(format, long), measurableMs: 10 },
      }),
    }
    for (const [work, growth] of Object.entries(growths))
      t.ok(growth <= MAX_GROWTH, `${work}: four times the length takes ${growth.toFixed(1)} times as long`)
  })
