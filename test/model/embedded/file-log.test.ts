import t from 'tap'
import { endedRuns, pairMessages } from '../../../src/extract/runs.ts'
import { readEdit, writeEdit } from '../../../src/model/embedded/file-edits.ts'
import { FileLog } from '../../../src/model/embedded/file-log.ts'
import { assistant, buildEntries, call, result } from '../../support/build-entries.ts'

/** Returns a log after edits of files, one after the other. */
function logOf(paths: readonly string[]): FileLog {
  const drafts = paths.flatMap((path, at) => [
    assistant('', [call(`c${at}`, 'edit', { path, oldText: '', newText: `step ${at}` })]),
    result(`c${at}`, 'Edited.', { toolName: 'edit' }),
  ])
  const messages = buildEntries(drafts).flatMap(({ message }) => (message === undefined ? [] : [message]))
  const log = new FileLog([])
  for (const run of endedRuns(pairMessages(messages))) log.change(run)
  return log
}

const pathsOf = (log: FileLog): string[] => log.files().map(({ path }) => path)

t.test('the file that was changed last is at the end', async (t) => {
  t.strictSame(pathsOf(logOf(['a.ts', 'b.ts', 'a.ts'])), ['b.ts', 'a.ts'])
})

t.test('of 201 files, the one that was not changed for longest is forgotten', async (t) => {
  const first = Array.from({ length: 200 }, (_, at) => `${at}.ts`)
  t.strictSame(pathsOf(logOf([...first, '0.ts', '200.ts'])), [...first.slice(2), '0.ts', '200.ts'])
})

t.test('what an edit replaces in a line is replaced where the line is shown', async (t) => {
  const log = new FileLog([])
  const change = (name: string, args: Record<string, string>) =>
    log.change({ call: { type: 'toolCall', id: 'c', name, arguments: { path: 'a.mjs', ...args } } })
  change('write', {
    content: "const SUMS = { one: 'c6a1903d', two: '41b6f0c2' };\nfor (const one of SUMS) check(one);\n",
  })
  change('edit', { oldText: "one: 'c6a1903d'", newText: "one: '71e0fd88'" })
  const text = JSON.stringify(log.files())
  t.match(text, "one: '71e0fd88', two: '41b6f0c2'")
  t.notMatch(text, 'c6a1903d')
})

t.test('what an edit replaces by several lines is replaced in a declaration on one line', async (t) => {
  const log = new FileLog([])
  const change = (name: string, args: Record<string, string>) =>
    log.change({ call: { type: 'toolCall', id: 'c', name, arguments: { path: 'a.ts', ...args } } })
  change('write', {
    content: "const CONTENT = ['net', 'vat'] as const;\nexport function f() {}\nexport function g() {}\n",
  })
  change('edit', { oldText: "['net', 'vat'] as const", newText: "[\n  'net',\n  'vat',\n  'kind',\n] as const" })
  t.equal(log.files()[0]?.declared[0], "const CONTENT = [ 'net', 'vat', 'kind', ] as const;")
})

t.test('an edit that leaves a code span open is written as code, and read again as it was', async (t) => {
  const line = 'const sql = `select *'
  const edit = { verb: 'edit: added' as const, lines: [line, 'from sales'] }
  t.equal(writeEdit(edit), `edit: added: \`\` ${line} \`\` | from sales`)
  t.strictSame(readEdit(writeEdit(edit)), edit)
  t.equal(writeEdit({ ...edit, lines: ['const sql = `select`'] }), 'edit: added: const sql = `select`')
})

t.test('a file that git sets back is what it was at the last commit', async (t) => {
  const edit = (path: string, name: string) =>
    ['edit', { path, oldText: '', newText: `function ${name}() {}` }] as const
  const ran = (command: string) => ['bash', { command }] as const
  const begun = [
    edit('/app/src/cli.js', 'shown'),
    ran("git commit -qam 'Show degrees'"),
    edit('/app/src/cli.js', 'fahrenheit'),
    edit('/app/src/new.js', 'added'),
  ]
  const known = (...calls: (readonly [string, Record<string, string>])[]): string[] => {
    const drafts = [...begun, ...calls].flatMap(([name, args], at) => [
      assistant('', [call(`c${at}`, name, args)]),
      result(`c${at}`, 'ok', { toolName: name }),
    ])
    const log = new FileLog([])
    const messages = buildEntries(drafts).flatMap(({ message }) => message ?? [])
    for (const run of endedRuns(pairMessages(messages))) log.change(run)
    return log.files().flatMap(({ declared }) => declared.map((line) => line.replace(/^function | \{\}$/g, '')))
  }
  t.strictSame(known(), ['shown()', 'fahrenheit()', 'added()'])
  t.strictSame(known(ran('git status && git checkout src/cli.js')), ['added()', 'shown()'])
  t.strictSame(known(ran('git checkout .')), ['shown()'])
  t.strictSame(known(ran('git restore --staged src/cli.js')), ['shown()', 'fahrenheit()', 'added()'])
})
