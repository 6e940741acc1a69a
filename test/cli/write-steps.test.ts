import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { holdFile, restoreFile, writeIntoFile } from '../../src/cli/write-back.ts'
import { compiled } from '../support/compile-source.ts'
import { writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

// The tests replace functions of node:fs, so they run one after the other.

const FIRST = '{"first":1}\n{"second":2}\n'
const ADDED = '{"added":"by Précis"}\n'
const LATER = '{"later":3}\n'
const FORMS = [
  { mode: 'append', body: ADDED, written: FIRST + ADDED },
  { mode: 'replace', body: ADDED + ADDED, written: ADDED + ADDED },
]

/** All functions of `node:fs` by which the code changes files. */
const STEPS = ['openSync', 'writeSync', 'fchmodSync', 'fchownSync', 'fsyncSync', 'renameSync', 'rmSync'] as const

type Call = (...args: unknown[]) => unknown

/** Runs a test in which no other process is seen: looking at all their files at each step would take nine tenths of the time. */
const test = (name: string, run: (t: Test) => Promise<void>): void => {
  void t.test(name, async (t) => {
    const own = fs.readdirSync as Call
    const set = (readdirSync: Call): void => {
      Object.assign(fs, { readdirSync })
      syncBuiltinESMExports()
    }
    set((...args) => (args[0] === '/proc' ? [] : own(...args)))
    t.teardown(() => {
      set(own)
    })
    await run(t)
  })
}

/**
 * Runs a piece of work whose given step fails: with an error of a full disk, or as if the process were killed, so that no later
 * step has an effect either. Of what was to be written, half is written. Returns the error, and whether there was such a step.
 */
async function stopAt(
  step: number,
  how: 'full' | 'killed',
  work: () => unknown,
): Promise<[error: unknown, met: boolean]> {
  let left = step
  const owns = STEPS.map((name) => [name, fs[name] as Call] as const)
  for (const [name, own] of owns)
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        left -= 1
        // The disk of a test machine may be slow.
        if (left > 0 || (left < 0 && how === 'full')) return name === 'fsyncSync' ? undefined : own(...args)
        const [file, data] = args
        if (left === 0 && Buffer.isBuffer(data)) own(file, data.subarray(0, data.length / 2))
        throw how === 'killed'
          ? new Error('killed')
          : Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      },
    })
  syncBuiltinESMExports()
  try {
    await work()
    return [undefined, left <= 0]
  } catch (error) {
    return [error, left <= 0]
  } finally {
    for (const [name, own] of owns) Object.assign(fs, { [name]: own })
    syncBuiltinESMExports()
  }
}

/** Runs a test for each step of a piece of work, until it has no such step. */
async function atEachStep(check: (step: number) => Promise<boolean>): Promise<number> {
  let step = 1
  while (await check(step)) step += 1
  return step - 1
}

const sessionOf = (t: Test): string => writeOld(join(folderOf(t), 'session.jsonl'), FIRST)
const read = (path: string): string => readFileSync(path, 'utf8')
const age = (path: string): string => writeOld(path, read(path))

/** The names and the contents of all files beside a session, its drafts apart. */
const beside = (path: string): [drafts: string[], others: Record<string, string>] => {
  const names = readdirSync(dirname(path)).filter((name) => name !== 'session.jsonl')
  const others = names.filter((name) => !name.startsWith('.'))
  return [
    names.filter((name) => name.startsWith('.')),
    Object.fromEntries(
      others.map((name) => [name.replace(/(?:-[0-9a-f]{16}){2}/, ''), read(join(dirname(path), name))]),
    ),
  ]
}

test('a full disk at any step of a compaction leaves the session as it was, and nothing beside it', async (t) => {
  for (const { written, ...form } of FORMS) {
    const steps = await atEachStep(async (step) => {
      const path = sessionOf(t)
      const held = await holdFile(path)
      const [error, met] = await stopAt(step, 'full', () => {
        writeIntoFile(held, form)
      })
      const what = `${form.mode}, step ${step}`
      if (error === undefined) {
        // The end, a folder whose names cannot be made durable, or a backup without its name: both files have their whole content.
        t.equal(read(path), written, what)
        age(path)
        await restoreFile(path, false)
        t.same([read(path), beside(path)], [FIRST, [[], {}]], `${what}: the undo`)
      } else {
        t.same([read(path), beside(path)], [FIRST, [[], {}]], what)
        t.match(error, { message: /ENOSPC/ }, what)
      }
      return met
    })
    t.ok(steps >= 12, `${steps} steps`)
  }
})

/** Writes a compaction that is killed at a step. Returns the session afterwards. */
async function killedAt(t: Test, step: number, form: Parameters<typeof writeIntoFile>[1]) {
  const path = sessionOf(t)
  const held = await holdFile(path)
  const [, met] = await stopAt(step, 'killed', () => {
    writeIntoFile(held, form)
  })
  return { path, met, what: `${form.mode}, step ${step}`, now: read(path) }
}

test('a kill at any step of a compaction leaves a whole session and whole backups, and the next run cleans up', async (t) => {
  for (const { written, ...form } of FORMS)
    await atEachStep(async (step) => {
      const { path, met, what, now } = await killedAt(t, step, form)
      t.ok(now === FIRST || now === written, what)
      const backups = beside(path)[1]
      t.same(new Set([...Object.values(backups), FIRST]), new Set([FIRST]), `${what}: no backup is half`)
      if (now === FIRST) t.same(backups, {}, `${what}: no backup of a compaction that was not written`)

      age(path)
      writeIntoFile(await holdFile(path), { mode: 'append', body: LATER })
      t.same([read(path), beside(path)[0]], [now + LATER, []], `${what}: the next run`)
      age(path)
      await restoreFile(path, false)
      t.equal(read(path), now, `${what}: its undo`)
      age(path)
      if (now === written) await restoreFile(path, false)
      t.equal(read(path), FIRST, `${what}: the undo of the first compaction`)
      return met
    })
})

test('after a kill, a session that was continued has a backup only if its compaction was written', async (t) => {
  for (const { written, ...form } of FORMS)
    await atEachStep(async (step) => {
      const { path, met, what, now } = await killedAt(t, step, form)
      writeOld(path, now + LATER)
      const message = now === written ? /has changed since the compaction/ : /has no backup of Précis/
      await t.rejects(restoreFile(path, false), { message }, what)
      t.same(beside(path), [[], now === written ? { 'session.jsonl.precis-1.bak': FIRST } : {}], what)
      return met
    })
})

/** Gives the drafts beside a session the number of a process that runs: after a restart, numbers are used again. */
function giveLivingNumber(path: string): void {
  for (const name of beside(path)[0])
    fs.renameSync(join(dirname(path), name), join(dirname(path), name.replace(/(?<=-draft-)\d+/, String(process.ppid))))
}

test('after a kill, a process with the same number does not hide the backup', async (t) => {
  for (const { written, ...form } of FORMS)
    await atEachStep(async (step) => {
      const { path, met, what, now } = await killedAt(t, step, form)
      giveLivingNumber(path)
      age(path)
      if (now === written) {
        await restoreFile(path, false)
        t.same([read(path), beside(path)], [FIRST, [[], {}]], what)
      } else {
        const [drafts] = beside(path)
        await t.rejects(restoreFile(path, false), { message: /has no backup of Précis/ }, what)
        t.same([read(path), beside(path)], [FIRST, [drafts, {}]], `${what}: the drafts may be those of the process`)
      }
      return met
    })
})

test('a backup that another command names or removes at the same time stops no command', async (t) => {
  const path = sessionOf(t)
  const ended = spawnSync(process.execPath, ['--version'])
  const hash = '0123456789abcdef'
  const draft = join(dirname(path), `.session.jsonl.precis-draft-${String(ended.pid)}-${'a'.repeat(12)}-${hash}`)
  writeFileSync(draft, FIRST)
  const rename = fs.renameSync
  t.teardown(() => {
    fs.renameSync = rename
    syncBuiltinESMExports()
  })
  fs.renameSync = (from, to) => {
    if (from === draft) fs.rmSync(draft)
    rename(from, to)
  }
  syncBuiltinESMExports()
  await t.rejects(restoreFile(path, false), { message: /has no backup of Précis/ })
  writeIntoFile(await holdFile(path), { mode: 'append', body: ADDED })
  t.same([read(path), Object.values(beside(path)[1])], [FIRST + ADDED, [FIRST]])
})

/** Returns a session that was continued after its compaction. */
async function continuedSession(t: Test): Promise<string> {
  const path = sessionOf(t)
  writeIntoFile(await holdFile(path), { mode: 'append', body: ADDED })
  appendFileSync(path, LATER)
  return age(path)
}

test('restore --force keeps a copy of what it replaces', async (t) => {
  const path = await continuedSession(t)
  const { backup, copy } = await restoreFile(path, true)
  t.match(backup, /session\.jsonl\.precis-1-[0-9a-f]{16}-[0-9a-f]{16}\.bak$/)
  t.equal(copy, `${path}.precis-replaced-1.bak`)
  t.same([read(path), beside(path)], [FIRST, [[], { 'session.jsonl.precis-replaced-1.bak': FIRST + ADDED + LATER }]])
  t.equal(fs.statSync(copy ?? '').mode & 0o777, 0o600)
})

test('a backup that is not as it was written is restored only by force, and the session is kept then', async (t) => {
  for (const damaged of [FIRST.slice(0, -3), FIRST.slice(0, 12), '', FIRST.replace('1', '7')]) {
    const path = sessionOf(t)
    writeIntoFile(await holdFile(path), { mode: 'append', body: ADDED })
    const [name = ''] = readdirSync(dirname(path)).filter((one) => one.endsWith('.bak'))
    const backup = join(dirname(path), name)
    writeFileSync(backup, damaged)
    age(path)
    await t.rejects(restoreFile(path, false), {
      code: 1,
      message: `The backup ${backup} is not as it was written: something has changed it, or cut it off. Nothing was restored. Remove it, and the command restores an older one. Use --force to restore it as it is: it keeps a copy of the session.`,
    })
    t.same([read(path), read(backup)], [FIRST + ADDED, damaged])
    const copy = `${path}.precis-replaced-1.bak`
    t.strictSame(await restoreFile(path, true), { backup, copy })
    t.same([read(path), read(copy)], [damaged, FIRST + ADDED])
  }
})

test('a full disk or a kill at any step of restore --force loses nothing', async (t) => {
  const changed = FIRST + ADDED + LATER
  for (const how of ['full', 'killed'] as const)
    await atEachStep(async (step) => {
      const path = await continuedSession(t)
      const [error, met] = await stopAt(step, how, () => restoreFile(path, true))
      const what = `${how}, step ${step}`
      const [drafts, others] = beside(path)
      const copies = { 'session.jsonl.precis-replaced-1.bak': changed }
      const backups = { 'session.jsonl.precis-1.bak': FIRST }
      if (how === 'full' && error !== undefined) t.same([read(path), drafts, others], [changed, [], backups], what)
      else if (read(path) === FIRST) t.same(others, copies, what)
      else t.match([read(path), { ...copies, ...others }], [changed, { ...copies, ...backups }], what)
      if (read(path) === changed) await restoreFile(path, true)
      t.same([read(path), beside(path)[0]], [FIRST, []], `${what}: the next run`)
      return met
    })
})

test('drafts of other commands that still run stay, those of dead ones and old ones go', async (t) => {
  const path = sessionOf(t)
  const ended = spawnSync(process.execPath, ['--version'])
  const draft = (pid: number | undefined, random: string): string =>
    join(dirname(path), `.session.jsonl.precis-draft-${String(pid)}-${random.repeat(12)}`)
  for (const one of [
    draft(ended.pid, 'a'),
    draft(process.pid, 'b'),
    draft(process.ppid, 'c'),
    draft(process.ppid, 'd'),
  ])
    writeFileSync(one, 'half')
  writeOld(draft(process.ppid, 'd'), 'half', 2)
  for (const name of ['.session.jsonl.precis-draft-x', '.other.jsonl.precis-draft-1-aaaaaaaaaaaa'])
    writeFileSync(join(dirname(path), name), 'not ours')
  writeIntoFile(await holdFile(path), { mode: 'append', body: ADDED })
  t.same(
    beside(path)[0].sort(),
    [
      '.other.jsonl.precis-draft-1-aaaaaaaaaaaa',
      `.session.jsonl.precis-draft-${process.ppid}-${'c'.repeat(12)}`,
      '.session.jsonl.precis-draft-x',
    ].sort(),
  )
})

test('a backup that is equal to the session undoes nothing', async (t) => {
  const path = sessionOf(t)
  const unused = `${path}.precis-1-0123456789abcdef.bak`
  writeFileSync(unused, FIRST)
  await t.rejects(restoreFile(path, true), { code: 4, message: `${path} has no backup of Précis.` })
  t.equal(read(unused), FIRST)
})

test('kill -9 at any moment leaves a whole session', async (t) => {
  const path = writeOld(join(folderOf(t), 'session.jsonl'), FIRST)
  const program = `
    import fs from 'node:fs'
    const { holdFile, restoreFile, writeIntoFile } = await import(process.argv[1])
    const [, , path] = process.argv
    for (;;) {
      fs.utimesSync(path, 1, 1)
      writeIntoFile(await holdFile(path), { mode: 'append', body: '{"added":"' + 'x'.repeat(200000) + '"}\\n' })
      fs.writeSync(1, 'w')
      fs.utimesSync(path, 1, 1)
      await restoreFile(path, true)
      fs.writeSync(1, 'r')
    }`
  const whole = new RegExp(`^${FIRST}(?:\\{"added":"x{200000}"\\}\\n)*$`)
  for (const rounds of [1, 4, 9]) {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      program,
      compiled('src/cli/write-back.ts'),
      path,
    ])
    let seen = 0
    for await (const chunk of child.stdout) if ((seen += (chunk as Buffer).length) >= rounds) break
    child.kill('SIGKILL')
    await once(child, 'close')
    t.ok(whole.test(read(path)))
    for (const content of Object.values(beside(path)[1])) t.ok(whole.test(content))
  }
  age(path)
  writeIntoFile(await holdFile(path), { mode: 'append', body: LATER })
  t.same(beside(path)[0], [])
})
