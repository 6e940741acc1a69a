import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { Agent } from '../../src/agents/agent.ts'
import { AGENTS } from '../../src/agents/agents.ts'
import { TARGETS } from '../../src/cli/install/targets.ts'
import type { Cli } from '../../src/cli/cli.ts'
import { findNamedSession } from '../../src/cli/find-session.ts'
import { locateSessions } from '../../src/cli/locate-sessions.ts'
import { chooseRecalled } from '../../src/cli/recalled-session.ts'
import { adviceOf } from '../../src/cli/plan.ts'
import { findInLines } from '../../src/agents/shared/session-file.ts'
import { asUser, largeSession, runCli, writeCommand, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const UUID = '0199c0de-0000-7000-8000-00000000000'

/** Where each agent stores its sessions, with the variable that moves them. */
const FILES: [agent: string, variable: string, folder: string, file: string, format: string, id: string][] = [
  ['Claude Code', 'CLAUDE_CONFIG_DIR', '.claude', `projects/-p/${UUID}1.jsonl`, 'claude-code', `${UUID}1`],
  [
    'Codex',
    'CODEX_HOME',
    '.codex',
    `sessions/2026/11/22/rollout-2026-11-22T01-02-03-${UUID}2.jsonl`,
    'codex',
    `${UUID}2`,
  ],
  ['Gemini CLI', 'GEMINI_CLI_HOME', '', '.gemini/tmp/p/chats/session-2026-11-22.jsonl', 'gemini', 's1'],
  ['Qwen Code', 'QWEN_HOME', '.qwen', `projects/-p/chats/${UUID}4.jsonl`, 'qwen', `${UUID}4`],
  ['pi', 'PI_CODING_AGENT_DIR', '.pi/agent', `sessions/--p--/2026_${UUID}5.jsonl`, 'pi', `${UUID}5`],
  ['oh-my-pi', '', '.omp/agent', `sessions/--p--/2026_${UUID}6.jsonl`, 'pi', `${UUID}6`],
  ['Cline', 'CLINE_DIR', '.cline', 'data/sessions/task7/task7.messages.json', 'cline', 'task7'],
  [
    'Roo Code',
    'XDG_CONFIG_HOME',
    '.config',
    'Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/task8/api_conversation_history.json',
    'cline-legacy',
    'task8',
  ],
]

const OPENCODE = `
const fs = require('node:fs')
const [command, sub] = process.argv.slice(2)
if (command === 'session') console.log(JSON.stringify([{ id: 'ses_12345', title: 'T', updated: ${Date.now() - 1_800_000}, directory: '/p' }]))
else if (command === 'export' && sub === 'ses_12345') { console.error('Exporting'); process.stdout.write(fs.readFileSync(__dirname + '/export.json')) }
else process.exit(1)
`

t.test('a variable of an agent that is empty counts as unset', async (t) => {
  const unset = { env: {}, home: '/home/u', folder: '/p' }
  const empty = { ...unset, env: new Proxy({}, { get: () => '' }) }
  const placesOf = (machine: typeof unset): unknown[] => [
    Object.values<Agent>(AGENTS).flatMap(({ homes = [] }) => homes.map(({ root }) => root(machine))),
    TARGETS.map(({ folder, settings }) => [
      folder(machine),
      settings({ ...machine, start: ['precis'] }).map(({ file }) => file),
    ]),
  ]
  t.same(placesOf(empty), placesOf(unset))
})

t.test('list has the sessions of each agent, the newest first, with their sizes and the advice', async (t) => {
  const home = folderOf(t)
  for (const [index, [, , folder, file, format]] of FILES.entries())
    writeOld(join(home, folder, file), largeSession(format), index + 1)
  writeOld(join(home, '.cline/data/sessions/task7/task7.json'), '{"cwd": "/p"}')
  writeOld(join(home, '.claude/projects/-p/broken.jsonl'), '{"a": 1}', 100)
  writeOld(join(home, '.claude/projects/-p/empty.jsonl'), '')
  mkdirSync(join(home, '.claude/projects/-q'))
  symlinkSync(join(home, '.claude/projects/-p/broken.jsonl'), join(home, '.claude/projects/-q/linked.jsonl'))
  const bin = folderOf(t)
  writeOld(join(bin, 'export.json'), largeSession('opencode'))
  const env = { PATH: writeCommand(bin, 'opencode', OPENCODE) }
  const { code, stdout, stderr } = await runCli(['list', '--json', '--window', '1000'], { home, env })
  t.same([code, stderr], [0, ''])
  const rows = JSON.parse(stdout)
  const expected = FILES.map(([agent, , folder, file, , id]) => ({
    ...{ agent, id, path: join(home, folder, file), action: 'compact', reason: 'threshold', tokens: Number },
    project: agent === 'Gemini CLI' || agent === 'Roo Code' ? null : '/p',
  }))
  t.equal(rows.length, 10)
  t.match(rows, [
    { agent: 'opencode', id: 'ses_12345', path: null, project: '/p', action: 'compact' },
    ...expected,
    { id: 'broken', tokens: null, action: null },
  ])
  const plan = await runCli(['plan', 'ses_123', '--json'], { home, env })
  t.match(JSON.parse(plan.stdout), { contextTokens: rows[0].tokens, report: { format: 'opencode' } })
})

t.test('what may not be read is left out and named, and hides no other sessions', (t) => {
  const home = folderOf(t)
  const [closed, blind] = [join(home, '.claude/projects/closed'), join(home, '.claude/projects/blind')]
  for (const folder of ['open', 'closed', 'blind'])
    writeOld(join(home, `.claude/projects/${folder}/${folder}-1.jsonl`), largeSession('claude-code'))
  const hidden = writeOld(join(home, '.claude/projects/open/hidden-1.jsonl'), largeSession('claude-code'))
  const machine = { env: {}, home, folder: home }
  const left: string[] = []
  asUser(home, () => {
    chmodSync(hidden, 0o000)
    chmodSync(closed, 0o000)
    chmodSync(blind, 0o400)
    const found = locateSessions(machine, (place) => left.push(place))
    t.same(
      found.map(({ id }) => id),
      ['open-1'],
    )
    t.throws(() => findNamedSession('closed-1', machine), {
      code: 4,
      message: `could not be read: ${left.join(', ')}.`,
    })
    for (const folder of [closed, blind]) chmodSync(folder, 0o700)
  })
  t.same(left.sort(), [`${join(blind, 'blind-1.jsonl')} (EACCES)`, `${closed} (EACCES)`, `${hidden} (EACCES)`])
  t.end()
})

t.test('recall takes an argument for a session, and not for words, if it is a file that may not be read', async (t) => {
  const home = folderOf(t)
  const path = writeOld(join(home, 'closed.json'), largeSession('claude-code'))
  const cli = { env: {}, home, folder: home } as Cli
  const chosen = asUser(home, () => {
    chmodSync(path, 0o000)
    return chooseRecalled({}, [path, 'parser'], cli)
  })
  t.same(await chosen, { source: { kind: 'file', path }, words: ['parser'] })
})

t.test('list says which folder of sessions could not be read', async (t) => {
  const home = folderOf(t)
  const loop = join(home, 'loop')
  symlinkSync(loop, loop)
  writeOld(join(home, '.codex/sessions/2026/11/22/rollout-1.jsonl'), largeSession('codex'))
  const { code, stdout, stderr } = await runCli(['list', '--json'], { home, env: { CLAUDE_CONFIG_DIR: loop } })
  t.same([code, JSON.parse(stdout).length], [0, 1])
  t.equal(stderr, `Left out, because it could not be read: ${loop}/projects (ELOOP)\n`)
})

t.test('list honours the variables with which users move the sessions of their agents', async (t) => {
  const moved = FILES.filter(([, variable]) => variable !== '')
  const env: Record<string, string> = {}
  for (const [index, [, variable, , file, format]] of moved.entries()) {
    const folder = folderOf(t)
    env[variable] = folder
    writeOld(join(folder, file), largeSession(format), index + 1)
  }
  const { stdout } = await runCli(['list', '--json'], { home: folderOf(t), env })
  const rows = JSON.parse(stdout)
  // oh-my-pi reads pi's variable too: the folder is listed once.
  t.equal(rows.length, moved.length)
  t.match(
    rows,
    moved.map(([agent, , , , , id]) => ({ agent, id, action: 'none', reason: 'nothing-to-compact' })),
  )
})

/** Has the sessions of all folders, as opencode does since it has the command `db`. */
const OPENCODE_WITH_DB = `
const fs = require('node:fs')
const [command, , form, query] = process.argv.slice(2)
if (command === 'db' && form === 'json' && /^SELECT id, directory, .* LIMIT 1000$/.test(query))
  console.log(JSON.stringify([{ id: 'ses_elsewhere', directory: '/elsewhere', updated: 1 }]))
else if (command === 'export') process.stdout.write(fs.readFileSync(__dirname + '/export.json'))
else process.exit(1)
`

t.test('list has the sessions of opencode in all folders', async (t) => {
  const bin = folderOf(t)
  writeOld(join(bin, 'export.json'), largeSession('opencode'))
  const env = { PATH: writeCommand(bin, 'opencode', OPENCODE_WITH_DB) }
  const { stdout } = await runCli(['list', '--json'], { home: folderOf(t), env })
  t.match(JSON.parse(stdout), [{ agent: 'opencode', id: 'ses_elsewhere', project: '/elsewhere', action: 'none' }])
})

t.test('list has the chat history of Aider in the current folder', async (t) => {
  const cwd = realpathSync(folderOf(t))
  const history = '# aider chat started at 2026-03-01 10:00:00\n\n#### Fix the parser\n\nThe parser is fixed.\n'
  const path = writeOld(join(cwd, '.aider.chat.history.md'), history)
  const { stdout } = await runCli(['list', '--json'], { home: folderOf(t), cwd })
  t.match(JSON.parse(stdout), [{ agent: 'Aider', id: '.aider.chat.history.md', path, project: cwd, action: 'none' }])
  const plan = await runCli(['plan', '.aider.c', '--json'], { home: folderOf(t), cwd })
  t.match(JSON.parse(plan.stdout), { report: { format: 'aider' } })
})

t.test(
  'a session of Gemini CLI has its own id, and the name of its file; files without messages are not listed',
  async (t) => {
    const home = folderOf(t)
    const id = '5dc7a8aa-58f0-4ac8-8581-06ea2bf87cdc'
    const chats = join(home, '.gemini/tmp/p/chats')
    const content = largeSession('gemini').replaceAll('"s1"', `"${id}"`)
    const path = writeOld(join(chats, 'session-2026-11-22T19-00-5dc7a8aa.jsonl'), content)
    writeOld(join(chats, 'session-2026-11-22T18-00-5dc7a8aa.jsonl'), content, 2)
    writeOld(join(home, '.gemini/tmp/p/.project_root'), '/home/me/project\n')
    const context = { id: 'a', type: 'user', content: [{ text: '<session_context>\nThis is the Gemini CLI.' }] }
    const empty = [
      { sessionId: id, projectHash: 'x', kind: 'main' },
      { $set: { messages: [context] } },
      { $set: { lastUpdated: 'x' } },
    ]
    const lines = empty.map((line) => `${JSON.stringify(line)}\n`).join('')
    writeOld(join(chats, 'session-2026-11-22T19-07-5dc7a8aa.jsonl'), lines, 0)
    const rows = JSON.parse((await runCli(['list', '--json'], { home })).stdout)
    t.match(rows.at(-1), { agent: 'Gemini CLI', id, path, project: '/home/me/project', action: 'none' })
    t.notMatch(JSON.stringify(rows), /T19-07|T18-00/)
    for (const name of [id, '5dc7a8aa', 'session-2026-11-22T19-00-5dc7a8aa'])
      t.match(JSON.parse((await runCli(['plan', name, '--json'], { home })).stdout), { report: { format: 'gemini' } })
  },
)

interface Row {
  id: string
  project: string | null
}

t.test('the project of a session of Gemini CLI is found by the hash of its path', async (t) => {
  const home = folderOf(t)
  const write = (name: string, id: string, content = largeSession('gemini').replaceAll('"s1"', `"${id}"`)) =>
    writeOld(join(home, '.gemini/tmp', name, 'chats', `session-${id}.jsonl`), content)
  const hash = (path: string): string => createHash('sha256').update(path).digest('hex')
  write(hash('/home/me/listed'), 'listed')
  write('short-name', 'named')
  const projects = { '/home/me/listed': 'listed', '/home/me/named': 'short-name' }
  writeOld(join(home, '.gemini/projects.json'), JSON.stringify({ projects }))
  write(hash(process.cwd()), 'here')
  write(hash(dirname(process.cwd())), 'above')
  write(hash('/work/of claude'), 'other')
  writeOld(
    join(home, `.claude/projects/-p/${UUID}1.jsonl`),
    largeSession('claude-code').replaceAll('"/p"', '"/work/of claude"'),
  )
  const read = { type: 'gemini', id: 'g', content: '', toolCalls: [{ args: { file_path: '/srv/read/src/a.ts' } }] }
  const lines = [{ sessionId: 'inside', projectHash: 'x', kind: 'main' }, read]
  write(hash('/srv/read'), 'inside', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  write(hash('/nobody/knows'), 'unknown')
  write('other-name', 'unnamed')
  const rows = JSON.parse((await runCli(['list', '--json'], { home, cwd: process.cwd() })).stdout) as Row[]
  const found = Object.fromEntries(rows.map(({ id, project }) => [id, project]))
  t.match(found, {
    ...{ listed: '/home/me/listed', named: '/home/me/named', here: process.cwd(), above: dirname(process.cwd()) },
    ...{ other: '/work/of claude', inside: '/srv/read', unknown: null, unnamed: null },
  })
})

t.test('sessions of one id in two folders are told apart by their paths', async (t) => {
  const home = folderOf(t)
  const paths = ['-p', '-q'].map((folder) =>
    writeOld(join(home, `.claude/projects/${folder}/${UUID}1.jsonl`), largeSession('claude-code')),
  )
  const { code, stderr } = await runCli(['plan', UUID], { home })
  t.equal(code, 4)
  for (const path of paths) t.match(stderr, path)
  t.match(stderr, /^precis: Several sessions have the id .* Give the path of one\.\n$/)
})

t.test('list prints a table whose ids are long enough to be used', async (t) => {
  const home = folderOf(t)
  for (const [index, [, , folder, file, format]] of FILES.slice(0, 2).entries())
    writeOld(join(home, folder, file), largeSession(format), 24 * index + 3)
  const { code, stdout } = await runCli(['list', '-n', '2'], { home })
  t.equal(code, 0)
  const [head, first, second, ...others] = stdout.split('\n')
  t.match(head, /^ID +AGENT +AGE +TOKENS +MESSAGES +OUTSIDE +ADVICE +PROJECT$/)
  t.match(first, new RegExp(`^${UUID}1 +Claude Code +3 h +[\\d,]+ +[\\d,]+ +- +none +/p$`))
  t.match(second, new RegExp(`^${UUID}2 +Codex +1 d +[\\d,]+ +[\\d,]+ +- +none +/p$`))
  t.same(others, [''])
  const newest = await runCli(['list', '-n', '1'], { home })
  t.match(
    newest.stdout.split('\n')[1],
    new RegExp(`^${UUID}1 +Claude Code`),
    'also beside sessions that are not listed',
  )
  const one = await runCli(['plan', `${UUID}2`], { home })
  t.match(one.stdout, /^Session +codex\n/)
  const ambiguous = await runCli(['plan', UUID], { home })
  t.equal(ambiguous.code, 4)
  t.match(ambiguous.stderr, /is the beginning of several ids: .*1 \(Claude Code\), .*2 \(Codex\)\. Give more of it/)
})

t.test('list of a machine without agents says where it looked', async (t) => {
  const home = folderOf(t)
  t.same(await runCli(['list'], { home }), {
    code: 0,
    stdout: '',
    stderr: 'No session of a known agent was found (docs/cli.md lists the folders).\n',
  })
  // The service, which would refuse this value, is not needed.
  const json = await runCli(['list', '--json'], { home, env: { PRECIS_MAX_SUMMARY_TOKENS: 'wrong' } })
  t.same([json.code, json.stdout], [0, '[]\n'])
})

t.test('a session that has vanished, or that cannot be read, has no project: the list goes on', async (t) => {
  t.equal(
    findInLines(join(folderOf(t), 'missing.jsonl'), ({ cwd }) => cwd),
    undefined,
  )
  t.equal(
    findInLines(folderOf(t), ({ cwd }) => cwd),
    undefined,
  )
})

t.test('the advice is what the command line can do: it has no command that prunes', async (t) => {
  t.same((['none', 'prune', 'compact'] as const).map(adviceOf), ['none', 'compact', 'compact'])
})

t.test('list shortens the home folder, and no folder whose name only begins like it', async (t) => {
  const folder = folderOf(t)
  const home = join(folder, 'ann')
  const write = (id: string, project: string): string =>
    writeOld(
      join(home, `.pi/agent/sessions/--p--/2026_${id}.jsonl`),
      largeSession('pi').replace('"/p"', `"${project}"`),
    )
  write(`${UUID}1`, join(home, 'x'))
  write(`${UUID}2`, join(folder, 'ann-2/x'))
  const { stdout } = await runCli(['list'], { home })
  const [, ...rows] = stdout.trim().split('\n')
  t.strictSame(rows.map((row) => row.split('  ').at(-1)).sort(), [join(folder, 'ann-2/x'), '~/x'].sort())
})
