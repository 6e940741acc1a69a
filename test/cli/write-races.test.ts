import fs, { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { holdFile, restoreFile, writeIntoFile } from '../../src/cli/write-back.ts'
import { folderOf, writeOld } from './run-cli.ts'

// Each test replaces a function of node:fs, so they run one after the other.

const FIRST = '{"first":1}\n{"second":2}\n'
const LATE = '{"late":3}\n'
const ADDED = '{"added":"by Précis"}\n'
const APPEND = { mode: 'append', body: ADDED }
const REPLACE = { mode: 'replace', body: ADDED }

const sessionOf = (t: Test): string => writeOld(join(folderOf(t), 'session.jsonl'), FIRST)
const filesBeside = (path: string): string[] => readdirSync(dirname(path)).filter((name) => name !== 'session.jsonl')

/** Replaces a function of `node:fs` until the test ends. */
function replace(t: Test, name: 'fsyncSync' | 'writeSync', make: (own: never) => unknown): void {
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

/** Fills the disk when a compaction is appended: the given bytes of it still fit. An agent may write a line before. */
const fillDisk = (t: Test, bytes: number, before: () => void = () => undefined): void => {
  let left = bytes
  replace(t, 'writeSync', (own: typeof fs.writeSync) => (file: number, data: Buffer, ...others: number[]) => {
    if (!data.includes('"added"')) return own(file, data, ...others)
    const size = left
    left = 0
    if (size > 0) return own(file, data, 0, size)
    before()
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
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
  const written = readFileSync(path, 'utf8')
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

t.test('a compaction that does not fit the disk leaves no half line', async (t) => {
  const path = sessionOf(t)
  const held = await holdFile(path)
  fillDisk(t, 5)
  const write = () => {
    writeIntoFile(held, APPEND)
  }
  t.throws(write, { code: 'ENOSPC' })
  t.same([readFileSync(path, 'utf8'), filesBeside(path)], [FIRST, []])
})

t.test('lines that an agent adds when the disk is full stay, and so does the backup', async (t) => {
  for (const [bytes, error, backups] of [
    [0, { code: 'ENOSPC' }, []],
    [5, { code: 1, message: /has a part of the compaction, and another process wrote into it/ }, [FIRST]],
  ] as const)
    await t.test(`${bytes} bytes fit`, async (t) => {
      const path = sessionOf(t)
      const held = await holdFile(path)
      fillDisk(t, bytes, () => {
        appendFileSync(path, LATE)
      })
      const write = () => {
        writeIntoFile(held, APPEND)
      }
      t.throws(write, error)
      t.equal(readFileSync(path, 'utf8'), FIRST + ADDED.slice(0, bytes) + LATE)
      t.same(
        filesBeside(path).map((name) => readFileSync(join(dirname(path), name), 'utf8')),
        backups,
      )
    })
})
