import t from 'tap'
import { filesOf, outputOf, simpleCommandsOf } from '../../src/extract/runs.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import type { Entry } from '../../src/session/entry.ts'
import { preparePlan } from '../../src/use-cases/shared/prepare-plan.ts'
import { assistant, buildEntries, call, result, tokens, user } from '../support/build-entries.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'

const SWE_AGENT = `[File: a.ts]\n(Open file: /repo/${TOKEN}/a.ts)\n(Current directory: /repo)\nbash-$`

/** Prepares the compaction of calls with their results, of which the last is kept. */
function prepare(...steps: [name: string, args: unknown, output: string][]) {
  const turns = steps.flatMap(([name, args, output], index) => [
    assistant([call(`c${index}`, name, args)]),
    result(`c${index}`, output),
  ])
  const branch: Entry[] = buildEntries([user(), ...turns, user(tokens(50))])
  const plan = planCompaction(branch, { keepRecentTokens: 40 })
  const { runs } = preparePlan({ plan, request: {}, branch }, WORK_CONTEXT).material.inputs
  return [...new Set(runs.values())]
}

t.test('the calls of a session are paired once, and what is known of them is not worked out again', async (t) => {
  const branch: Entry[] = buildEntries([
    user(),
    assistant([call('c1', 'edit', { path: 'a.ts' })]),
    result('c1', 'done'),
    user(tokens(50)),
  ])
  let pairings = 0
  for (const { message } of branch)
    if (message?.role === 'toolResult')
      Object.defineProperty(message, 'toolCallId', { get: () => ((pairings += 1), 'c1'), enumerable: true })
  const plan = planCompaction(branch, { keepRecentTokens: 40 })
  const paired = pairings
  // A copy of a message, such as one without secrets, would read it too.
  const context = { ...WORK_CONTEXT, redact: false }
  const { runs } = preparePlan({ plan, request: {}, branch }, context).material.inputs
  t.equal(pairings, paired, 'only the plan pairs')
  t.same([...runs], [...plan.runs])
  t.ok([...runs.values()].every((run) => [...plan.runs.values()].includes(run)))
  t.ok([...runs.values()].every(({ outcome, files }) => outcome !== undefined && files !== undefined))
})

t.test('copies of messages without secrets keep the pairs of the session', async (t) => {
  const runs = prepare(
    ['bash', { command: `curl -H 'x: ${TOKEN}' https://a.example` }, 'ok'],
    ['bash', { command: 'env' }, `TOKEN=${TOKEN}`],
    ['open', { path: `/repo/${TOKEN}/a.ts` }, SWE_AGENT],
    ['edit', { replacement_text: 'x' }, 'ok'],
  )
  const hidden = '[redacted:github-token]'
  t.strictSame(
    runs.map((run) => [run.command, outputOf(run), filesOf(run).modifiedFiles]),
    [
      [`curl -H 'x: ${hidden}' https://a.example`, 'ok', []],
      ['env', `TOKEN=${hidden}`, []],
      [undefined, SWE_AGENT.replace(TOKEN, hidden), []],
      [undefined, 'ok', [`/repo/${hidden}/a.ts`]],
    ],
  )
})

t.test('a command is split once, also if a secret is replaced in its output', async (t) => {
  const branch: Entry[] = buildEntries([
    user(),
    assistant([call('c1', 'bash', { command: 'env | sort' })]),
    result('c1', `TOKEN=${TOKEN}`),
    user(tokens(50)),
  ])
  const plan = planCompaction(branch, { keepRecentTokens: 40 })
  const { runs } = preparePlan({ plan, request: {}, branch }, WORK_CONTEXT).material.inputs
  const [run, copy] = [plan.runs, runs].map((all) => [...all.values()][0])
  t.not(run, copy)
  t.equal(copy && simpleCommandsOf(copy), run && simpleCommandsOf(run))
})
