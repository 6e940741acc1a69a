import t, { type Test } from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPrompts } from '../../src/prompt/load-prompts.ts'
import { requiredSections, TEMPLATE_PLACEHOLDERS } from '../../src/prompt/templates.ts'
import { templates } from '../support/templates.ts'

const SHIPPED = new URL('../../prompts/', import.meta.url)

function folderOf(t: Test, files: Record<string, string | Buffer>): string {
  const folder = t.testdir({})
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

t.test('without a folder, the prompts are those of the package, and nothing is replaced', async (t) => {
  t.strictSame(loadPrompts(SHIPPED), { templates })
})

t.test('a file of the folder replaces the prompt of the same name, and all others stay', async (t) => {
  const folder = folderOf(t, { 'system.md': '\uFEFFBe brief.\r\nBe kind.\n', '..data': 'of a mounted ConfigMap' })
  const { templates: used, replaced } = loadPrompts(SHIPPED, folder)
  t.strictSame(used, { ...templates, system: 'Be brief.\nBe kind.' })
  t.strictSame(replaced?.texts, { system: 'Be brief.\nBe kind.' })
})

t.test('the digest depends on the names and the texts, and not on the folder', async (t) => {
  const digests: (string | undefined)[] = []
  for (const [name, text] of [
    ['system.md', 'Be brief.'],
    ['system.md', 'Be brief.\n'],
    ['system.md', 'Be long.'],
    ['branch.md', 'Be brief.'],
  ] as const)
    await t.test(`${name}: ${text}`, async (t) => {
      digests.push(loadPrompts(SHIPPED, folderOf(t, { [name]: text })).replaced?.digest)
    })
  t.match(digests[0], /^[0-9a-f]{16}$/)
  t.equal(digests[1], digests[0])
  t.equal(new Set(digests).size, 3)
})

t.test('each fault stops the start, and names the variable, the file and what is known', async (t) => {
  const known = Object.keys(TEMPLATE_PLACEHOLDERS)
    .map((name) => `${name}.md`)
    .join(', ')
  const cases: [what: string, file: string, content: string | Buffer, fault: string][] = [
    ['an unknown file', 'sumary.md', 'Text.', `is no prompt of this service. Known are ${known}`],
    ['an empty file', 'update.md', ' \n', 'is empty'],
    ['a missing placeholder', 'focus.md', 'Focus.', 'lacks the placeholder {{focus}}'],
    [
      'an unknown placeholder',
      'focus.md',
      '{{focus}} {{who}}',
      'has the unknown placeholder {{who}}; this file has {{focus}}',
    ],
    ['another encoding', 'short.md', Buffer.from('gr\xfcn', 'latin1'), 'is not valid UTF-8. Save it as UTF-8'],
    ['a huge file', 'short.md', 'x'.repeat(65_537), 'has 65537 bytes; at most 65536 are allowed'],
  ]
  for (const [what, file, content, fault] of cases)
    await t.test(what, async (t) => {
      const folder = folderOf(t, { [file]: content })
      const message = `Invalid configuration:\nPRECIS_PROMPTS has bad prompts in ${folder}:\n${file} ${fault}`
      t.throws(() => loadPrompts(SHIPPED, folder), new Error(message))
    })
  const empty = folderOf(t, {})
  t.throws(() => loadPrompts(SHIPPED, empty), {
    message: /^Invalid configuration:\nPRECIS_PROMPTS names .*, which has no prompts/,
  })
  const missing = join(empty, 'missing')
  t.throws(() => loadPrompts(SHIPPED, missing), {
    message: `Invalid configuration:\nPRECIS_PROMPTS must be a folder that can be read; ${missing} cannot be (ENOENT)`,
  })
})

t.test('of the known headings, a summary must have those of its prompt', async (t) => {
  const changed = { ...templates, summary: '## Goal\nSay it.\n## Risks\n{{tokens}}' }
  t.strictSame(requiredSections('history', changed, false), ['## Goal'])
  t.strictSame(requiredSections('history', changed, true), requiredSections('history', templates, false))
})
