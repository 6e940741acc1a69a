import t from 'tap'
import { cutRequest, excerptOf, namingWords } from '../../src/extract/cut-request.ts'
import { countCharacters } from '../../src/text/shorten.ts'
import { findLatestRequest, findOpenQuestion, isWordForWord } from '../../src/summary/requests.ts'
import { assistant as agent, result, user } from '../prompt/message-builders.ts'

t.test("the newest request is the last message with the user's own words, whole", async (t) => {
  t.equal(findLatestRequest([user('One.'), agent('x'), user('Two.')]), 'Two.')
  t.equal(findLatestRequest([user('One.'), user('<system-reminder>Mind it.</system-reminder>')]), 'One.')
  t.equal(findLatestRequest([user('a'.repeat(9000))]), 'a'.repeat(9000))
  t.equal(findLatestRequest([agent('x')]), undefined)
})

t.test('after words to go on, an answer to a question of the agent is the newest request', async (t) => {
  const answered = (answer: string) => ({
    ...result('x'),
    userAnswers: [{ question: 'Fix them, or skip them?', answer }],
  })
  const fix = answered('main was clean; fix the issues')
  t.equal(findLatestRequest([user('continue'), agent('x'), fix, agent('y')]), 'main was clean; fix the issues')
  t.equal(findLatestRequest([agent('x'), fix], 'continue'), 'main was clean; fix the issues')
  t.equal(findLatestRequest([agent('x'), fix]), 'main was clean; fix the issues')
  t.equal(findLatestRequest([fix, user('continue')]), 'continue')
  t.equal(findLatestRequest([user('continue'), answered('Yes.')]), 'continue')
})

const GOES_ON = [
  ...[
    'continue',
    'sorry, had a meeting. go on',
    'ok weiter',
    'continue please, I was at lunch',
    "I'm back, please continue",
  ],
  ...['my connection dropped, please continue', 'had to take a call - keep going', 'thanks! go on', 'go on then'],
  ...['I hit escape by mistake, continue', 'sorry, war kurz weg. mach weiter bitte', 'hatte einen Termin. Mach weiter'],
  ...["désolé, j'étais en réunion. continue", 'perdón, estuve en una reunión. continúa', 'weiter, war nur kurz weg'],
]
const ASKS = [
  ...['continue with the tables', 'go on, but skip the tests', 'go on. use pnpm', 'ok continue in src/b.ts'],
  ...[
    'sorry, had a meeting. add the tests',
    'had a meeting: we want commas instead. go on',
    'continue, but not the cache',
  ],
  ...['the server crashed. continue', 'sorry, I was wrong about the port. continue', 'continue and commit when done'],
  ...[
    'resume the call',
    'Now the retry, please.',
    "don't continue",
    'keep going until all tests pass',
    'proceed to step 3',
    'should I continue?',
  ],
  ...['weiter mit den Tests', 'mach weiter, aber ohne Redis', 'weiter unten steht der Fehler', 'no, go on with A'],
]

t.test('words to go on, also with the reason for a break, are a go-ahead of the request before them', async (t) => {
  const newest = (text: string) => findLatestRequest([user('Add the export.'), agent('Let me see.'), user(text)])
  for (const text of GOES_ON) t.equal(newest(text), 'Add the export.', text)
  for (const text of ASKS) t.equal(newest(text), text)
  t.equal(findLatestRequest([user('go on, I was at lunch')], 'Add the export.'), 'Add the export.')
  t.equal(findLatestRequest([user('go on, I was at lunch')]), 'go on, I was at lunch')
})

t.test('an answer does not replace a request', async (t) => {
  const map = { ...result('x'), userAnswers: [{ question: 'A table, or a map?', answer: 'Use a map.' }] }
  t.equal(findLatestRequest([user('Write the importer.'), map]), 'Write the importer.')
  t.equal(findLatestRequest([map], 'Write the importer.'), 'Write the importer.')
})

t.test('a question is open until a message of the user follows', async (t) => {
  t.equal(
    findOpenQuestion([user('x'), agent('I see two ways.\n\nShall I use a table, or a map?')]),
    'Shall I use a table, or a map?',
  )
  t.equal(findOpenQuestion([agent('要继续吗？')]), '要继续吗？')
  t.equal(findOpenQuestion([agent('Shall I?'), user('Yes.')]), undefined)
  t.equal(findOpenQuestion([agent('Shall I?'), agent('I did it.')]), undefined)
  t.equal(findOpenQuestion([]), undefined)
})

t.test('a text that occurs word for word is kept, regardless of white space and quote marks', async (t) => {
  t.ok(isWordForWord('## Goal\n> Make the importer\n> skip rows\n', 'Make the importer skip rows'))
  t.notOk(isWordForWord('## Goal\nMake it skip rows', 'Make the importer skip rows'))
})

const LOG = Array.from({ length: 200 }, (_, n) => `2026-11-02T10:00:${10 + (n % 50)}Z INFO request ${n} served`).join(
  '\n',
)
const TRACE = [
  'TypeError: x is undefined',
  ...Array.from({ length: 150 }, (_, n) => `    at f${n} (src/a.ts:${n}:7)`),
].join('\n')

t.test(
  'of a request of more than 4,000 characters, pastes are cut, and what the user wrote around them stays',
  async (t) => {
    const question = 'Why does worker 3 never answer? Do not change api.ts.'
    for (const [about, text, own] of [
      ['above the question', `${LOG}\n\n${question}`, [question]],
      ['below the question', `${question}\n${TRACE}`, [question]],
      ['on both sides', `Since the update:\n${TRACE}\nand then:\n${LOG}\n${question}`, ['and then:', question]],
      ['in a fence', `Here:\n\`\`\`\n${LOG}\n\`\`\`\n${question}`, ['Here:', '```', question]],
      ['in a fence that never closes', `Here:\n\`\`\`\n${LOG}\n\n${question}`, ['Here:', question]],
      [
        'in German',
        `Ausgabe:\n${TRACE}\n\nWarum nur hier? Ändere api.ts nicht.`,
        ['Warum nur hier? Ändere api.ts nicht.'],
      ],
      ['of 400,000 characters', `${LOG}\n`.repeat(50) + `\n${question}`, [question]],
    ] as const) {
      const { text: shown, kept, isCut } = cutRequest(text, 10_000)
      const lines = shown.split('\n')
      t.ok(isCut && shown.length <= 4000 && kept.length > 1, about)
      t.same(
        own.filter((line) => !lines.includes(line)),
        [],
        about,
      )
      const surplus = countCharacters(shown) - text.length
      const closedFence = '\n```'.length
      t.ok(surplus >= 0 && surplus <= 2 * kept.length + closedFence, `${about}: the notes say how much is left out`)
    }
  },
)

t.test("the user's own words stay up to 16,000 characters; of more, the middle is left out", async (t) => {
  const whole = `First. ${'word '.repeat(3100)}\n\nLast.`
  t.same(cutRequest(whole, 10_000), { text: whole, kept: [whole], isCut: false })
  const long = cutRequest(`First. ${'word '.repeat(6000)}\n\nLast.`, 10_000)
  t.ok(long.text.startsWith('First. ') && long.text.endsWith('\nLast.') && long.text.length <= 16_000)
  const small = cutRequest(`First. ${'word '.repeat(700)}\n\nLast.`, 100)
  t.ok(small.text.startsWith('First. ') && small.text.endsWith('\nLast.') && small.text.length < 700)
  t.ok(long.isCut && small.isCut)
})

t.test('an excerpt and the name of a request have what the user wrote, and not only the paste above it', async (t) => {
  const request = `${TRACE}\n\nWhy does this fail only on Mondays? Leave b.ts alone.`
  t.match(excerptOf(request), /left out \.\.\.\]\n\nWhy does this fail only on Mondays\? Leave b\.ts alone\.$/)
  t.equal(namingWords(request).trim(), 'Why does this fail only on Mondays? Leave b.ts alone.')
  t.match(namingWords(`Fix:\n${TRACE}`), /^Fix:\nTypeError: x is undefined\n/, 'few words do not say what it is about')
  t.equal(namingWords('TypeError: x\nFix it.'), 'TypeError: x\nFix it.')
})

t.test("a question is not open once the user has answered it in the agent's question tool", async (t) => {
  const answer = {
    ...result('User selected: a map', {}),
    toolName: 'ask',
    userAnswers: [{ question: '', answer: 'a map' }],
  }
  t.equal(findOpenQuestion([user('x'), agent('Shall I use a table?'), answer]), undefined)
  t.equal(findLatestRequest([user('x'), agent('Shall I use a table?'), answer]), 'x')
})
