import fc from 'fast-check'
import t from 'tap'
import { appendToSection, getSection, headingName, parseSections, renderSections } from '../../src/text/sections.ts'
import { HEADINGS } from '../../src/text/summary-headings.ts'
import { anyText } from '../prompt/hostile-text.ts'

const heading = fc.constantFrom(...Object.values(HEADINGS), '# Goal', '## **Goal**:', '### Sub', '## ', '####### x')
const other = fc.constantFrom(
  '',
  ' ',
  '(none)',
  '- item',
  '---',
  '```',
  '# comment',
  'a\u2028## Goal',
  'a\r',
  '\r## Goal',
)
const line = fc.oneof(heading, other, fc.string({ maxLength: 20 }))
const markdown = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'))

t.test('a text that is parsed and rendered is the same text, whatever it is', async () => {
  fc.assert(
    fc.property(fc.oneof(markdown, anyText()), (text) => {
      return renderSections(parseSections(text)) === text && renderSections(parseSections(text, /^---$/)) === text
    }),
    { seed: 20261121, numRuns: 2000 },
  )
})

t.test('a line that was added to a section is in the section, and nothing else is lost', async () => {
  const wanted = fc.constantFrom(...Object.values(HEADINGS))
  const contentOf = (text: string): string[] => text.split('\n').filter((one) => !['', '(none)'].includes(one.trim()))
  fc.assert(
    fc.property(markdown, wanted, fc.string({ minLength: 1 }), (text, name, words) => {
      const added = `- ${words.replaceAll('\n', ' ')}`
      const sections = appendToSection(parseSections(text, /^---$/), name, { lines: [added] })
      const written = renderSections(sections)
      const wasThere = getSection(parseSections(text, /^---$/), name).length > 0
      const rest = contentOf(written)
      rest.splice(rest.indexOf(added), 1)
      if (!wasThere && rest.length > contentOf(text).length) rest.splice(rest.indexOf(name), 1)
      return (
        getSection(sections, name).includes(added) &&
        getSection(parseSections(written, /^---$/), name).includes(added) &&
        [...rest].sort().join('\n') === contentOf(text).sort().join('\n')
      )
    }),
    { seed: 20261121, numRuns: 2000 },
  )
})

t.test("a heading's level, case, emphasis, colon and closing marks are no part of its name", async (t) => {
  for (const spelling of ['## Goal', '# goal', '### **Goal**', '## Goal: ', '## Goal ##', '##\tGoal\r', '## __Goal__:'])
    t.equal(headingName(spelling), 'goal', spelling)
  for (const text of ['Goal', '##Goal', ' ## Goal', '####### Goal', '##', '## ']) t.equal(headingName(text), '', text)
})

t.test('only a line feed ends a line', async (t) => {
  t.equal(parseSections('a\u2028## Goal\u2029## Done\r## Next').length, 1)
})

t.test('a section has the lines of its subsections; levels 1 and 2 are peers', async (t) => {
  const sections = parseSections('# Goal\na\n### Sub\nb\n## Progress\nc\n## Goal\nd')
  t.strictSame(getSection(sections, HEADINGS.goal), ['a', '### Sub', 'b', 'd'])
  t.strictSame(getSection(sections, '### Sub'), ['b'])
  t.strictSame(getSection(sections, HEADINGS.decisions), [])
})

t.test('lines are added before the blank lines at the end, in the place of a (none)', async (t) => {
  const added = appendToSection(parseSections('## Goal\n(none)\n\n## Done'), '## Goal', { lines: ['- x'] })
  t.equal(renderSections(added), '## Goal\n- x\n\n## Done')
})

t.test('a new section leaves the (none) of the section before it', async (t) => {
  const lines = ['- x']
  const before = parseSections('## Goal\n(none)\n\n## Done')
  t.equal(
    renderSections(appendToSection(before, '## Next', { lines, newSectionAt: 1 })),
    '## Goal\n(none)\n\n## Next\n- x\n\n## Done',
  )
  t.equal(renderSections(appendToSection(before, '## Next', { lines })), '## Goal\n(none)\n\n## Done\n\n## Next\n- x')
  t.equal(
    renderSections(appendToSection(parseSections('x'), '## Next', { lines, newSectionAt: 0 })),
    '## Next\n- x\n\nx',
  )
})
