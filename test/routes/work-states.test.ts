import t from 'tap'
import { assistant, buildRawEntries, call, result, user } from '../support/build-entries.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

t.test('a prompt has the states of the work, unless the client has instructions of its own', async (t) => {
  const todos = [
    { content: 'Fix add', status: 'completed' },
    { content: 'Run tests', status: 'pending' },
  ]
  const entries = buildRawEntries([
    user('Fix the adder.'),
    assistant('', [call('c', 'TodoWrite', { todos })]),
    result('c', 'ok', { toolName: 'TodoWrite' }),
    assistant('', [call('d', 'bash', { command: 'ls' })], { stopReason: 'aborted' }),
    user(`Go on. ${'word '.repeat(400)}`),
  ])
  const promptOf = async (others: object) => {
    const summarizer = fakeSummarizer()
    const { app } = await startApp(t, { summarizer })
    const settings = { keepRecentTokens: 100 }
    await app.inject({ method: 'POST', url: '/compaction', payload: { entries, settings, ...others } })
    return summarizer.tasks[0]?.prompt ?? ''
  }
  t.match(
    await promptOf({}),
    '\n<work-states>\n- done: Fix add (task of TodoWrite, entry 3)\n- open: Run tests (task of TodoWrite, entry 3)\n' +
      '- open: Fix the adder. (request, interrupted)\n</work-states>\n',
  )
  t.notMatch(await promptOf({ promptOverride: 'Be brief.' }), '<work-states>')
})
