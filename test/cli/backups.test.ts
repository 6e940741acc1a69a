import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { findBackup, writeBackup } from '../../src/cli/backups.ts'
import { folderOf } from './run-cli.ts'

t.test('of twelve backups, the newest is that with the largest number, and no number is used twice', async (t) => {
  const path = join(folderOf(t), 'session.jsonl')
  const stateOf = (round: number): Buffer => Buffer.from(`round ${round}\n`)
  writeFileSync(path, stateOf(0))
  const written = Array.from({ length: 12 }, (_, index) => writeBackup(path, stateOf(index), stateOf(index + 1)))
  t.same(
    written.map((backup) => Number(/^session\.jsonl\.precis-(\d+)-/.exec(basename(backup))?.[1])),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  )
  t.match(findBackup(path, Buffer.from('continued\n')), { path: written[11], number: 12, isOfNow: false })
  t.match(findBackup(path, stateOf(3)), { path: written[2], number: 3, isOfNow: true })
})
