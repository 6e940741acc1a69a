import t from 'tap'
import { REQUIRED_SECTIONS } from '../../../src/prompt/required-sections.ts'
import { findMissingSections } from '../../../src/summary/checks/find-missing-sections.ts'

t.test('a summary with all headings lacks none', async (t) => {
  const summary = REQUIRED_SECTIONS.history.map((heading) => `${heading}\n(none)`).join('\n\n')
  t.same(findMissingSections(summary, REQUIRED_SECTIONS.history), [])
})

t.test('level, case, emphasis and a colon do not count', async (t) => {
  const summary = '# Goal\nx\n### **Key decisions**\nx\n## next steps: \nx\n ## Blocked ##\n'
  t.same(findMissingSections(summary, ['## Goal', '## Key Decisions', '## Next Steps', '### Blocked']), [])
})

t.test('headings that are missing are named in their order; a word in the text is none', async (t) => {
  t.same(findMissingSections('Goal\n## Goals\nThe ## Next Steps', ['## Goal', '## Next Steps']), [
    '## Goal',
    '## Next Steps',
  ])
})
