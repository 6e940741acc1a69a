import t from 'tap'
import { readSummary } from '../../src/summary/summary.ts'
import { deriveShortSummary } from '../../src/summary/short-summary.ts'

const cases: [name: string, summary: string, expected: string][] = [
  [
    'the newest things done come first',
    '## Goal\nShip it.\n## Progress\n### Done\n- [x] One\n- [x] Fixed a.ts in v1.2.3\n- **Wrote** b.ts!\n### Blocked\n(none)',
    'Fixed a.ts in v1.2.3. Wrote b.ts!',
  ],
  ['without finished work: the work in progress', '## Goal\nShip it.\n### In Progress\n- Testing', 'Testing.'],
  ['without progress: the goal', '## Goal\nShip it.\n### Done\n(none)', 'Ship it.'],
  ['other headings: their newest lines', '## Verlauf\nEins.\nZwei.', 'Eins. Zwei.'],
  [
    'text without headings: its first three sentences',
    'I did this. I did that. Third? Fourth.',
    'I did this. I did that. Third?',
  ],
  ['Chinese sentences are sentences', '修复了缓存。下一步测试。', '修复了缓存。 下一步测试。'],
  ['only empty sections', '## Goal\n(none)', '## Goal (none)'],
]

for (const [name, summary, expected] of cases)
  t.test(name, async (t) => {
    t.equal(deriveShortSummary(readSummary(summary)), expected)
  })

t.test('a sentence too long for a list view is cut at a word, never inside a surrogate pair', async (t) => {
  const words = deriveShortSummary(readSummary('word '.repeat(200)))
  t.match(words, /^(?:word )+word…$/)
  t.ok(words.length <= 300)
  t.notMatch(deriveShortSummary(readSummary(`x${'😀'.repeat(400)}`)), /\p{Surrogate}/u)
})
