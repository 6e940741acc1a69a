import t from 'tap'
import type { FormatId } from '../../src/schemas/format.ts'
import { prepareNative } from '../../src/agents/native.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import { asLines, readDocument } from '../support/read-document.ts'

const item = (payload: object) => ({ timestamp: 't', type: 'response_item', payload })
const asked = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

/** Sessions that are slow to write back if the time grows with the square of their length. */
const HOSTILE: readonly [name: string, format: FormatId, make: (count: number) => object[]][] = [
  [
    'rewound messages',
    'gemini',
    (count) => [
      ...Array.from({ length: count }, (_, at) => ({ id: `k${at}`, type: 'user', content: 'x' })),
      ...Array.from({ length: count }, (_, at) => [
        { id: `g${at}`, type: 'gemini', content: 'x' },
        { $rewindTo: `g${at}` },
      ]).flat(),
    ],
  ],
  [
    'reasoning before an answer',
    'codex',
    (count) => [
      asked('x'),
      ...Array.from({ length: count }, () => item({ type: 'reasoning', summary: [], encrypted_content: 'x' })),
      asked('y'),
    ],
  ],
  [
    'turns that were rolled back',
    'codex',
    (count) => [
      asked('x'),
      asked('y'),
      ...Array.from({ length: count }, () => [
        asked('z'),
        { timestamp: 't', type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
      ]).flat(),
    ],
  ],
]

/** Returns the work of preparing a native form that keeps the newest entry. */
function prepare(format: FormatId, lines: readonly object[]): () => void {
  const { session, source } = readDocument(asLines(lines), { isLines: true, query: { format } })
  const newest = session.entries.at(-1)
  if (newest === undefined) throw new Error('The session has no entries.')
  const posted = { ...source, kept: [newest] as const, isWhole: true, requestFields: [] }
  return () => {
    if (prepareNative(format, posted) === undefined) throw new Error('There is no native form.')
  }
}

for (const [name, format, make] of HOSTILE)
  t.test(`the time to write back ${name} in ${format} grows with their number`, async (t) => {
    const [short, long] = [prepare(format, make(5_000)), prepare(format, make(20_000))]
    const work = (run: () => void): void => {
      run()
    }
    const growth = growthOf({ work, short, long, measurableMs: 10 })
    t.ok(growth <= MAX_GROWTH, `four times the length takes ${growth.toFixed(1)} times as long`)
  })
