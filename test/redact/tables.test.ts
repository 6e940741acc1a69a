import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'

const PASSWORDS = ['Grey7Wolf', 'Tall3Pine', 'Calm9Lake', 'Soft5Moss']

/** A table in which two rows without a password follow each row with one. */
const tableOf = (passwords: readonly string[]): string =>
  [
    '| user | password |',
    '|---|---|',
    ...passwords.flatMap((password) => [`| ann | ${password} |`, '| bob | - |', '| cal | - |']),
  ].join('\n')

t.test('a table goes on where rows with a secret are between rows without one', async (t) => {
  t.equal(redactText(tableOf(PASSWORDS)).text, tableOf(PASSWORDS.map(() => '[redacted:password]')))
})
