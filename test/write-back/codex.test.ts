import t, { type Test } from 'tap'
import { asLines } from '../support/read-document.ts'
import { startApp } from '../support/start-app.ts'

const LONG = 'It must read every line of the file. '.repeat(120)
const item = (payload: object) => ({ timestamp: 't', type: 'response_item', payload })
const message = (role: string, text: string) =>
  item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] })
const turn = (name: string) => [message('user', `Ask ${name}`), message('assistant', `Answer ${name}`)]
const rollBack = (turns: number) => ({
  timestamp: 't',
  type: 'event_msg',
  payload: { type: 'thread_rolled_back', num_turns: turns },
})
const META = { timestamp: 't', type: 'session_meta', payload: { id: 's', cwd: '/work' } }
const OLD = [message('user', LONG), message('assistant', LONG)]

interface Compacted {
  payload: { replacement_history: { content: { text: string }[] }[] }
}

/** Returns the texts after the summary in the new history of a rollout. */
async function keptTexts(t: Test, lines: readonly object[], query: string): Promise<unknown> {
  const { app } = await startApp(t)
  const url = `/compaction?reply=native&summary=Short.&${query}`
  const reply = await app.inject({ method: 'POST', url, payload: asLines(lines) })
  if (reply.statusCode !== 200) return reply.json<unknown>()
  const [summary, ...items] = (JSON.parse(reply.body) as Compacted).payload.replacement_history
  t.match(summary?.content[0]?.text, /Short\.$/)
  return items.map(({ content }) => content[0]?.text)
}

t.test('turns that were rolled back do not come back', async (t) => {
  const lines = [META, ...OLD, ...turn('B'), ...turn('X'), ...turn('Y'), rollBack(2), ...turn('C')]
  t.strictSame(await keptTexts(t, lines, 'keepRecentTokens=30'), ['Ask B', 'Answer B', 'Ask C', 'Answer C'])
  // Lines without an id have their number.
  t.strictSame(await keptTexts(t, lines, 'keepRecentTokens=15&leafId=line:5'), ['Ask B', 'Answer B'], 'before them')
})

t.test('messages of the user that a compaction of 2025 has taken over are kept', async (t) => {
  const lines = [
    META,
    ...[message('user', LONG), message('assistant', LONG)],
    ...[...turn('A'), ...turn('X'), rollBack(1), ...turn('B')],
    { timestamp: 't', type: 'compacted', payload: { message: LONG } },
    ...turn('C'),
  ]
  t.strictSame(await keptTexts(t, lines, 'keepRecentTokens=25'), ['Ask A', 'Ask B', 'Ask C', 'Answer C'])
  const later = [...lines.slice(0, -2), rollBack(1), ...turn('C')]
  t.strictSame(await keptTexts(t, later, 'keepRecentTokens=25'), ['Ask A', 'Ask C', 'Answer C'], 'rolled back after it')
})

t.test('encrypted reasoning stays with its answer, and that of a covered answer does not come back', async (t) => {
  const reasoning = (name: string) =>
    item({ type: 'reasoning', summary: [{ type: 'summary_text', text: name }], encrypted_content: name })
  const lines = [
    META,
    ...[message('user', LONG), reasoning('covered'), message('assistant', LONG)],
    ...[...turn('X'), rollBack(1), reasoning('kept'), message('assistant', 'Answer B')],
  ]
  const { app } = await startApp(t)
  const url = '/compaction?reply=native&summary=Short.&keepRecentTokens=1'
  const { body } = await app.inject({ method: 'POST', url, payload: asLines(lines) })
  const [, ...items] = (JSON.parse(body) as Compacted).payload.replacement_history
  t.match(items, [{ encrypted_content: 'kept' }, { content: [{ text: 'Answer B' }] }])
  t.equal(items.length, 2)
})
