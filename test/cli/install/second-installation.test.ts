import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { runCli, type Ran } from '../run-cli.ts'
import { editJson, filesOf, homeWith, runIn } from './homes.ts'

const URL_ARGS = ['--url', 'http://127.0.0.1:9000']

t.test('an installation takes out what an earlier one has written elsewhere for the same agent', async (t) => {
  const own = { '.omp/agent/config.yml': '# Mine\ncompaction:\n  enabled: true # x\n' }
  const home = homeWith(t, own)
  const extension = join(home, '.omp/agent/extensions/precis.js')
  await runIn(home, 'install', 'oh-my-pi', '--yes')
  t.ok(existsSync(extension))
  const shown = await runIn(home, 'install', 'oh-my-pi', ...URL_ARGS, '--dry-run')
  t.match(shown, { code: 0, stdout: `${extension} (is removed)` })
  t.ok(existsSync(extension))
  t.match(await runIn(home, 'install', 'oh-my-pi', ...URL_ARGS, '--yes'), {
    code: 0,
    stderr: /^Installed into oh-my-pi/m,
  })
  t.notOk(existsSync(extension))
  t.match(await runIn(home, 'install', 'oh-my-pi'), { code: 0, stderr: 'oh-my-pi has everything already.\n' })
  t.equal((await runIn(home, 'uninstall', 'oh-my-pi', '--yes')).code, 0)
  t.same(filesOf(home), own)
  t.same(readdirSync(join(home, '.omp/agent')), ['config.yml'])
})

t.test('of what is taken out although the user has changed it, a copy is kept', async (t) => {
  const home = homeWith(t, {})
  const extension = join(home, '.omp/agent/extensions/precis.js')
  await runIn(home, 'install', 'oh-my-pi', '--yes')
  writeFileSync(extension, `${readFileSync(extension, 'utf8')}// mine\n`)
  const { code, stderr } = await runIn(home, 'install', 'oh-my-pi', ...URL_ARGS, '--yes')
  t.equal(code, 0, stderr)
  t.match(stderr, `The file with your changes is kept as ${extension}.bak\n`)
  t.same([existsSync(extension), existsSync(`${extension}.bak`)], [false, true])
})

t.test('of two settings files of opencode, the one that it reads first gets the entry of the other', async (t) => {
  const commented = '// mine\n{ "theme": "x", // t\n}\n'
  const folder = '.config/opencode'
  const home = homeWith(t, { [`${folder}/opencode.jsonc`]: commented })
  await runIn(home, 'install', 'opencode', '--yes')
  writeFileSync(join(home, folder, 'opencode.json'), '{}')
  const doctor = await runIn(home, 'doctor', 'opencode')
  t.match(doctor.stdout, /Not as this version installs it, .*opencode\.json, .*opencode\.jsonc\. Run: .* install/)
  t.equal((await runIn(home, 'install', 'opencode', '--yes')).code, 0)
  t.equal(readFileSync(join(home, folder, 'opencode.jsonc'), 'utf8'), commented)
  t.match(readFileSync(join(home, folder, 'opencode.json'), 'utf8'), '"precis"')
  t.equal((await runIn(home, 'uninstall', 'opencode', '--yes')).code, 0)
  t.same(filesOf(home), { [`${folder}/opencode.json`]: '{}', [`${folder}/opencode.jsonc`]: commented })
})

/** The agents whose folder a variable moves, and a file in it. */
const MOVED: readonly [agent: string, variable: string, folder: string, file: string][] = [
  ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude', 'settings.json'],
  ['codex', 'CODEX_HOME', '.codex', 'hooks.json'],
  ['qwen', 'QWEN_HOME', '.qwen', 'settings.json'],
  ['pi', 'PI_CODING_AGENT_DIR', '.pi/agent', 'mcp.json'],
]

t.test('what is installed for two logins stays for both until an uninstallation takes out all of it', async (t) => {
  for (const [agent, variable, folder, file] of MOVED)
    for (const removesWith of ['', 'work']) {
      const own = { [`${folder}/${file}`]: '{"model": "first"}\n', [`work/${file}`]: '{"model": "work"}\n' }
      const home = homeWith(t, own)
      const run = (command: string, name: string): Promise<Ran> =>
        runCli([command, agent, '--yes'], { home, cwd: home, env: name === '' ? {} : { [variable]: join(home, name) } })
      for (const name of ['', 'work', '']) t.equal((await run('install', name)).code, 0, agent)
      for (const path of Object.keys(own)) t.match(filesOf(home)[path], /main\.ts/, `${agent}: ${path}`)
      // The agent writes one of the files anew.
      editJson(home, `work/${file}`, () => undefined)
      t.match(await run('uninstall', removesWith), { code: 0, stderr: /^Removed from/m })
      t.match(filesOf(home), {
        [`${folder}/${file}`]: '{"model": "first"}\n',
        [`work/${file}`]: /^\{\s*"model": "work"\s*\}\n$/,
      })
      t.same(Object.keys(filesOf(home)).sort(), Object.keys(own).sort(), agent)
      t.notOk(existsSync(join(home, '.local')))
    }
})

t.test(
  'a variable with a relative path counts from the folder of the installation, also later from another one',
  async (t) => {
    for (const [agent, variable, , file] of MOVED) {
      const home = homeWith(t, { [`a/work/${file}`]: '{}\n', 'b/.keep': '' })
      const run = (command: string, folder: string): Promise<Ran> =>
        runCli([command, agent, '--yes'], { home, cwd: join(home, folder), env: { [variable]: 'work' } })
      t.equal((await run('install', 'a')).code, 0)
      t.match(filesOf(home)[`a/work/${file}`], /main\.ts/)
      for (const text of Object.values(filesOf(home))) t.notMatch(text, '"work"')
      t.match(await run('uninstall', 'b'), { code: 0, stderr: /^Removed from/m })
      t.same(filesOf(home), { [`a/work/${file}`]: '{}\n', 'b/.keep': '' }, agent)
    }
  },
)

t.test('an installation whose receipt is lost is complete after the command that doctor names', async (t) => {
  for (const agent of ['claude-code', 'gemini', 'pi']) {
    const home = homeWith(t, { '.claude/settings.json': '{"a": 1}\n', '.gemini/settings.json': '{"a": 1}\n' })
    await runIn(home, 'install', agent, '--yes')
    const installed = filesOf(home)
    rmSync(join(home, '.local'), { recursive: true })
    mkdirSync(join(home, '.local'))
    t.match((await runIn(home, 'doctor', agent)).stdout, /fault +Nothing is installed\. Run: .* install/)
    await runIn(home, 'install', agent, '--dry-run')
    t.notOk(existsSync(join(home, '.local/state')))
    t.match(await runIn(home, 'install', agent), { code: 0, stdout: '', stderr: /^.* has everything already\.\n$/ })
    t.same(filesOf(home), installed)
    t.match((await runIn(home, 'doctor', agent)).stdout, /ok +The settings are as they were installed/)
    t.equal((await runIn(home, 'uninstall', agent, '--yes')).code, 0)
    for (const text of Object.values(filesOf(home))) t.notMatch(text, /main\.ts/)
  }
})

t.test('what hooks and preparations keep goes with the last installation, unless it is still written', async (t) => {
  const home = homeWith(t, {})
  const state = join(home, '.local/state/precis')
  const keep = (): void => {
    for (const folder of ['hooks', 'summaries']) mkdirSync(join(state, folder), { recursive: true })
    for (const name of ['hooks/a.1', 'hooks/a.note', 'summaries/a', 'key', 'calls'])
      writeFileSync(join(state, name), 'x')
  }
  await runIn(home, 'install', 'codex', 'gemini', '--yes')
  keep()
  await runIn(home, 'uninstall', 'pi', 'codex', '--yes')
  t.same(readdirSync(join(state, 'hooks')), ['a.1', 'a.note'])
  await runIn(home, 'uninstall', 'gemini', '--dry-run')
  t.same(readdirSync(state).sort(), ['calls', 'hooks', 'installed', 'key', 'summaries'])
  t.match(await runIn(home, 'uninstall', 'gemini', '--yes'), { code: 0, stderr: 'Removed from Gemini CLI.\n' })
  t.same(readdirSync(home), [])

  await runIn(home, 'install', 'gemini', '--yes')
  keep()
  const claim = { token: 'other', pid: process.ppid, host: hostname(), at: Date.now() }
  writeFileSync(join(state, 'watcher'), JSON.stringify(claim))
  t.match(await runIn(home, 'uninstall', 'gemini', '--yes'), {
    code: 0,
    stderr: new RegExp(
      `^The prepared summaries stay: process ${process.ppid} prepares them\\. .*watch --forget.* removes them\\.$`,
      'm',
    ),
  })
  t.same(readdirSync(state).sort(), ['calls', 'key', 'summaries', 'watcher'])
})

t.test('doctor says that hooks are switched off', async (t) => {
  for (const [agent, file, settings, name] of [
    ['claude-code', '.claude/settings.json', { disableAllHooks: true }, 'disableAllHooks'],
    ['qwen', '.qwen/settings.json', { disableAllHooks: true }, 'disableAllHooks'],
    ['gemini', '.gemini/settings.json', { hooksConfig: { enabled: false } }, 'hooksConfig.enabled'],
  ] as const) {
    const home = homeWith(t, { [file]: '{}\n' })
    await runIn(home, 'install', agent, '--yes')
    t.notMatch((await runIn(home, 'doctor', agent)).stdout, 'runs no hooks')
    editJson(home, file, (own: object) => Object.assign(own, settings))
    const { code, stdout } = await runIn(home, 'doctor', agent)
    t.equal(code, 1)
    t.match(
      stdout,
      new RegExp(`fault +.* runs no hooks: .${name}. is (true|false) in ${join(home, file)}\\. Remove it there`),
    )
  }
})

t.test('a file in the place of the state folder is an error with a remedy', async (t) => {
  const home = homeWith(t, { '.local/state': 'mine\n' })
  t.match(await runIn(home, 'install', 'claude-code', '--yes'), {
    code: 1,
    stderr: `precis: ${join(home, '.local/state/precis')} cannot be read: a part of its path is not a folder. Correct this, or name another folder with XDG_STATE_HOME.\n`,
  })
})
