import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { AGENT_HOOKS, hooksOf } from '../../../src/agents/hooks.ts'
import { AGENT_NAMES } from '../../../src/cli/agent-names.ts'
import { valueOfJson } from '../../../src/cli/install/edit-json.ts'
import { TARGETS } from '../../../src/cli/install/targets.ts'
import { ROOT } from '../../support/run-server.ts'
import { until } from '../../support/until.ts'
import { largeSession, runCli, runProcess, writeCommand, type Ran, SENTENCES_ABOVE_DEFAULT } from '../run-cli.ts'
import { folderOf } from '../../support/temp-folder.ts'
import { filesOf, homeWith, jsonIn as json, runIn as run } from './homes.ts'

/** What starts the command line, in settings that these tests write. */
const MAIN = join(ROOT, 'src/cli/main.ts')

/** Settings of a user, with comments where the agent allows them. */
const USER: Readonly<Record<string, string>> = {
  '.claude.json': '{\n  "userID": "u1",\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n',
  '.claude/settings.json':
    '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": ["Bash(ls)"]\n\t},\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}',
  '.codex/config.toml': '# mine\nmodel = "gpt-5"\n\n[mcp_servers.other]\ncommand = "x" # y\n',
}

const NODE = /^(?:\/opt\/homebrew|\/usr\/local|\/usr)\/bin\/node$/.test(process.execPath) ? process.execPath : undefined

t.test('Claude Code gets the tool server with its permission, and hooks; everything else stays', async (t) => {
  const home = homeWith(t, USER)
  const { code, stdout, stderr } = await run(home, 'install', 'claude-code', '--yes')
  t.equal(code, 0, stderr)
  t.match(stdout, `${join(home, '.claude.json')}\n`)
  t.match(stdout, /^\+ {5}"precis": \{$/m)
  const { mcpServers } = json(home, '.claude.json') as { mcpServers: Record<string, { command: string }> }
  const node = mcpServers['precis']?.command ?? ''
  if (NODE !== undefined) t.equal(node, NODE)
  t.same(mcpServers, {
    other: { command: 'x' },
    precis: { type: 'stdio', command: node, args: [MAIN, 'mcp'], alwaysLoad: true },
  })
  const hook = (event: string, timeout: number) => ({
    hooks: [{ type: 'command', command: `${node} ${MAIN} hook claude-code ${event}`, timeout }],
  })
  t.same(json(home, '.claude/settings.json'), {
    model: 'opus',
    permissions: { allow: ['Bash(ls)', 'mcp__precis'] },
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }, hook('Stop', 30)],
      PreCompact: [hook('PreCompact', 180)],
      SessionStart: [{ matcher: 'compact', ...hook('SessionStart', 30) }],
      PostToolUse: [hook('PostToolUse', 30)],
      UserPromptSubmit: [hook('UserPromptSubmit', 30)],
    },
  })
})

t.test('that an agent, or its program, is not there is said before its settings are written', async (t) => {
  const said = async (files: Readonly<Record<string, string>>, agent: string): Promise<string | undefined> =>
    (await run(homeWith(t, files), 'install', agent, '--dry-run')).stderr.split('\n')[0]
  const written = 'Its settings are written anyway.'
  t.equal(await said({}, 'codex'), `Codex was not found on this machine. ${written}`)
  t.equal(
    await said(USER, 'codex'),
    `The program of Codex, \`codex\`, was not found in PATH: only its folder is there. ${written}`,
  )
})

t.test('Codex gets a table at the end of its settings, and a file of hooks', async (t) => {
  const home = homeWith(t, USER)
  const { code, stderr } = await run(home, 'install', 'codex', '--yes')
  t.equal(code, 0, stderr)
  t.match(stderr, /Start `codex` once and accept the hooks/)
  const config = readFileSync(join(home, '.codex/config.toml'), 'utf8')
  t.ok(config.startsWith(`${USER['.codex/config.toml'] ?? ''}\n[mcp_servers.precis]\ncommand = "`))
  t.match(config, `\nargs = ["${MAIN}", "mcp"]\n`)
  t.same(Object.keys((json(home, '.codex/hooks.json') as { hooks: object }).hooks), [
    'PreCompact',
    'SessionStart',
    'PostToolUse',
    'Stop',
  ])
})

t.test('an uninstallation leaves every file byte for byte as it was, and none that was not there', async (t) => {
  for (const files of [USER, { '.codex/.keep': '', '.claude/.keep': '' }, {}]) {
    const home = homeWith(t, files)
    t.equal((await run(home, 'install', 'claude-code', 'codex', '--yes')).code, 0)
    t.notSame(filesOf(home), files)
    t.equal((await run(home, 'uninstall', 'claude-code', 'codex', '--yes')).code, 0)
    t.same(filesOf(home), files)
    t.same(existsSync(join(home, '.codex')), Object.keys(files).length > 0)
  }
})

t.test(
  'after the agent has written its files anew, nothing of ours is left, and nothing of the user is lost',
  async (t) => {
    const home = homeWith(t, USER)
    await run(home, 'install', 'claude-code', 'codex', '--yes')
    for (const name of ['.claude.json', '.claude/settings.json', '.codex/hooks.json']) {
      const value = json(home, name) as { hooks?: Record<string, unknown> }
      writeFileSync(join(home, name), JSON.stringify({ first: 1, ...value, last: 2 }))
    }
    const config = readFileSync(join(home, '.codex/config.toml'), 'utf8')
    writeFileSync(join(home, '.codex/config.toml'), `${config}\n[projects."/p"]\ntrust_level = "trusted"\n`)
    t.equal((await run(home, 'uninstall', 'claude-code', 'codex', '--yes')).code, 0)
    t.same(json(home, '.claude.json'), { first: 1, userID: 'u1', mcpServers: { other: { command: 'x' } }, last: 2 })
    t.same(json(home, '.claude/settings.json'), {
      ...(JSON.parse(USER['.claude/settings.json'] ?? '') as object),
      ...{ first: 1, last: 2 },
    })
    t.same(json(home, '.codex/hooks.json'), { first: 1, last: 2 })
    t.equal(
      readFileSync(join(home, '.codex/config.toml'), 'utf8'),
      `${USER['.codex/config.toml'] ?? ''}\n[projects."/p"]\ntrust_level = "trusted"\n`,
    )
  },
)

t.test(
  'a second installation changes nothing; one after a change writes ours anew, and is undone as a whole',
  async (t) => {
    const home = homeWith(t, USER)
    await run(home, 'install', 'claude-code', '--yes')
    const installed = filesOf(home)
    t.match(await run(home, 'install', 'claude-code'), {
      code: 0,
      stdout: '',
      stderr: 'Claude Code has everything already.\n',
    })
    t.same(filesOf(home), installed)
    const path = join(home, '.claude/settings.json')
    writeFileSync(
      path,
      (installed['.claude/settings.json'] ?? '').replace(
        'hook claude-code PreCompact',
        'hook claude-code PreCompact --old',
      ),
    )
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(MAIN, '/old/dist/cli/main.js'))
    t.equal((await run(home, 'install', 'claude-code', '--yes')).code, 0)
    t.same(
      (json(home, '.claude/settings.json') as { hooks: object }).hooks,
      JSON.parse(installed['.claude/settings.json'] ?? '').hooks,
    )
    await run(home, 'uninstall', 'claude-code', '--yes')
    t.same(json(home, '.claude/settings.json'), JSON.parse(USER['.claude/settings.json'] ?? ''))
  },
)

t.test('the folders that the first installation has created go with the last one', async (t) => {
  const home = homeWith(t, {})
  await run(home, 'install', 'codex', '--yes')
  const path = join(home, '.codex/hooks.json')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(MAIN, '/old/dist/cli/main.js'))
  t.equal((await run(home, 'install', 'codex', '--yes')).code, 0)
  t.match(readFileSync(path, 'utf8'), MAIN)
  t.equal((await run(home, 'uninstall', 'codex', '--yes')).code, 0)
  t.notOk(existsSync(join(home, '.codex')))
})

t.test(
  'no folder stays that an installation has created and that is empty, whichever agent is removed last',
  async (t) => {
    const ids = TARGETS.map(({ id }) => id)
    for (const order of [ids, ids.toReversed()]) {
      const home = homeWith(t, {})
      mkdirSync(join(home, '.config/Code'), { recursive: true })
      const { code, stderr } = await run(home, 'install', ...ids, '--yes')
      t.equal(code, 0, stderr)
      t.ok(existsSync(join(home, '.config/Code/User/globalStorage')))
      for (const id of order) t.equal((await run(home, 'uninstall', id, '--yes')).code, 0, id)
      t.same(readdirSync(home, { recursive: true }).toSorted(), ['.config', '.config/Code'])
    }
  },
)

t.test('a folder stays if something else is in it', async (t) => {
  const home = homeWith(t, {})
  await run(home, 'install', 'roo', '--yes')
  const kept = ['.config/Code/User/settings.json', '.local/state/precis/mine']
  for (const name of kept) writeFileSync(join(home, name), 'mine\n')
  t.equal((await run(home, 'uninstall', 'roo', '--yes')).code, 0)
  t.same(
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => !statSync(join(home, name)).isDirectory())
      .toSorted(),
    kept,
  )
  t.notOk(existsSync(join(home, '.config/Code/User/globalStorage')))
})

t.test('without a receipt, an uninstallation finds what is ours', async (t) => {
  const home = homeWith(t, USER)
  await run(home, 'install', 'claude-code', 'codex', '--yes')
  rmSync(join(home, '.local'), { recursive: true })
  await run(home, 'uninstall', 'claude-code', 'codex', '--yes')
  t.same(json(home, '.claude.json'), JSON.parse(USER['.claude.json'] ?? ''))
  t.same(json(home, '.claude/settings.json'), JSON.parse(USER['.claude/settings.json'] ?? ''))
  t.same(json(home, '.codex/hooks.json'), {})
  t.equal(readFileSync(join(home, '.codex/config.toml'), 'utf8'), USER['.codex/config.toml'])
})

t.test('without its receipt, an installation of another place is updated, and is taken out as a whole', async (t) => {
  for (const id of TARGETS.map((target) => target.id)) {
    const home = homeWith(t, OF_ALL)
    await run(home, 'install', id, '--yes')
    rmSync(join(home, '.local'), { recursive: true })
    const written = Object.entries(filesOf(home)).filter(([, text]) => text.includes(MAIN))
    t.not(written.length, 0, id)
    for (const [name, text] of written) writeFileSync(join(home, name), text.replaceAll(MAIN, '/old/dist/cli/main.js'))
    const { code, stderr } = await run(home, 'install', id, '--yes')
    t.equal(code, 0, stderr)
    for (const [name] of written) t.match(filesOf(home)[name], MAIN, name)
    t.match(await run(home, 'uninstall', id, '--yes'), { code: 0, stderr: /^Removed from/m })
    for (const [name, text] of Object.entries(filesOf(home)))
      t.notMatch(text, /main\.[jt]s|mcp__precis|mcp_servers\.precis|"precis"/, `${id}: ${name}`)
    t.match(await run(home, 'uninstall', id), { code: 0, stderr: /has nothing of Précis/ })
  }
})

t.test('an entry that the user has written by hand comes back', async (t) => {
  const files = { '.claude.json': '{"mcpServers": {"precis": {"command": "mine"}}}', '.claude/settings.json': '{}' }
  const home = homeWith(t, files)
  await run(home, 'install', 'claude-code', '--yes')
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ ...(json(home, '.claude.json') as object), more: 1 }))
  await run(home, 'uninstall', 'claude-code', '--yes')
  t.same(json(home, '.claude.json'), { mcpServers: { precis: { command: 'mine' } }, more: 1 })
})

/** Entries of the user with our name that start something else. */
const NAMESAKES: readonly [id: string, files: Readonly<Record<string, string>>][] = [
  ['gemini', { '.gemini/settings.json': '{"mcpServers": {"precis": {"httpUrl": "http://my/mcp"}}}' }],
  ['claude-code', { '.claude.json': '{"mcpServers": {"precis": {"command": "mine", "args": ["mcp"]}}}' }],
  ['opencode', { '.config/opencode/opencode.json': '{"mcp": {"precis": {"type": "remote", "url": "http://my"}}}' }],
  ['oh-my-pi', { '.omp/agent/config.yml': 'tools:\n  xdev: false\n' }],
  [
    'codex',
    {
      '.codex/config.toml':
        'model = "x"\n\n# my server\n[mcp_servers.precis] # mine\ncommand = "mine"\nargs = [\'mcp\']\n\n[mcp_servers.precis.env]\nA = "b"\n\n[projects."/p"]\ntrust_level = "trusted"\n',
    },
  ],
]

t.test('an entry of the user with our name stays, if nothing says that an installation has written it', async (t) => {
  for (const [id, files] of NAMESAKES) {
    const home = homeWith(t, files)
    t.match(await run(home, 'uninstall', id, '--yes'), { code: 0, stdout: '', stderr: /has nothing of Précis/ }, id)
    t.same(filesOf(home), files)
  }
})

t.test('an installation replaces an entry of the user with our name, shows it, and puts it back', async (t) => {
  for (const [id, files] of NAMESAKES) {
    const home = homeWith(t, files)
    const ran = await run(home, 'install', id, '--yes')
    t.equal(ran.code, 0, ran.stderr)
    if (id !== 'oh-my-pi') t.match(ran.stdout, /^- .*(?:mine|http:)/m, id)
    t.equal((await run(home, 'uninstall', id, '--yes')).code, 0)
    t.same(filesOf(home), files, id)
  }
})

t.test('the table of the user comes back into settings of Codex that have changed since', async (t) => {
  const { '.codex/config.toml': text = '' } = Object.fromEntries(NAMESAKES)['codex'] ?? {}
  const home = homeWith(t, { '.codex/config.toml': text })
  const path = join(home, '.codex/config.toml')
  await run(home, 'install', 'codex', '--yes')
  const installed = readFileSync(path, 'utf8')
  t.match(installed, `args = ["${MAIN}", "mcp"]`)
  t.notMatch(installed, /mine"|precis\.env/)
  writeFileSync(path, `${installed}\n[projects."/q"]\ntrust_level = "trusted"\n`)
  await run(home, 'uninstall', 'codex', '--yes')
  t.equal(readFileSync(path, 'utf8'), `${text}\n[projects."/q"]\ntrust_level = "trusted"\n`)
})

t.test('tables of Codex with our name that are not together are named', async (t) => {
  const toml =
    '[mcp_servers.precis]\ncommand = "mine"\n[mcp_servers.x]\ncommand = "x"\n[mcp_servers.precis.env]\nA = "b"\n'
  const home = homeWith(t, { '.codex/config.toml': toml })
  t.match(await run(home, 'install', 'codex', '--yes'), {
    code: 1,
    stderr:
      /config\.toml cannot be changed: line 3: \[mcp_servers\.x\] is between \[mcp_servers\.precis\] and the tables below it\. Nothing was changed/,
  })
  t.same(filesOf(home), { '.codex/config.toml': toml })
})

t.test('settings that are no TOML or YAML are refused with their line, and what to do', async (t) => {
  const toml = 'model = "gpt-5"\n\n[mcp_servers.other\ncommand = "x"\n'
  const yaml = 'theme: dark\ntools: ~\n'
  const home = homeWith(t, { '.codex/config.toml': toml, '.omp/agent/config.yml': yaml })
  for (const [agent, file, line] of [
    ['codex', '.codex/config.toml', 3],
    ['oh-my-pi', '.omp/agent/config.yml', 2],
  ] as const) {
    const fault = `precis: ${join(home, file)} cannot be changed: line ${line}: `
    const { code, stderr } = await run(home, 'install', agent, '--yes')
    t.equal(code, 1)
    t.equal(stderr.slice(0, fault.length), fault)
    t.match(stderr, /\. Nothing was changed\. Correct the file, or move it away, and run the command again\.\n$/)
  }
  t.same(filesOf(home), { '.codex/config.toml': toml, '.omp/agent/config.yml': yaml })
})

t.test('nothing is written without a permission', async (t) => {
  const home = homeWith(t, USER)
  const ran = await run(home, 'install', 'codex')
  t.match(ran, { code: 2, stdout: /^\+ \[mcp_servers\.precis\]$/m, stderr: /nobody can be asked here\. Add --yes/ })
  t.match(await run(home, 'install', 'codex', '--dry-run'), {
    code: 0,
    stdout: ran.stdout,
    stderr: /^The program of Codex[^\n]*\nAt a compaction, .*\nNo model .*\nTo have a model write them, .*\n$/,
  })
  t.same(filesOf(home), USER)
  t.equal(existsSync(join(home, '.local')), false)
})

t.test('the settings of a project are separate: those that only this user reads', async (t) => {
  const home = homeWith(t, USER)
  const project = join(home, 'work')
  mkdirSync(project)
  const ran = await runCli(['install', 'claude-code', 'codex', '--project', '--yes'], { home, cwd: project })
  t.equal(ran.code, 0, ran.stderr)
  t.match(json(home, '.claude.json'), { projects: { [project]: { mcpServers: { precis: { args: [MAIN, 'mcp'] } } } } })
  t.same(Object.keys(filesOf(project)).sort(), ['.claude/settings.local.json', '.codex/config.toml'])
  t.equal((await runCli(['uninstall', 'claude-code', 'codex', '--project', '--yes'], { home, cwd: project })).code, 0)
  t.same(filesOf(home), USER)
})

t.test('a symbolic link stays one, and the file behind it changes', async (t) => {
  const home = homeWith(t, { 'dotfiles/settings.json': '{}\n', '.claude/x': '' })
  symlinkSync(join(home, 'dotfiles/settings.json'), join(home, '.claude/settings.json'))
  const { stdout } = await run(home, 'install', 'claude-code', '--yes')
  t.match(stdout, `${join(home, '.claude/settings.json')} (a link to ${join(home, 'dotfiles/settings.json')})`)
  t.match(json(home, 'dotfiles/settings.json'), { permissions: { allow: ['mcp__precis'] } })
  await run(home, 'uninstall', 'claude-code', '--yes')
  t.same(filesOf(home), { 'dotfiles/settings.json': '{}\n', '.claude/settings.json': '{}\n', '.claude/x': '' })
})

t.test('a file that cannot be changed without a loss is refused, and none is changed', async (t) => {
  const settings = '.claude/settings.json'
  const cases: [what: string, prepare: (home: string, path: string) => void, message: RegExp][] = [
    [
      'broken',
      (_home, path) => {
        writeFileSync(path, '{\n  "a": 1\n  "b": 2\n}')
      },
      /cannot be changed: line 3: comma expected\. Nothing was changed\. Correct the file/,
    ],
    [
      'of another form',
      (_home, path) => {
        writeFileSync(path, '{"hooks": []}')
      },
      /line 1: "hooks" is no object\. Nothing was changed/,
    ],
    [
      'no UTF-8',
      (_home, path) => {
        writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))
      },
      /is not text in UTF-8\. Nothing was changed\. Convert it/,
    ],
    [
      'a folder',
      (_home, path) => {
        mkdirSync(path)
      },
      /is no file\. Nothing was changed\. Move it away/,
    ],
    [
      'a link to nothing',
      (home, path) => {
        symlinkSync(join(home, 'gone'), path)
      },
      /symbolic link to a file that is missing/,
    ],
    [
      'a link to itself',
      (_home, path) => {
        symlinkSync(path, path)
      },
      /symbolic link that leads to itself/,
    ],
  ]
  for (const [what, prepare, message] of cases) {
    const home = homeWith(t, { '.claude.json': '{}', '.claude/x': '' })
    prepare(home, join(home, settings))
    const ran = await run(home, 'install', 'claude-code', '--yes')
    t.match(ran, { code: 1, stdout: '', stderr: message }, what)
    t.equal(readFileSync(join(home, '.claude.json'), 'utf8'), '{}')
  }
})

t.test(
  'of a read-only file, the lines are shown for the program that manages it, and nothing is written',
  async (t) => {
    const home = homeWith(t, { '.claude.json': '{}', '.claude/settings.json': '{}' })
    chmodSync(join(home, '.claude/settings.json'), 0o444)
    const dry = await run(home, 'install', 'claude-code', '--dry-run')
    t.match(dry, { code: 0, stdout: /\+ +"allow": \[/, stderr: /^$|was not found/ })
    t.match(await run(home, 'install', 'claude-code', '--yes'), {
      code: 1,
      stdout: dry.stdout,
      stderr: /settings\.json is read-only\. Nothing was changed\. Make it writable .* make the change above/,
    })
    t.equal(readFileSync(join(home, '.claude.json'), 'utf8'), '{}')
  },
)

t.test('Codex is refused if its settings have the server in another form', async (t) => {
  const home = homeWith(t, { '.codex/config.toml': 'mcp_servers = {}\n' })
  t.match(await run(home, 'install', 'codex', '--yes'), {
    code: 1,
    stderr: /line 1: mcp_servers is defined as a value/,
  })
})

t.test('while Claude Code runs, its own command writes the file that it writes itself', async (t) => {
  const home = homeWith(t, { '.claude.json': '{"a": 1}', [`.claude/sessions/${process.pid}.json`]: '{}' })
  t.match(await run(home, 'install', 'claude-code', '--yes'), {
    code: 1,
    stderr: new RegExp(`Claude Code is running \\(process ${process.pid}\\).* was not found\\. Leave Claude Code`),
  })
  const script = `const fs = require('fs'), [,, ...args] = process.argv, path = '${join(home, '.claude.json')}'
    const all = JSON.parse(fs.readFileSync(path)); all.byItself = args
    if (args[1] === 'add-json') all.mcpServers = { precis: JSON.parse(args[5]) }; else delete all.mcpServers.precis
    fs.writeFileSync(path, JSON.stringify(all))`
  const env = { PATH: writeCommand(home, 'claude', script) }
  const ran = await runCli(['install', 'claude-code', '--yes'], { home, cwd: home, env })
  t.equal(ran.code, 0, ran.stderr)
  t.match(json(home, '.claude.json'), {
    byItself: ['mcp', 'add-json', '--scope', 'user', 'precis'],
    mcpServers: { precis: { args: [MAIN, 'mcp'] } },
  })
  t.equal((await runCli(['uninstall', 'claude-code', '--yes'], { home, cwd: home, env })).code, 0)
  t.same(json(home, '.claude.json'), { a: 1, byItself: ['mcp', 'remove', '--scope', 'user', 'precis'], mcpServers: {} })
  const own = { mcpServers: { precis: { command: 'mine' } } }
  writeFileSync(join(home, '.claude.json'), JSON.stringify(own))
  for (const command of ['install', 'uninstall'])
    t.equal((await runCli([command, 'claude-code', '--yes'], { home, cwd: home, env })).code, 0)
  t.match(json(home, '.claude.json'), own)
})

t.test('backups are for their user alone', async (t) => {
  const home = homeWith(t, USER)
  const { stderr } = await run(home, 'install', 'codex', '--yes')
  const folder = join(home, '.local/state/precis/installed/codex')
  t.match(stderr, `The files as they were are in ${folder}\n`)
  const [backup = ''] = readdirSync(folder).filter((name) => /^config\.toml\.[0-9a-f]{8}\.bak$/.test(name))
  t.equal(readFileSync(join(folder, backup), 'utf8'), USER['.codex/config.toml'])
  for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  t.equal(statSync(folder).mode & 0o777, 0o700)
})

t.test('without arguments, the command lists the agents and what is installed', async (t) => {
  const home = homeWith(t, USER)
  await run(home, 'install', 'codex', '--yes')
  const PATH = writeCommand(home, 'codex', '')
  const { stdout, stderr } = await runCli(['install'], { home, cwd: home, env: { PATH } })
  t.match(stdout, /^AGENT +FOUND +PRÉCIS$/m)
  t.match(stdout, /^claude-code +folder +not installed: would change .*\.claude\.json, .*settings\.json$/m)
  t.match(stdout, /^codex +program +installed$/m)
  t.notOk(/^pi /m.test(stdout))
  t.match(stderr, /^Not found on this machine: cline, .*\bpi\b/m)
  t.match(stderr, /install claude-code --dry-run\. To install, after a question: .*install claude-code$/m)
})

t.test('an installation says what the agent gets at a compaction, and what writes the summaries', async (t) => {
  const home = folderOf(t)
  const said = /No model is configured.*\nTo have a model write them, put \{.*\} into .*config\.json/m
  t.match((await run(home, 'install', 'pi', '--dry-run')).stderr, said)
  t.notOk(said.test((await run(home, 'install', 'pi', '--url', 'http://127.0.0.1:8080', '--dry-run')).stderr))
  mkdirSync(join(home, '.config/precis'), { recursive: true })
  writeFileSync(join(home, '.config/precis/config.json'), '{"with": "pi"}')
  t.notOk(said.test((await run(home, 'install', 'pi', '--dry-run')).stderr))
  t.match(
    (await run(home, 'install', 'claude-code', '--dry-run')).stderr,
    /^At a compaction, the own model of Claude Code still writes a summary, .* at most ten lines, .* pi writes the one by Précis\.$/m,
  )
  const without = folderOf(t)
  t.match(
    (await run(without, 'install', 'claude-code', '--dry-run')).stderr,
    /^At a compaction, .*\nNo model is configured.*\nTo have a model write them, put /m,
  )
  t.notMatch((await run(without, 'install', 'gemini', '--dry-run')).stderr, /At a compaction/)
})

t.test(
  'of the programs that can write summaries, one of this machine is named: that of the agent, if it is there',
  async (t) => {
    const home = folderOf(t)
    const advice = async (agent: string, ...programs: string[]): Promise<string | undefined> => {
      const folder = join(home, programs.join('-'))
      mkdirSync(folder, { recursive: true })
      const PATH = programs.map((name) => writeCommand(folder, name, '')).at(-1) ?? ''
      const { stderr } = await runCli(['install', agent, '--dry-run'], { home, cwd: home, env: { PATH } })
      return /^To have a model write them, put (.*)$/m.exec(stderr.replace(home, '~'))?.[1]
    }
    t.equal(await advice('pi', 'claude', 'pi'), '{"with":"pi"} into ~/.config/precis/config.json.')
    t.equal(await advice('pi', 'claude'), '{"with":"claude"} into ~/.config/precis/config.json.')
    t.equal(
      await advice('pi'),
      '{"model":"anthropic:claude-haiku-4-5"} into ~/.config/precis/config.json, and its key into ANTHROPIC_API_KEY.',
    )
  },
)

t.test('commands name an agent by the same word, and print the same name of it', async (t) => {
  const names = new Map(AGENT_NAMES.map(({ id, name }) => [id, name]))
  t.equal(names.size, AGENT_NAMES.length)
  for (const { id, name } of TARGETS) t.equal(names.get(id), name)
  for (const id of Object.keys(AGENT_HOOKS)) t.ok(names.has(id), id)
})

t.test('an unknown agent is an error with the known names', async (t) => {
  const home = homeWith(t, USER)
  t.match(await run(home, 'install', 'claud-code'), {
    code: 2,
    stderr: /There is no agent "claud-code" to install into\. Known are/,
  })
})

/** Settings of a user for each agent, in the form that its program accepts. */
const OF_ALL: Readonly<Record<string, string>> = {
  ...USER,
  '.gemini/settings.json': '{\n  // mine\n  "theme": "dark", /* x */\n}\n',
  '.qwen/settings.json':
    '{"$version": 4, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
  '.config/opencode/opencode.jsonc':
    '{\n  // mine\n  "model": "a/b",\n  "mcp": {"other": {"type": "local", "command": ["x"]}},\n}\n',
  '.pi/agent/mcp.json': '{"mcpServers": {}}',
  '.omp/agent/config.yml': '# mine\ntools:\n  # about x\n  x: 1\n',
  '.cline/data/settings/cline_mcp_settings.json': '{\n  "mcpServers": {}\n}',
}
const IDS = TARGETS.map(({ id }) => id)

t.test('each agent gets settings that are there afterwards, and that an uninstallation takes out again', async (t) => {
  for (const files of [OF_ALL, {}]) {
    const home = homeWith(t, files)
    const { code, stderr } = await run(home, 'install', ...IDS, '--yes')
    t.equal(code, 0, stderr)
    t.match(await run(home, 'install', ...IDS), { code: 0, stdout: '' })
    t.equal((await run(home, 'uninstall', ...IDS, '--yes')).code, 0)
    t.same(filesOf(home), files)
  }
})

t.test('each agent is offered the tools, in the form that it knows', async (t) => {
  const home = homeWith(t, OF_ALL)
  await run(home, 'install', ...IDS, '--yes')
  const read = (name: string): unknown => valueOfJson(readFileSync(join(home, name), 'utf8'))
  const lists: [name: string, more: object][] = [
    ['.gemini/settings.json', { trust: true }],
    ['.qwen/settings.json', { trust: true, alwaysLoadTools: true }],
    ['.pi/agent/mcp.json', { exposure: 'direct' }],
    ['.omp/agent/mcp.json', {}],
    ['.cline/data/settings/cline_mcp_settings.json', {}],
    [
      '.config/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json',
      { alwaysAllow: ['recall', 'outline', 'read_entries'] },
    ],
  ]
  for (const [name, more] of lists) {
    const { mcpServers } = read(name) as { mcpServers: Record<string, object> }
    t.same({ ...mcpServers['precis'], command: '' }, { command: '', args: [MAIN, 'mcp'], ...more }, name)
  }
  t.match(read('.config/opencode/opencode.jsonc'), {
    mcp: { precis: { command: [/node/, MAIN, 'mcp'], enabled: true, timeout: 120_000 } },
  })
  const config = readFileSync(join(home, '.omp/agent/config.yml'), 'utf8')
  t.equal(config, '# mine\ntools:\n  # about x\n  xdev: false\n  x: 1\n')
  t.equal(statSync(join(home, '.cline/hooks/TaskComplete')).mode & 0o777, 0o700)
})

/** In the place of Précis: a program that prints its arguments and its input. */
const ECHO =
  "process.stdin.on('data', (chunk) => console.log(JSON.stringify({ summary: process.argv.slice(1).join(' '), context: [String(chunk)] })))"

type Handler = (event: object, context: object) => Promise<unknown>
interface Plugin {
  default: (pi: { on: (event: string, handler: Handler) => void }) => void
  Precis: () => Promise<Record<string, Handler>>
}

/** Loads a plugin that runs `ECHO`, or a program that writes its input into a file. */
function loadPlugin(path: string, given?: string): Promise<Plugin> {
  const program =
    given === undefined ? ECHO : `process.stdin.pipe(require('fs').createWriteStream(${JSON.stringify(given)}))`
  const text = readFileSync(path, 'utf8').replace(JSON.stringify(MAIN), () => `"-e",${JSON.stringify(program)},"--"`)
  const copy = path.replace(/js$/, given === undefined ? 'mjs' : 'given.mjs')
  writeFileSync(copy, text)
  return import(copy) as Promise<Plugin>
}

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

t.test('a plugin runs the hooks, and returns what they print', async (t) => {
  const home = homeWith(t, {})
  await run(home, 'install', 'pi', 'oh-my-pi', 'opencode', '--yes')
  for (const [agent, name] of [
    ['pi', '.pi'],
    ['oh-my-pi', '.omp'],
  ] as const) {
    const handlers = new Map<string, Handler>()
    const { default: register } = await loadPlugin(join(home, name, 'agent/extensions/precis.js'))
    register({ on: (event, handler) => handlers.set(event, handler) })
    t.same([...handlers.keys()], Object.keys(hooksOf(agent).events))
    const context = {
      sessionManager: { getSessionFile: () => '/s.jsonl' },
      getContextUsage: () => ({ contextWindow: 9 }),
    }
    const settings = { keepRecentTokens: 1, reserveTokens: 2 }
    const event = { preparation: { settings }, customInstructions: 'x' }
    const reply = await handlers.get('session_before_compact')?.(event, context)
    const given = { transcript_path: '/s.jsonl', settings: { ...settings, contextWindow: 9 }, customInstructions: 'x' }
    t.same(reply, {
      compaction: { summary: `hook ${agent} session_before_compact`, context: [JSON.stringify(given)] },
    })
  }
  const { Precis } = await loadPlugin(join(home, '.config/opencode/plugin/precis.js'))
  const opencode = await Precis()
  const compact = async (): Promise<unknown> => {
    const output = { context: [] }
    await opencode['experimental.session.compacting']?.({ sessionID: 'ses_1' }, output)
    return output.context
  }
  t.same(await compact(), ['{"sessionID":"ses_1"}'])
  // The events of opencode 1.18.33, by the types of its package for plugins.
  const answer = {
    role: 'assistant',
    sessionID: 'ses_1',
    tokens: { ...NO_TOKENS, input: 9, cache: { read: 4, write: 1 } },
  }
  for (const info of [
    { role: 'user' },
    answer,
    { ...answer, tokens: NO_TOKENS },
    { ...answer, tokens: { ...answer.tokens, input: 500 }, summary: true },
  ])
    await opencode['event']?.({ event: { type: 'message.updated', properties: { info } } }, {})
  await opencode['chat.params']?.({ sessionID: 'ses_1', agent: 'build', model: { limit: { context: 7 } } }, {})
  await opencode['chat.params']?.({ sessionID: 'ses_1', agent: 'title', model: { limit: { context: 3 } } }, {})
  t.same(await compact(), ['{"sessionID":"ses_1","tokens":14,"settings":{"contextWindow":7}}'])
})

t.test("a plugin of pi or oh-my-pi prepares with the agent's own settings", async (t) => {
  const home = homeWith(t, {
    // As pi 1.5.2 and oh-my-pi 18.2.3 answer.
    'node_modules/@earendil-works/pi-coding-agent/index.mjs': `export const SettingsManager = { create: (cwd, _folder, { projectTrusted }) => ({
      '/pi': { getCompactionSettings: ({ id }) => ({ enabled: projectTrusted, keepRecentTokens: 8, reserveTokens: id }) },
      '/omp': { getGroup: (name) => ({ name, keepRecentTokens: 9, reserveTokens: undefined }) },
    })[cwd] }`,
    'node_modules/@earendil-works/pi-coding-agent/package.json': '{"main":"index.mjs"}',
  })
  await run(home, 'install', 'pi', 'oh-my-pi', '--yes')
  for (const [folder, cwd, own] of [
    ['.pi', '/pi', { keepRecentTokens: 8, reserveTokens: 30_000 }],
    ['.omp', '/omp', { keepRecentTokens: 9 }],
    ['.pi', '/unknown', {}],
  ] as const) {
    const given = join(home, 'given')
    const handlers = new Map<string, Handler>()
    const { default: register } = await loadPlugin(join(home, folder, 'agent/extensions/precis.js'), given)
    register({ on: (event, handler) => handlers.set(event, handler) })
    await handlers.get('turn_end')?.(
      {},
      {
        ...{ cwd, model: { id: 30_000 }, isProjectTrusted: () => true },
        sessionManager: { getSessionFile: () => '/s.jsonl' },
        getContextUsage: () => ({ contextWindow: 9 }),
      },
    )
    await until(() => existsSync(given) && readFileSync(given, 'utf8').endsWith('}'))
    t.same(JSON.parse(readFileSync(given, 'utf8')), {
      transcript_path: '/s.jsonl',
      settings: { ...own, contextWindow: 9 },
    })
    rmSync(given)
  }
})

t.test('with a service, hooks use it, and oh-my-pi gets its address', async (t) => {
  const home = homeWith(t, {})
  await run(home, 'install', 'qwen', 'oh-my-pi', '--url', 'http://127.0.0.1:8080/', '--yes')
  t.match(readFileSync(join(home, '.qwen/settings.json'), 'utf8'), 'hook --url http://127.0.0.1:8080 qwen Stop"')
  const config = readFileSync(join(home, '.omp/agent/config.yml'), 'utf8')
  t.match(config, 'compaction:\n  remoteEndpoint: "http://127.0.0.1:8080/compaction"\n')
  t.match(await run(home, 'install', 'qwen', 'oh-my-pi'), { code: 0, stdout: '' })
  await run(home, 'uninstall', 'qwen', 'oh-my-pi', '--yes')
  t.same(filesOf(home), {})
  const wrong = await run(home, 'install', 'qwen', '--url', 'localhost:8080')
  t.match(wrong, { code: 2, stderr: /--url must be an address/ })
})

t.test('a plugin that the user has changed is kept beside its place; one of the user is not replaced', async (t) => {
  const home = homeWith(t, {})
  const path = join(home, '.pi/agent/extensions/precis.js')
  await run(home, 'install', 'pi', '--yes')
  writeFileSync(path, `${readFileSync(path, 'utf8')}// mine\n`)
  t.match(await run(home, 'uninstall', 'pi', '--yes'), { code: 0, stderr: `is kept as ${path}.bak` })
  t.match(readFileSync(`${path}.bak`, 'utf8'), /\/\/ mine\n$/)
  t.equal(existsSync(path), false)
  writeFileSync(path, 'export default () => {}\n')
  t.match(await run(home, 'install', 'pi', '--yes'), {
    code: 1,
    stderr: /is there already, and Précis has not written it/,
  })
})

t.test('a hook of the user with the name of one of ours stays, and the user learns what to add to it', async (t) => {
  const own = { '.cline/hooks/PostToolUse': '#!/bin/sh\necho mine\n' }
  const home = homeWith(t, own)
  const { code, stderr } = await run(home, 'install', 'cline', '--yes')
  t.equal(code, 0, stderr)
  t.match(
    stderr,
    /hooks\/PostToolUse is your own, and stays as it is\. Let it run this too, with its stdin \(.*\): .* hook cline PostToolUse\n/,
  )
  t.same(Object.keys(filesOf(home)).sort(), [
    '.cline/data/settings/cline_mcp_settings.json',
    '.cline/hooks/PostToolUse',
    '.cline/hooks/TaskComplete',
  ])
  t.match(await run(home, 'install', 'cline', '--yes'), { code: 0, stderr: /Cline has everything already\./ })
  t.equal((await run(home, 'uninstall', 'cline', '--yes')).code, 0)
  t.same(filesOf(home), own)
})

t.test('doctor checks what is installed, and says what to do', async (t) => {
  const home = homeWith(t, USER)
  t.match(await run(home, 'doctor'), { code: 1, stderr: /Précis is installed into no agent\. Try: .* install/ })
  t.match(await run(home, 'doctor', 'codex'), {
    code: 1,
    stdout: /fault +Nothing is installed\. Run: .* install codex/,
  })
  const ran = async (): Promise<Ran> =>
    runProcess(['doctor'], { home, cwd: home, env: { PATH: `${home}:${dirname(process.execPath)}` } })
  writeCommand(home, 'codex', "console.log('codex-cli 0.169.0')")
  await runProcess(['install', 'codex', '--yes'], { home, cwd: home })
  const well = await ran()
  t.equal(well.code, 0, well.stdout + well.stderr)
  t.match(well.stdout, /^Codex\n {2}ok +codex 0\.169\.0, whose settings are known\.\n {2}ok +The settings are as/)
  t.match(
    well.stdout,
    /ok +The tool server answers\.\n {2}remark +No model writes the summaries: .*\{"with":"codex"\} into .*config\.json\.\n {2}ok +The hook for Stop runs\.\n {2}remark +No session was found yet\./,
  )
  writeFileSync(join(home, '.codex/hooks.json'), '{}')
  const broken = await ran()
  t.match(broken, {
    code: 1,
    stdout: /fault +Not as this version installs it, .*hooks\.json\. Run: .* install codex/,
    stderr: /There is 1 fault: its line says what to do/,
  })
  // They would be those of this version, and not the ones that the agent starts.
  t.notMatch(broken.stdout, /The tool server answers|The hook for/)
})

t.test('doctor runs the hooks of each agent, and reads the newest session of opencode', async (t) => {
  const home = homeWith(t, { 'export.json': largeSession('opencode', SENTENCES_ABOVE_DEFAULT) })
  const script = `
    const [command] = process.argv.slice(2)
    if (command === '--version') console.log('1.18.33')
    else if (command === 'session') console.log(JSON.stringify([{ id: 'ses_12345', updated: 1, directory: '/p' }]))
    else if (command === 'export') process.stdout.write(require('node:fs').readFileSync(__dirname + '/export.json'))
    else process.exit(1)`
  const env = { PATH: writeCommand(home, 'opencode', script) }
  await runProcess(['install', 'opencode', 'cline', 'gemini', 'pi', '--yes'], { home, cwd: home })
  const { stdout } = await runProcess(['doctor'], { home, cwd: home, env })
  t.match(
    stdout,
    /^opencode\n(?: {2}.*\n)* {2}ok +The hook for experimental\.session\.compacting runs with the newest session\.\n {2}ok +The newest session can be read: ses_12345$/m,
  )
  t.match(stdout, /^Cline\n(?: {2}.*\n)* {2}ok +The hook for TaskComplete runs\./m)
  t.match(stdout, /^Gemini CLI\n(?: {2}.*\n)* {2}ok +The hook for AfterAgent runs\./m)
  t.match(stdout, /^pi\n(?: {2}.*\n)* {2}ok +The hook for turn_end runs\./m)
})

t.test('doctor names what writes the summaries, and calls it only with --online', async (t) => {
  const home = homeWith(t, USER)
  await run(home, 'install', 'codex', '--yes')
  const called = join(home, 'called')
  const summary = '## Goal\nAdd a line to NOTES.md.\n## Progress\nNOTES.md has the line.'
  const script = `require('node:fs').writeFileSync(${JSON.stringify(called)}, ''); process.stdin.resume().on('end', () => console.log(${JSON.stringify(summary)}))`
  const env = { PATH: writeCommand(home, 'writer', script) }
  writeCommand(home, 'broken', 'process.exit(1)')
  const doctor = async (...args: string[]): Promise<string> =>
    (await runCli(['doctor', ...args], { home, cwd: home, env })).stdout
  t.match(
    await doctor('--with', 'writer'),
    /ok +writer is to write the summaries\. Not called: --online does it once\./,
  )
  t.equal(existsSync(called), false)
  t.match(await doctor('--with', 'writer', '--online'), /ok +writer has written a summary\./)
  t.equal(existsSync(called), true)
  t.match(await doctor('--with', 'broken', '--online'), /fault +broken writes no summary: /)
  t.match(await doctor('--with', 'missing'), /fault +missing writes no summary: There is no program "missing"/)
  t.match(
    await doctor('--url', 'https://127.0.0.1:9'),
    /fault +https:\/\/127\.0\.0\.1:9 writes no summary: .* cannot be reached/,
  )
  t.match(await doctor('--url', 'http://127.0.0.1:9'), /writes no summary: No session was sent .* Without a token/)
})

t.test('doctor checks the service for which the hooks were installed', async (t) => {
  const home = homeWith(t, USER)
  await run(home, 'install', 'codex', '--url', 'http://127.0.0.1:9', '--yes')
  const { stdout } = await run(home, 'doctor')
  t.match(stdout, /ok +The settings are as they were/)
  t.match(stdout, /fault +http:\/\/127\.0\.0\.1:9 writes no summary: /)
})

t.test('doctor runs the hook of a compaction with the newest session, and keeps nothing of it', async (t) => {
  const home = homeWith(t, USER)
  const path = join(home, '.claude/projects/-p/session-1.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, largeSession('claude-code', SENTENCES_ABOVE_DEFAULT))
  await runProcess(['install', 'claude-code', '--yes'], { home, cwd: home })
  const state = join(home, '.local/state/precis')
  const before = readdirSync(state, { recursive: true })
  const doctor = async (): Promise<string> => (await runProcess(['doctor'], { home, cwd: home })).stdout
  t.match(await doctor(), / {2}ok +The hook for PreCompact runs with the newest session\.\n/)
  t.same(readdirSync(state, { recursive: true }), before)
  writeFileSync(path, 'no session\n')
  t.match(await doctor(), / {2}fault +The hook for PreCompact fails: precis: /)
})

t.test('doctor --project checks the settings of the project', async (t) => {
  const home = homeWith(t, USER)
  await run(home, 'install', 'claude-code', '--project', '--yes')
  t.match(await run(home, 'doctor', '--project'), {
    stdout: /^Claude Code\n(?: {2}.*\n)* {2}ok +The settings are as they were/,
  })
  writeFileSync(join(home, '.claude/settings.local.json'), '{}')
  t.match(await run(home, 'doctor', '--project'), {
    code: 1,
    stdout: /settings\.local\.json\. Run: .* install claude-code --project$/m,
  })
})

t.test('what is installed only for a project is checked with --project, and every hint says so', async (t) => {
  const home = homeWith(t, USER)
  t.match(await run(home, 'doctor', '--project'), {
    code: 1,
    stderr: /^precis: Précis is installed into no agent of this project\. Try: precis install --project\n$/,
  })
  const { stderr } = await run(home, 'install', 'claude-code', '--project', '--yes')
  t.match(stderr, /^Check it with: precis doctor claude-code --project$/m)
  t.match(await run(home, 'doctor'), {
    code: 1,
    stderr:
      'precis: Précis is installed only for the project in this folder, into Claude Code. Try: precis doctor --project\n',
  })
  t.match(await run(home, 'doctor', 'claude-code'), {
    code: 1,
    stdout: /fault +It is installed only for the project in this folder\. Run: precis doctor claude-code --project$/m,
  })
})

t.test('of several agents, only those are named as installed or removed that were changed now', async (t) => {
  const home = homeWith(t, USER)
  const said = async (...args: string[]): Promise<string[]> =>
    (await run(home, ...args, '--yes')).stderr.match(
      /^.*(?:everything already|Installed into \w+|nothing of Précis|Removed from \w+)/gm,
    ) ?? []
  t.same(await said('install', 'codex'), ['Installed into Codex'])
  t.same(await said('install', 'codex', 'qwen'), ['Codex has everything already', 'Installed into Qwen'])
  await said('uninstall', 'codex')
  t.same(await said('uninstall', 'codex', 'qwen'), ['Codex has nothing of Précis', 'Removed from Qwen'])
})
