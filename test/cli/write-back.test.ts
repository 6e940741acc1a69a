import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { ownCommand } from '../../src/cli/own-command.ts'
import { readPackage } from '../../src/own-package.ts'
import { refuseChange, waitUntilQuiet } from '../../src/cli/session-in-use.ts'
import { holdFile, restoreFile, writeIntoFile } from '../../src/cli/write-back.ts'
import { startModelServer } from '../support/model-server.ts'
import { EXAMPLE, largeSession, MAIN, runCli, runProcess, writeCommand, writeOld, type RunOptions } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const CLAUDE = largeSession('claude-code')
const GEMINI = largeSession('gemini, one object')
const APPEND = { mode: 'append', body: '{"added":1}\n' }
const REPLACE = { mode: 'replace', body: '{"replaced":1}' }

const sessionOf = (t: Test, content = CLAUDE, name = 'session.jsonl'): string =>
  writeOld(join(folderOf(t), name), content)
const backupsOf = (path: string): string[] => readdirSync(dirname(path)).filter((name) => name !== basename(path))

/** Makes a file look as if time had passed. */
const age = (path: string): string => writeOld(path, readFileSync(path, 'utf8'))

/** What a call throws. */
const faultOf = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call()
  } catch (error) {
    return error
  }
}

t.test('compact --write appends the compaction, and restore takes it out again', async (t) => {
  const path = sessionOf(t)
  chmodSync(path, 0o640)
  const { mtimeMs } = statSync(path)
  const { code, stdout, stderr } = await runProcess(['compact', path, '--write', '--keep', '1'])
  t.same([code, stdout], [0, ''])
  t.match(
    stderr,
    `Written into ${path}. Undo it with: node '${MAIN}' restore ${path}\nClaude Code does not find the session in this file.`,
  )
  const written = readFileSync(path, 'utf8')
  t.ok(written.startsWith(CLAUDE))
  t.match(written.slice(CLAUDE.length), /"subtype":"compact_boundary"[^]*"isCompactSummary":true/)
  const [backup = '', ...others] = backupsOf(path)
  t.same(others, [])
  t.equal(statSync(join(dirname(path), backup)).mode & 0o777, 0o600)
  t.equal(readFileSync(join(dirname(path), backup), 'utf8'), CLAUDE)
  t.match(JSON.parse((await runCli(['plan', path, '--json'])).stdout), { hasPreviousSummary: true })
  const [, undo = ''] = /Undo it with: (.*)/.exec(stderr) ?? []
  t.equal(spawnSync('sh', ['-c', undo], { env: { PATH: dirname(process.execPath) + ':/bin' } }).status, 0)
  t.same([readFileSync(path, 'utf8'), backupsOf(path), statSync(path).mode & 0o777], [CLAUDE, [], 0o640])
  t.equal(Math.round(statSync(path).mtimeMs), Math.round(mtimeMs))
  const again = await runCli(['restore', path])
  t.same([again.code, again.stderr], [4, `precis: ${path} has no backup of Précis.\n`])
})

t.test('compact --write replaces a file as a whole, and its mode stays', async (t) => {
  const path = sessionOf(t, GEMINI, 'session-1.json')
  chmodSync(path, 0o600)
  const { ino } = statSync(path)
  const { code, stdout } = await runCli(['compact', path, '-w', '--keep', '1', '--reply', 'text'])
  t.equal(code, 0)
  t.match(stdout, /^## Goal\n/)
  t.match(JSON.parse(readFileSync(path, 'utf8')), { sessionId: 's1', messages: Array })
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.not(statSync(path).ino, ino)
  t.equal(backupsOf(path).length, 1)
})

t.test('compact --write of a session that would not become smaller writes nothing: exit code 3', async (t) => {
  const path = sessionOf(t)
  const { code } = await runCli(['compact', path, '--write', '--keep', '900000'])
  t.equal(code, 3)
  t.same([readFileSync(path, 'utf8'), backupsOf(path)], [CLAUDE, []])
})

/** Returns a PATH with an opencode whose session is of the given project, and the folder of its files. */
function openOpencode(t: Test, project: string, onImport = ''): { env: { PATH: string }; bin: string } {
  const bin = folderOf(t)
  writeOld(join(bin, 'export.json'), largeSession('opencode').replace('"/p"', JSON.stringify(project)))
  const script = `
    const fs = require('node:fs')
    const [command, what] = process.argv.slice(2)
    if (command === 'export') process.stdout.write(fs.readFileSync(__dirname + '/export.json'))
    if (command === 'import') fs.copyFileSync(what, __dirname + '/imported.json')
    if (command === 'import') fs.writeFileSync(__dirname + '/folder', process.cwd())
    if (command === 'import') { ${onImport} }`
  return { env: { PATH: writeCommand(bin, 'opencode', script) }, bin }
}

t.test('compact --write has opencode import its session, in the folder of its project', async (t) => {
  const project = realpathSync(folderOf(t))
  const { env, bin } = openOpencode(t, project)
  const { code, stderr } = await runCli(['compact', 'ses_1', '--write', '--keep', '1'], { env })
  t.equal(code, 0)
  t.match(stderr, /Written by `opencode import`/)
  t.ok(stderr.endsWith(`Continue with: cd '${project}' && opencode --session ses_1\n`))
  t.equal(readFileSync(join(bin, 'folder'), 'utf8'), project)
  const { messages } = JSON.parse(readFileSync(join(bin, 'imported.json'), 'utf8'))
  t.match(messages.at(-1), { info: { summary: true, finish: 'stop' } })
})

t.test('what a killed command has left of an export is removed with the next one', async (t) => {
  const { env } = openOpencode(t, realpathSync(folderOf(t)))
  const TMPDIR = folderOf(t)
  const ended = spawn(process.execPath, ['--version'])
  await once(ended, 'exit')
  const running = `precis-opencode-${process.pid}-abcdef`
  for (const name of [`precis-opencode-${String(ended.pid)}-abcdef`, running, 'precis-opencode-mine'])
    writeOld(join(TMPDIR, name, 'session.json'), '{}', 0)
  const { code } = await runProcess(['compact', 'ses_1', '--write', '--keep', '1'], { env: { ...env, TMPDIR } })
  t.equal(code, 0)
  t.same(readdirSync(TMPDIR).sort(), [running, 'precis-opencode-mine'].sort())
})

t.test('a session of opencode whose folder is missing is not imported: it would move to another project', async (t) => {
  const { env, bin } = openOpencode(t, '/missing/project')
  const { code, stdout, stderr } = await runCli(['compact', 'ses_1', '--write', '--keep', '1'], { env })
  t.equal(code, 1)
  t.match(stdout, /^## Goal\n/)
  t.ok(
    stderr.endsWith(
      '\nThe summary could not be written into the session, so it was printed.\n' +
        'precis: The folder of ses_1 is missing: /missing/project. Nothing was written. Create it, and try again.\n',
    ),
  )
  t.notOk(existsSync(join(bin, 'imported.json')))
})

t.test('an import that fails left the session as it was; one that was killed may have changed it', async (t) => {
  const project = realpathSync(folderOf(t))
  const cases: [string, string][] = [
    ['process.exit(3)', '`opencode import` failed, so ses_1 is as it was.'],
    [
      "process.kill(process.pid, 'SIGKILL')",
      '`opencode import` was ended by SIGKILL, at the latest after 60 s. Look into ses_1 before you try again: ' +
        'the compaction may be in it.',
    ],
  ]
  for (const [onImport, message] of cases) {
    const { env } = openOpencode(t, project, onImport)
    const args = ['compact', 'ses_1', '--write', '--keep', '1', '--reply', 'json']
    const { code, stdout, stderr } = await runCli(args, { env })
    t.equal(code, 1)
    t.match(JSON.parse(stdout), { summary: /^## Goal\n/ })
    t.ok(stderr.endsWith(`\nprecis: ${message}\n`))
  }
})

t.test('a compaction that belongs into another file is refused before a model is called', async (t) => {
  const server = await startModelServer(t, () => '## Goal\nA summary.')
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.url }
  const path = sessionOf(t, largeSession('cline'), 'task.messages.json')
  const args = ['compact', path, '--write', '--keep', '1', '--model', 'm']
  t.same(await runCli(args, { env }), {
    code: 1,
    stdout: '',
    stderr:
      'precis: This agent keeps its compactions in another file (sidecar). ' +
      'Print the content of that file with --reply native.\n',
  })
  t.equal(server.requests.length, 0)
})

const UUID = '0199c0de-0000-7000-8000-000000000001'

/** Compacts a session in its file. Returns the last line of the output, which says how to continue. */
async function lastLineOf(path: string, options: RunOptions = {}): Promise<string> {
  const { code, stderr } = await runCli(['compact', path, '--write', '--keep', '1'], options)
  return code === 0 ? (stderr.trimEnd().split('\n').at(-1) ?? '') : stderr
}

t.test(
  'compact --write prints the command to continue, with the folder where the agent finds the session',
  async (t) => {
    const home = join(folderOf(t), "it's")
    const project = realpathSync(folderOf(t))
    const content = CLAUDE.replaceAll('"cwd":"/p"', `"cwd":${JSON.stringify(project)}`)
    const path = writeOld(join(home, `.claude/projects/-p/${UUID}.jsonl`), content)
    const { stderr } = await runCli(['compact', UUID.slice(0, 13), '--write', '--keep', '1'], { home })
    t.match(stderr, ` restore ${UUID.slice(0, 13)}\n`)
    t.ok(stderr.endsWith(`\nContinue with: cd '${project}' && claude --resume ${UUID}\n`))
    writeOld(path, content)
    t.equal(await lastLineOf(path, { home, cwd: project }), `Continue with: claude --resume ${UUID}`)
  },
)

t.test('the command to continue is that of the agent in whose folder the session is', async (t) => {
  const home = folderOf(t)
  const cases = [
    ['codex', `.codex/sessions/2026/11/22/rollout-2026-11-22T01-02-03-${UUID}.jsonl`, `codex resume ${UUID}`],
    ['gemini', '.gemini/tmp/p/chats/session-2026-11-22.jsonl', `gemini --resume ${UUID}`],
    ['qwen', `.qwen/projects/-p/chats/${UUID}.jsonl`, `qwen --resume ${UUID}`],
    [
      'pi',
      `.pi/agent/sessions/--p--/2026_${UUID}.jsonl`,
      `pi --session '${join(home, `.pi/agent/sessions/--p--/2026_${UUID}.jsonl`)}'`,
    ],
  ] as const
  const project = realpathSync(folderOf(t))
  writeOld(join(home, '.gemini/tmp/p/.project_root'), project)
  for (const [format, file, command] of cases) {
    const named = largeSession(format).replaceAll('"s1"', `"${UUID}"`).replaceAll('"cwd":"/p"', `"cwd":"${project}"`)
    const path = writeOld(join(home, file), named)
    const cd = format === 'pi' ? '' : `cd '${project}' && `
    t.equal(await lastLineOf(path, { home }), `Continue with: ${cd}${command}`)
  }
  const unknown =
    '.gemini/tmp/7d52e3b8a2a1cb6f7b9fd3a2c7a2a9c8bdf6c1c28e4f40c7d5a6b0b2c0d9e8f7/chats/session-2026-11-22.jsonl'
  t.equal(
    await lastLineOf(writeOld(join(home, unknown), largeSession('gemini').replaceAll('"s1"', `"${UUID}"`)), { home }),
    `The folder of the session's project is unknown. Continue with this command in it: gemini --resume ${UUID}`,
  )
  const moved = folderOf(t)
  const path = writeOld(join(moved, `projects/-p/${UUID}.jsonl`), CLAUDE)
  t.equal(
    await lastLineOf(path, { env: { CLAUDE_CONFIG_DIR: moved } }),
    `The folder of the session is missing: /p. Create it, and continue with: cd '/p' && claude --resume ${UUID}`,
  )
})

t.test('a session of oh-my-pi without a title continues in oh-my-pi', async (t) => {
  const home = folderOf(t)
  const path = writeOld(join(home, '.omp/agent/sessions/--p--/2026_1.jsonl'), largeSession('pi'))
  t.equal(await lastLineOf(path, { home }), `Continue with: omp --resume '${path}'`)
})

t.test(
  'a session of Claude Code continues in the folder that its place is named after, not in the first of its lines',
  async (t) => {
    const home = folderOf(t)
    const project = realpathSync(folderOf(t))
    const named = project.replace(/[^A-Za-z0-9]/g, '-')
    const [before = '', ...others] = CLAUDE.split('"cwd":"/p"')
    const content = [`${before}"cwd":"/p"${others[0] ?? ''}`, ...others.slice(1)].join(
      `"cwd":${JSON.stringify(project)}`,
    )
    const path = writeOld(join(home, `.claude/projects/${named}/${UUID}.jsonl`), content)
    t.equal(await lastLineOf(path, { home, cwd: project }), `Continue with: claude --resume ${UUID}`)
  },
)

t.test('agents without a command for a session get a sentence', async (t) => {
  const home = folderOf(t)
  const tasks = '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1'
  const title = '{"type":"title","v":1,"title":"T"}\n'
  const cases = [
    [
      join(tasks, 'api_conversation_history.json'),
      largeSession('cline-legacy'),
      'Continue in Roo Code: open the task from its history.',
    ],
    [
      'api_conversation_history.json',
      largeSession('cline-legacy'),
      'Continue in the extension: open the task from its history.',
    ],
    ['omp.jsonl', title + largeSession('pi'), `Continue with: omp --resume '${join(home, 'omp.jsonl')}'`],
    [
      'events.jsonl',
      largeSession('openhands-v1'),
      'Continue with OpenHands: put the last line, as a file of its own, into the folder of the conversation (docs/agents.md).',
    ],
    [
      'trajectory.json',
      largeSession('openhands-v0'),
      'The trajectory ends with the compaction. Whether OpenHands 0.x continues with it was not tested (docs/agents.md).',
    ],
    [
      'atif.json',
      largeSession('atif'),
      'The trajectory has the compaction, and copies of the kept steps after it. Continue with a program that reads ATIF (docs/agents.md).',
    ],
  ] as const
  for (const [file, session, line] of cases)
    t.equal(await lastLineOf(writeOld(join(home, file), session), { home }), line)
})

t.test('the command to undo is the one with which the command line was called', (t) => {
  const bin = folderOf(t)
  const program = writeOld(join(bin, 'main.js'), '')
  chmodSync(program, 0o755)
  symlinkSync(program, join(bin, 'precis'))
  symlinkSync(process.execPath, join(bin, 'node'))
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'precis'", PATH: '/usr/bin' }
  const cases = [
    [join(bin, 'precis'), npx, 'npx precis'],
    [join(bin, '_npx/1/node_modules/.bin/precis'), npx, `npx ${readPackage().name}`],
    [join(bin, 'precis'), { ...npx, npm_lifecycle_script: 'other' }, `'${join(bin, 'precis')}'`],
    [join(bin, 'precis'), { PATH: `/missing:${bin}` }, 'precis'],
    [program, { PATH: bin }, 'precis'],
    [EXAMPLE, { PATH: bin }, `node '${EXAMPLE}'`],
    [EXAMPLE, {}, `'${process.execPath}' '${EXAMPLE}'`],
  ] as const
  for (const [script, env, command] of cases) t.equal(ownCommand([process.execPath, script], env), command)
  t.end()
})

t.test(
  'for a file that its agent does not find, compact --write says where it belongs, and prints no command',
  async (t) => {
    const home = folderOf(t)
    const named = (format: string): string => largeSession(format).replaceAll('"s1"', `"${UUID}"`)
    const cases = [
      ['Claude Code', 'claude-code', 'mycc.jsonl', `.claude/projects/PROJECT/${UUID}.jsonl`],
      ['Claude Code', 'claude-code', '.claude/projects/-p/mycc.jsonl', `.claude/projects/PROJECT/${UUID}.jsonl`],
      ['Codex', 'codex', 'cx.jsonl', `.codex/sessions/YEAR/MONTH/DAY/rollout-TIME-${UUID}.jsonl`],
      ['Gemini CLI', 'gemini, one object', 'g.json', '.gemini/tmp/PROJECT/chats/session-TIME-ID.json'],
      ['Qwen Code', 'qwen', `.qwen/projects/-p/${UUID}.jsonl`, `.qwen/projects/PROJECT/chats/${UUID}.jsonl`],
    ] as const
    for (const [agent, format, file, place] of cases) {
      const path = writeOld(join(home, file), named(format))
      const expected = `${agent} does not find the session in this file. Its place is: ${join(home, place)}`
      t.equal(await lastLineOf(path, { home }), expected)
    }
    const unnamed = writeOld(join(home, 'unnamed.jsonl'), largeSession('codex'))
    t.match(await lastLineOf(unnamed, { home }), /rollout-TIME-ID\.jsonl$/)
  },
)

t.test('an export of opencode has to be imported before it can be continued, by its own id', async (t) => {
  const project = realpathSync(folderOf(t))
  const exported = (folder: string): string =>
    sessionOf(t, largeSession('opencode').replace('"/p"', JSON.stringify(folder)), 'oc.json')
  const path = exported(project)
  const command = `opencode import '${path}' && opencode --session ses_1`
  t.equal(await lastLineOf(path), `Continue with: cd '${project}' && ${command}`)
  const elsewhere = exported('/missing/project')
  t.equal(
    await lastLineOf(elsewhere),
    'Continue with this command in the folder of the project (it was /missing/project): ' +
      `opencode import '${elsewhere}' && opencode --session ses_1`,
  )
})

t.test(
  'a session that a process has open is refused: exit code 5, and nothing is written',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const path = sessionOf(t)
    const child = spawn('sh', ['-c', 'exec 3>>"$1"; echo open; read line', 'sh', path])
    t.teardown(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const { code, stderr } = await runCli(['compact', path, '--write', '--keep', '1'])
    t.equal(code, 5)
    t.match(
      stderr,
      `precis: ${path} is open in sh (process ${String(child.pid)}). Nothing was written. End the agent, and try again.\n`,
    )
    t.same([readFileSync(path, 'utf8'), backupsOf(path)], [CLAUDE, []])
    t.match(await faultOf(() => restoreFile(path, true)), { code: 5 })
    const link = join(folderOf(t), 'link')
    symlinkSync(dirname(path), link)
    for (const other of [relative(process.cwd(), path), join(link, basename(path))])
      t.match(
        await faultOf(() => restoreFile(other, true)),
        { code: 5, message: `${other} is open in sh` },
        'by another path',
      )
  },
)

t.test('a session that changes while it is read or compacted is refused', async (t) => {
  const waits: number[] = []
  const clock = { now: () => 10_000, wait: (ms: number) => Promise.resolve(waits.push(ms)) }
  const stat = { dev: 1, ino: 2, size: 3, mtimeMs: 8_500 }
  const stats = [stat, { ...stat, size: 4 }]
  t.match(await faultOf(() => waitUntilQuiet('a.jsonl', () => stats.shift() ?? stat, clock)), {
    code: 5,
    message: 'a.jsonl is changing. Nothing was written. End the agent, and try again.',
  })
  t.equal(await waitUntilQuiet('a.jsonl', () => stat, clock), stat)
  for (const mtimeMs of [8_000, 10_001]) {
    const still = { ...stat, mtimeMs }
    t.equal(await waitUntilQuiet('a.jsonl', () => still, clock), still)
  }
  t.same(waits, [500, 500])
  for (const change of [{ dev: 0 }, { ino: 0 }, { size: 0 }, { mtimeMs: 0 }])
    t.match(
      await faultOf(() => {
        refuseChange('a.jsonl', stat, { ...stat, ...change })
      }),
      { code: 5 },
    )
  const path = sessionOf(t)
  const held = await holdFile(path)
  appendFileSync(path, 'a line of the agent\n')
  t.match(
    await faultOf(() => {
      writeIntoFile(held, APPEND)
    }),
    { code: 5 },
  )
  t.same([readFileSync(path, 'utf8'), backupsOf(path)], [`${CLAUDE}a line of the agent\n`, []])
})

t.test('a symbolic link is not followed', async (t) => {
  const path = sessionOf(t)
  const link = join(dirname(path), 'link.jsonl')
  symlinkSync(path, link)
  for (const args of [
    ['compact', link, '--write', '--keep', '1'],
    ['restore', link],
  ]) {
    const { code, stderr } = await runCli(args)
    t.same([code, stderr], [4, `precis: ${link} is a symbolic link. Give the file itself. Nothing was written.\n`])
  }
  t.equal(readFileSync(path, 'utf8'), CLAUDE)
})

t.test('a backup never replaces another file, and the newest one is restored first', async (t) => {
  const path = sessionOf(t, 'first\n')
  for (const form of [APPEND, REPLACE]) {
    const old = await holdFile(path)
    writeIntoFile(old, form)
    age(path)
  }
  t.same(
    backupsOf(path).map((name) => name.slice(0, 'session.jsonl.precis-1'.length)),
    ['session.jsonl.precis-1', 'session.jsonl.precis-2'],
  )
  t.equal(readFileSync(path, 'utf8'), REPLACE.body)
  await restoreFile(path, false)
  t.equal(readFileSync(path, 'utf8'), `first\n${APPEND.body}`)
  age(path)
  await restoreFile(path, false)
  t.same([readFileSync(path, 'utf8'), backupsOf(path)], ['first\n', []])
})

t.test('restore keeps what the agent has written since, unless it is forced', async (t) => {
  const path = sessionOf(t, 'first\n')
  writeIntoFile(await holdFile(path), APPEND)
  appendFileSync(path, 'a new turn\n')
  age(path)
  t.match(await faultOf(() => restoreFile(path, false)), { code: 5, message: /has changed since the compaction/ })
  t.match(readFileSync(path, 'utf8'), /a new turn/)
  await restoreFile(path, true)
  t.equal(readFileSync(path, 'utf8'), 'first\n')
})

t.test(
  'a session that is replaced keeps its owner, and so do its backup and its copy',
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const path = sessionOf(t)
    chownSync(path, 65_534, 65_534)
    writeIntoFile(await holdFile(path), REPLACE)
    const ownersBeside = () =>
      readdirSync(dirname(path)).map((name) => {
        const { uid, gid } = statSync(join(dirname(path), name))
        return [uid, gid]
      })
    t.same(ownersBeside(), Array(2).fill([65_534, 65_534]))
    appendFileSync(path, 'a new turn\n')
    age(path)
    await restoreFile(path, true)
    t.same(ownersBeside(), Array(2).fill([65_534, 65_534]))
  },
)

t.test('a compaction that belongs into another file is refused', async (t) => {
  const path = sessionOf(t)
  t.match(
    await faultOf(async () => {
      writeIntoFile(await holdFile(path), { mode: 'sidecar', body: '{}' })
    }),
    {
      code: 1,
      message: /keeps its compactions in another file \(sidecar\)/,
    },
  )
  t.ok(existsSync(path))
  t.same(backupsOf(path), [])
})

t.test('a line is not appended to a session that is one JSON document', async (t) => {
  for (const document of ['{"model":"m","messages":[]}\n', '[\n  {"role": "user"}\n]', '\ufeff[{}]']) {
    const path = sessionOf(t, document)
    t.match(
      await faultOf(async () => {
        writeIntoFile(await holdFile(path), APPEND)
      }),
      { code: 1, message: /^This session is one JSON document, and the compaction is a line/ },
    )
    t.same([readFileSync(path, 'utf8'), backupsOf(path)], [document, []])
  }
})
