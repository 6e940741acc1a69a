import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { applyInstallation, applyRemoval } from '../../../src/cli/install/apply-changes.ts'
import { planInstallation, planRemoval, type PlannedChanges } from '../../../src/cli/install/plan-changes.ts'
import { readReceipt } from '../../../src/cli/install/receipts.ts'
import { targetsNamed } from '../../../src/cli/install/targets.ts'
import { runCli } from '../run-cli.ts'
import { editJson, filesOf, homeWith, jsonIn, runIn } from './homes.ts'

/** Where each agent has the tool server, and what a user may put there. */
const SERVERS: readonly [agent: string, file: string, member: string, own: object][] = [
  ['claude-code', '.claude.json', 'mcpServers', { type: 'stdio', command: '/usr/bin/mine', args: ['mcp'] }],
  ['gemini', '.gemini/settings.json', 'mcpServers', { command: '/usr/bin/mine' }],
  ['qwen', '.qwen/settings.json', 'mcpServers', { httpUrl: 'http://127.0.0.1:1/mcp' }],
  ['opencode', '.config/opencode/opencode.json', 'mcp', { type: 'local', command: ['/usr/bin/mine'] }],
  ['pi', '.pi/agent/mcp.json', 'mcpServers', { command: '/usr/bin/mine' }],
]

type Settings = Record<string, Record<string, unknown>>

const set = (home: string, file: string, [member, value]: [string, object]): void => {
  editJson(home, file, (settings: Settings) => Object.assign(settings[member] ?? {}, { precis: value }))
}

t.test('an entry that the user has put in the place of ours stays, with a word', async (t) => {
  for (const [agent, file, member, own] of SERVERS)
    for (const before of [{}, { [member]: { precis: { command: 'earlier' } } }]) {
      const home = homeWith(t, { [file]: `${JSON.stringify(before)}\n` })
      await runIn(home, 'install', agent, '--yes')
      set(home, file, [member, own])
      const { code, stderr } = await runIn(home, 'uninstall', agent, '--yes')
      t.equal(code, 0, stderr)
      t.match(stderr, `${join(home, file)} has your own in the place of what was installed, and it stays: the tools `)
      t.same(filesOf(home), { [file]: `${JSON.stringify({ [member]: { precis: own } }, undefined, 2)}\n` }, agent)
      t.match(await runIn(home, 'uninstall', agent), { code: 0, stderr: /^.* has nothing of Précis\.\n$/ })
    }
})

t.test('an installation replaces such an entry, and the next uninstallation puts it back', async (t) => {
  for (const [agent, file, member, own] of SERVERS) {
    const home = homeWith(t, { [file]: JSON.stringify({ [member]: { precis: { command: 'earlier' } } }) })
    await runIn(home, 'install', agent, '--yes')
    set(home, file, [member, own])
    t.equal((await runIn(home, 'install', agent, '--yes')).code, 0)
    t.notSame((jsonIn(home, file) as Settings)[member], { precis: own })
    t.equal((await runIn(home, 'uninstall', agent, '--yes')).code, 0)
    t.same(jsonIn(home, file), { [member]: { precis: own } }, agent)
  }
})

t.test('of Codex, a table of the user in the place of ours stays with those below it', async (t) => {
  for (const before of ['model = "x"\n', 'model = "x"\n\n[mcp_servers.precis]\ncommand = "earlier"\n']) {
    const home = homeWith(t, { '.codex/config.toml': before, 'codex/config.toml': before })
    for (const [env, folder] of [
      [{}, '.codex'],
      [{ CODEX_HOME: join(home, 'codex') }, 'codex'],
    ] as const) {
      const run = (command: string) => runCli([command, 'codex', '--yes'], { home, cwd: home, env })
      const path = join(home, folder, 'config.toml')
      t.equal((await run('install')).code, 0)
      const changed = readFileSync(path, 'utf8')
        .replace(/command = ".*node"/, 'command = "/usr/bin/mine"')
        .replace(/args = .*\n/, '')
      writeFileSync(path, changed)
      t.match(await run('uninstall'), { code: 0, stderr: /config\.toml has your own in the place/ })
      t.equal(readFileSync(path, 'utf8'), changed)
    }
  }
})

t.test('of what is removed although it was changed, a copy is kept under a name that is free', async (t) => {
  const cases: [agent: string, file: string, change: (text: string) => string][] = [
    ['gemini', '.gemini/settings.json', (text) => text.replace('"trust": true', '"trust": false')],
    ['codex', '.codex/config.toml', (text) => text.replace('startup_timeout_sec = 20', 'startup_timeout_sec = 99')],
    ['codex', '.codex/config.toml', (text) => `${text}\n[mcp_servers.precis.env]\nMINE = "1"\n`],
    ['codex', '.codex/hooks.json', (text) => text.replace('"timeout": 180', '"timeout": 99')],
    ['opencode', '.config/opencode/plugin/precis.js', (text) => `${text}// mine\n`],
  ]
  for (const [agent, file, change] of cases) {
    const kept = { [`${file}.bak`]: 'KEEP\n', [`${file}.bak-2`]: 'KEEP, too\n' }
    const home = homeWith(t, kept)
    await runIn(home, 'install', agent, '--yes')
    const path = join(home, file)
    const changed = change(readFileSync(path, 'utf8'))
    writeFileSync(path, changed)
    const { code, stderr } = await runIn(home, 'uninstall', agent, '--yes')
    t.equal(code, 0, stderr)
    t.match(stderr, `The file with your changes is kept as ${path}.bak-3\n`)
    t.same(filesOf(home), { ...kept, [`${file}.bak-3`]: changed }, file)
  }
})

t.test('after the user has taken everything out by hand, an uninstallation forgets the installation', async (t) => {
  const home = homeWith(t, {})
  await runIn(home, 'install', 'gemini', '--yes')
  rmSync(join(home, '.gemini'), { recursive: true })
  t.match(await runIn(home, 'uninstall', 'gemini', '--dry-run'), { code: 0 })
  t.ok(existsSync(join(home, '.local/state/precis/installed/gemini')))
  t.match(await runIn(home, 'uninstall', 'gemini'), { code: 0, stderr: 'Gemini CLI has nothing of Précis.\n' })
  t.notOk(existsSync(join(home, '.local')))
})

t.test('with a receipt that is damaged, what is certainly ours is found in the settings', async (t) => {
  for (const [agent, file, text] of [
    ['claude-code', '.claude/settings.json', '{"agent":"claude-code","files":[{}]}'],
    [
      'gemini',
      '.gemini/settings.json',
      '{"agent":"gemini","files":[{"path":"/x","after":"","settings":[{}],"before":null}]}',
    ],
    ['codex', '.codex/hooks.json', '{"agent":"codex","files":[null],"folders":7}'],
  ] as const) {
    const home = homeWith(t, { [file]: '{"a": 1}\n' })
    await runIn(home, 'install', agent, '--yes')
    const receipt = join(home, '.local/state/precis/installed', agent, 'receipt.json')
    writeFileSync(receipt, text)
    t.match((await runIn(home, 'doctor', agent)).stdout, /fault +Nothing is installed\. Run: .* install/)
    t.match(await runIn(home, 'install', agent), { code: 0, stderr: /has everything already/ }, agent)
    t.match(await runIn(home, 'install'), { code: 0, stdout: new RegExp(`^${agent} .* installed`, 'm') })
    t.match((await runIn(home, 'doctor', agent)).stdout, /ok +The settings are as they were installed/)
    t.equal((await runIn(home, 'uninstall', agent, '--yes')).code, 0)
    // Gemini CLI writes an empty object of servers itself: nothing says whose it is.
    t.same(jsonIn(home, file), { a: 1, ...(agent === 'gemini' && { mcpServers: {} }) })
  }
})

/** Runs a command as in a terminal, and does something before the answer is yes. */
async function answering(home: string, args: string[], before: () => void) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const ran = runCli(args, { home, cwd: home, stdin })
  await new Promise((resolve) => stdin.once('resume', resolve))
  before()
  stdin.end('y\n')
  return ran
}

t.test('if a file has changed while the user was asked, none is written', async (t) => {
  const files = { '.claude.json': '{"a": 1}\n', '.claude/settings.json': '{"model": "x"}\n' }
  const home = homeWith(t, files)
  const path = join(home, '.claude/settings.json')
  const refused = `precis: ${path} was changed by another program meanwhile. Nothing was changed. Look at it, and run the command again.\n`
  const touch = (): void => {
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`)
  }
  const install = await answering(home, ['install', 'claude-code'], touch)
  t.equal(install.code, 1)
  t.ok(install.stderr.endsWith(refused), install.stderr)
  t.same(filesOf(home), { ...files, '.claude/settings.json': '{"model": "x"}\n\n' })
  t.notOk(existsSync(join(home, '.local')))
  await runIn(home, 'install', 'claude-code', '--yes')
  const installed = filesOf(home)
  const uninstall = await answering(home, ['uninstall', 'claude-code'], touch)
  t.ok(uninstall.stderr.endsWith(refused), uninstall.stderr)
  t.equal(filesOf(home)['.claude.json'], installed['.claude.json'])
})

t.test('if a later file fails, those that were written before it are named', async (t) => {
  const home = homeWith(t, { '.claude.json': '{}\n', '.claude/settings.json': '{}\n' })
  const setup = { env: {}, home, folder: home, start: ['precis'] }
  const [target] = targetsNamed(['claude-code'])
  if (target === undefined) throw new Error('There is no such agent.')
  const path = join(home, '.claude/settings.json')
  const error = (before: string): RegExp =>
    new RegExp(`settings\\.json was changed by another program meanwhile\\. ${before} Look at it, and run`)
  const planned = (): PlannedChanges => ({ target, setup, changes: planInstallation(target, setup, undefined) })
  const plan = planned()
  writeFileSync(path, '{ }\n')
  t.throws(
    () => {
      applyInstallation(plan, [])
    },
    error(`Changed before it: ${join(home, '.claude.json')}\\.`),
  )
  t.match(jsonIn(home, '.claude.json'), { mcpServers: { precis: {} } })
  applyInstallation(planned(), [])
  const key = { agent: 'claude-code' }
  const removal = { target, setup, changes: planRemoval(target, setup, readReceipt(setup, key)) }
  writeFileSync(path, '{}\n')
  const written = ['/another']
  t.throws(() => applyRemoval(removal, written), error(`Changed before it: /another, ${join(home, '.claude.json')}\\.`))
  t.ok(readReceipt(setup, key))
})

t.test('an installation that has changed nothing leaves nothing', async (t) => {
  const home = homeWith(t, { '.gemini/settings.json': '{}\n' })
  const setup = { env: {}, home, folder: home, start: ['precis'] }
  const [target] = targetsNamed(['gemini'])
  if (target === undefined) throw new Error('There is no such agent.')
  const plan = { target, setup, changes: planInstallation(target, setup, undefined) }
  writeFileSync(join(home, '.gemini/settings.json'), '{"a": 1}\n')
  t.throws(() => {
    applyInstallation(plan, [])
  }, /Nothing was changed/)
  t.notOk(existsSync(join(home, '.local')))
})
