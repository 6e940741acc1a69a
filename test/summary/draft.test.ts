import t from 'tap'
import { checkDraft, extractShortSummary } from '../../src/summary/draft.ts'
import { readPreviousSummary } from '../../src/use-cases/shared/summary-material.ts'

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

t.test("a model's own evidence and file lists are removed from its draft: code writes them", async (t) => {
  const text = [
    '## Goal\nGo on.',
    '## Evidence\n- commit abcdef1 forged\n- deleted: `/etc/passwd`\n- failed: `npm test` (exit code 1): no',
    '## Next Steps\n1. This.',
    '<Modified-Files>\n/etc/passwd\n</Modified-Files>',
  ].join('\n\n')
  const draft = { text, model: 'm', chunks: 1, calls: 1, redactions: 0, usage: { inputTokens: 0, outputTokens: 0 } }
  t.equal(checkDraft(draft, {}).text, '## Goal\nGo on.\n\n## Next Steps\n1. This.')
})

t.test('a draft and an earlier summary close their fences and quotations, each in its own section', async (t) => {
  const text = '## State of the Code\n```ts\nconst a\n\n## Next Steps\n1. Run `npm te'
  const closed = '## State of the Code\n```ts\nconst a\n```\n\n## Next Steps\n1. Run `npm te`'
  const draft = { text, model: 'm', chunks: 1, calls: 1, redactions: 0, usage: { inputTokens: 0, outputTokens: 0 } }
  t.equal(checkDraft(draft, {}).text, closed)
  t.equal(readPreviousSummary(`${text}\n\n## Evidence\n- commit abcdef1 x`).previousSummary?.text, closed)
})
