import fc from 'fast-check'
import t from 'tap'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { readAskedSections } from '../../src/summary/asked-sections.ts'
import { cutAtSections } from '../../src/summary/cut-summary.ts'
import {
  findMissingSections,
  insertInSection,
  readSummary,
  takeSections,
  withWords,
} from '../../src/summary/summary.ts'
import { REQUIRED_SECTIONS } from '../../src/prompt/templates.ts'

t.test('a section that is too long is left out, and the short ones after it are kept', async (t) => {
  const summary = `## Goal\nShort.\n\n## Progress\n${'long line\n'.repeat(100)}\n## Next Steps\n1. This.`
  t.equal(cutAtSections(readSummary(summary), 50).text, '## Goal\nShort.\n\n## Next Steps\n1. This.')
})

t.test(
  'of a list that is too long, the oldest items are left out, or the last steps, and their number is given',
  async (t) => {
    const lines = Array.from({ length: 40 }, (_, at) => `Item ${at + 1}.`)
    const bullets = lines.map((line) => `- ${line}\n  more of it`).join('\n')
    const steps = lines.map((line, at) => `${at + 1}. ${line}`).join('\n')
    const before = cutAtSections(
      readSummary(`## Goal\nShort.\n\n### Done\n(A legend.)\n${bullets}\n\n## Next\nGo.`),
      100,
    )
    t.match(before.text, /^\(34 older items are left out\.\)\n- Item 35\.$/m)
    t.equal(
      cutAtSections(before, 60).text,
      '## Goal\nShort.\n\n### Done\n(A legend.)\n(38 older items are left out.)\n- Item 39.\n  more of it\n- Item 40.\n  more of it\n\n## Next\nGo.',
    )
    t.equal(
      cutAtSections(readSummary(`## Goal\nShort.\n\n## Next Steps\n${steps}`), 36).text,
      '## Goal\nShort.\n\n## Next Steps\n1. Item 1.\n2. Item 2.\n(38 later items are left out.)',
    )
  },
)

t.test(
  'a list that is too long, with more text below it, is left out as a whole: that text belongs to it',
  async (t) => {
    const items = Array.from({ length: 40 }, (_, at) => `- Item ${at + 1}.`).join('\n')
    const summary = readSummary(`## Goal\nShort.\n\n### Done\n${items}\n\n---\n\nMore.`)
    t.equal(cutAtSections(summary, 60).text, '## Goal\nShort.')
  },
)

t.test('of the user’s messages, the newest stay, and the others are counted', async (t) => {
  const quotes = [1, 2, 3, 4].map((at) => `> Message ${at} has some ten words that take up room here.\n\n`).join('')
  const section = `## User Messages\n(Word for word, newest first.)\n\n${quotes}(3 older messages are left out.)`
  t.equal(
    cutAtSections(readSummary(`## Goal\nShort.\n\n${section}`), 48).text,
    '## Goal\nShort.\n\n## User Messages\n(Word for word, newest first.)\n\n> Message 1 has some ten words that take up room here.\n\n(6 older messages are left out.)',
  )
})

t.test('of a section that only code writes, the words of others stay below the section before it', async (t) => {
  const summary = readSummary(
    '## Goal\nShort.\n\n## Progress\nDone.\n\n## Failed\n- npm test\nLoose words.\n\n## Next\nGo.',
  )
  const taken = takeSections(
    summary,
    new Map([['## Failed', (lines) => lines.filter((line) => !line.startsWith('- '))]]),
  )
  t.equal(taken.text, '## Goal\nShort.\n\n## Progress\nDone.\n\nLoose words.\n\n## Next\nGo.')
  t.equal(takeSections(summary, new Map()), summary)
})

t.test('a first section that does not fit is cut at the end of a line, or inside its only line', async (t) => {
  t.equal(cutAtSections(readSummary(`## Goal\nFirst line.\n${'second '.repeat(100)}`), 20).text, '## Goal\nFirst line.')
  const cut = cutAtSections(readSummary('word '.repeat(100).trim()), 20).text
  t.match(cut, /^(?:word ){18,20}w?o?r?d?$/)
  t.ok(estimateTextTokens(cut) <= 20)
})

t.test('the result fits, is never blank, and equals the input if that fits', async () => {
  const line = fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constantFrom('## Goal', '### Done', ''))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 5, max: 200 }), (lines, maxTokens) => {
      const summary = `x${lines.join('\n')}`.trim()
      const cut = cutAtSections(readSummary(summary), maxTokens).text
      return (
        estimateTextTokens(cut) <= maxTokens + 1 &&
        cut !== '' &&
        (estimateTextTokens(summary) + lines.length > maxTokens || cut === summary)
      )
    }),
    { seed: 20261120, numRuns: 500 },
  )
})

t.test('a summary with all headings has no missing sections', async (t) => {
  const summary = REQUIRED_SECTIONS.history.map((heading) => `${heading}\n(none)`).join('\n\n')
  t.same(findMissingSections(readSummary(summary), REQUIRED_SECTIONS.history), [])
})

t.test('level, case, emphasis and a colon do not count', async (t) => {
  const summary = '# Goal\nx\n### **Key decisions**\nx\n## next steps: \nx\n ## Blocked ##\n'
  t.same(findMissingSections(readSummary(summary), ['## Goal', '## Key Decisions', '## Next Steps', '### Blocked']), [])
})

t.test('missing headings are reported in order; a word in the text does not count as a heading', async (t) => {
  t.same(findMissingSections(readSummary('Goal\n## Goals\nThe ## Next Steps'), ['## Goal', '## Next Steps']), [
    '## Goal',
    '## Next Steps',
  ])
})

const prompt = (instructions: string): string =>
  `<conversation>\n## Heading of a file\n</conversation>\n\n<previous-summary>\n## Goal\nOld.\n## More\n</previous-summary>\n\n${instructions}`

t.test("the headings of the client's instructions are expected, those of the data are not", async (t) => {
  t.strictSame(
    readAskedSections(prompt('Use:\n\n## Goal\n[goal]\n\n### Done\n- [x] [task]\n\n## Next Steps\n1. [step]')),
    {
      headings: ['## Goal', '### Done', '## Next Steps'],
      areOptional: false,
    },
  )
})

t.test("sections are optional if the instructions say so, as oh-my-pi's do", async (t) => {
  for (const words of ['(sections can be omitted if not applicable)', 'Format (omit inapplicable sections):'])
    t.equal(readAskedSections(prompt(`${words}\n## Goal\n## Done\n## Next`)).areOptional, true)
})

t.test('placeholders do not count as headings, and one or two headings do not define a form', async (t) => {
  t.same(readAskedSections(prompt('## [Title]\n## {x}\n## <y>\n## Goal\n## Done')).headings, [])
})

t.test('a prompt without conversation tags requires no headings', async (t) => {
  t.same(readAskedSections('## Goal\n## Done\n## Next').headings, [])
})

t.test('the (none) of another section stays if a new section follows it', async (t) => {
  t.equal(
    insertInSection(readSummary('## Goal\n(none)\n\n## Progress\nx'), '## Constraints & Preferences', {
      lines: ['- y'],
      after: '## Goal',
    }).text,
    '## Goal\n(none)\n\n## Constraints & Preferences\n- y\n\n## Progress\nx',
  )
})

t.test('a rule that the model wrote with Windows line ends does not end a section', async (t) => {
  const summary = '## Goal\r\nx\r\n---\r\nrest'
  t.equal(
    insertInSection(readSummary(summary), '## Critical Context', { lines: ['- y'] }).text,
    '## Goal\r\nx\r\n---\r\nrest\n\n## Critical Context\n- y',
  )
})

t.test('a summary with other words in its lines has the sections of its text', async () => {
  const line = fc.constantFrom(
    '## Goal',
    '### Done src/a.ts',
    'x src/a.ts',
    '---',
    '',
    '```',
    '# src/a.ts',
    '<read-files>',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n').replaceAll('src/a.ts', 'src/a.ts (unverified)')
      const changed = withWords(readSummary(lines.join('\n')), text)
      return JSON.stringify(changed) === JSON.stringify(readSummary(text))
    }),
    { seed: 20261122, numRuns: 500 },
  )
})
