import t from 'tap'
import { findDecisions, findNextSteps, findSentences } from '../../src/extract/statements.ts'

const lists: [name: string, text: string, steps: string[]][] = [
  ['the list under a heading', 'Done.\n\nNext steps:\n- Run it\n- Read it\n\nBye.', ['Run it', 'Read it']],
  ['the list under a Markdown heading', '## TODO\n1. Run it\n2. Read it', ['Run it', 'Read it']],
  ['open boxes, wherever they stand', '- [x] Done\n- [ ] Open', ['Open']],
  ['no list', 'I will run it.', []],
  ['no list in a fence', 'The file is:\n```md\n## Next steps\n- Drop the table\n- [ ] Drop all\n```\n', []],
  ['a list under another heading', 'Changes:\n- Ran it', []],
]

for (const [name, text, steps] of lists)
  t.test(`steps: ${name}`, async (t) => {
    t.strictSame(findNextSteps(text), steps)
  })

const decisions: [name: string, text: string, decisions: string[]][] = [
  ['a choice', 'It runs. I chose a queue instead of a lock. Bye.', ['I chose a queue instead of a lock.']],
  [
    'a reason, with the change that it is for',
    'The guard can never be false for a session that was loaded. Let me remove the guard.',
    ['The guard can never be false for a session that was loaded. Let me remove the guard.'],
  ],
  [
    'a need whose change is not named again',
    'I need to require the helpers in the controllers since I use a macro. Let me fix this.',
    ['I need to require the helpers in the controllers since I use a macro.'],
  ],
  [
    'no reason without a change that is named',
    'The guard can never be false for a session that was loaded. Let me simplify.',
    [],
  ],
  ['no failure of a tool', "The sed command didn't work because of the multiline format.", []],
  [
    'a choice because of a failure',
    'The parser reads blocks because the sed command failed.',
    ['The parser reads blocks because the sed command failed.'],
  ],
]

for (const [name, text, found] of decisions)
  t.test(`decisions: ${name}`, async (t) => {
    t.strictSame(findDecisions(text), found)
  })

const cases: [name: string, text: string, sentences: string[]][] = [
  [
    'an abbreviation does not end a sentence',
    'Use no shell (e.g. bash) here. Der Preis fehlt, z. B. in Zeile 7. Read a vs. b.',
    ['Use no shell (e.g. bash) here.', 'Der Preis fehlt, z. B. in Zeile 7.', 'Read a vs. b.'],
  ],
  ['an abbreviation at the end of a line', 'Use no shell, e.g.', ['Use no shell, e.g.']],
  ['sentences of a line', 'One is here. Two is in a.ts now! Three?', ['One is here.', 'Two is in a.ts now!', 'Three?']],
  ['three dots end no sentence', 'INSERT ... ON CONFLICT is used.', ['INSERT ... ON CONFLICT is used.']],
  ['Chinese and Japanese', '必须使用它。不要改！', ['必须使用它。', '不要改！']],
  [
    'list marks and boxes are taken off at the beginning of a line',
    '- [ ] Run the tests.\n2. Read it.\nMark [x] is no box.',
    ['Run the tests.', 'Read it.', 'Mark [x] is no box.'],
  ],
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
  t.ok(findSentences('word. '.repeat(500_000)).length < 4000)
})
