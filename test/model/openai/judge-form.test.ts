import t from 'tap'
import { isNoSummary, isOwnPrompt } from '../../../src/model/openai/judge-text.ts'
import { REQUIRED_SECTIONS } from '../../../src/prompt/templates.ts'

const taskOf = (bytes: number) => ({
  chunking: {
    ...{ start: 0, end: bytes, unit: 'message' as const, frameTokens: 0 },
    frame: { before: '', after: { beginning: '', middle: '', end: '', merge: '' } },
  },
})

const isNone = (text: string, bytes = 100_000, asksForSections = true): boolean =>
  isNoSummary(text, { asksForSections, ...taskOf(bytes) })

const headings = REQUIRED_SECTIONS.history.join('\n(none)\n')

const NO_SUMMARIES: Record<string, string> = {
  'a greeting': 'hi',
  'a line of status': 'Done. 1 prompt, 28,114 tokens, model local-7b, 3.2 s',
  'a title above it': '# Summary\n\nhi',
  'the next step of the agent':
    "I'll run the tests now.\n\n```sh\nnpm test\n```\n\nThen I fix what fails in src/import.ts.",
  'translated headings with a word below each': '## Ziel\nImport\n## Stand\nfertig',
  'headings with nothing below them': `${headings}\n(none)`,
}

for (const [what, text] of Object.entries(NO_SUMMARIES))
  t.test(`${what} is no summary of a long conversation`, async (t) => {
    t.equal(isNone(text), true)
  })

const SUMMARIES: Record<string, string> = {
  'a sentence below headings': '## Goal\nThe user asked where the build fails.\n## Progress\n(none)',
  'a sentence below one heading, of another level': '# Goal:\nThe user asked where the build fails.',
  'prose of some length': 'The importer skips rows without a price, and src/import.ts has a test for it. '.repeat(26),
  'prose of the same length in another script': '导入程序会跳过没有价格的行，并且有一个测试。'.repeat(32),
}

for (const [what, text] of Object.entries(SUMMARIES))
  t.test(`${what} is a summary of a long conversation`, async (t) => {
    t.equal(isNone(text), false)
  })

t.test('of a short conversation, a sentence is a summary', async (t) => {
  t.equal(isNone('The user greeted, and the agent answered.', 2000), false)
  t.equal(isNone('hi', 2000), true)
})

t.test('a prompt that asks for another form is answered in any', async (t) => {
  t.equal(isNone('hi', 100_000, false), false)
  t.equal(isNoSummary('hi', { asksForSections: true }), false)
})

t.test('an answer that begins as the system prompt does is no summary; one that only speaks of it is', async (t) => {
  const systemPrompt = `${'You summarize sessions between a user and an agent. '.repeat(3)}\n\nYou take no part in them.`
  t.equal(isOwnPrompt(`\n${systemPrompt}\n\nThe conversation`, { systemPrompt }), true)
  t.equal(isOwnPrompt(`## Goal\nShorten this: ${systemPrompt}`, { systemPrompt }), false)
  t.equal(isOwnPrompt('Be brief. The user asked for tests.', { systemPrompt: 'Be brief.' }), false)
  t.equal(isOwnPrompt('The user asked for tests.', {}), false)
})
