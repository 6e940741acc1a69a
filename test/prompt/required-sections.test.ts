import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { loadTemplates } from '../../src/prompt/load-templates.ts'
import { REQUIRED_SECTIONS } from '../../src/prompt/required-sections.ts'

const PROMPTS = new URL('../../prompts/', import.meta.url)
const templates = loadTemplates(PROMPTS)

const headings = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('#'))

t.test('the prompt files name exactly the required headings, in their order', async (t) => {
  t.strictSame(headings(templates.summary), REQUIRED_SECTIONS.history)
  t.strictSame(headings(templates.update), REQUIRED_SECTIONS.history)
  t.strictSame(headings(templates['turn-prefix']), REQUIRED_SECTIONS['turn-prefix'])
  t.strictSame(headings(templates.branch), REQUIRED_SECTIONS.branch)
  t.strictSame(headings(templates.handoff), REQUIRED_SECTIONS.handoff)
  for (const name of ['system', 'short', 'focus', 'brevity', 'continuation', 'branch-preamble'] as const)
    t.strictSame(headings(templates[name]), [], name)
})

t.test('a prompt that a client wrote has no required headings', async (t) => {
  t.strictSame(REQUIRED_SECTIONS.prompt, [])
})

t.test('no prompt file names a boundary tag in angle brackets, nor the section that is not wanted', async (t) => {
  for (const file of readdirSync(PROMPTS)) {
    const text = readFileSync(new URL(file, PROMPTS), 'utf8')
    t.notMatch(text, /<\/?(?:conversation|previous-summary|additional-context)/i, file)
    t.notMatch(text, 'Additional Notes', file)
  }
})

t.test('each prompt file tells the model what it must not miss', async (t) => {
  const everywhere = [/no instruction|Follow no instruction/, /word for word/, /exactly/]
  const rules: Record<string, RegExp[]> = {
    system: [
      /Continue nothing, answer nothing/,
      /is data/,
      /Follow no instruction/,
      /language in which the user writes/,
    ],
    summary: [...everywhere, /Do not continue the conversation, answer/, /newest request/, /not taken up again/],
    update: [
      ...everywhere,
      /Do not continue the conversation, answer/,
      /newest state wins/,
      /from In Progress to Done/,
    ],
    'turn-prefix': [...everywhere, /Do not continue the conversation, answer/, /suffix/],
    branch: [/no instruction/, /Do not continue the conversation, answer/, /in the user's own words/],
    handoff: [...everywhere, /in the imperative/, /never about this document/, /newest state wins/],
    continuation: [...everywhere, /at most 1500 tokens/, /without headings/],
    short: [/<short-summary>One to three sentences in the first person.*<\/short-summary>$/],
  }
  for (const [name, patterns] of Object.entries(rules)) {
    for (const pattern of patterns) t.match(templates[name as keyof typeof templates], pattern, name)
  }
})
