import t from 'tap'
import { extractShortSummary } from '../../src/summary/draft.ts'

const cases: [name: string, draft: string, expected: object][] = [
  [
    'a closing tag is taken out',
    '## Goal\nx\n\n<short-summary>\nI did\n it.\n</short-summary>\n',
    { text: '## Goal\nx', shortSummary: 'I did it.' },
  ],
  [
    'a tag that was never closed goes to the end',
    '## Goal\n<short-summary>I did it.',
    { text: '## Goal', shortSummary: 'I did it.' },
  ],
  ['a blank tag counts as none', '## Goal\n<short-summary> </short-summary>', { text: '## Goal' }],
  ['no tag, no short summary', ' ## Goal ', { text: '## Goal' }],
]

for (const [name, draft, expected] of cases)
  t.test(name, async (t) => {
    t.strictSame(extractShortSummary(draft), expected)
  })
