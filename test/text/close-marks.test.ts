import fc from 'fast-check'
import prettier from 'prettier'
import t from 'tap'
import { closeMarks, closingMarks, withoutFenced } from '../../src/text/close-marks.ts'
import { parseSections, quoteSectionLines } from '../../src/text/sections.ts'
import { shorten } from '../../src/text/shorten.ts'
import { cutRequest } from '../../src/extract/cut-request.ts'
import { cutSummaryText } from '../../src/summary/cut-summary.ts'
import { parseSummary } from '../../src/model/embedded/parse-summary.ts'
import { casesOf } from '../support/random-cases.ts'

const CLOSED: [text: string, closing: string][] = [
  ['a plain text', ''],
  ['```ts\nconst a', '\n```'],
  ['```ts\nconst a\n```', ''],
  ['~~~~\n```\n~~~', '\n~~~~'],
  ['````\n```\na', '\n````'],
  ['- a\n  ```\n  b', '\n  ```'],
  ['```a```', ''],
  ['run `npm te', '`'],
  ['run `npm test` and', ''],
  ['run ``a ` b', '``'],
  ['he said "yes, bu', '"'],
  ['a 5" pipe', ''],
  ['git commit -m "fix `a', '`"'],
  ['“one” and “two', '”'],
  ['"one\ntwo', ''],
]

for (const [text, closing] of CLOSED)
  t.test(`what closes a cut text: ${JSON.stringify(text)}`, async (t) => {
    t.equal(closingMarks(text), closing)
    t.equal(closingMarks(closeMarks(text)), '')
  })

t.test('a text that is cut in code or in a quotation is closed within its limit', async (t) => {
  t.equal(shorten('run `npm test -- some/very/long/path.test.ts` now', 24), 'run `npm test --…`')
  t.equal(shorten('```\none line of a tree\nanother line\n```', 26), '```\none line of a…\n```')
})

t.test('of a summary that is cut, each section closes its own fence', async (t) => {
  const summary = `## Goal\n\`\`\`\na tree\n\n## Progress\n${'long '.repeat(300)}\n\`\`\`\n\n## Next Steps\n1. Go on`
  t.equal(cutSummaryText(summary, 60), '## Goal\n```\na tree\n```\n\n## Next Steps\n1. Go on')
})

t.test('a fence is a part of one statement of an earlier summary', async (t) => {
  const state = '- A tree:\n```\nsrc\n\n- not an item\n```\n- The next item'
  t.strictSame(parseSummary(`## State of the Code\n${state}`).statements.state, [
    '- A tree:\n```\nsrc\n\n- not an item\n```',
    '- The next item',
  ])
})

t.test('an earlier summary whose fence was never closed loses nothing, and closes it', async (t) => {
  const state = '- A tree:\n```\nsrc\n- The next item'
  t.strictSame(parseSummary(`## State of the Code\n${state}`).statements.state, [
    '- A tree:\n```\nsrc\n```',
    '- The next item',
  ])
})

interface Node {
  type: string
  children?: Node[]
  value?: string
}

/** Returns the headings of a text, as the Markdown parser of prettier reads it. */
async function readHeadings(text: string): Promise<string[]> {
  const debug = (prettier as unknown as { __debug: { parse(text: string, options: object): Promise<{ ast: Node }> } })
    .__debug
  const { ast } = await debug.parse(text, { parser: 'markdown' })
  return (ast.children ?? []).filter(({ type }) => type === 'heading').map((node) => plain(node).trim())
}

const plain = ({ value = '', children = [] }: Node): string => value + children.map(plain).join('')

const line = fc.oneof(
  fc.constantFrom(
    '```',
    '~~~',
    '```ts',
    '````',
    '  ```',
    '- an item',
    '  - a `detail`',
    '"a quotation"',
    '',
    '├── a.ts',
    '| a | b |',
  ),
  fc.string({ unit: fc.constantFrom('a', ' ', '`', '"', '“', '”', '~', '.', '🎈'), maxLength: 30 }),
)
const texts = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => closeMarks(lines.join('\n')))

t.test('wherever a text is cut, another Markdown reader finds the sections after it', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 20, max: 300 }), async (text, length) => {
      const cuts = [shorten(text, length), cutRequest(text, length).text, closeMarks(text.slice(0, length))]
      for (const cut of cuts) {
        const summary = `## Goal\n${quoteSectionLines(cut)}\n\n## Progress\n- done\n\n## Next Steps\n1. go on`
        const found = await readHeadings(summary)
        const own = parseSections(summary).flatMap(({ heading }) => heading?.title ?? [])
        for (const titles of [found, own])
          if (titles.slice(-2).join() !== 'Progress,Next Steps') throw new Error(`${titles.join()} in ${summary}`)
      }
    }),
    { seed: 20261123, numRuns: casesOf(400) },
  )
})

t.test('code in fences is no prose, however deep its list is', async (t) => {
  const lines = ['Before', '            ```sh', '- [ ] echo', '            ```', 'After', '~~~', 'to the end']
  t.same(withoutFenced(lines), ['Before', 'After'])
})
