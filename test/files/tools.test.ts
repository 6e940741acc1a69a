import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  isCommandTool,
  isPatchTool,
  isReadTool,
  isWriteTool,
  mayChangeFiles,
  WRITE_TOOLS,
} from '../../src/files/tools.ts'

const CONTRACT = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')

t.test('rule 9 of the contract and the table of tools name the same tools', async (t) => {
  const [, reading = '', writing = ''] =
    /\*\*Files\*\*[^]*?the tools ([^]*?)\(read\) and\s([^]*?)\(modified\)/.exec(CONTRACT) ?? []
  const namesIn = (text: string): string[] => Array.from(text.matchAll(/`(\w+)`/g), ([, name = '']) => name)
  const [readers, writers] = [namesIn(reading), namesIn(writing)]
  t.ok(readers.length > 2 && readers.every(isReadTool), readers.join())
  t.ok(
    writers.every((name) => isWriteTool(name) || isPatchTool(name)),
    writers.join(),
  )
  t.same(new Set(writers), new Set(WRITE_TOOLS), 'the table has no others')
})

t.test('the command of an editor says whether it reads or changes a file', async (t) => {
  for (const name of ['str_replace_editor', 'file_editor', 'developer__text_editor']) {
    t.ok(isReadTool(name, { command: 'view', path: 'a.ts' }) && !isWriteTool(name, { command: 'view' }), name)
    t.ok(isWriteTool(name, { command: 'create' }) && !isReadTool(name, { command: 'create' }), name)
  }
})

t.test('names of file tools count in their exact spelling, names of command tools in any case', async (t) => {
  t.same(
    ['READ', 'WRITE', 'Apply_Patch', 'toString'].filter(
      (name) => isReadTool(name) || isWriteTool(name) || isPatchTool(name),
    ),
    [],
  )
  t.ok(['bash', 'Bash', 'Shell', 'exec_command'].every(isCommandTool))
  t.notOk(['read', 'bash_output', 'toString', ''].some(isCommandTool))
})

t.test('a tool whose name begins like that of a tool which writes files may change files', async (t) => {
  for (const name of [
    'edit',
    'Edit',
    'edit_file',
    'write_to_file',
    'MultiEdit',
    'create_file',
    'str_replace_editor',
    'apply_patch',
  ])
    t.ok(mayChangeFiles(name), name)
  for (const name of ['read', 'bash', 'rewrite', '']) t.notOk(mayChangeFiles(name), name)
})
