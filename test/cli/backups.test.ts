import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { findBackup, findReplaced, writeWithBackup } from '../../src/cli/backups.ts'
import { folderOf, runCli } from './run-cli.ts'

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
    writeWithBackup({ path, bytes, result, owner: undefined }, { write, check: () => undefined })
    t.equal(named(index + 1).length, 1)
    return join(dirname(path), named(index + 1)[0] ?? '')
  })
  t.match(findBackup(path, Buffer.from('continued\n')), { path: written[11], number: 12, isOfNow: false })
  t.match(findBackup(path, stateOf(3)), { path: written[2], number: 3, isOfNow: true })
})

const HASH = '0123456789abcdef'
const chatOf = (text: string): string => JSON.stringify([{ role: 'user', content: text }])

t.test('a backup that cannot be read is left out, and look-ups name it', async (t) => {
  const path = join(folderOf(t), 'chat.json')
  writeFileSync(path, chatOf('The summary.'))
  mkdirSync(`${path}.precis-1-${HASH}.bak`)
  symlinkSync('anywhere', `${path}.precis-2-${HASH}.bak`)
  writeFileSync(`${path}.precis-3-${HASH}.bak`, chatOf('What is alpha?'))
  const unread = [`chat.json.precis-1-${HASH}.bak (EISDIR)`, `chat.json.precis-2-${HASH}.bak (ELOOP)`]
  t.same(findReplaced(path, Buffer.from('[]')), {
    copies: [{ name: 'backup-3', body: Buffer.from(chatOf('What is alpha?')) }],
    unread,
  })
  const found = await runCli(['recall', path, 'alpha', '--scope', 'all'])
  t.match(found, { code: 0, stdout: 'What is alpha?' })
  t.match(found.stderr, `Not searched, because it could not be read: ${unread.join(', ')}\n`)
})

t.test('a backup that a killed command has not named is looked up, and look-ups write nothing', (t) => {
  const path = join(folderOf(t), 'chat.json')
  const draftOf = (letter: string): string => join(dirname(path), `.chat.json.precis-draft-1-${letter.repeat(12)}`)
  writeFileSync(path, chatOf('The summary.'))
  writeFileSync(`${path}.precis-4-${HASH}.bak`, 'older')
  writeFileSync(`${draftOf('a')}-${HASH}`, 'newer')
  // The compaction of this one was not written.
  writeFileSync(draftOf('b'), 'session')
  writeFileSync(`${draftOf('b')}-${HASH}`, 'not replaced')
  const before = readdirSync(dirname(path))
  t.same(findReplaced(path, Buffer.from(chatOf('The summary.'))), {
    copies: [
      { name: 'backup-4', body: Buffer.from('older') },
      { name: 'backup-5', body: Buffer.from('newer') },
    ],
    unread: [],
  })
  t.same(readdirSync(dirname(path)), before)
  t.end()
})
