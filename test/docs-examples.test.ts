import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parseConfig } from '../src/cli/config/config-file.ts'
import type { HookName } from '../src/schemas/hooks.ts'
import { EXAMPLE, MAIN, runCli } from './cli/run-cli.ts'
import { ROOT } from './support/run-server.ts'
import { listenApp, startApp } from './support/start-app.ts'
import { folderOf } from './support/temp-folder.ts'

/** What the pages of docs/ tell their readers to type works, in the order of the page. */
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const blocksOf = (path: string, language: string): string[] =>
  [...read(path).matchAll(/^```(\w*)\n([^]*?)^```$/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )

const embedded = { name: 'embedded' as const, windowTokens: () => 128_000 }
const TOKEN = 'the-token-of-this-documentation'
const sh = (script: string, options: { cwd: string; env?: NodeJS.ProcessEnv }) =>
  promisify(execFile)('sh', ['-ec', script], options)

const PAGES_WITH_REQUESTS: [path: string, least: number, tokens: string[]][] = [
  ['docs/api.md', 18, []],
  ['docs/start-client.md', 3, []],
  ['docs/start-team.md', 2, [TOKEN]],
]

for (const [path, least, tokens] of PAGES_WITH_REQUESTS)
  t.test(
    `the requests of ${path} work as they stand, in the root folder and in this order`,
    { skip: spawnSync('curl', ['--version']).status !== 0 && 'needs curl' },
    async (t) => {
      const { url } = await listenApp(t, { summarizer: embedded, settings: { tokens } })
      const folder = folderOf(t)
      const scripts = blocksOf(path, 'sh').filter((script) => script.includes('curl '))
      const count = scripts.join('').split('curl ').length - 1
      t.ok(count >= least, `${count} requests`)
      for (const script of scripts) {
        const changed = script
          .replaceAll('http://127.0.0.1:8080', url)
          .replaceAll('/tmp/', `${folder}/`)
          .replaceAll('curl -s', 'curl --fail-with-body -s')
        const ran = sh(changed, { cwd: ROOT, env: { ...process.env, PRECIS_TOKENS: TOKEN } })
        await t.resolves(ran, script)
        if (script.includes('/recall?')) t.notMatch((await ran).stdout, '"passages":[]', script)
      }
    },
  )

/** The session of the example, where pi would have it. */
const SESSION_ID = '019d1f2a-6c3b-7d10-9b41-2f4d3e8da218'
/** They need a model or a login, run until they are stopped, or replace the program that runs the tests. */
const NOT_RUN = /--with|--model|--online|precis (?:watch|serve|mcp|hook)|npm |PRECIS_TOKENS=/

/** Returns a home folder with one session, and the commands `precis` and `claude`. */
function writeHome(t: Test): { cwd: string; env: Record<'HOME' | 'PATH' | 'SHELL', string> } {
  const home = folderOf(t)
  const sessions = join(home, '.pi/agent/sessions/--workspace-ledger--')
  const bin = join(home, 'bin')
  for (const folder of [sessions, bin, join(home, 'work')]) mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(sessions, `2026-03-24T08-41-07-102Z_${SESSION_ID}.jsonl`),
    readFileSync(EXAMPLE, 'utf8').replace('/workspace/ledger', join(home, 'work')),
  )
  writeFileSync(join(home, 'work/session.jsonl'), readFileSync(EXAMPLE))
  const programs = { precis: `exec "${process.execPath}" "${MAIN}" "$@"`, claude: 'echo "2.1.330 (Claude Code)"' }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return {
    cwd: join(home, 'work'),
    env: { HOME: home, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, SHELL: '/bin/sh' },
  }
}

for (const [path, least] of [
  ['docs/start-agent.md', 10],
  ['docs/cli.md', 3],
] as const)
  t.test(`the commands of ${path} work as they stand, in this order`, { timeout: 240_000 }, async (t) => {
    const home = writeHome(t)
    const lines = blocksOf(path, 'sh').flatMap((script) => script.split('\n'))
    const commands = lines.filter((line) => line.startsWith('precis ') && !NOT_RUN.test(line))
    t.ok(commands.length >= least, `${commands.length} commands`)
    for (const command of commands) {
      // Nobody is asked here.
      const changed = command.replace(/\b(?:un)?install claude-code/, '$& --yes').replaceAll(/\bID\b/g, SESSION_ID)
      const [, ...args] = changed.replace(/ +#.*/, '').split(' ')
      // In a process of its own, a compaction needs several times the processor time.
      if (!/^(?:plan|compact|restore)$/.test(args[0] ?? '')) await t.resolves(sh(changed, home), command)
      else t.match(await runCli(args, { ...home, home: home.env.HOME }), { code: 0 }, command)
    }
  })

t.test('README quotes the example session, and what the summary says of it', async (t) => {
  const { app } = await startApp(t, { summarizer: embedded })
  const body = readFileSync(EXAMPLE, 'utf8')
  const headers = { 'content-type': 'application/x-ndjson' }
  const reply = await app.inject({ method: 'POST', url: '/compaction', headers, payload: body })
  const { summary, tokensBefore, tokensAfter } = reply.json<{
    summary: string
    tokensBefore: number
    tokensAfter: number
  }>()
  const readme = read('README.md')
  const [before = '', after = ''] = blocksOf('README.md', '')
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
  const pieces = (block: string, separator: RegExp): string[] =>
    block
      .split(separator)
      .map((piece) => oneLine(piece).trim())
      .filter((piece) => piece.length > 20)
  const session = oneLine(body.replace(/\\n/g, ' ').replaceAll('\\"', '"'))
  for (const piece of pieces(before, /^\w+ {2,}|\[[^\]]*\]|\.\.\./m)) t.ok(session.includes(piece), piece)
  for (const piece of pieces(after, /\.\.\.\]?|^ *- /m)) t.ok(oneLine(summary).includes(piece), piece)
  for (const tokens of [tokensBefore, tokensAfter]) t.ok(readme.includes(tokens.toLocaleString('en')), `${tokens}`)
})

t.test('each configuration file of the pages is read', async (t) => {
  const files = ['docs/start-agent.md', 'docs/start-team.md'].flatMap((path) => blocksOf(path, 'json'))
  t.equal(files.length, 2)
  for (const file of files)
    t.ok(Object.keys(parseConfig('config.json', Buffer.from(file), { env: {}, home: '/' })).length > 0, file)
})

t.test('the program of docs/start-client.md compacts', async (t) => {
  const { url } = await listenApp(t, { summarizer: embedded })
  const [program = ''] = blocksOf('docs/start-client.md', 'ts')
  const path = join(folderOf(t), 'program.mts')
  const client = JSON.stringify(join(ROOT, 'src/client/client.ts'))
  writeFileSync(path, program.replace("'precis/client'", client).replaceAll('http://127.0.0.1:8080', url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', path], { cwd: ROOT })
  t.match(stdout, /^m2 embedded \d+\n$/)
})

t.test('the module of docs/hooks.md has hooks that the service knows', async (t) => {
  const names: Record<HookName, true> = {
    beforeCompact: true,
    compacting: true,
    afterCompact: true,
    beforeBranchSummary: true,
  }
  const [module = ''] = blocksOf('docs/hooks.md', 'js')
  const { default: hooks } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    default: Record<string, (event: object) => unknown>
  }
  t.same(
    Object.keys(hooks).filter((name) => !(name in names)),
    [],
  )
  t.match(hooks.beforeCompact?.({ preparation: { files: { readFiles: ['payroll/a.csv'] } } }), { cancel: true })
  t.match(hooks.compacting?.({}), { context: [/Tuesdays/] })
})
