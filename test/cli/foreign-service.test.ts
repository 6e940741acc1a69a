import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { COMMANDS, commandOf, type CommandName } from '../../src/cli/commands.ts'
import { EXAMPLE, runCli } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

/** Starts a server that is no Précis: it replies to everything with the status 200. */
async function startForeign(t: Test, body: string, received: string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    let sent = ''
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()))
    request.on('end', () => {
      received.push(`${request.headers.authorization ?? 'no token'} ${sent}`)
      response.setHeader('content-type', 'application/json').end(body)
    })
  })
  t.teardown(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const BODIES = ['{}', '[]', 'null', '<html>', '{"status":"ok"}', '{"summary":"s"}', '{"action":"none"}']

/** The options of a command that ask for another reply. */
function variants(name: CommandName): string[][] {
  const { options } = commandOf(name)
  const choices: readonly string[] = options['reply']?.choices ?? []
  return [[], ...choices.map((form) => ['--reply', form]), ...('write' in options ? [['--write']] : [])]
}

/** The commands with which users send a session: `install` only writes the address down, and `hook` never fails. */
const WITH_URL = (Object.keys(COMMANDS) as CommandName[]).filter(
  (name) => 'url' in commandOf(name).options && commandOf(name).args.startsWith('FILE'),
)

for (const name of WITH_URL)
  t.test(`precis ${name} --url: a reply of another program is an error that says so`, async (t) => {
    const home = folderOf(t)
    const session = join(home, 'session.jsonl')
    cpSync(EXAMPLE, session)
    for (const body of BODIES) {
      const url = await startForeign(t, body)
      for (const more of variants(name)) {
        const { code, stdout, stderr } = await runCli([name, session, '--url', url, ...more], { home })
        t.same([code, stdout], [6, ''], `${body} ${more.join(' ')}`)
        t.match(stderr, /^precis: The reply does not come from Précis: HTTP 200 .*\. Check the URL of the service, /m)
      }
    }
    t.equal(readFileSync(session, 'utf8'), readFileSync(EXAMPLE, 'utf8'), 'the session is as it was')
  })

for (const name of WITH_URL)
  t.test(`precis ${name} --url: another program gets neither the token nor the session`, async (t) => {
    const home = folderOf(t)
    const session = join(home, 'session.jsonl')
    cpSync(EXAMPLE, session)
    const received: string[] = []
    const url = await startForeign(t, '{"type":"urn:precis:problem:token-missing"}', received)
    const run = (address: string, env: Record<string, string>) =>
      runCli([name, session, '--url', address], { home, env })
    for (const [ran, source] of [
      [
        await run(url, { PRECIS_TOKENS: 'secret-token' }),
        'PRECIS_TOKENS, or of "token-file" or "token-variable" in the configuration file',
      ],
      [await run(url.replace('//', '//x:secret-token@'), {}), 'its address'],
    ] as const)
      t.same(ran, {
        code: 6,
        stdout: '',
        stderr:
          `precis: No session was sent to ${url}. It has not proved that it knows the token of ${source} ` +
          '(token-missing). Start it with this token, or use one of its own.\n',
      })
    t.same(received, ['no token {}', 'no token {}'])
  })
