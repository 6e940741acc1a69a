import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

const FILLER = [user('Thanks.'), assistant('Words without weight. '.repeat(900))]

function summaryOf(drafts: readonly EntryDraft[], previousSummary?: string): string {
  const paired = pairMessages(buildEntries([...FILLER, ...drafts]).map(({ message }) => message!))
  const source = sourceOf(paired, previousSummary)
  return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
}

let calls = 0

function did(name: string, args: unknown, output: string): EntryDraft[] {
  const id = `r${++calls}`
  return [assistant('', [call(id, name, args)]), result(id, output, { toolName: name })]
}

const CODE =
  '1→export function parse(text: string): Row[] {\n2→  return []\n3→}\n4→export const LIMIT = 20\n5→export class Parser {\n6→}'
const statement = (summary: string, path: string): string | undefined =>
  summary
    .split(/\n(?=[-#]|$)/)
    .find((text) => text.startsWith(`- File \`${path}\``))
    ?.trim()

const PARSER =
  '- File `src/parse.ts`, as read:\n  - export function parse(text: string): Row[]\n  - export const LIMIT = 20\n  - export class Parser'

t.test('a file that was only read has what it declares, also in the next summary, until it is changed', async (t) => {
  const read = summaryOf([user('Look at the parser.'), ...did('read', { path: 'src/parse.ts' }, CODE)])
  t.equal(statement(read, 'src/parse.ts'), PARSER)
  t.equal(statement(summaryOf([user('Go on.')], read), 'src/parse.ts'), PARSER)
  const edit = did('edit', { path: 'src/parse.ts', oldText: '20', newText: 'export const LIMIT = 30' }, 'ok')
  t.equal(
    statement(summaryOf([user('Change it.'), ...edit], read), 'src/parse.ts'),
    '- File `src/parse.ts`:\n  - export const LIMIT = 30\n  - edit: added: export const LIMIT = 30',
  )
})

t.test(
  'settings have their lines; files of packages, kept outputs and parts of files without declarations have none',
  async (t) => {
    const text = summaryOf([
      user('Look around.'),
      ...did('bash', { command: 'cat config.yaml' }, 'port: 8080\nhost: 127.0.0.1'),
      ...did('read', { path: 'node_modules/x/parse.ts' }, CODE),
      ...did('read', { path: '/tmp/tasks/b7636e2.output' }, 'Compiling 7 files\nwarning: use ~c"" instead'),
      ...did('read', { path: 'src/notes.ts', offset: 10, limit: 2 }, '  run(a)\n  run(b)'),
    ])
    t.equal(statement(text, 'config.yaml'), '- File `config.yaml`, as read:\n  - content: port: 8080 | host: 127.0.0.1')
    t.equal(statement(text, 'node_modules/x/parse.ts'), undefined)
    t.equal(statement(text, '/tmp/tasks/b7636e2.output'), undefined)
    t.equal(statement(text, 'src/notes.ts'), undefined)
  },
)

t.test('what an agent writes before and after an output is no content of the file', async (t) => {
  const codex =
    'Chunk ID: 725a5a\nWall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 8\nOutput:\n'
  const text = summaryOf([
    user('Look around.'),
    ...did('exec_command', { cmd: 'cat config.yaml' }, `${codex}port: 8080\n\nhost: 127.0.0.1\n`),
    ...did('bash', { command: 'cat empty.yaml' }, codex),
    ...did('bash', { command: 'cat a.yaml' }, 'output:\nport: 1\n[Command finished with exit code 0]'),
  ])
  t.equal(statement(text, 'config.yaml'), '- File `config.yaml`, as read:\n  - content: port: 8080 | host: 127.0.0.1')
  t.equal(statement(text, 'empty.yaml'), undefined)
  t.equal(statement(text, 'a.yaml'), '- File `a.yaml`, as read:\n  - content: port: 1')
})
