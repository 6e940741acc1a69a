import t, { type Test } from 'tap'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fillTemplate, loadTemplates, TEMPLATE_PLACEHOLDERS, REQUIRED_SECTIONS } from '../../src/prompt/templates.ts'

t.test('every placeholder is replaced, also one that stands twice', async (t) => {
  t.equal(fillTemplate('{{a}} and {{b}} and {{a}}', { a: '1', b: '2' }), '1 and 2 and 1')
})

t.test('a value is never expanded again', async (t) => {
  t.equal(fillTemplate('{{a}}{{b}}', { a: '{{b}}', b: '{{a}}' }), '{{b}}{{a}}')
})

t.test("a value's dollar signs stay as they are", async (t) => {
  t.equal(fillTemplate('<{{a}}>', { a: "$& $1 $$ $'" }), "<$& $1 $$ $'>")
})

t.test('a placeholder without a value is an error that names it', async (t) => {
  t.throws(() => fillTemplate('{{a}} {{toString}}', { a: '1' }), new Error('No value was given for {{toString}}'))
})

const PROMPTS = new URL('../../prompts/', import.meta.url)

/** A copy of the real prompts, changed: a text by file name, null takes the file away. */
function changedPrompts(t: Test, changes: Record<string, string | null>): string {
  const folder = t.testdir({})
  cpSync(PROMPTS, folder, { recursive: true })
  for (const [file, text] of Object.entries(changes)) {
    if (text === null) rmSync(join(folder, file))
    else writeFileSync(join(folder, file), text)
  }
  return folder
}

function messageOf(load: () => unknown): string {
  try {
    load()
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

t.test('every template of the folder is loaded by its name, without white space around it', async (t) => {
  const templates = loadTemplates(PROMPTS)
  t.strictSame(Object.keys(templates), Object.keys(TEMPLATE_PLACEHOLDERS))
  for (const [name, text] of Object.entries(templates)) {
    t.equal(text, readFileSync(new URL(`${name}.md`, PROMPTS), 'utf8').trim(), name)
  }
})

t.test('the folder may be named by a path or by a URL', async (t) => {
  const folder = changedPrompts(t, {})
  t.strictSame(loadTemplates(folder), loadTemplates(pathToFileURL(folder)))
})

t.test('a byte order mark and Windows line ends are taken out', async (t) => {
  t.equal(loadTemplates(changedPrompts(t, { 'short.md': '\uFEFFone\r\ntwo\r\n' })).short, 'one\ntwo')
})

t.test('each fault stops the start and is named with its file', async (t) => {
  const cases: [what: string, file: string, text: string | null, fault: string][] = [
    ['a missing file', 'update.md', null, 'is missing'],
    ['an empty file', 'update.md', '', 'is empty'],
    ['a blank file', 'update.md', ' \n\t\n', 'is empty'],
    ['a missing placeholder', 'focus.md', 'Focus.', 'lacks the placeholder {{focus}}'],
    [
      'an unknown placeholder',
      'system.md',
      'You are {{who}}.',
      'has the unknown placeholder {{who}}; this file has none',
    ],
    [
      'a misspelt placeholder',
      'short.md',
      'Be {{ focus }}.',
      'has the unknown placeholder {{ focus }}; this file has none',
    ],
    ['a placeholder not closed', 'short.md', 'Be {{focus}.', 'has a placeholder that is not opened or not closed'],
    ['a placeholder not opened', 'short.md', 'Be {focus}}.', 'has a placeholder that is not opened or not closed'],
    ['a boundary tag', 'short.md', 'See <conversation>.', 'has a boundary tag in angle brackets'],
  ]
  for (const [what, file, text, fault] of cases) {
    const folder = changedPrompts(t, { [file]: text })
    t.equal(
      messageOf(() => loadTemplates(folder)),
      `Bad prompts in ${folder}:\n${file} ${fault}`,
      what,
    )
  }
})

t.test('a file that cannot be read is named with the reason', async (t) => {
  const folder = changedPrompts(t, { 'system.md': null })
  mkdirSync(join(folder, 'system.md'))
  t.equal(
    messageOf(() => loadTemplates(folder)),
    `Bad prompts in ${folder}:\nsystem.md cannot be read (EISDIR)`,
  )
})

t.test('all faults stand in one error', async (t) => {
  const folder = changedPrompts(t, { 'system.md': null, 'focus.md': '{{a}} {{b}}', 'short.md': '' })
  t.equal(
    messageOf(() => loadTemplates(folder)),
    [
      `Bad prompts in ${folder}:`,
      'system.md is missing',
      'short.md is empty',
      'focus.md lacks the placeholder {{focus}}',
      'focus.md has the unknown placeholder {{a}}; this file has {{focus}}',
      'focus.md has the unknown placeholder {{b}}; this file has {{focus}}',
    ].join('\n'),
  )
})
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
  for (const file of readdirSync(PROMPTS).filter((name) => name.endsWith('.md'))) {
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
