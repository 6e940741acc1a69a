import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { EXAMPLE, runCli, startCli, writeCommand } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

/** A browser that notes what it was started with, and what the page and its session are. */
const BROWSER = `
  const { readFileSync, statSync, writeFileSync } = require('fs')
  const [path] = process.argv.slice(-1)
  const [, address, token] = /url=(.*)#token=([\\w-]+)"/.exec(readFileSync(path, 'utf8'))
  const get = async (name, headers = {}) => {
    const reply = await fetch(address + name, { headers })
    return { status: reply.status, text: await reply.text() }
  }
  void (async () => {
    const authorization = 'Bearer ' + token
    const seen = {
      args: process.argv.slice(2), mode: statSync(path).mode & 0o777, address,
      stranger: (await get('page/session')).status,
      service: JSON.parse((await get('page/service.json', { authorization })).text),
      session: (await get('page/session', { authorization })).text,
    }
    writeFileSync(process.env.SEEN, JSON.stringify(seen))
  })()`

t.test('--open shows a session on the page, to this user alone, until Ctrl-C', async (t) => {
  const home = folderOf(t)
  const SEEN = join(home, 'seen.json')
  const env = { PATH: writeCommand(home, 'browser', BROWSER), BROWSER: 'browser --new-window', SEEN }
  writeCommand(home, 'writer', '')
  const child = startCli(['compact', EXAMPLE, '--open', '--with', 'writer'], { home, cwd: home, env })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  while (!existsSync(SEEN)) await new Promise((resolve) => setTimeout(resolve, 100))
  child.kill('SIGINT')
  t.same(await once(child, 'close'), [0, null])
  const { args, session, service, ...seen } = JSON.parse(readFileSync(SEEN, 'utf8'))
  t.match(seen, { mode: 0o600, address: /^http:\/\/127\.0\.0\.1:\d+\/$/, stranger: 401 })
  t.match(args, ['--new-window', /open\.html$/])
  t.match(service, { session: 'session.jsonl', candidates: ['writer'] })
  t.equal(session, readFileSync(EXAMPLE, 'utf8'))
  t.match(
    stderr,
    /^The page, with a password that only you have: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}\nCtrl-C ends it\.\n$/,
  )
  t.notOk(existsSync(args[1]), 'the file that leads to the page is gone')
})

t.test('without a browser, the address can be opened by hand', async (t) => {
  const home = folderOf(t)
  const child = startCli(['compact', '-', '--open'], { home, cwd: home, env: { BROWSER: 'no-such-browser' } })
  child.stdin.end(readFileSync(EXAMPLE))
  const [chunk] = (await once(child.stderr, 'data')) as [Buffer]
  const [, address = '', token = ''] = /(http:.*)#token=([\w-]+)/.exec(chunk.toString()) ?? []
  const reply = await fetch(`${address}page/session`, { headers: { authorization: `Bearer ${token}` } })
  t.equal(await reply.text(), readFileSync(EXAMPLE, 'utf8'))
  child.kill('SIGTERM')
  t.same(await once(child, 'close'), [0, null])
})

t.test('options for which the page has controls are refused', async (t) => {
  const home = folderOf(t)
  const run = (...args: string[]) => runCli(['compact', EXAMPLE, '--open', ...args], { home, cwd: home })
  for (const args of [
    ['--write'],
    ['--keep', '1000'],
    ['--focus', 'x'],
    ['--reply', 'json'],
    ['--url', 'http://127.0.0.1:1'],
  ])
    t.match(await run(...args), {
      code: 2,
      stderr: `precis: --open and ${args[0]} exclude each other: the page has controls for a compaction.\n`,
    })
  writeFileSync(join(home, 'precis.json'), '{"url":"http://127.0.0.1:1"}')
  const env = { PRECIS_CONFIG: join(home, 'precis.json') }
  t.match(await runCli(['compact', EXAMPLE, '--open'], { home, cwd: home, env }), {
    code: 2,
    stderr: /--open and --url/,
  })
})
