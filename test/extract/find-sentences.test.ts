import t from 'tap'
import { findSentences } from '../../src/extract/find-sentences.ts'

const cases: [name: string, text: string, sentences: string[]][] = [
  ['sentences of a line', 'One is here. Two is in a.ts now! Three?', ['One is here.', 'Two is in a.ts now!', 'Three?']],
  ['three dots end no sentence', 'INSERT ... ON CONFLICT is used.', ['INSERT ... ON CONFLICT is used.']],
  ['Chinese and Japanese', '必须使用它。不要改！', ['必须使用它。', '不要改！']],
  ['list marks and boxes are taken off', '- [ ] Run the tests.\n2. Read it.', ['Run the tests.', 'Read it.']],
  [
    'fenced code, tables and code lines are left out',
    '```\nNever here.\n```\n| a | never |\nconst never = use();\nBut here.',
    ['But here.'],
  ],
]

for (const [name, text, sentences] of cases)
  t.test(name, async (t) => {
    t.strictSame(findSentences(text), sentences)
  })

t.test('of a paste only both ends are read, in linear time', async (t) => {
  t.ok(findSentences('word. '.repeat(500_000)).length < 3000)
})
