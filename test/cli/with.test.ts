import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { commandWords } from '../../src/model/commands/command-words.ts'
import { nameOfTyped } from '../../src/model/commands/typed-name.ts'
import { PROGRAM_NAMES, type ProgramName } from '../../src/model/commands/programs.ts'
import { EXAMPLE, runCli, writeCommand } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const KEEP = ['--keep', '1000', '--quiet']
const SUMMARY =
  '## Goal\nFix the import of invoices in src/import/parse-csv.ts.\n\n## Progress\n### Done\n- read the rows'

/** The newest run of a scripted program. */
interface Run {
  args: string[]
  env: Record<string, string>
  cwd: string
  files: string[]
  input: string
}

/** The beginning of the example: its last turn is split. */
const SESSION = readFileSync(EXAMPLE, 'utf8').split('\n').slice(0, 57).join('\n')

/** Writes a program that notes its runs, and then does what a script says. Returns how to run it. */
function scripted(t: Test, name: string, script: string) {
  const folder = folderOf(t)
  const log = join(folder, 'runs.log')
  const session = join(folder, 'session.jsonl')
  writeFileSync(session, SESSION)
  const PATH = writeCommand(
    folder,
    name,
    `const fs = require('fs')
    const [,, ...args] = process.argv
    if (args[0] === 'mcp') { process.stdout.write('[{"name":"precis"},{"name":"my-db"}]'); process.exit(0) }
    const SUMMARY = ${JSON.stringify(SUMMARY)}
    const input = fs.readFileSync(0, 'utf8')
    const files = fs.readdirSync('.', { recursive: true }).sort()
    fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, env: process.env, cwd: process.cwd(), files, input }) + '\\n')
    ${script}`,
  )
  const runs = (): Run[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Run)
      : []
  const compact = (args: string[], env: Record<string, string> = {}) =>
    runCli(['compact', session, ...KEEP, ...args], { home: folder, cwd: folder, env: { PATH, ...env } })
  return { folder, session, runs, compact, PATH }
}

const PRINT = 'process.stdout.write(SUMMARY)'
const PRINT_JSON = `process.stdout.write(JSON.stringify({ type: 'result', is_error: false, result: SUMMARY, usage: { input_tokens: 5, output_tokens: 7 } }))`

const SYSTEM = readFileSync(new URL('../../prompts/system.md', import.meta.url), 'utf8').trim()

/** The whole argument lists; SYSTEM and FILE stand for our system prompt. */
const ARGS: Record<ProgramName, string> = {
  claude:
    '-p --output-format json --tools  --no-session-persistence --safe-mode --disable-slash-commands --system-prompt SYSTEM --model some/model',
  codex:
    'exec --ephemeral --skip-git-repo-check --sandbox read-only --color never -m some/model -c mcp_servers.precis.enabled=false ' +
    '-c mcp_servers.my-db.enabled=false -c project_doc_max_bytes=0 -c web_search="disabled" -c model_reasoning_effort="low" ' +
    '-c include_permissions_instructions=false -c include_environment_context=false -c include_apps_instructions=false ' +
    '-c skills.include_instructions=false -c model_instructions_file="FILE" --disable hooks --disable shell_tool ' +
    '--disable unified_exec --disable plugins --disable apps --disable multi_agent --disable goals ' +
    '--disable image_generation --disable tool_search -',
  gemini: '-m some/model -e none --allowed-mcp-server-names none',
  qwen:
    '--bare --chat-recording=false --system-prompt SYSTEM -m some/model --exclude-tools edit --exclude-tools get_goal ' +
    '--exclude-tools notebook_edit --exclude-tools read_file --exclude-tools run_shell_command --exclude-tools update_goal',
  opencode: 'run --pure --agent summarizer --title summary -m some/model',
  pi:
    '-p --offline --model some/model --thinking off --no-session --no-tools --no-extensions --no-skills --no-context-files ' +
    '--no-prompt-templates --system-prompt SYSTEM',
}

/** A variable that each program gets, and those that we set. */
const ENV: Record<ProgramName, [own: string, set: string[]]> = {
  claude: ['ANTHROPIC_API_KEY', ['CLAUDE_CODE_MAX_RETRIES', 'DISABLE_AUTOUPDATER', 'MAX_THINKING_TOKENS']],
  codex: ['CODEX_HOME', []],
  gemini: ['GEMINI_API_KEY', ['GEMINI_CLI_TRUST_WORKSPACE', 'GEMINI_SYSTEM_MD']],
  qwen: ['DASHSCOPE_API_KEY', ['QWEN_RUNTIME_DIR']],
  opencode: ['GROQ_API_KEY', ['OPENCODE_CONFIG_CONTENT', 'OPENCODE_DB', 'OPENCODE_DISABLE_PROJECT_CONFIG']],
  pi: ['GROQ_API_KEY', []],
}

for (const name of PROGRAM_NAMES)
  t.test(`${name} writes a summary without tools, in an empty folder, with the variables that it needs`, async (t) => {
    const [own, set] = ENV[name]
    const { compact, runs } = scripted(t, name, name === 'claude' ? PRINT_JSON : PRINT)
    const env = {
      [own]: 'k',
      DO_NOT_TRACK: '1',
      LC_ALL: 'C',
      PRECIS_TOKENS: 'secret-token',
      SOME_SECRET: 's',
      CLAUDECODE: '1',
    }
    const { code, stdout, stderr } = await compact(['--with', name, '--model', 'some/model'], env)
    t.same([code, stderr], [0, ''])
    t.match(stdout, /Fix the import of invoices/)
    const [run] = runs()
    if (run === undefined) throw new Error('It was not run.')
    const root = join(run.cwd, '..')
    const written = run.args.map((arg) => arg.trim()).join(' ')
    t.equal(written.replace(SYSTEM, 'SYSTEM').replace(join(root, 'system.md'), 'FILE'), ARGS[name])
    const given = Object.keys(run.env).filter((one) => !['PWD', 'SHLVL', 'OLDPWD', '_'].includes(one))
    t.same(given.sort(), [own, 'DO_NOT_TRACK', 'HOME', 'LC_ALL', 'PATH', 'PRECIS_NESTED', 'TMPDIR', ...set].sort())
    t.same(run.files, name === 'gemini' ? ['.gemini', '.gemini/settings.json'] : [])
    t.ok(runs().some(({ input }) => input.includes('Nordhafen')))
    t.notOk(run.input.includes(SYSTEM))
    t.notOk(existsSync(root), 'the folder is gone')
    if (name === 'opencode')
      t.match(JSON.parse(run.env['OPENCODE_CONFIG_CONTENT'] ?? ''), {
        compaction: { auto: false },
        agent: { summarizer: { tools: { '*': false } } },
      })
  })

t.test(
  'a command of the user gets the whole environment, in the current folder, and its words as a shell splits them',
  async (t) => {
    const { compact, runs, folder } = scripted(t, 'mine', PRINT)
    const { code, stderr } = await compact(['--with', `mine --a 'b c' "d \\"e\\"" f\\ g ''`], { SOME_SECRET: 's' })
    t.same([code, stderr], [0, ''])
    const [run] = runs()
    t.same(run?.args, ['--a', 'b c', 'd "e"', 'f g', ''])
    t.same([run?.cwd, run?.env['SOME_SECRET'], run?.env['PRECIS_NESTED']], [folder, 's', '1'])
    t.ok(run?.input.startsWith(SYSTEM.slice(0, 200)), 'it has no other place for the system prompt')
  },
)

t.test('what only a shell can do is refused with what to write instead', async (t) => {
  for (const command of ['a | b', 'a; b', 'a && b', 'a > f', 'echo $HOME', 'echo "`id`"', 'ls *', 'a\nb'])
    t.throws(() => commandWords(command), /needs a shell, and none runs\. Write: sh -c '\.\.\.'/, command)
  t.throws(() => commandWords("a 'b"), /A ' has no end\./)
  t.same(commandWords(`sh -c 'a | b; "$c"'`), ['sh', '-c', 'a | b; "$c"'])
})

const WRONG: [args: string[], stderr: RegExp, env?: Record<string, string>][] = [
  [['--with', 'cluade'], /^precis: There is no program "cluade" that can be run\. Did you mean claude\?\n$/],
  [['--with', 'claude'], /^precis: There is no program "claude" that can be run\. Install it, or check the PATH\.\n$/],
  [['--with', 'mine | tee'], /^precis: --with cannot be read as a command\. \| needs a shell/],
  [['--with', 'A=b mine'], /^precis: Only a shell sets variables: begin the command of --with with `env`\.\n$/],
  [['--with', ' '], /^precis: --with needs a command, or one of claude, codex, gemini, qwen, opencode, pi\.\n$/],
  [
    ['--with', 'mine', '--model', 'm'],
    /^precis: --model is for claude, .*: write the model into the command of --with\.\n$/,
  ],
  [
    ['--with', 'mine', '--with', 'pi', '--model', 'm'],
    /^precis: --model is for one command, and --with names several: leave out --model\.\n$/,
  ],
  [['--with', 'mine', '--url', 'http://127.0.0.1:1'], /^precis: --with and --url exclude each other/],
  [['--with', 'mine'], /^precis: A command that writes a summary cannot ask for another one/, { PRECIS_NESTED: '1' }],
]

t.test('a command that cannot be run is refused before anything is read', async (t) => {
  const { compact, runs } = scripted(t, 'mine', PRINT)
  for (const [args, stderr, env] of WRONG) {
    const ran = await compact(args, env)
    t.equal(ran.code, 2, args.join(' '))
    t.match(ran.stderr, stderr)
  }
  t.same(runs(), [])
})

/** It ends up in the prompt. */
const ECHOED = 'The failed call said that it was not logged in, and the usage limit: please log in again and repeat it.'

const BIG = "process.stdout.write('x y '.repeat(2_600_000))"

/** The script, the calls of a compaction of one text, and what is said. */
const FAILURES: [what: string, script: string, calls: number, said: string][] = [
  ['an exit code', 'console.error("boom"); process.exit(3)', 2, 'the command failed (code 3).\nIt printed:\n  boom\n'],
  [
    'a signal',
    'process.kill(process.pid, "SIGKILL"); setTimeout(() => 0, 9e4)',
    2,
    'the command failed (SIGKILL).\nIt printed nothing. Run it by itself to see why.\n',
  ],
  [
    'an ended login',
    'console.error("Please run /login"); process.exit(1)',
    1,
    'start the program by itself and log in, then try again (code 1).\nIt printed:\n  Please run /login\n',
  ],
  [
    'a used-up account',
    'console.log("You have hit your usage limit"); process.exit(1)',
    1,
    'the command reports that a usage limit is reached: wait until it is over, or use another command (code 1)',
  ],
  [
    'an unknown model',
    'console.error("model gpt-0 does not exist"); process.exit(1)',
    1,
    'the command does not know the model: check --model (code 1)',
  ],
  [
    'an error that repeats a prompt with other errors',
    'console.error(input); process.exit(1)',
    2,
    'the command failed (code 1).\nIt printed nothing. Run it by itself to see why.\n',
  ],
  [
    'an error with much else',
    'console.error("\\u001b[31mfirst\\u001b[0m\\n\\nkey = AKIAIOSFODNN7ABCDEFG\\n" + "line\\n".repeat(9000) + "x".repeat(500) + "\\nlast"); process.exit(2)',
    2,
    `the command failed (code 2).\nIt printed:\n  first\n  key = [redacted:aws-access-key]\n  line\n  ...\n  ${'x'.repeat(199)}…\n  last\n`,
  ],
  ['empty output', '', 2, 'the reply had no text.\n'],
  [
    'only an error text',
    'console.error("warning: nothing")',
    2,
    'the reply had no text.\nIt printed:\n  warning: nothing\n',
  ],
  [
    'a refusal',
    'console.log("I\'m sorry, but I can\'t help with that.")',
    2,
    'the model refused to answer, in its own words',
  ],
  ['a greeting', 'console.log("hi")', 2, 'the answer is too short for a summary, and lacks the sections'],
  ['its own input', 'console.log(input.slice(0, 4000))', 2, 'lacks the sections that it must have, or is the prompt'],
  ['10 MB of output', BIG, 2, 'the command printed more than 4 MiB'],
]

for (const [what, script, calls, said] of FAILURES)
  t.test(`of a command, ${what} is an error that says what to do`, async (t) => {
    const { compact, runs } = scripted(t, 'mine', script)
    const { code, stdout, stderr } = await compact(['--with', 'mine', '--reply', 'json', '--focus', ECHOED])
    t.same([code, stdout], [6, ''])
    t.match(stderr, /^precis: mine: /)
    t.ok(stderr.includes(said), stderr)
    t.notOk(/Nordhafen|const /.test(stderr))
    // A turn that is split has two texts: they fail one after the other, or the first ends both.
    t.ok(runs().length >= calls && runs().length <= 2 * calls, `${runs().length} runs`)
  })

t.test('if the time is over, the error names the command, and what limits it', async (t) => {
  const { compact } = scripted(t, 'mine', 'setInterval(() => undefined, 1000)')
  t.match(
    await compact(['--with', 'mine --key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA'], { PRECIS_DEADLINE_MS: '300' }),
    {
      ...{ code: 6, stdout: '' },
      stderr:
        /^precis: mine --key \[redacted:[\w-]+\] #\w{6} wrote no summary within 300 ms\. Raise PRECIS_DEADLINE_MS \(or "deadline-ms" in the configuration file\), or choose a faster model\.\n$/,
    },
  )
})

t.test('a command is called what its user has typed, without secrets, and of a long one the beginning', async (t) => {
  t.equal(nameOfTyped(`sh -c  'llm -m small'`), `sh -c 'llm -m small'`)
  const [one, other] = ['a', 'b'].map((end) =>
    nameOfTyped(`sh -c 'curl --user me:hunter2-Very-Secret ${'x '.repeat(60)}${end}'`),
  )
  t.match(one, /^sh -c 'curl --user me:\[redacted:[a-z-]+\] x x [x ]+…'? #[0-9a-f]{6}$/)
  t.not(one, other, 'a summary that was prepared by another command is not used')
})

t.test('a program whose model only wants to use a tool has written no summary', async (t) => {
  // What Claude Code prints then: no text, and the tool is none.
  const call = `console.log(JSON.stringify({ type: 'result', is_error: false, result: '', stop_reason: 'tool_use', usage: {} }))`
  const { compact, runs } = scripted(t, 'claude', call)
  const { code, stderr } = await compact(['--with', 'claude'])
  t.equal(code, 6)
  t.match(stderr, /^precis: claude: the reply had no text/)
  t.ok(runs().length >= 2, 'it is asked again')
})

t.test('a program with a form of its own must keep to it', async (t) => {
  const { compact } = scripted(t, 'claude', PRINT)
  const { code, stderr } = await compact(['--with', 'claude'])
  t.equal(code, 6)
  t.match(stderr, /^precis: claude: the output of the command has not the form of its program/)
  const failed = scripted(t, 'claude', `console.log('{"type":"result","is_error":true,"result":"Not logged in"}')`)
  t.match(
    (await failed.compact(['--with', 'claude'])).stderr,
    /^precis: claude: the command reports that nobody is logged in/,
  )
})

t.test('the next command is tried when one fails, and PRECIS_ON_FAILURE counts', async (t) => {
  const bad = scripted(t, 'bad', 'process.exit(1)')
  const good = scripted(t, 'mine', PRINT)
  const PATH = `${bad.folder}:${good.folder}:/usr/bin:/bin`
  const both = await bad.compact(['--with', 'bad', '--with', 'mine', '--reply', 'json'], { PATH })
  t.match(JSON.parse(both.stdout), { report: { model: 'mine' } })
  const short = scripted(t, 'short', 'process.stdout.write("hi")')
  const next = await short.compact(['--with', 'short', '--with', 'mine', '--reply', 'json'], {
    PATH: `${short.folder}:${PATH}`,
  })
  t.match(JSON.parse(next.stdout), { report: { model: 'mine', degraded: false } })
  const embedded = await bad.compact(['--with', 'bad', '--reply', 'json'], { PRECIS_ON_FAILURE: 'embedded' })
  t.match(JSON.parse(embedded.stdout), { report: { degraded: true } })
  const env = { PRECIS_ON_FAILURE: 'embedded', PATH: bad.PATH }
  const said = await runCli(['compact', bad.session, '--keep', '1000', '--with', 'bad'], {
    home: bad.folder,
    cwd: bad.folder,
    env,
  })
  t.match(
    said.stderr,
    /^The model failed, so the embedded summarizer has written the summary: bad: the command failed \(code 1\)\./m,
  )
})

t.test('an agent that writes a summary does not start us again', async (t) => {
  for (const args of [['mcp'], ['hook', 'claude-code', 'PreCompact']])
    t.same(await runCli(args, { env: { PRECIS_NESTED: '1' } }), { code: 0, stdout: '', stderr: '' })
})

t.test('a session that Gemini CLI keeps nevertheless is removed, and only that one', async (t) => {
  const keep = `
    const folders = [['ours', process.cwd()], ['theirs', '/project']]
    for (const [name, root] of folders)
      for (const kept of ['tmp', 'history']) {
        const dir = process.env.HOME + '/.gemini/' + kept + '/' + name
        fs.mkdirSync(dir + '/chats', { recursive: true }); fs.writeFileSync(dir + '/.project_root', root)
      }
    const killed = require('path').join(process.cwd(), '../../precis-with-killed/empty')
    const projects = Object.fromEntries([...folders.map(([name, root]) => [root, name]), [killed, 'empty']])
    fs.writeFileSync(process.env.HOME + '/.gemini/projects.json', JSON.stringify({ projects, version: 2 }))
    if (process.env.LC_ALL === 'locked') fs.mkdirSync(process.env.HOME + '/.gemini/projects.json.lock', { recursive: true })
    ${PRINT}`
  const { compact, folder: home } = scripted(t, 'gemini', keep)
  t.equal((await compact(['--with', 'gemini'])).code, 0)
  for (const kept of ['tmp', 'history']) t.same(readdirSync(join(home, '.gemini', kept)), ['theirs'])
  const list = (): unknown => JSON.parse(readFileSync(join(home, '.gemini/projects.json'), 'utf8'))
  t.same(list(), { version: 2, projects: { '/project': 'theirs' } })
  t.same(readdirSync(join(home, '.gemini')), ['history', 'projects.json', 'tmp'])
  // While Gemini CLI writes its list, nobody else does.
  t.equal((await compact(['--with', 'gemini'], { LC_ALL: 'locked' })).code, 0)
  t.equal(Object.keys((list() as { projects: object }).projects).length, 3)
})
