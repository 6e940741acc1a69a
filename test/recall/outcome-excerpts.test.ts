import t from 'tap'
import { pairCalls } from '../../src/extract/runs.ts'
import { findPassages, type RecalledEntry } from '../../src/recall/find-passages.ts'
import { endsWithOutcome, outcomeTextOf } from '../../src/recall/outcome-excerpts.ts'
import type { Message } from '../../src/session/message.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at} of the output`).join('\n')

/** The passages of a call and its output. */
function passagesOf(name: string, args: object, output: string, isError = false) {
  const entries: RecalledEntry[] = [
    { message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name, arguments: args }] } },
    {
      message: {
        ...{ role: 'toolResult', toolCallId: 'c1', toolName: name, isError },
        content: [{ type: 'text', text: output }],
      } as Message,
    },
  ]
  return findPassages(entries, pairCalls(entries.flatMap(({ message }) => message ?? [])))
}

const outcomeOf = (...run: Parameters<typeof passagesOf>): string | undefined => {
  const [call] = passagesOf(...run)
  return call && outcomeTextOf(call)
}

t.test('of a command, its last lines are what came of it', async (t) => {
  const shown = outcomeOf('bash', { command: 'make' }, lines(200)) ?? ''
  t.equal(shown.split('\n')[0], '…')
  t.equal(shown.split('\n').at(-1), 'line 199 of the output')
  t.ok(shown.length < 260)
})

t.test('of a command that has failed, also its first error; lines that name an error later are left out', async (t) => {
  const errors = 'src/a.ts(2,1): error TS2304: Cannot find name'
  const output = `npm error code 2\n${lines(40)}\n${errors} 'one'.\n${lines(40)}\n${errors} 'two'.\n${lines(90)}`
  const shown = outcomeOf('bash', { command: 'make' }, output, true) ?? ''
  t.match(shown, /^…\n.*Cannot find name 'one'\.\n[^]*\n…\n[^]*line 89 of the output$/)
  t.notMatch(shown, "'two'")
  t.ok(shown.length < 500)
})

t.test('of another tool, the beginning; of a file that was read, and of an edit, nothing', async (t) => {
  t.match(outcomeOf('fetch', { url: 'http://a.example/' }, lines(200)), /^line 0 of the output\n[^]*\n…$/)
  t.equal(outcomeOf('read', { path: 'src/a.ts' }, lines(200)), undefined)
  t.equal(outcomeOf('edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' }, lines(200)), undefined)
  t.equal(outcomeOf('bash', { command: 'make' }, 'Done.'), undefined, 'a short output is with its call')
})

t.test('it is shown where the output is not', async (t) => {
  const [call, output, ...more] = passagesOf('bash', { command: 'make' }, lines(90))
  const [other] = passagesOf('bash', { command: 'ls' }, 'src')
  if (call === undefined || output === undefined || other === undefined) return t.fail()
  t.equal(more.length, 1)
  const next = { ...other, unit: call.unit + 1 }
  t.equal(endsWithOutcome([call], 0), true)
  t.equal(endsWithOutcome([call, next], 0), true)
  t.equal(endsWithOutcome([call, output], 0), false)
  t.equal(endsWithOutcome([output, call], 1), false)
  t.equal(endsWithOutcome([call, call], 1), true, 'below the last part of a long call')
  t.equal(endsWithOutcome([next], 0), false)
})
