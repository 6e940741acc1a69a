import t from 'tap'
import { readAskedSections } from '../../../src/summary/checks/read-asked-sections.ts'

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

t.test('oh-my-pi lets inapplicable sections be left out', async (t) => {
  for (const words of ['(sections can be omitted if not applicable)', 'Format (omit inapplicable sections):'])
    t.equal(readAskedSections(prompt(`${words}\n## Goal\n## Done\n## Next`)).areOptional, true)
})

t.test('placeholders are no headings, and one or two headings are no form', async (t) => {
  t.same(readAskedSections(prompt('## [Title]\n## {x}\n## <y>\n## Goal\n## Done')).headings, [])
})

t.test('a prompt without conversation tags says nothing certain', async (t) => {
  t.same(readAskedSections('## Goal\n## Done\n## Next').headings, [])
})
