import fc from 'fast-check'
import t from 'tap'
import { estimateTextTokens } from '../../../src/plan/estimate-tokens.ts'
import { cutAtSections } from '../../../src/summary/checks/cut-at-sections.ts'

t.test('a section that is too long is left out, the short ones after it are kept', async (t) => {
  const summary = `## Goal\nShort.\n\n## Progress\n${'- long line\n'.repeat(100)}\n## Next Steps\n1. This.`
  t.equal(cutAtSections(summary, 50), '## Goal\nShort.\n\n## Next Steps\n1. This.')
})

t.test('a first section that does not fit ends at a line, or in one where it has no other', async (t) => {
  t.equal(cutAtSections(`## Goal\nFirst line.\n${'second '.repeat(100)}`, 20), '## Goal\nFirst line.')
  const cut = cutAtSections('word '.repeat(100).trim(), 20)
  t.match(cut, /^(?:word ){18,20}w?o?r?d?$/)
  t.ok(estimateTextTokens(cut) <= 20)
})

t.test('what comes out fits, is never blank, and is what came in where that fits', async () => {
  const line = fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constantFrom('## Goal', '### Done', ''))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 5, max: 200 }), (lines, maxTokens) => {
      const summary = `x${lines.join('\n')}`.trim()
      const cut = cutAtSections(summary, maxTokens)
      return (
        estimateTextTokens(cut) <= maxTokens + 1 &&
        cut !== '' &&
        (estimateTextTokens(summary) + lines.length > maxTokens || cut === summary)
      )
    }),
    { seed: 20261120, numRuns: 500 },
  )
})
