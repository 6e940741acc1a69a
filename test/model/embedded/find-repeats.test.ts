import t from 'tap'
import { findRepeats } from '../../../src/model/embedded/find-repeats.ts'
import type { RankedLine } from '../../../src/model/embedded/ranked-lines.ts'

const line = (text: string, kind?: 'passage' | 'command'): RankedLine => ({
  text,
  rank: 0,
  ...(kind && { detail: { kind, score: 0 } }),
})

t.test('a decision that stands in a passage is a repeat, and so is the later one of two passages', async (t) => {
  const because = 'I chose a table because regular expressions fail here.'
  const parent = line('- [x] Fix it. => Done, and all of the tests of the parser pass now.')
  const passage = { ...line(`  - Now it works. ${because}`, 'passage'), parent }
  const again = line('  - Now it works.  I chose a table because regular expressions fail here.', 'passage')
  const command = line('- The cache stays because nobody measured it yet.', 'command')
  const [same, short] = [line(`- ${because}`), line('- It works now.')]
  const twice = { ...command }
  const lines = [parent, passage, again, command, twice, same, short]
  t.strictSame([...findRepeats(lines, [same, short])], [same, again])
})
