import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { findBackup, writeWithBackup } from '../../src/cli/backups.ts'
import { folderOf } from './run-cli.ts'

t.test('of twelve backups, the newest is that with the largest number, and no number is used twice', async (t) => {
  const path = join(folderOf(t), 'session.jsonl')
  const stateOf = (round: number): Buffer => Buffer.from(`round ${round}\n`)
  writeFileSync(path, stateOf(0))
  const named = (number: number): string[] =>
    readdirSync(dirname(path)).filter((name) => name.startsWith(`session.jsonl.precis-${number}-`))
  const written = Array.from({ length: 12 }, (_, index) => {
    const [bytes, result] = [stateOf(index), stateOf(index + 1)]
    const write = (draft: string): void => {
      writeFileSync(draft, result)
    }
    writeWithBackup({ path, bytes, result }, { write, check: () => undefined })
    t.equal(named(index + 1).length, 1)
    return join(dirname(path), named(index + 1)[0] ?? '')
  })
  t.match(findBackup(path, Buffer.from('continued\n')), { path: written[11], number: 12, isOfNow: false })
  t.match(findBackup(path, stateOf(3)), { path: written[2], number: 3, isOfNow: true })
})
