import t from 'tap'
import { extractShortSummary } from '../../src/summary/draft.ts'

const cases: [name: string, draft: string, expected: object][] = [
  [
    'the closing tag is removed',
    '## Goal\nx\n\n<short-summary>\nI did\n it.\n</short-summary>\n',
    { text: '## Goal\nx', shortSummary: 'I did it.' },
  ],
  [
    'an unclosed tag extends to the end',
    '## Goal\n<short-summary>I did it.',
    { text: '## Goal', shortSummary: 'I did it.' },
  ],
  ['a blank tag gives no short summary', '## Goal\n<short-summary> </short-summary>', { text: '## Goal' }],
  ['a draft without a tag gives no short summary', ' ## Goal ', { text: '## Goal' }],
]

for (const [name, draft, expected] of cases)
  t.test(name, async (t) => {
    t.strictSame(extractShortSummary(draft), expected)
  })
