import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { BranchSummaryReplySchema } from '../../src/schemas/branch-summary.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'
import { templates } from '../support/templates.ts'

const message = (id: string, parentId: string | null, text: string, calls: object[] = []) => ({
  type: 'message',
  id,
  parentId,
  message: { role: calls.length > 0 ? 'assistant' : 'user', content: [{ type: 'text', text }, ...calls] },
})
const edit = (path: string) => ({ type: 'toolCall', id: 'c', name: 'edit', arguments: { path } })

/** a - b - (c - d - e) and a - b - f. */
const TREE = [
  message('a', null, 'Start.'),
  message('b', 'a', 'Common.', [edit('common.ts')]),
  message('c', 'b', 'Left first.', [edit('left.ts')]),
  {
    type: 'branch_summary',
    id: 'd',
    parentId: 'c',
    summary: 'Older branch.',
    details: { readFiles: ['old.ts'], modifiedFiles: [] },
  },
  message('e', 'd', 'Left last.'),
  message('f', 'b', 'Target.'),
]
const leave = { fromId: 'e', targetId: 'f' }

t.test('the entries from the old leaf back to the common ancestor are summarized', async (t) => {
  const summarizer = fakeSummarizer('## Goal\nLeft.')
  const { app } = await startApp(t, { summarizer })
  const response = await app.inject({ method: 'POST', url: '/branch-summary', payload: { entries: TREE, ...leave } })
  const reply = response.json()
  t.ok(Value.Check(BranchSummaryReplySchema, reply))
  t.match(reply, {
    commonAncestorId: 'b',
    entryIds: ['c', 'd', 'e'],
    details: { readFiles: ['old.ts'], modifiedFiles: ['left.ts'] },
  })
  t.equal(
    reply.summary,
    `${templates['branch-preamble']}\n\n## Goal\nLeft.\n\n<read-files>\nold.ts\n</read-files>\n\n<modified-files>\nleft.ts\n</modified-files>`,
  )
  t.match(summarizer.tasks[0], { kind: 'branch', maxTokens: 13_107 })
  t.match(summarizer.tasks[0]?.prompt, /Left first\.[^]*Older branch\.[^]*Left last\./)
  t.notMatch(summarizer.tasks[0]?.prompt, /Common|Target/)
})

t.test('newest entries first within the budget; files come from all of them', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  const settings = { contextWindow: 20, reserveTokens: 15 }
  const reply = (
    await app.inject({ method: 'POST', url: '/branch-summary', payload: { entries: TREE, ...leave, settings } })
  ).json()
  t.notMatch(summarizer.tasks[0]?.prompt, 'Left first.')
  t.match(summarizer.tasks[0]?.prompt, 'Older branch.', 'a summary near the edge is kept')
  t.same(reply.details.modifiedFiles, ['left.ts'])
  t.same(reply.entryIds, ['c', 'd', 'e'])
})

t.test('custom instructions replace the prompt', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  await app.inject({
    method: 'POST',
    url: '/branch-summary',
    payload: { entries: TREE, ...leave, customInstructions: 'Only names.' },
  })
  t.match(summarizer.tasks[0]?.prompt, /<\/conversation>\n\nOnly names\.$/)
})

t.test('compactions on the way count as messages, their files too, unless an extension made them', async (t) => {
  const compaction = (fields: object) => ({
    type: 'compaction',
    id: 'd',
    parentId: 'c',
    summary: 'Compacted.',
    details: { readFiles: ['x.ts'] },
    ...fields,
  })
  for (const [fields, readFiles] of [
    [{}, ['x.ts']],
    [{ fromHook: true }, []],
  ] as const) {
    const summarizer = fakeSummarizer()
    const { app } = await startApp(t, { summarizer })
    const entries = TREE.map((entry) => (entry.id === 'd' ? compaction(fields) : entry))
    const reply = (await app.inject({ method: 'POST', url: '/branch-summary', payload: { entries, ...leave } })).json()
    t.match(summarizer.tasks[0]?.prompt, 'Compacted.')
    t.same(reply.details.readFiles, readFiles)
  }
})

const refusals: [name: string, change: object, type: string, pointers: string[]][] = [
  ['an unknown old leaf', { fromId: 'x' }, 'invalid-session', ['/fromId']],
  ['an unknown target', { targetId: 'x' }, 'invalid-session', ['/targetId']],
  ['nothing left behind', { fromId: 'b', targetId: 'e' }, 'nothing-to-compact', []],
  ['a duplicate id', { entries: [...TREE, message('a', null, '')] }, 'invalid-session', ['/entries/6/id']],
  ['a second orphan', { entries: [...TREE, message('z', 'gone', '')] }, 'invalid-session', ['/entries/6/parentId']],
  ['a cycle', { entries: [...TREE, message('z', 'z', '')] }, 'invalid-session', ['/entries/6/parentId']],
]

for (const [name, change, type, pointers] of refusals)
  t.test(`${name} gets 422 ${type}`, async (t) => {
    const { app } = await startApp(t)
    const response = await app.inject({
      method: 'POST',
      url: '/branch-summary',
      payload: { entries: TREE, ...leave, ...change },
    })
    t.equal(response.statusCode, 422)
    const { type: uri, errors = [] } = response.json()
    t.equal(uri, `urn:precis:problem:${type}`)
    t.same(
      errors.map(({ pointer }: { pointer: string }) => pointer),
      pointers,
    )
  })
