import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { findBackup, findReplaced, writeWithBackup } from '../../src/cli/backups.ts'
import { asUser, runCli, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

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
    writeWithBackup({ path, bytes, result, modifiedMs: 0, owner: undefined }, { write, check: () => undefined })
    t.equal(named(index + 1).length, 1)
    return join(dirname(path), named(index + 1)[0] ?? '')
  })
  t.match(findBackup(path, Buffer.from('continued\n')), { path: written[11], number: 12, isOfNow: false })
  t.match(findBackup(path, stateOf(3)), { path: written[2], number: 3, isOfNow: true })
})

t.test('a number is used once, also if its backup or an older one has been removed', async (t) => {
  const path = join(folderOf(t), 'session.jsonl')
  writeFileSync(path, 'old\n')
  for (const number of [1, 2, 4]) writeFileSync(`${path}.precis-${number}-${HASH}.bak`, `round ${number}\n`)
  rmSync(`${path}.precis-1-${HASH}.bak`)
  const [bytes, result] = [Buffer.from('old\n'), Buffer.from('new\n')]
  const write = (draft: string): void => {
    writeFileSync(draft, result)
  }
  writeWithBackup({ path, bytes, result, modifiedMs: 0, owner: undefined }, { write, check: () => undefined })
  t.match(findBackup(path, result), { number: 5, isOfNow: true })
})

const HASH = '0123456789abcdef'
const chatOf = (text: string): string => JSON.stringify([{ role: 'user', content: text }])

t.test('a backup that cannot be read is left out, and look-ups name it', async (t) => {
  const path = join(folderOf(t), 'chat.json')
  writeFileSync(path, chatOf('The summary.'))
  mkdirSync(`${path}.precis-1-${HASH}.bak`)
  symlinkSync('anywhere', `${path}.precis-2-${HASH}.bak`)
  writeFileSync(`${path}.precis-3-${HASH}.bak`, chatOf('What is alpha?'))
  const pipe = `chat.json.precis-4-${HASH}.bak`
  execFileSync('mkfifo', [join(dirname(path), pipe)])
  const unread = [
    ...[`chat.json.precis-1-${HASH}.bak (not a file)`, `chat.json.precis-2-${HASH}.bak (ELOOP)`],
    `${pipe} (not a file)`,
  ]
  t.same(findReplaced(path, Buffer.from('[]')), {
    copies: [{ name: 'backup-3', body: Buffer.from(chatOf('What is alpha?')) }],
    unread,
  })
  const found = await runCli(['recall', path, 'alpha', '--scope', 'all'])
  t.match(found, { code: 0, stdout: 'What is alpha?' })
  t.match(found.stderr, `Not searched, because it could not be read: ${unread.join(', ')}\n`)
})

t.test('a restore names the backup that it cannot read, and takes no older one in its place', async (t) => {
  const path = join(folderOf(t), 'chat.json')
  writeOld(path, chatOf('The summary.'))
  const [older, newest] = [`${path}.precis-1-${HASH}.bak`, `${path}.precis-2-${HASH}.bak`]
  writeFileSync(older, chatOf('What is alpha?'))
  execFileSync('mkfifo', [newest])
  const refused = await runCli(['restore', path, '--force'])
  t.match(refused, { code: 1, stdout: '' })
  t.equal(
    refused.stderr,
    `precis: The backup ${newest} cannot be read (not a file), so nothing was restored. Make it readable, or remove it: ` +
      'then the command restores an older one.\n',
  )
  t.equal(readFileSync(path, 'utf8'), chatOf('The summary.'))
  rmSync(newest)
  t.match(await runCli(['restore', path, '--force']), { code: 0 })
  t.equal(readFileSync(path, 'utf8'), chatOf('What is alpha?'))
})

t.test('a restore does not need a backup that it does not restore', async (t) => {
  const path = join(folderOf(t), 'chat.json')
  writeOld(path, chatOf('The summary.'))
  symlinkSync('anywhere', `${path}.precis-1-${HASH}.bak`)
  writeFileSync(`${path}.precis-2-${HASH}.bak`, chatOf('What is alpha?'))
  t.match(await runCli(['restore', path, '--force']), { code: 0 })
  t.equal(readFileSync(path, 'utf8'), chatOf('What is alpha?'))
})

t.test('a session in a folder that may not be listed is looked up, without its backups', (t) => {
  const folder = folderOf(t)
  const path = join(folder, 'chat.json')
  const found = asUser(folder, () => {
    chmodSync(folder, 0o300)
    const replaced = findReplaced(path, Buffer.from('[]'))
    chmodSync(folder, 0o700)
    return replaced
  })
  t.same(found, { copies: [], unread: [`the backups in ${folder} (EACCES)`] })
  t.end()
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
