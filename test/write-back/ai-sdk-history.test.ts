import t, { type Test } from 'tap'
import { LARGE_NUMBER, LISTS } from '../support/agent-sessions.ts'
import { startApp } from '../support/start-app.ts'

const SUMMARY_TEXT =
  'The conversation before this point was compacted into this summary:\n\n<summary>\nShort.\n</summary>'
const ANSWER_TEXT = 'Understood. I continue from this summary.'

type Message = Record<string, unknown>

/** Returns the compacted list of a list of messages, and its text. */
async function historyOf(t: Test, name: string, keepRecentTokens: number) {
  const { app } = await startApp(t)
  const url = `/compaction?history=true&summary=Short.&keepRecentTokens=${keepRecentTokens}`
  const { body } = await app.inject({ method: 'POST', url, payload: LISTS[name] ?? '' })
  return { body, history: (JSON.parse(body) as { history: Message[] }).history }
}

const postedList = (name: string): Message[] => {
  const document = JSON.parse(LISTS[name] ?? '') as Message[] | { messages: Message[] }
  return Array.isArray(document) ? document : document.messages
}

t.test(
  'the history of model messages of the AI SDK has the instructions, the summary and the kept messages',
  async (t) => {
    const { history, body } = await historyOf(t, 'ai-model', 45)
    const posted = postedList('ai-model')
    t.strictSame(history, [
      posted[0],
      { role: 'user', content: SUMMARY_TEXT },
      { role: 'assistant', content: ANSWER_TEXT },
      ...posted.slice(5),
    ])
    t.ok(body.includes(LARGE_NUMBER), 'no number is changed')
  },
)

t.test(
  'the history of model messages that begins with an answer has its calls with all of their results',
  async (t) => {
    const { history } = await historyOf(t, 'ai-model', 37)
    const posted = postedList('ai-model')
    t.strictSame(history, [posted[0], { role: 'user', content: SUMMARY_TEXT }, ...posted.slice(6)])
  },
)

t.test('new UI messages of the AI SDK have an id, and what is kept stands after them', async (t) => {
  const { history, body } = await historyOf(t, 'ai-ui', 45)
  const posted = postedList('ai-ui')
  const [, summary = {}, answer = {}] = history
  t.strictSame(history, [
    posted[0],
    { id: summary['id'], role: 'user', parts: [{ type: 'text', text: SUMMARY_TEXT }] },
    { id: answer['id'], role: 'assistant', parts: [{ type: 'text', text: ANSWER_TEXT }] },
    ...posted.slice(3),
  ])
  t.equal(new Set(history.map(({ id }) => id)).size, history.length, 'no two messages have the same id')
  t.ok(body.includes(LARGE_NUMBER), 'no number is changed')
})

t.test('of a UI message with several steps, the newest steps may be kept', async (t) => {
  const { history } = await historyOf(t, 'ai-ui', 1)
  const posted = postedList('ai-ui')
  t.strictSame(history, [
    posted[0],
    { id: history[1]?.['id'], role: 'user', parts: [{ type: 'text', text: SUMMARY_TEXT }] },
    {
      id: 'm4',
      role: 'assistant',
      parts: [{ type: 'step-start' }, { type: 'text', text: 'The lexer splits a text into words.' }],
    },
  ])
})

t.test('new UI messages of version 4 have their text in `content` too', async (t) => {
  const { history } = await historyOf(t, 'ai-ui, version 4', 41)
  const [summary = {}, answer = {}] = history
  t.strictSame(history, [
    { id: summary['id'], role: 'user', content: SUMMARY_TEXT, parts: [{ type: 'text', text: SUMMARY_TEXT }] },
    { id: answer['id'], role: 'assistant', content: ANSWER_TEXT, parts: [{ type: 'text', text: ANSWER_TEXT }] },
    ...postedList('ai-ui, version 4').slice(3),
  ])
})
