import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CommandFault } from '../../../src/model/commands/command-fault.ts'
import { runProgram } from '../../../src/model/commands/run-program.ts'
import { folderOf } from '../../support/temp-folder.ts'

const LIMITS = { limitMs: 60_000, graceMs: 100 }

function runScript(t: Test, script: string, more: object = {}) {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'script.cjs'), script)
  const base = { file: process.execPath, args: ['script.cjs'], folder, env: {}, input: 'short' }
  return { folder, run: () => runProgram({ ...base, ...LIMITS, signal: new AbortController().signal, ...more }) }
}

const faultOf = async (run: () => Promise<string>): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    return error instanceof CommandFault ? [error.kind, error.exit, error.message] : error
  }
}

t.test('a prompt of 200 kB arrives whole', async (t) => {
  const input = 'abcde 12345 é漢🙂\n'.repeat(9000)
  const { run } = runScript(t, 'process.stdin.pipe(process.stdout)', { input })
  t.equal(await run(), input)
})

t.test('a program that does not read its prompt is noticed, whatever it prints', async (t) => {
  const { run } = runScript(t, 'console.log("done")', { input: 'x'.repeat(2_000_000) })
  t.same(await faultOf(run), ['unread-prompt', undefined, ''])
})

t.test('a program that is not there cannot be started', async (t) => {
  const { run } = runScript(t, '', { file: 'no-such-program' })
  t.same(await faultOf(run), ['no-program', 'ENOENT', ''])
})

const HANGING = `
  console.error('Open this address to log in.')
  const { spawn } = require('child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' })
  process.on('SIGTERM', () => require('fs').writeFileSync('asked', ''))
  require('fs').writeFileSync('pid', String(child.pid))
  process.stdin.resume()
  setInterval(() => 0, 1000)`

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

t.test('a program that hangs is asked to end, and then killed with all that it has started', async (t) => {
  const { folder, run } = runScript(t, HANGING, { limitMs: 1500 })
  t.same(await faultOf(run), ['timeout', undefined, 'Open this address to log in.\n'])
  t.equal(readFileSync(join(folder, 'asked'), 'utf8'), '')
  if (process.platform === 'linux') t.notOk(isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8'))))
})

t.test('an abort ends the program, and its reason is thrown', async (t) => {
  const controller = new AbortController()
  const { run } = runScript(t, 'console.log("x"); setInterval(() => 0, 1000)', { signal: controller.signal })
  const running = faultOf(run)
  const reason = new Error('gone')
  setTimeout(() => {
    controller.abort(reason)
  }, 200)
  t.equal(await running, reason)
  t.equal(process.listenerCount('SIGTERM') + process.listenerCount('exit') < 20, true)
})
