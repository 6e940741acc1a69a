import { deserialize, serialize } from 'node:v8'
import t from 'tap'
import {
  endedRuns,
  filesOf,
  outcomeOf,
  outputOf,
  pairMessages,
  simpleCommandsOf,
  type PairedMessages,
} from '../../src/extract/runs.ts'
import { assistant, call, result, user } from '../prompt/message-builders.ts'

const bash = (command: string, id = 'c1') => assistant(call('bash', { command }, id))

/** Describes the runs that have ended: `tool command => output: outcome`. */
const describe = (paired: PairedMessages): string[] =>
  endedRuns(paired).map((run) => {
    const called = [run.call?.name ?? 'none', ...(run.command === undefined ? [] : [run.command])].join(' ')
    return `${called} => ${outputOf(run)}: ${outcomeOf(run).kind}`
  })

t.test('a result belongs to the nearest call before it with its id, and runs are listed as they ended', async (t) => {
  const messages = [
    user('Go on.'),
    assistant(call('bash', { command: 'npm test' }, 'a'), call('bash', { command: 'npm run lint' }, 'b')),
    { ...result('clean'), toolCallId: 'b' },
    { ...result('1 failed', { exitCode: 1 }), toolCallId: 'a' },
    bash('ls', 'a'),
    { ...result('a.ts'), toolCallId: 'a' },
  ]
  t.strictSame(describe(pairMessages(messages)), [
    'bash npm run lint => clean: succeeded',
    'bash npm test => 1 failed: failed',
    'bash ls => a.ts: succeeded',
  ])
})

t.test('a result without its call, and a command of the user, are runs without a call', async (t) => {
  const own = { role: 'bashExecution' as const, command: 'ls', output: 'b.ts', exitCode: 2, cancelled: false }
  t.strictSame(describe(pairMessages([result('lost'), own])), ['none => lost: succeeded', 'none ls => b.ts: failed'])
})

t.test('of two results of a call, each has a run of its own, and the call has that of the last', async (t) => {
  const read = call('read', { path: 'a.ts' })
  const messages = [assistant(read), result('first'), result('second', { isError: true })]
  const paired = pairMessages(messages)
  t.strictSame(describe(paired), ['read => first: succeeded', 'read => second: failed'])
  t.equal(paired.runs.get(read), paired.runs.get(messages[2] ?? user()))
})

t.test('a command is split into simple commands once', async (t) => {
  const [run] = endedRuns(pairMessages([bash('cd a && npm test'), result('3 passed')]))
  if (run === undefined) throw new Error('There is a run.')
  t.strictSame(
    simpleCommandsOf(run).map(({ text }) => text),
    ['cd a', 'npm test'],
  )
  t.equal(simpleCommandsOf(run), simpleCommandsOf(run))
})

t.test('a call without a result has not ended', async (t) => {
  const edit = call('edit', { path: 'a.ts' })
  const { runs } = pairMessages([assistant(edit)])
  const run = runs.get(edit) ?? {}
  t.strictSame(
    [endedRuns({ messages: [assistant(edit)], runs }), outcomeOf(run), filesOf(run)],
    [[], { kind: 'unknown' }, { readFiles: [], modifiedFiles: ['a.ts'] }],
  )
})

t.test('runs are the same after they have crossed a process boundary with their messages', async (t) => {
  const paired = pairMessages([bash('npm test'), result('3 passed')])
  describe(paired)
  const crossed = deserialize(serialize(paired)) as PairedMessages
  t.strictSame(describe(crossed), ['bash npm test => 3 passed: succeeded'])
  t.strictSame(endedRuns(crossed)[0]?.outcome, { kind: 'succeeded' }, 'what was worked out before comes along')
})
