import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { FORMAT_IDS, NEW_SESSION_FORMATS } from '../../src/schemas/format-ids.ts'
import { KEPT_TEXTS, LISTS, SESSIONS } from '../support/agent-sessions.ts'
import { asLines } from '../support/read-document.ts'
import { startApp } from '../support/start-app.ts'

interface Block {
  type: string
  text?: string
  id?: string
}

interface ContextMessage {
  role: string
  content: Block[]
  toolCallId?: string
}

/** Posts a document as curl does, without a content type of its own. */
const post = (app: FastifyInstance, url: string, payload: string) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload,
  })

const isReadable = (id: string): boolean => FORMAT_IDS.some((known) => known === id)

const textsOf = (messages: readonly ContextMessage[]): string[] =>
  messages.flatMap(({ role, content }) =>
    content.flatMap(({ type, text }) => (type === 'text' && role !== 'toolResult' ? (text ?? '') : [])),
  )

for (const target of NEW_SESSION_FORMATS.filter(isReadable))
  t.test(`a session of each agent becomes one of ${target}, with the summary and the newest turn`, async (t) => {
    const { app } = await startApp(t)
    for (const [source, document] of Object.entries(SESSIONS)) {
      const written = await post(app, `/compaction?reply=${target}&keepRecentTokens=50`, document)
      t.equal(written.statusCode, 200, source)
      t.equal(written.headers['x-precis-format'], target, source)

      const { messages, report } = (await post(app, '/context', written.body)).json<{
        messages: ContextMessage[]
        report?: { format: string }
      }>()
      t.equal(report?.format ?? 'chat', target, source)
      const [summary, ...texts] = textsOf(messages)
      t.match(summary, /^The conversation before this point was compacted into this summary:/, source)
      t.strictSame(
        texts.filter((text) => KEPT_TEXTS.includes(text)),
        KEPT_TEXTS,
        source,
      )
      const calls = messages.flatMap(({ content }) =>
        content.flatMap(({ type, id }) => (type === 'toolCall' ? id : [])),
      )
      const results = messages.flatMap(({ toolCallId }) => toolCallId ?? [])
      t.strictSame(results, calls, source)
      t.equal(calls.length, 2, source)
    }
  })

const PIXEL = 'iVBORw0KGgo='

/** A session of pi whose newest turn has what other formats cannot hold. */
const PI = asLines([
  { type: 'session', version: 3, id: 's1', cwd: '/work/parser' },
  message('a', { role: 'user', content: `Fix the parser. ${'It must read every line. '.repeat(60)}` }),
  message('b', { role: 'assistant', content: [{ type: 'text', text: 'Fixed. '.repeat(300) }] }),
  message('c', {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image', mimeType: 'image/png', data: PIXEL },
    ],
  }),
  message('d', {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'A red pixel' },
      { type: 'text', text: 'I see it' },
    ],
    usage: { input: 5, output: 5 },
  }),
])

function message(id: string, fields: object): object {
  return { type: 'message', id, parentId: null, message: fields }
}

const LINEAR = PI.replaceAll('"parentId":null,', '')

t.test('a file reply has the session alone, and a header with what it could not hold', async (t) => {
  const { app } = await startApp(t)
  const reply = await post(app, '/compaction?reply=codex&keepRecentTokens=1300', LINEAR)
  t.equal(reply.headers['content-type'], 'application/x-ndjson; charset=utf-8')
  t.equal(reply.headers['x-precis-not-carried'], 'usage=1, thinking=1')
  const lines = reply.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; payload: Record<string, unknown> })
  t.strictSame(
    lines.map(({ type }) => type),
    ['session_meta', 'compacted', 'response_item', 'event_msg', 'response_item', 'event_msg'],
  )
  t.equal(lines[0]?.payload['cwd'], '/work/parser')
  t.strictSame(lines[2]?.payload, {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
    ],
  })
})

t.test('a JSON reply has the new session, and the report says what it could not hold', async (t) => {
  const { app } = await startApp(t)
  const reply = await post(app, '/compaction?newSession=atif&keepRecentTokens=1300', LINEAR)
  const { newSession, report, firstKeptEntryId } = reply.json()
  t.equal(firstKeptEntryId, 'c')
  t.match(newSession, { format: 'atif', contentType: 'application/json' })
  t.equal(JSON.parse(newSession.body).steps.length, 3)
  t.strictSame(report.ignored, { notCarried: { usage: 1, images: 1 } })
})

t.test('a new session names the agent of the old one', async (t) => {
  const { app } = await startApp(t)
  const entries = LINEAR.split('\n').map((line) => JSON.parse(line) as { message?: unknown })
  const messages = entries.flatMap(({ message }) => message ?? [])
  const agents: unknown[] = []
  for (const session of [{ entries }, { messages }]) {
    const payload = { ...session, settings: { keepRecentTokens: 1300 } }
    const reply = await app.inject({ method: 'POST', url: '/compaction?reply=atif', payload })
    agents.push(reply.json<{ agent: { name: unknown } }>().agent.name)
  }
  t.strictSame(agents, ['pi', 'chat'])
})

t.test('an image of another format keeps its data', async (t) => {
  const { app } = await startApp(t)
  const claude = await post(app, '/compaction?reply=claude-code&keepRecentTokens=1900', LINEAR)
  const chat = await post(app, '/compaction?reply=chat&keepRecentTokens=1300', claude.body)
  const [, , asked] = chat.json<{ messages: object[] }>().messages
  t.strictSame(asked, {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
    ],
  })
})

t.test('two images of one message stay in their order, each at its place in the text', async (t) => {
  const { app } = await startApp(t)
  const [first, second] = [PIXEL, 'R0lGODlhAQABAAAAACw=']
  const withTwo = LINEAR.replace(
    /\{"type":"image"[^}]*\}/,
    [
      { type: 'image', mimeType: 'image/png', data: first },
      { type: 'text', text: 'and compare it with' },
      { type: 'image', mimeType: 'image/gif', data: second },
    ]
      .map((block) => JSON.stringify(block))
      .join(','),
  )
  const claude = (await post(app, '/compaction?reply=claude-code&keepRecentTokens=3100', withTwo)).body
  for (const document of [withTwo, claude]) {
    const reply = await post(app, '/compaction?reply=chat&keepRecentTokens=2500', document)
    const { messages } = reply.json<{ messages: { content: unknown }[] }>()
    const asked = messages.find(({ content }) => JSON.stringify(content).includes('compare'))
    t.strictSame(asked?.content, [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${first}` } },
      { type: 'text', text: 'and compare it with' },
      { type: 'image_url', image_url: { url: `data:image/gif;base64,${second}` } },
    ])
  }
})

t.test('a request without messages, or with two formats, is refused with the reason', async (t) => {
  const { app } = await startApp(t)
  const prompt = await app.inject({ method: 'POST', url: '/compaction?reply=codex', payload: { prompt: 'Summarize.' } })
  t.match(prompt.json(), {
    status: 422,
    type: 'urn:precis:problem:no-native-form',
    detail: /no messages for a new session/,
  })
  const both = await post(app, '/compaction?reply=codex&newSession=qwen', LINEAR)
  t.match(both.json(), {
    status: 400,
    detail: 'The query parameter `newSession` must not be sent with `reply=codex`.',
  })
  const unknown = await post(app, '/compaction?reply=emacs', LINEAR)
  t.match(unknown.json(), { status: 400, errors: [{ pointer: '/reply' }] })
})

t.test('the folder of a new session is that of the agent, never one that the session talks about', async (t) => {
  const { app } = await startApp(t)
  const folderOf = async (document: string) => {
    const { body } = await post(app, '/compaction?reply=pi&keepRecentTokens=45', document)
    return (JSON.parse(body.split('\n')[0] ?? '') as { cwd?: string }).cwd
  }
  const inFolder = (cwd: string) => folderOf(LINEAR.replace('"/work/parser"', JSON.stringify(cwd)))
  t.strictSame(
    [await inFolder('C:\\parser'), await inFolder('parser'), await inFolder('/a\nb')],
    ['C:\\parser', '/', '/'],
  )
  const said = (document: string): string => document.replaceAll('"limit":', '"cwd":"/etc","directory":"/etc","limit":')
  const found: Record<string, unknown> = {}
  for (const [name, document] of Object.entries({ ...SESSIONS, ...LISTS })) found[name] = await folderOf(said(document))
  t.strictSame(found, {
    ...Object.fromEntries(Object.keys({ ...SESSIONS, ...LISTS }).map((name) => [name, '/'])),
    ...Object.fromEntries(
      ['claude-code', 'codex', 'qwen', 'opencode', 'opencode, a list', 'pi', 'pi, version 1'].map((name) => [
        name,
        '/p',
      ]),
    ),
  })
})
