import t from 'tap'
import { startApp } from '../support/start-app.ts'

const line = (type: string, uuid: string, parentUuid: string | null, content: unknown) => ({
  type,
  uuid,
  parentUuid,
  sessionId: 's',
  isSidechain: false,
  message: { role: type, content },
})
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }
const LINES = [
  line('user', 'u1', null, [{ type: 'text', text: 'Fix the parser.' }, image]),
  line('assistant', 'a1', 'u1', [{ type: 'tool_use', id: 'c1', name: 'Edit', input: { file_path: 'parser.ts' } }]),
  line('user', 'r1', 'a1', [{ type: 'tool_result', tool_use_id: 'c1', content: 'edited '.repeat(400) }]),
  line('assistant', 'a2', 'r1', [{ type: 'text', text: 'The parser is fixed.' }]),
  line('user', 'u2', 'a2', 'Explain it.'),
  line('assistant', 'a3', 'u2', [{ type: 'text', text: 'It was a missing brace.' }]),
]
const BODY = LINES.map((one) => JSON.stringify(one)).join('\n')

t.test('all routes with a session read a session of another agent, posted as curl does', async (t) => {
  const { app } = await startApp(t)
  const post = async (url: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await app.inject({ method: 'POST', url, headers, payload: BODY })
    t.equal(reply.statusCode, 200, url)
    return reply.json()
  }
  const report = { format: 'claude-code' }

  const compaction = await post('/compaction?keepRecentTokens=1')
  t.match(compaction, { firstKeptEntryId: 'a3', details: { modifiedFiles: ['parser.ts'] }, report })
  t.match(await post('/compaction/plan?keepRecentTokens=1'), { firstKeptEntryId: 'a3', report })
  t.match(await post('/handoff'), { details: { modifiedFiles: ['parser.ts'] }, report })
  t.match(await post('/branch-summary?fromId=a3&targetId=a2'), {
    commonAncestorId: 'a2',
    entryIds: ['u2', 'a3'],
    report,
  })

  const context = await post('/context')
  t.strictSame(context.messages[0], {
    role: 'user',
    content: [
      { type: 'text', text: 'Fix the parser.' },
      { type: 'image', data: 'AA', mimeType: 'image/png' },
    ],
  })
  t.strictSame(
    context.messages.map(({ role }: { role: string }) => role),
    ['user', 'assistant', 'toolResult', 'assistant', 'user', 'assistant'],
  )

  const pruned = await post('/prune?protectTokens=0&minimumSavings=1')
  t.strictSame(
    pruned.pruned.map(({ id }: { id: string }) => id),
    ['r1'],
  )
  t.match(pruned.entries[2], { id: 'r1', parentId: 'a1', message: { role: 'toolResult', content: [{ type: 'text' }] } })
  t.equal(pruned.entries.length, 6)
})

t.test('a document of an unknown format is 422, with the formats that are known', async (t) => {
  const { app } = await startApp(t)
  const reply = await app.inject({ method: 'POST', url: '/compaction', payload: { steps: [], agent: 'x' } })
  t.match(reply.json(), { status: 422, type: 'urn:precis:problem:unknown-format', detail: /claude-code, codex/ })
})
