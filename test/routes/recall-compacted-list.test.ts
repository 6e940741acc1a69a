import t from 'tap'
import type { RecallReply } from '../../src/schemas/recall.ts'
import { startApp } from '../support/start-app.ts'

const TURNS = Array.from({ length: 20 }, (_, at) => [
  { role: 'user', content: `Port value${at} to Rust. ${'It has a note. '.repeat(20)}` },
  { role: 'assistant', content: `value${at} is ported.` },
]).flat()

const NOT_SENT =
  'What the summary has replaced is not in this session: only the rest was searched. Look it up in the messages as they were before the compaction.'

for (const [name, first] of [
  ['with a system prompt', [{ role: 'system', content: 'You are a coding agent.' }]],
  ['without one', []],
] as const)
  t.test(
    `a list of messages that was compacted, ${name}: a look-up says that the replaced messages are not in it`,
    async (t) => {
      const { app } = await startApp(t)
      const post = async <T>(url: string, payload: object) =>
        (await app.inject({ method: 'POST', url, payload })).json<T>()
      const compact = (messages: object[]) =>
        post<{ history: object[] }>('/compaction', {
          ...{ messages, history: true, summary: 'The port is under way.', settings: { keepRecentTokens: 300 } },
        })
      const recall = async (messages: object[], query: string) => {
        const { passages, scope, searched } = await post<RecallReply>('/recall', { messages, query })
        return [passages.map(({ kind }) => kind).sort(), scope, searched.note]
      }
      const messages = [...first, ...TURNS]
      const { history } = await compact(messages)
      t.same(await recall(history, 'value0'), [[], 'all', NOT_SENT])
      t.same(await recall(history, 'value19'), [['answer', 'request'], 'all', NOT_SENT], 'the rest is searched')
      t.same((await recall(messages, 'value0'))[0], ['answer', 'request'], 'the original list has them')
      const again = await compact([...history, ...TURNS])
      t.same(await recall(again.history, 'value0'), [[], 'all', NOT_SENT], 'so after a second compaction')
    },
  )

t.test('a transcript that begins with a summary says so too, and one without a summary does not', async (t) => {
  const { app } = await startApp(t)
  const noteOf = async (conversation: string) => {
    const reply = await app.inject({ method: 'POST', url: '/recall', payload: { conversation, query: 'lexer' } })
    return reply.json<RecallReply>().searched.note
  }
  const rest = '[User]: Now the lexer.\n\n[Assistant]: It is fixed.'
  t.equal(await noteOf(rest), 'Nothing of this session was replaced yet: all of it was searched.')
  const summary = 'The conversation history before this point was compacted into the following summary:'
  t.equal(await noteOf(`[User]: ${summary}\n\n<summary>\n## Goal\nFix the parser.\n</summary>\n\n${rest}`), NOT_SENT)
})
