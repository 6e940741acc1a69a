import t from 'tap'
import { readCommand, readFailure } from '../../src/extract/read-command.ts'
import type { ToolResultMessage } from '../../src/session/message.ts'

const call = (name: string, values: unknown) => readCommand({ type: 'toolCall', id: 'c', name, arguments: values })

t.test('the command of a shell tool, under the names that clients give it', async (t) => {
  t.strictSame(
    [
      call('bash', { command: 'ls' }),
      call('Shell', { cmd: 'ls' }),
      call('exec', { command: ['ls', '-l'] }),
      call('read', { command: 'ls' }),
      call('bash', 'ls'),
    ],
    ['ls', 'ls', 'ls -l', undefined, undefined],
  )
})

const result = (fields: Partial<ToolResultMessage>): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 'bash',
  content: [],
  isError: false,
  isPruned: false,
  ...fields,
})

const cases: [name: string, fields: Partial<ToolResultMessage>, output: string, failure: string | undefined][] = [
  ['a success', {}, 'ok', undefined],
  ['the exit code of the details', { isError: true, exitCode: 3 }, '', 'exit code 3'],
  ["the exit code in the output's last line", { isError: true }, 'no\n\nCommand exited with code 2', 'exit code 2'],
  ['an exit code of 0', { exitCode: 0 }, '', undefined],
  ['an error without a code', { isError: true }, 'no', 'error'],
]

for (const [name, fields, output, failure] of cases)
  t.test(name, async (t) => {
    t.equal(readFailure(result(fields), output), failure)
  })
