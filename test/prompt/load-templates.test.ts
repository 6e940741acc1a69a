import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { loadTemplates, TEMPLATE_PLACEHOLDERS } from '../../src/prompt/load-templates.ts'

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
    ['an unknown placeholder', 'system.md', 'You are {{who}}.', 'has the unknown placeholder {{who}}'],
    ['a misspelt placeholder', 'short.md', 'Be {{ focus }}.', 'has the unknown placeholder {{ focus }}'],
    ['a placeholder not closed', 'short.md', 'Be {{focus}.', 'has a placeholder that is not opened or not closed'],
    ['a placeholder not opened', 'short.md', 'Be {focus}}.', 'has a placeholder that is not opened or not closed'],
    ['a boundary tag', 'summary.md', 'See <conversation>.', 'has a boundary tag in angle brackets'],
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
      'focus.md has the unknown placeholder {{a}}',
      'focus.md has the unknown placeholder {{b}}',
    ].join('\n'),
  )
})
