import t from 'tap'
import { dedupeToolOutputs } from '../../src/prompt/dedupe-tool-outputs.ts'
import { textOf, type Message } from '../../src/session/message.ts'
import { assistant, call, result } from './message-builders.ts'

const LONG = 'The file says the same thing on each of its lines.\n'.repeat(20)

let ids = 0

/** A call and its result. */
function ask(tool: string, values: Record<string, unknown>, output: string, isError = false): Message[] {
  const id = `call-${++ids}`
  return [assistant({ ...call(tool, values), id }), { ...result(output, { isError }), toolCallId: id, toolName: tool }]
}

const outputs = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message.role === 'toolResult' ? [textOf(message.content)] : []))

t.test('of a repeated call only the newest output stays', async (t) => {
  const messages = [
    ...ask('read', { path: 'a.ts' }, LONG),
    ...ask('read', { path: 'b.ts' }, LONG),
    ...ask('read', { path: 'a.ts' }, LONG),
  ]
  t.same(outputs(dedupeToolOutputs(messages)), [
    `(an output like the newest of this call, below: ${LONG.length} characters)`,
    LONG,
    LONG,
  ])
})

t.test('an output is called the same only if it is shown whole', async (t) => {
  const short = LONG.slice(0, 300)
  t.same(
    outputs(dedupeToolOutputs([...ask('read', { path: 'a.ts' }, short), ...ask('read', { path: 'a.ts' }, short)])),
    ['(the same output as the newest of this call, below: 300 characters)', short],
  )
  const rows = (value: number): string =>
    Array.from({ length: 300 }, (_, row) => `row ${row} = ${row === 150 ? value : 0}`).join('\n')
  const changed = [...ask('read', { path: 'b.ts' }, rows(1)), ...ask('read', { path: 'b.ts' }, rows(2))]
  t.match(outputs(dedupeToolOutputs(changed))[0], /^\(an output like the newest of this call/)
})

t.test('an older failure keeps its error lines, as far as they are not said again', async (t) => {
  const messages = [
    ...ask('bash', { command: 'npm test' }, `${LONG}Error: row 17\nError: row 18`, true),
    ...ask('bash', { command: 'npm test' }, `${LONG}Error: row 18`, true),
  ]
  t.same(outputs(dedupeToolOutputs(messages)), [
    `(an older output of the same call: ${LONG.length + 27} characters left out, the newest stands below)\nError: row 17`,
    `${LONG}Error: row 18`,
  ])
})

t.test('an error line in a part of the newest that is not shown is kept too', async (t) => {
  const rows = 'a row of the ledger, as it was printed\n'.repeat(60)
  const messages = [
    ...ask('bash', { command: 'make' }, `${LONG}error in row 30`, true),
    ...ask('bash', { command: 'make' }, `${rows}no error in row 30\n${rows.repeat(3)}`),
  ]
  t.match(outputs(dedupeToolOutputs(messages))[0], /newest stands below\)\nerror in row 30$/)
})

t.test('outputs of edits, short outputs and outputs of different calls stay', async (t) => {
  const messages = [
    ...ask('edit', { path: 'a.ts' }, LONG),
    ...ask('edit', { path: 'a.ts' }, LONG),
    ...ask('bash', { command: 'ls' }, 'a.ts'),
    ...ask('bash', { command: 'ls' }, 'a.ts\nb.ts'),
  ]
  t.same(dedupeToolOutputs(messages), messages)
})

t.test('of repeated commands of the user only the newest output stays', async (t) => {
  const run = (output: string): Message => ({
    role: 'bashExecution',
    command: 'make',
    output,
    exitCode: 0,
    cancelled: false,
  })
  t.match(dedupeToolOutputs([run(LONG), run(`${LONG}more`)]), [
    { output: /^\(an older output of the same call: \d+ characters/ },
    { output: `${LONG}more` },
  ])
})
