import fc from 'fast-check'
import t from 'tap'
import { splitPasted } from '../../src/extract/pasted.ts'
import { takeFromText } from '../support/take-facts.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { cutPastes } from '../../src/extract/cut-request.ts'
import { collectUserMessages, noUserMessages, writeUserMessages } from '../../src/summary/user-messages.ts'
import type { Message } from '../../src/session/message.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { assistant, call, result, user } from '../prompt/message-builders.ts'

function extractUserMessages(text: string) {
  const { text: rest, userMessages } = takeFromText(text)
  return { text: rest, userMessages }
}

const quotedIn = (messages: Message[]): string[] =>
  collectUserMessages(pairMessages(messages)).map(({ quoted }) => quoted)

t.test("the user's own words are collected, newest first, each text once", async (t) => {
  const messages = [
    user('One.'),
    assistant('Done.'),
    user('Again.'),
    user('<system-reminder>Mind it.</system-reminder>'),
    user('Two.'),
    user('Again.'),
  ]
  t.same(quotedIn(messages), ['Again.', 'Two.', 'One.'])
})

t.test('greetings, commands of a client and words to go on are left out', async (t) => {
  const talk = [
    'yo',
    'wow!',
    'ok',
    'Thanks, great.',
    'hmm',
    'ls',
    'git status',
    '/compact',
    '/the',
    '!npm test',
    'continue',
    '继续',
    '谢谢',
  ]
  t.same(quotedIn([user('One.'), ...talk.map((text) => user(text)), user('Two.')]), ['Two.', 'One.'])
  const said = [
    'f0c674',
    '/compact and continue with the remaining tasks',
    '/etc/hosts is wrong',
    'no tabs',
    'ls fails',
    'Go on with the parser.',
  ]
  t.same(quotedIn(said.map((text) => user(text))), said.toReversed())
})

t.test('a short answer to a question of the agent stands below the question, also if it only agrees', async (t) => {
  const long = `${'It is long. '.repeat(30)}Shall I push?`
  const messages = [
    user('One.'),
    assistant({ type: 'text', text: 'Done.\n\nMinor or patch?' }),
    user('ok'),
    assistant({ type: 'text', text: long }),
    user('no, wait'),
    assistant({ type: 'text', text: 'Fine. Anything else?' }),
    user('/compact'),
    assistant({ type: 'text', text: 'Now?' }, call('ask', {})),
    result('nothing'),
    assistant({ type: 'text', text: 'Done.' }),
    user('ok'),
  ]
  t.same(quotedIn(messages), ['(Answer to "Shall I push?")\nno, wait', '(Answer to "Minor or patch?")\nok', 'One.'])
})

t.test('without room, the oldest messages go before answers to questions, and all stay in order', (t) => {
  const texts = Array.from({ length: 40 }, (_, at) => `Write the importer number ${40 - at}, with its limits.`)
  const answer = '(Answer to "Which database?")\nPostgres.'
  const { text, userMessages } = extractUserMessages(
    writeUserMessages({ texts: [...texts, answer, 'Build it.'], leftOut: 2 }, 400),
  )
  t.equal(text.trim(), '')
  const shown = userMessages.texts.length - 1
  t.ok(shown > 8 && shown < 40, `${shown} requests`)
  t.same(userMessages, { texts: [...texts.slice(0, shown), answer], leftOut: 2 + 40 - shown + 1 })
  t.end()
})

t.test(
  'of a long paste in an older message, its beginning and the reason of the failure stay; the newest message is whole',
  async (t) => {
    const trace = [
      'Waiting for the server',
      '/app/a.ts:1:2',
      '    throw new Error()',
      '',
      'TypeError: x is no function',
      ...Array.from({ length: 20 }, (_, at) => `    at f${at} (/app/a.ts:1:${at})`),
    ]
    const message = `It crashed again, why?\n\n${trace.slice(1).join('\n')}\n\nFix it please.`
    const older = writeUserMessages({ texts: ['Newer.', message], leftOut: 0 }, 2000)
    t.equal(
      older,
      [
        '## User Messages',
        '(Word for word, newest first.)',
        '',
        '> Newer.',
        '',
        '> It crashed again, why?',
        '>',
        '> /app/a.ts:1:2',
        '>     throw new Error()',
        '>',
        '> TypeError: x is no function',
        '>     at f0 (/app/a.ts:1:0)',
        '> [... 514 characters left out ...]',
        '>',
        '> Fix it please.',
      ].join('\n'),
    )
    t.match(writeUserMessages({ texts: [message], leftOut: 0 }, 2000), 'at f19')
  },
)

t.test('a fence that is cut in a message is closed', async (t) => {
  const code = `Why?\n\`\`\`ts\n${'const a = 1\n'.repeat(20)}\`\`\`\nNever mind the types.`
  const section = writeUserMessages({ texts: ['Newer.', code], leftOut: 0 }, 2000)
  t.match(
    section,
    '> Why?\n> ```ts\n> const a = 1\n> [... 232 characters left out ...]\n> ```\n> Never mind the types.',
  )
})

t.test('messages are written as block quotes', async (t) => {
  t.equal(
    writeUserMessages({ texts: ['Two:\n\n## Goal', 'One.'], leftOut: 0 }, 1000),
    '## User Messages\n(Word for word, newest first.)\n\n> Two:\n>\n> ## Goal\n\n> One.',
  )
  t.equal(writeUserMessages(noUserMessages(), 1000), '')
})

t.test('the newest messages stay, and the others are counted, those of earlier summaries too', async (t) => {
  const texts = Array.from(
    { length: 50 },
    (_, index) => `Message ${index}: do this and that, and then the other thing.`,
  )
  const section = writeUserMessages({ texts, leftOut: 7 }, 300)
  const count = section.split('\n> Message').length - 1
  t.ok(estimateTextTokens(section) <= 300 && count > 5)
  t.match(section, `(${50 - count + 7} older messages are left out.)`)
  t.same(extractUserMessages(section), {
    text: '',
    userMessages: { texts: texts.slice(0, count), leftOut: 57 - count },
  })
})

t.test('of a long message, the middle is left out and marked', async (t) => {
  const section = writeUserMessages({ texts: [`First. ${'word '.repeat(1400)}\n\nLast.`], leftOut: 0 }, 2000)
  t.match(section, /\n> First\. word .*\n> \[\.\.\. \d+ characters left out \.\.\.\]\n> .* word\s+>\s+> Last\.$/)
})

t.test('the section is removed from a summary and read, and what follows it stays', async (t) => {
  const summary = '## Goal\nx\n\n## User Messages\n(Word for word, newest first.)\n\n> One.\n\n## Next Steps\n1. y'
  t.same(extractUserMessages(summary), {
    text: '## Goal\nx\n\n## Next Steps\n1. y',
    userMessages: { texts: ['One.'], leftOut: 0 },
  })
  t.same(extractUserMessages('## Goal\n> x'), { text: '## Goal\n> x', userMessages: noUserMessages() })
})

t.test('what was written is read back, whatever the user wrote', async () => {
  const text = fc
    .array(
      fc.constantFrom(
        '## Goal',
        '> quoted',
        '',
        'a',
        '## User Messages',
        '(3 older messages are left out.)',
        '<read-files>',
        '---',
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((lines) => lines.join('\n').trim())
    .filter((one) => one !== '')
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 5 }), (texts) => {
      const section = writeUserMessages({ texts, leftOut: 0 }, 10_000)
      const read = extractUserMessages(`## Goal\nx\n\n${section}\n\n## Evidence\n- commit abcdef1 y`)
      const written = texts.map((one, at) => (at === 0 ? one : cutPastes(one)))
      return (
        JSON.stringify(read.userMessages.texts) === JSON.stringify(written) &&
        written.every((one, at) => at === 0 || cutPastes(one) === one)
      )
    }),
    { seed: 20261122, numRuns: 300 },
  )
})

t.test("the user's answers to questions of the agent are collected with the question in short", async (t) => {
  const messages = [
    user('Fix it.'),
    assistant(call('AskUserQuestion', { questions: [] }, 'q')),
    {
      ...result('User has answered your questions: "Skip the hook?"="No.\n\nFix it first."', {}),
      toolCallId: 'q',
      toolName: 'AskUserQuestion',
      userAnswers: [{ question: 'Skip the hook?', answer: 'No.\n\nFix it first.' }],
    },
    assistant('Done.'),
  ]
  t.strictSame(quotedIn(messages), ['(Answer to "Skip the hook?")\nNo.\n\nFix it first.', 'Fix it.'])
})

t.test(
  'where not all messages fit, the long ones are cut in their middle before short ones are left out',
  async (t) => {
    const steps = Array.from({ length: 70 }, (_, index) => `${index + 1}. Follow step ${index} of the template.`)
    const long = `Do it as follows.\n${steps.join('\n')}\nAnd keep the API.`
    const short = Array.from({ length: 20 }, (_, index) => `Request ${index}.`)
    const texts = [...short.slice(0, 10), long, ...short.slice(10)]
    t.match(
      writeUserMessages({ texts, leftOut: 0 }, 2000),
      '> 35. Follow step 34 of the template.',
      'all of it where there is room',
    )
    t.notMatch(writeUserMessages({ texts, leftOut: 0 }, 2000), 'left out')
    const section = writeUserMessages({ texts, leftOut: 0 }, 600)
    for (const text of short) t.match(section, `> ${text}`)
    t.match(section, '> Do it as follows.')
    t.match(section, /\[\.\.\. \d+ characters left out \.\.\.\]/)
    t.match(section, 'And keep the API.')
    t.ok(estimateTextTokens(section) <= 600)
  },
)

t.test('a diff with the numbers of lines, as agents show it, is a paste', async (t) => {
  const diff = Array.from(
    { length: 9 },
    (_, index) => `+ ${index + 8} - **Title ${index}**: a line of the change log\n  that goes on here`,
  )
  t.equal(
    cutPastes(`${diff.join('\n')}\n\nremove that, it is too long`)
      .split('\n')
      .at(-1),
    'remove that, it is too long',
  )
  t.match(cutPastes(`${diff.join('\n')}\n\nremove that, it is too long`), /characters left out/)
})

t.test('the words of the user before, between and after what was pasted stay, also without a blank line', async (t) => {
  const trace = [
    'TypeError: x is undefined',
    ...Array.from({ length: 30 }, (_, n) => `    at call${n} (src/a.ts:${n}:7)`),
  ]
  const log = Array.from({ length: 20 }, (_, n) => `2026-11-02T10:00:${10 + n}Z INFO request ${n} served`)
  const text = [
    'Since the update:',
    ...trace,
    'and then I see this:',
    ...log,
    'Why does this happen only on Mondays?',
  ].join('\n')
  const typed = splitPasted(text).filter(({ isPasted }) => !isPasted)
  t.same(
    typed.map((block) => block.text),
    ['Since the update:', 'and then I see this:', 'Why does this happen only on Mondays?'],
  )
  const shown = cutPastes(text).split('\n')
  t.ok(shown.length < 14)
  for (const { text: line } of typed) t.ok(shown.includes(line), line)
})

t.test('what a program writes below its errors is no question of the user', async (t) => {
  const output = ['FAIL src/a.test.ts', '    at call (src/a.ts:1:7)', '    at call (src/a.ts:2:7)']
  for (const line of [
    'Did you mean `foo`?',
    'You may need another loader.',
    'Ran all test suites.',
    'Could not resolve ./x',
  ])
    t.equal(splitPasted([...output, line].join('\n')).length, 1, line)
  for (const line of ['how do I fix that', 'Please look at it', 'fix it', 'warum nur hier', '为什么会这样'])
    t.equal(splitPasted([...output, line].join('\n')).at(-1)?.text, line)
})
