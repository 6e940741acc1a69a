import t from 'tap'
import { SESSIONS } from '../support/agent-sessions.ts'
import { startApp } from '../support/start-app.ts'

type Fields = Record<string, unknown>

/** What an agent needs of a compaction to go on with the session as it was: in words, where the reviewed files have bytes. */
const { app } = await startApp(t)

const LONG = 'It must read every line of the file, also an empty one. '.repeat(60)

/** Returns what a compaction adds to a session, or the whole session where it is replaced. */
async function compact(document: string, query: string, summary = 'Short.'): Promise<string> {
  const url = `/compaction?reply=native&summary=${encodeURIComponent(summary)}&${query}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.inject({ method: 'POST', url, headers, payload: document })
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.body
}

const linesOf = (text: string): Fields[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields)

/** Returns a session on lines in which some lines have other fields. */
const withFields = (name: string, changes: Record<string, Fields>): string =>
  linesOf(SESSIONS[name] ?? '')
    .map((line) => `${JSON.stringify({ ...line, ...changes[String(line['uuid'] ?? line['id'])] })}\n`)
    .join('')

t.test('Claude Code: after a change of folder, branch and version, the compaction has the newest ones', async (t) => {
  const now = { cwd: '/p/web', gitBranch: 'next', version: '2.2.0', slug: 'calm-river' }
  const added = linesOf(await compact(withFields('claude-code', { a6: now }), 'keepRecentTokens=50'))
  t.equal(added.length, 2)
  for (const line of added) t.match(line, now)
})

t.test('Gemini CLI: no kept message is newer than the summary before it, whatever the clock says', async (t) => {
  const newest = '2100-01-01T00:00:00.000Z'
  const posted = withFields('gemini', { g5: { timestamp: '2026-01-01T00:00:00.000Z' }, g8: { timestamp: newest } })
  const [line] = linesOf(await compact(posted, 'keepRecentTokens=50'))
  const { messages } = line?.['$set'] as { messages: Fields[] }
  t.match(messages[0], { content: [{ text: /Short\./ }], timestamp: newest })
})

t.test('Qwen Code: roles alternate after the summary, so an answer acknowledges it only before a user', async (t) => {
  const rolesAfter = async (keep: number): Promise<unknown[]> => {
    const [line] = linesOf(await compact(SESSIONS['qwen'] ?? '', `keepRecentTokens=${keep}`))
    const { compressedHistory } = line?.['systemPayload'] as { compressedHistory: Fields[] }
    return compressedHistory.map(({ role }) => role)
  }
  t.strictSame(await rolesAfter(1), ['user', 'model'], 'a kept answer follows the summary')
  t.strictSame(
    (await rolesAfter(50)).slice(0, 4),
    ['user', 'model', 'user', 'model'],
    'a kept prompt follows an answer',
  )
})

t.test('opencode: the session goes on with the newest agent and model', async (t) => {
  const { info, messages } = JSON.parse(SESSIONS['opencode'] ?? '') as { info: Fields; messages: { info: Fields }[] }
  const model = { providerID: 'other', modelID: 'newer' }
  const path = { cwd: '/p/web', root: '/p' }
  const changed = messages.map((message, at) => {
    if (at === 3) return { ...message, info: { ...message.info, agent: 'plan', model } }
    return at === 5 ? { ...message, info: { ...message.info, ...model, path } } : message
  })
  const written = JSON.parse(await compact(JSON.stringify({ info, messages: changed }), 'keepRecentTokens=50')) as {
    messages: { info: Fields }[]
  }
  const [ask, answer] = written.messages.slice(-2).map((message) => message.info)
  t.match(ask, { role: 'user', agent: 'plan', model })
  t.match(answer, { role: 'assistant', ...model, path })
})

t.test('Cline: a second compaction names the messages of the session, not those of the compacted copy', async (t) => {
  const { messages } = JSON.parse(SESSIONS['cline'] ?? '') as { messages: Fields[] }
  const covered = { source_message_count: messages.length, source_last_message_key: `id:msg_${messages.length - 1}` }
  const first = await compact(SESSIONS['cline'] ?? '', 'keepRecentTokens=50', LONG)
  t.match(JSON.parse(first), covered)
  const second = JSON.parse(await compact(first, 'keepRecentTokens=1')) as { messages: Fields[] }
  t.match(second, covered)
  t.equal(second.messages.length, 2, 'the copy has fewer')
})

t.test('Roo Code: a message that the first compaction covers stays with that one at a second one', async (t) => {
  const first = await compact(SESSIONS['cline-legacy'] ?? '', 'keepRecentTokens=50', LONG)
  const second = await compact(first, 'keepRecentTokens=1')
  const parentsOf = (document: string): unknown[] =>
    (JSON.parse(document) as Fields[]).map((one) => one['condenseParent'])
  const summaryIn = (document: string): unknown =>
    (JSON.parse(document) as Fields[]).findLast(({ isSummary }) => isSummary === true)?.['condenseId']
  const [one, two] = [summaryIn(first), summaryIn(second)]
  t.not(one, two)
  t.strictSame(parentsOf(second), [one, one, one, two, two, two, two, two, undefined, undefined])
  t.equal(second.split('"condenseParent"').length - 1, 8, 'each message has one')
})
