import fs, { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { holdFile, restoreFile, writeIntoFile } from '../../src/cli/write-back.ts'
import { writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

// Each test replaces a function of node:fs, so they run one after the other.

const FIRST = '{"first":1}\n{"second":2}\n'
const LATE = '{"late":3}\n'
const ADDED = '{"added":"by Précis"}\n'
const APPEND = { mode: 'append', body: ADDED }
const REPLACE = { mode: 'replace', body: ADDED }

const sessionOf = (t: Test): string => writeOld(join(folderOf(t), 'session.jsonl'), FIRST)
const filesBeside = (path: string): string[] => readdirSync(dirname(path)).filter((name) => name !== 'session.jsonl')

/** Replaces a function of `node:fs` until the test ends. */
function replace(t: Test, name: 'fsyncSync' | 'renameSync', make: (own: never) => unknown): void {
  const own = fs[name]
  const set = (value: unknown): void => {
    Object.assign(fs, { [name]: value })
    syncBuiltinESMExports()
  }
  set(make(own as never))
  t.teardown(() => {
    set(own)
  })
}

/** Has an agent write a line while the disk is busy with the first file that is written. */
const writeLate = (t: Test, path: string): void => {
  let isLate = false
  replace(t, 'fsyncSync', (own: typeof fs.fsyncSync) => (file: number) => {
    own(file)
    if (!isLate) appendFileSync(path, LATE)
    isLate = true
  })
}

t.test('a line that an agent writes while its session is being replaced is not lost', async (t) => {
  const path = sessionOf(t)
  const held = await holdFile(path)
  writeLate(t, path)
  const write = () => {
    writeIntoFile(held, REPLACE)
  }
  t.throws(write, { code: 5, message: /session\.jsonl is changing\. Nothing was written/ })
  t.same([readFileSync(path, 'utf8'), filesBeside(path)], [FIRST + LATE, []])
})

t.test('a line that an agent writes while its session is being restored is not lost, even with --force', async (t) => {
  const path = sessionOf(t)
  writeIntoFile(await holdFile(path), APPEND)
  const written = readFileSync(path, 'utf8') + LATE
  writeOld(path, written)
  const backups = filesBeside(path)
  writeLate(t, path)
  await t.rejects(restoreFile(path, true), { code: 5, message: /is changing/ })
  t.same([readFileSync(path, 'utf8'), filesBeside(path)], [written + LATE, backups])
})

t.test('restore waits until the session does not change', async (t) => {
  const path = sessionOf(t)
  writeIntoFile(await holdFile(path), APPEND)
  writeOld(path, readFileSync(path, 'utf8'))
  const restored = restoreFile(path, true)
  appendFileSync(path, LATE)
  await t.rejects(restored, { code: 5 })
  t.equal(readFileSync(path, 'utf8'), FIRST + ADDED + LATE)
})

t.test('a line that an agent writes when its session has just been checked is added to the new file', async (t) => {
  const path = sessionOf(t)
  const held = await holdFile(path)
  replace(t, 'renameSync', (own: typeof fs.renameSync) => (from: string, to: string) => {
    if (to === path) appendFileSync(path, LATE)
    own(from, to)
  })
  writeIntoFile(held, APPEND)
  t.equal(readFileSync(path, 'utf8'), FIRST + ADDED + LATE)
})
