import { readFileSync } from 'node:fs'
import t from 'tap'
import { isCommandTool, isPatchTool, isReadTool, isWriteTool, mayChangeFiles } from '../../src/files/tools.ts'

const CONTRACT = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')

t.test('rule 9 of the contract and the table of tools name the same tools', async (t) => {
  const [, reading = '', writing = ''] =
    /\*\*Files\*\*[^]*?the tools ([^]*?)\(read\) and ([^]*?)\(modified\)/.exec(CONTRACT) ?? []
  const namesIn = (text: string): string[] => Array.from(text.matchAll(/`(\w+)`/g), ([, name = '']) => name)
  t.same(namesIn(reading).filter(isReadTool), ['read', 'Read'])
  t.same(namesIn(writing).filter(isWriteTool), ['write', 'edit', 'Write', 'Edit', 'MultiEdit', 'create', 'str_replace'])
  t.same(namesIn(writing).filter(isPatchTool), ['apply_patch'])
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
