import type { FastifyInstance } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { textOfTokens } from '../support/text-of-tokens.ts'
import t from 'tap'
import { startApp } from '../support/start-app.ts'

const long = textOfTokens(60)
const result = (id: string, parentId: string | null, content: unknown) => ({
  type: 'message',
  id,
  parentId,
  extra: { kept: null },
  message: { role: 'toolResult', toolCallId: 'x', toolName: 'bash', content, isError: false, details: { n: 1 } },
})
const ENTRIES = [
  { type: 'session', version: 3 },
  result('a', null, [{ type: 'text', text: long }]),
  { type: 'from_the_future', id: 'b', parentId: 'a', deep: [{ as: ['it', 'came'] }] },
  result('c', 'b', long),
  result('d', 'c', [{ type: 'text', text: long }]),
]

t.test('entries come back in order, all others untouched', async (t) => {
  const { app } = await startApp(t)
  const payload = { entries: ENTRIES, prune: { protectTokens: 60, minimumSavings: 0 } }
  const before = Date.now()
  const reply = (await app.inject({ method: 'POST', url: '/prune', payload })).json()
  const { prunedAt } = reply.entries[1].message
  t.ok(prunedAt >= before && prunedAt <= Date.now(), 'what was pruned says when, so that it stays pruned')
  const notice = '[Output truncated - 60 tokens]'
  const report = { ignored: { entryTypes: { from_the_future: 1 } } }
  t.strictSame(reply, {
    entries: [
      ENTRIES[0],
      { ...ENTRIES[1], message: { ...result('a', null, [{ type: 'text', text: notice }]).message, prunedAt } },
      ENTRIES[2],
      { ...ENTRIES[3], message: { ...result('c', 'b', notice).message, prunedAt } },
      ENTRIES[4],
    ],
    pruned: [
      { id: 'a', tokens: 60 },
      { id: 'c', tokens: 60 },
    ],
    tokensSaved: 104,
    mostTokensSaved: 156,
    report,
  })
  const again = (
    await app.inject({ method: 'POST', url: '/prune', payload: { ...payload, entries: reply.entries } })
  ).json()
  t.strictSame(again, { entries: reply.entries, pruned: [], tokensSaved: 0, mostTokensSaved: 52, report })
})

t.test('messages come back as messages', async (t) => {
  const { app } = await startApp(t)
  const messages = [
    { role: 'tool', tool_call_id: 'x', content: long },
    { role: 'user', content: 'hi' },
  ]
  const payload = { messages, prune: { protectTokens: 0, minimumSavings: 0 } }
  const reply = (await app.inject({ method: 'POST', url: '/prune', payload })).json()
  t.match(reply.messages, [{ role: 'tool', tool_call_id: 'x', content: '[Output truncated - 60 tokens]' }, messages[1]])
  t.same(reply.pruned, [{ id: 'm0', tokens: 60 }])
})

t.test('a session of another agent comes back in the form of pi, an earlier summary with its files', async (t) => {
  const { app } = await startApp(t)
  const summaryOf = async (readFiles: string[]) => {
    const metadata = { kind: 'compaction_summary', details: { readFiles, modifiedFiles: [] } }
    const messages = [
      { id: 'm1', role: 'user', content: 'Context summary:\n\nIt is fixed.', metadata },
      { id: 'm2', role: 'user', content: 'Anything else?' },
    ]
    const payload = { agent: 'lead', sessionId: 's', messages }
    const reply = await app.inject({ method: 'POST', url: '/prune?format=cline', payload })
    return reply.json<{ entries: unknown[] }>().entries[0]
  }
  const entry = { type: 'compaction', id: 'm1', parentId: null, summary: 'It is fixed.' }
  t.strictSame(await summaryOf(['a.ts']), { ...entry, details: { readFiles: ['a.ts'], modifiedFiles: [] } })
  t.strictSame(await summaryOf([]), entry)
})

t.test('NDJSON: the limits are query parameters', async (t) => {
  const { app } = await startApp(t)
  const payload = ENTRIES.map((entry) => JSON.stringify(entry)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const url = '/prune?protectTokens=0&minimumSavings=0&protectedTools=ls'
  t.equal((await app.inject({ method: 'POST', url, headers, payload })).json().pruned.length, 3)
})

t.test('NDJSON: blank lines change nothing of what is pruned, and do not come back', async (t) => {
  const { app } = await startApp(t)
  const prune = async (separator: string) => {
    const payload = ENTRIES.map((entry) => JSON.stringify(entry)).join(separator)
    const headers = { 'content-type': 'application/x-ndjson' }
    const url = '/prune?prune=%7B%22protectTokens%22%3A60%2C%22minimumSavings%22%3A0%7D'
    const reply = (await app.inject({ method: 'POST', url, payload, headers })).json()
    return JSON.stringify(reply).replace(/"prunedAt":\d+/g, '"prunedAt":0')
  }
  t.match(await prune('\n'), /Output truncated - 60 tokens/)
  t.equal(await prune('\n\n  \n'), await prune('\n'))
})

const send = (app: FastifyInstance, payload: string | Buffer) =>
  app.inject({ method: 'POST', url: '/prune', headers: { 'content-type': 'application/json' }, payload })

const DEEP = '['.repeat(200_000) + ']'.repeat(200_000)

t.test('what is not pruned comes back byte for byte: numbers, escapes, keys, white space, any nesting', async (t) => {
  const { app } = await startApp(t)
  const entries = [
    '{"type":"session", "n": [1e999, 12345678901234567890, 1.0, -0]}',
    '{ "type":"label","id":"a", "id":"a","x":"\\u00e4\\/ä","__proto__":{"y":1}\n}',
    `{"type":"from_the_future","id":"b","deep":${DEEP}}`,
  ]
  const { body } = await send(app, `{"prune":{},"entries":[ ${entries.join(' ,\n')} ]}`)
  const report = '"report":{"ignored":{"entryTypes":{"from_the_future":1}}}'
  t.equal(body, `{"entries":[${entries.join(',')}],"pruned":[],"tokensSaved":0,"mostTokensSaved":0,${report}}`)
  t.equal((await send(app, '{"messages":[ ]}')).body, '{"messages":[],"pruned":[],"tokensSaved":0,"mostTokensSaved":0}')
})

t.test('bytes that are not UTF-8 come back as U+FFFD, because a reply is UTF-8', async (t) => {
  const { app } = await startApp(t)
  const [head, tail] = ['{"messages":[{"role":"user","content":"a', 'b"}]}'].map((text) => Buffer.from(text))
  const { rawPayload } = await send(app, Buffer.concat([head!, Buffer.from([0xff]), tail!]))
  t.equal(
    rawPayload.toString(),
    '{"messages":[{"role":"user","content":"a\uFFFDb"}],"pruned":[],"tokensSaved":0,"mostTokensSaved":0}',
  )
  t.ok(isUtf8(rawPayload))
})

t.test('a pruned element that is nested too deeply to be written again is refused, not a crash', async (t) => {
  const { app } = await startApp(t)
  const message = { role: 'toolResult', toolCallId: 'x', content: long }
  const element = JSON.stringify(message).replace('}', `,"details":${DEEP}}`)
  const response = await send(app, `{"messages":[${element}],"prune":{"protectTokens":0,"minimumSavings":0}}`)
  t.equal(response.statusCode, 400)
  t.match(response.json().detail, /nested too deeply/)
})
