import t from 'tap'
import type { FormatId } from '../../src/schemas/format.ts'
import { LISTS, SESSIONS } from '../support/agent-sessions.ts'
import { readDocument } from '../support/read-document.ts'
import { REPLAYS } from '../support/replay.ts'
import { startApp } from '../support/start-app.ts'

const { app } = await startApp(t)
const KEPT = ['The parser is fixed.', 'Now explain the lexer.']

/** Returns the id of the entry whose message has the text. */
function idOf(document: string, text: string): string {
  const { entries } = readDocument(document).session
  return entries.find(({ message }) => JSON.stringify(message ?? '').includes(text))?.id ?? ''
}

/** Returns which of the messages before the leaf the agent reads after a compaction that keeps two of them. */
async function keptBefore(document: string, leafId: string): Promise<unknown> {
  const url = `/compaction?reply=native&summary=Short.&keepRecentTokens=10&leafId=${encodeURIComponent(leafId)}`
  const reply = await app.inject({ method: 'POST', url, payload: document })
  if (reply.statusCode !== 200) return reply.json<{ type: string }>().type
  const { 'x-precis-native': mode, 'x-precis-format': format } = reply.headers
  const replay = REPLAYS[format as FormatId] ?? (() => [])
  const [summary = '', ...messages] = replay(mode === 'append' ? document + reply.body : reply.body)
  const words = [...KEPT, 'The lexer splits', 'It must read every line']
  const kept = messages.flatMap((message) => words.filter((one) => message.includes(one)))
  return [summary.includes('Short.') ? 'summary' : summary, ...kept]
}

t.test(
  'a compaction of an older branch keeps all messages up to its leaf, or the format has no place for it',
  async (t) => {
    const kept: Record<string, unknown> = {}
    for (const [name, document] of Object.entries({ ...SESSIONS, ...LISTS }))
      kept[name] = await keptBefore(`${document}\n`, idOf(document, KEPT[1] ?? ''))
    const [whole, none] = [['summary', ...KEPT], 'urn:precis:problem:no-native-form']
    t.strictSame(kept, {
      ...{ 'claude-code': whole, codex: whole, gemini: whole, 'gemini, one object': whole, qwen: whole, pi: whole },
      ...{ atif: whole, anthropic: whole, responses: whole, 'gemini-contents': whole, chat: whole, 'ai-model': whole },
      ...{ 'ai-ui': whole, 'ai-ui, version 4': whole },
      // What follows the leaf would follow the compaction.
      ...{ opencode: none, 'opencode, a list': none, cline: none, 'cline-legacy': none, 'pi, version 1': none },
      ...{ 'openhands-v1': none, 'openhands-v1, a list': none, 'openhands-v0': none },
    })
  },
)
