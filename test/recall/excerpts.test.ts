import t from 'tap'
import { pairCalls } from '../../src/extract/runs.ts'
import { briefly, excerptsOf } from '../../src/recall/excerpts.ts'
import { findPassages, type RecalledEntry } from '../../src/recall/find-passages.ts'
import type { RecalledPassage } from '../../src/recall/passage.ts'
import type { Excerpt } from '../../src/recall/text-spans.ts'
import { parseQuery } from '../../src/recall/query.ts'
import { searchPassages, type Hit } from '../../src/recall/rank.ts'
import type { Message } from '../../src/session/message.ts'

const lines = Array.from({ length: 40 }, (_, at) => `line ${at} of the log, with some words`)
const log = lines.with(20, 'line 20 has the needle').join('\n')

const passage = (text: string, kind: RecalledPassage['kinds'][0] = 'output'): RecalledPassage => ({
  places: [1],
  unit: 1,
  kinds: [kind],
  tool: 'bash',
  lead: '$ cat log',
  text,
  before: 100,
  after: 7,
})

const shown = (query: string, one: RecalledPassage): readonly Excerpt[] =>
  searchPassages([one], parseQuery(query)).hits.flatMap((hit) => excerptsOf(hit))

t.test('of a long output, the lines around a match are shown, at their places', async (t) => {
  const [excerpt, ...others] = shown('needle', passage(log))
  t.same(others, [])
  const { text, start } = excerpt ?? { text: '', start: 0 }
  t.equal(log.slice(start - 100, start - 100 + text.length), text)
  t.same(
    text.split('\n').map((line) => line.slice(0, 7)),
    ['line 17', 'line 18', 'line 19', 'line 20', 'line 21', 'line 22', 'line 23', 'line 24', 'line 25', 'line 26'],
  )
})

t.test('short passages, and the words of the user and of the agent, are whole', async (t) => {
  t.same(shown('needle', passage('a needle')), [{ text: 'a needle', start: 100 }])
  for (const kind of ['request', 'answer'] as const)
    t.same(shown('needle', passage(log, kind)), [{ text: log, start: 100 }])
})

t.test('without a match in it, a long output is shown by its beginning and its end', async (t) => {
  const ends = shown('cat', passage(log)).map(({ text }) => text.split('\n').map((line) => line.slice(0, 7)))
  t.same([ends[0]?.[0], ends[1]?.at(-1), ends.length], ['line 0 ', 'line 39', 2])
})

t.test('no excerpt begins or ends inside a surrogate pair', async (t) => {
  for (const shift of ['', 'x']) {
    const text = `${shift}${'😀'.repeat(300)}needle${'😀'.repeat(300)}`
    const excerpts = [...shown('needle', passage(text)), ...briefly({ ...passage(text), before: 0 })]
    for (const one of excerpts) t.ok(one.text.isWellFormed() && one.text.length < 600, `${one.text.length}`)
  }
})

t.test('of the parts of a neighbour, the first shows its beginning and the last, of a command, its end', async (t) => {
  const part = (before: number, after: number) =>
    briefly({ ...passage(log), before, after }).map(({ text }) => [text.split('\n')[0]?.slice(0, 7), text.length < 300])
  t.same(part(0, 5000), [['line 0 ', true]])
  t.same(part(1000, 5000), [])
  t.same(part(1000, 0), [['line 37', true]])
  t.equal(part(0, 0).length, 2)
  t.same(briefly({ ...passage(log), lead: 'read path: log', after: 0 }), [])
})

const tool = (name: string, args: object, result: string): RecalledEntry[] => [
  { message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name, arguments: args }] } },
  {
    message: {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: name,
      isError: false,
      content: [{ type: 'text', text: result }],
    } as Message,
  },
]

/** What only a filter has found. */
const NO_MATCH = {
  matches: { terms: new Map(), phrases: new Map() },
  hasAll: true,
  isInWhole: true,
  foundKinds: [],
  wholeKinds: [],
  rarity: 0,
  score: 0,
}

/** What is shown of an edit, for a query. */
function shownOfEdit(query: string, args: object, result = 'ok'): string {
  const entries = tool('edit', { path: 'src/a.ts', ...args }, result)
  const passages = findPassages(entries, pairCalls(entries.flatMap(({ message }) => message ?? [])))
  const unfiltered = passages.map((one): Hit => ({ ...NO_MATCH, passage: one }))
  return (query === '' ? unfiltered : searchPassages(passages, parseQuery(query)).hits)
    .map((hit) => excerptsOf(hit).map(({ text }) => text))
    .flat()
    .join('\n…\n')
}

/** Lines of code, of which some are others. */
const code = (count: number, changed: Record<number, string>): string =>
  Array.from({ length: count }, (_, at) => changed[at] ?? `  const value${at} = compute(${at}, 'something')`).join('\n')

t.test('of an edit, the line that stood or stands there instead is shown beside a match', async (t) => {
  for (const count of [12, 15, 18, 31])
    for (const at of [0, 2, 5, 11]) {
      const oldText = code(count, { [at]: '  timeout = 30 // zebra' })
      const newText = code(count, { [at]: '  timeout = 45 // quagga' })
      for (const query of ['zebra', 'quagga'])
        for (const result of ['ok', lines.join('\n'), lines.slice(0, 8).join('\n')]) {
          const text = shownOfEdit(query, { oldText, newText }, result)
          t.match(text, /src\/a\.ts[^]*timeout = 30[^]*timeout = 45/, `${count} lines, changed at ${at}: ${query}`)
          t.ok(text.length < 1400, `${text.length}`)
        }
    }
})

t.test(
  'of an edit in several places, the line of the match is shown, and lines may have been added above',
  async (t) => {
    const oldText = code(30, { 2: '  a = 1 // first', 15: '  b = 2 // zebra', 29: '  c = 3 // last' })
    const added = Array.from({ length: 6 }, (_, at) => `  const more${at} = 0`)
    const newText = code(30, { 2: ['  a = 10', ...added].join('\n'), 15: '  b = 20', 29: '  c = 30' })
    t.match(shownOfEdit('zebra', { oldText, newText }), /b = 2 [^]*b = 20/)
  },
)

t.test(
  'beside a line that an edit has kept, for its path, and for a filter, the first changed lines are shown',
  async (t) => {
    const [oldText, newText] = [code(18, { 3: '  a = 1' }), code(18, { 3: '  a = 10' })]
    for (const query of ['value16', 'src/a.ts', '']) t.match(shownOfEdit(query, { oldText, newText }), /a = 10/, query)
  },
)

t.test('each edit of a list of edits is shown with its own new text, and what was removed has none', async (t) => {
  const edits = ['zebra', 'giraffe'].map((name, at) => ({
    oldText: code(6, { 2: `  ${name} = ${at}` }),
    newText: code(6, { 2: `  ${name} = ${at}0` }),
  }))
  t.match(shownOfEdit('giraffe', { edits }), /giraffe = 1\n[^]*giraffe = 10\n/)
  t.match(shownOfEdit('zebra', { oldText: code(25, { 7: '  zebra' }), newText: '' }), /zebra[^]*newText:/)
})

t.test(
  'where a shown part of an edit belongs to the old or the new text, the line that says so is shown',
  async (t) => {
    const [oldText, newText] = [code(28, { 12: '  zebra(later)' }), code(28, { 12: '  quagga()' })]
    for (const query of ['zebra', 'quagga', ''])
      t.match(shownOfEdit(query, { oldText, newText }), /\noldText: [^]*zebra[^]*\nnewText: [^]*quagga/, query)
    const edits = ['zebra', 'giraffe'].map((name) => ({ oldText: code(9, { 5: name }), newText: code(9, { 5: '' }) }))
    t.match(shownOfEdit('giraffe', { edits }), /\nedits\[1\]\.oldText: [^]*giraffe[^]*\nedits\[1\]\.newText: /)
  },
)

t.test('what came of a long call is shown, whatever of the call matches', async (t) => {
  const message = lines.slice(0, 24).join('\n')
  const ofCommand = (result: string, isError: boolean, query: string): string => {
    const [call, returned] = tool('bash', { command: `git commit -m "Needle\n\n${message}"` }, result)
    const entries = [call, { message: { ...returned?.message, isError } as Message }] as RecalledEntry[]
    const passages = findPassages(entries, pairCalls(entries.flatMap(({ message: one }) => one ?? [])))
    return searchPassages(passages, parseQuery(query))
      .hits.flatMap((hit) => excerptsOf(hit).map(({ text }) => text))
      .join('\n…\n')
  }
  t.match(ofCommand('Validation failed: the code is not formatted.', true, 'needle'), /Needle[^]*not formatted\.$/)
  t.match(ofCommand('[main 64f1b9a] Needle\n 8 files changed', false, 'line 7'), /line 7[^]*64f1b9a[^]*8 files/)
  const long = `It is refused:\n${lines.slice(0, 10).join('\n')}\nTotal errors: 11`
  t.match(ofCommand(long, true, 'needle'), /Needle[^]*It is refused[^]*…[^]*Total errors: 11$/)
})

t.test('a passage that a filter alone has found is shown by its ends', async (t) => {
  t.equal(excerptsOf({ ...NO_MATCH, passage: passage(log) }).length, 2)
})
