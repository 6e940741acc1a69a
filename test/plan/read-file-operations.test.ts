import t from 'tap'
import { readFileOperations } from '../../src/plan/read-file-operations.ts'
import { call } from '../support/build-entries.ts'

const operationsOf = (name: string, args: unknown) => readFileOperations(call('c', name, args))

t.test('rule 9: these tools read', async (t) => {
  for (const name of ['read', 'Read'])
    t.same(operationsOf(name, { path: 'a.ts:50' }), { readFiles: ['a.ts:50'], modifiedFiles: [] })
})

t.test('rule 9: these tools modify', async (t) => {
  for (const name of ['write', 'edit', 'Write', 'Edit', 'MultiEdit', 'create', 'str_replace', 'apply_patch'])
    t.same(operationsOf(name, { path: 'a.ts' }), { readFiles: [], modifiedFiles: ['a.ts'] }, name)
})

t.test('rule 9: no other tool counts', async (t) => {
  for (const name of ['bash', 'grep', 'READ', 'toString'])
    t.same(operationsOf(name, { path: 'a.ts' }), { readFiles: [], modifiedFiles: [] }, name)
})

t.test('rule 9: the path stands under any of these arguments', async (t) => {
  for (const key of ['path', 'file_path', 'filePath', 'filename'])
    t.same(operationsOf('edit', { [key]: 'a.ts', text: 'b.ts' }), { readFiles: [], modifiedFiles: ['a.ts'] }, key)
})

t.test('rule 9: arguments of another shape name no file', async (t) => {
  for (const args of [{}, null, 'a.ts', 5, ['a.ts'], { path: 5 }, { path: { path: 'a.ts' } }])
    t.same(operationsOf('read', args), { readFiles: [], modifiedFiles: [] })
})

t.test("rule 9: apply_patch's files stand in its patch, whatever argument that is", async (t) => {
  const patch = '*** Begin Patch\n*** Update File: a.ts\n*** End Patch'
  for (const args of [{ input: patch }, { patch, dry: false }, patch])
    t.same(operationsOf('apply_patch', args), { readFiles: [], modifiedFiles: ['a.ts'] })
  t.same(operationsOf('write', { path: 'b.ts', content: patch }), { readFiles: [], modifiedFiles: ['b.ts'] })
})
