import fc from 'fast-check'
import t from 'tap'
import { takeFromText } from '../support/take-facts.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { collectUserMessages, noUserMessages, writeUserMessages } from '../../src/summary/user-messages.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { assistant, call, result, user } from '../prompt/message-builders.ts'

function extractUserMessages(text: string) {
  const { text: rest, userMessages } = takeFromText(text)
  return { text: rest, userMessages }
}

t.test("the user's own words are collected, newest first, each text once", async (t) => {
  const messages = [
    user('One.'),
    assistant('Done.'),
    user('Go on.'),
    user('<system-reminder>Mind it.</system-reminder>'),
    user('Two.'),
    user('Go on.'),
  ]
  t.same(collectUserMessages(pairMessages(messages)), ['Go on.', 'Two.', 'One.'])
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

t.test('a long message is cut at a paragraph and marked', async (t) => {
  const section = writeUserMessages({ texts: [`${'word '.repeat(700)}\n\n${'more '.repeat(700)}`], leftOut: 0 }, 2000)
  t.match(
    section,
    /> word\n> \[\.\.\. 3503 characters left out \.\.\.\]$|word\n> \[\.\.\. \d+ characters left out \.\.\.\]$/,
  )
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
      return JSON.stringify(read.userMessages.texts) === JSON.stringify(texts)
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
  t.strictSame(collectUserMessages(pairMessages(messages)), [
    '(Answer to "Skip the hook?")\nNo.\n\nFix it first.',
    'Fix it.',
  ])
})
