import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { isRunning } from '../../src/cli/durable-file.ts'
import { largeSession, startCli, writeCommand, writeOld, SENTENCES_ABOVE_DEFAULT } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

/** Says that it runs, and then never ends. */
const HANGS = `
require('node:fs').writeFileSync(__dirname + '/pid', String(process.pid))
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
`

t.test('Ctrl-C while a program writes the summary ends both with exit code 130, and nothing is written', async (t) => {
  const [home, bin] = [folderOf(t), folderOf(t)]
  const session = largeSession('claude-code', SENTENCES_ABOVE_DEFAULT)
  const path = writeOld(join(home, 'session.jsonl'), session)
  const env = { PATH: writeCommand(bin, 'hangs', HANGS), XDG_STATE_HOME: join(bin, 'state') }
  const child = startCli(['compact', path, '--write', '--with', 'hangs'], { home, cwd: home, env })
  child.stdin.end()
  const closed = once(child, 'close')
  const started = join(bin, 'pid')
  while (!existsSync(started) || readFileSync(started, 'utf8') === '') await delay(20)
  child.kill('SIGINT')
  t.same(await closed, [130, null])
  const pid = Number(readFileSync(started, 'utf8'))
  while (isRunning(pid)) await delay(20)
  t.equal(readFileSync(path, 'utf8'), session)
  t.same(readdirSync(home), ['session.jsonl'])
})
