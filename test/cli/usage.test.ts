import { ownCommand } from '../../src/cli/own-command.ts'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { COMMANDS, commandOf, type CommandName } from '../../src/cli/commands.ts'
import { writeCommandHelp, writeCompletion, writeHelp } from '../../src/cli/help.ts'
import { openTerminal } from '../../src/cli/terminal.ts'
import { escapeControls, quote, withoutControls } from '../../src/text/controls.ts'
import { REPLY_FORMS } from '../../src/schemas/format-ids.ts'
import { listening, ROOT } from '../support/run-server.ts'
import { EXAMPLE, largeSession, MAIN, runCli, runProcess, startCli, writeCommand, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const NAMES = Object.keys(COMMANDS) as CommandName[]

t.test('--help and --version print on stdout', async (t) => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  t.same(await runProcess(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  t.same(await runProcess([]), { code: 0, stdout: writeHelp(), stderr: '' })
  t.ok(writeHelp().endsWith(`\nMore: ${join(ROOT, 'docs/cli.md')}\n`))
  t.same(await runProcess(['list', '--help']), { code: 0, stdout: writeCommandHelp('list'), stderr: '' })
})

t.test('each command does the same as a process of its own as in the process of these tests', async (t) => {
  const home = folderOf(t)
  writeOld(join(home, '.claude/projects/-p/s1.jsonl'), largeSession('claude-code'))
  writeOld(join(home, 'export.json'), largeSession('opencode'))
  const script =
    "if (process.argv[2] === 'export') process.stdout.write(require('fs').readFileSync(__dirname + '/export.json'))"
  const env = { PATH: writeCommand(home, 'opencode', `${script}; else process.exit(1)`) }
  const cases: [code: number, args: string[]][] = [
    [0, ['completion', 'bash']],
    [0, ['compact', '-', '--keep', '8000', '--quiet']],
    [0, ['list']],
    [0, ['plan', `ses_${'1'.repeat(26)}`]],
    [2, ['compress']],
    [4, ['restore', 's1']],
    [2, ['restore', '-']],
  ]
  const input = readFileSync(EXAMPLE, 'utf8')
  const command = ownCommand([process.execPath, MAIN], env)
  for (const [code, args] of cases) {
    const ran = await runProcess(args, { home, env, input })
    t.same([ran.code, ran], [code, await runCli(args, { home, env, input, command })], args.join(' '))
    t.match(ran, code === 0 ? { stdout: /./, stderr: /^$/ } : { stdout: /^$/, stderr: /^precis: / })
  }
})

t.test('an error names commands as they can be called', async (t) => {
  const { stderr } = await runCli(['compact', '0123abcd'], { command: 'npx precis' })
  t.match(stderr, 'no session "0123abcd". `npx precis list` shows the sessions.')
  t.match(
    (await runCli(['lst'], { command: 'npx precis' })).stderr,
    'Did you mean `npx precis list`? Try: npx precis --help',
  )
})

t.test('the help names every command and every option, and fits a terminal', async (t) => {
  for (const name of NAMES) {
    t.match(writeHelp(), `precis ${name} `)
    for (const option of Object.keys(commandOf(name).options)) t.match(writeCommandHelp(name), `--${option}`)
  }
  const lines = [writeHelp(), ...NAMES.map(writeCommandHelp)].join('\n').split('\n')
  t.same(
    lines.filter((line) => line.replace(ROOT, '').length > 120),
    [],
  )
})

t.test('docs/cli.md describes every command, every option and every exit code', async (t) => {
  const docs = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  for (const name of NAMES) {
    t.match(docs, `precis ${name}`)
    for (const option of Object.keys(commandOf(name).options)) t.match(docs, `\`--${option}`)
  }
  for (const code of [0, 1, 2, 3, 4, 5, 6]) t.match(docs.split('## Exit codes')[1], new RegExp(`\\b${code}: `))
})

t.test('wrong arguments are exit code 2, and the error names them and the help', async (t) => {
  const cases: [string[], RegExp][] = [
    [['shrink'], /^precis: There is no command "shrink"\. Choose one of serve, compact, /],
    [['compact'], /^precis: precis compact takes FILE\|ID\|-\. Try: precis compact --help\n$/],
    [
      ['compact', 'a', 'b'],
      /^precis: precis compact takes one FILE\|ID\|-, and 2 were given\. Try: precis compact --help\n$/,
    ],
    [['compcat'], /^precis: There is no command "compcat"\. Did you mean `precis compact`\? Try: precis --help\n$/],
    [['compaction'], /^precis: There is no command "compaction"\. Did you mean `precis compact`\?/],
    ...['context', 'handoff', 'branch-summary'].map((route): [string[], RegExp] => [
      [route, EXAMPLE],
      new RegExp(
        `^precis: There is no command "${route}": it is a route of the service\\. Run \`precis serve\`, .*8080/${route} `,
      ),
    ]),
    [['list', 'x'], /^precis: precis list takes no arguments/],
    [
      ['compact', '-', '--kep', '3'],
      /^precis: Unknown option '--kep'\. Did you mean --keep\? Try: precis compact --help\n$/,
    ],
    [['compact', '-', '--output', 'x'], /^precis: Unknown option '--output'\. Try: precis compact --help\n$/],
    [
      ['compact', '-', '--keep', 'many'],
      /^precis: --keep must be a whole number of at least 0, in digits alone, not "many"\.\n$/,
    ],
    [
      ['compact', '-', '--keep', '-5'],
      /^precis: --keep must be a whole number of at least 0, in digits alone, not "-5"\.\n$/,
    ],
    [['list', '-n', '-3'], /^precis: --number must be a whole number of at least 1, in digits alone, not "-3"\.\n$/],
    [['compact', '-', '--keep'], /^precis: --keep needs a value\. Try: precis compact --help\n$/],
    [['compact', '-', '--focus', '--write'], /^precis: --focus needs a value\. Try: precis compact --help\n$/],
    [['compact', '-', '--write=yes'], /^precis: --write takes no value\. Try: precis compact --help\n$/],
    [['compact', EXAMPLE, '--budget', '999'], /^precis: --budget must be a whole number of at least 1000, /],
    [
      ['compact', EXAMPLE, '--reply', 'foo'],
      /^precis: --reply must be one of json, native, text, claude-code, .*"foo"\.\n$/,
    ],
    [['compact', EXAMPLE, '--format', 'foo'], /^precis: --format must be one of pi, chat, claude-code, .*"foo"\.\n$/],
    [
      ['plan', EXAMPLE, '--window', '0'],
      /^precis: --window must be a whole number of at least 1, in digits alone, not "0"\.\n$/,
    ],
    [['list', '--window', '0'], /^precis: --window must be a whole number of at least 1, /],
    [['list', '-n', '0'], /^precis: --number must be a whole number of at least 1, in digits alone, not "0"\.\n$/],
    [
      ['serve', '--port', 'abc'],
      /^precis: --port must be a whole number from 0 to 65535, in digits alone, not "abc"\.\n$/,
    ],
    [
      ['serve', '--port', '65536'],
      /^precis: --port must be a whole number from 0 to 65535, in digits alone, not "65536"\.\n$/,
    ],
    [['compact', '-', '--write'], /^precis: --write needs a file or an id, not "-"\.\n$/],
    [
      ['compact', EXAMPLE, '--url', 'http://a:pa%ss@localhost'],
      /^precis: --url has a user name or a password with a "%" that begins no escape\. Write "%25" for it\.\n$/,
    ],
    [['compact', EXAMPLE, '--url', 'localhost'], /^precis: --url must be an address such as /],
    [['completion', 'tcsh'], /bash, zsh and fish, not for "tcsh"/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runCli(args)
    t.same([code, stdout], [2, ''], args.join(' '))
    t.match(stderr, message)
  }
})

t.test('the completions of bash offer commands, options, values and files', async (t) => {
  const { stdout } = await runCli(['completion', 'bash'])
  const complete = (...words: string[]): string[] => {
    const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}\n_precis\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n')
  }
  t.same(complete('precis', 'com'), ['compact', 'compare', 'completion'])
  t.same(complete('precis', 'compact', '--k'), ['--keep'])
  t.same(complete('precis', 'restore', '--'), ['--force', '--quiet', '--help'])
  t.same(complete('precis', 'completion', ''), ['bash', 'zsh', 'fish'])
  t.same(complete('precis', 'list', ''), [''])
  t.same(complete('precis', 'compact', '--reply', ''), [...REPLY_FORMS])
  t.same(complete('precis', 'compact', 'a.jsonl', '--reply', 'cl'), ['claude-code'])
  t.same(complete('precis', 'plan', '--format', 'open'), ['opencode', 'openhands-v0', 'openhands-v1'])
  t.same(complete('precis', 'list', '-n', ''), [''])
  t.same(complete('precis', 'compact', '--focus', '/'), [''])
  t.same(complete('precis', 'compact', '/et'), ['/etc'])
})

t.test('there are completions for zsh and fish', async (t) => {
  t.match(writeCompletion('zsh'), /^#compdef precis\n/)
  const fish = writeCompletion('fish') ?? ''
  for (const name of NAMES) t.match(fish, ` -a ${name} `)
  t.match(fish, ` -l reply -x -a '${REPLY_FORMS.join(' ')}' -d `)
  t.match(fish, "-l write -d 'write the compaction into the agent\\'s session; keeps a backup'")
  t.equal(writeCompletion('tcsh'), undefined)
})

function streams(isTTY: boolean) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') =>
    ({ isTTY, columns: 20, write: (text: string) => void (written[name] += text) }) as unknown as NodeJS.WriteStream
  return { written, stdout: stream('stdout'), stderr: stream('stderr') }
}

t.test('colours and moving lines need a terminal, and no NO_COLOR', async (t) => {
  t.equal(openTerminal(streams(true), {}).paint('red', 'x'), '\u001b[31mx\u001b[0m')
  t.equal(openTerminal(streams(true), { NO_COLOR: '' }).paint('red', 'x'), '\u001b[31mx\u001b[0m')
  t.equal(openTerminal(streams(true), { NO_COLOR: '1' }).paint('red', 'x'), 'x')
  t.equal(openTerminal(streams(true), { TERM: 'dumb' }).paint('red', 'x'), 'x')
  t.equal(openTerminal(streams(false), {}).paint('red', 'x'), 'x')
  for (const [isTTY, expected] of [
    [true, 'A line of progress \r\u001b[2Kdone\n'],
    [false, 'done\n'],
  ] as const) {
    const own = streams(isTTY)
    const terminal = openTerminal(own, {})
    terminal.show('A line of progress that is long')
    terminal.say('done')
    t.same(own.written, { stdout: '', stderr: expected })
  }
})

const HOSTILE = 'a\u001b[31mb\u0007\u009bc\u202egnp.exe\u2066\u200f\r\n\td'
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/u

t.test('text of a session cannot control the terminal', async (t) => {
  t.equal(withoutControls(HOSTILE), 'a[31mbcgnp.exe\n\td')
  const json = `\ufeff[${JSON.stringify(HOSTILE)},\r\n${JSON.stringify({ [HOSTILE]: 1 })}]`
  const escaped = escapeControls(json)
  t.notMatch(escaped, CONTROLS)
  t.same(JSON.parse(escaped.slice(1)), [HOSTILE, { [HOSTILE]: 1 }])
})

t.test('a quoted text is one word of a shell, and has no control characters', async (t) => {
  for (const text of [`it's`, '$(x) `y` "z" \\', `${HOSTILE}'\\ü`]) {
    const { stdout } = spawnSync('bash', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' })
    t.same([stdout, CONTROLS.test(quote(text))], [text, false])
  }
})

t.test('no form of output has control characters of a session, unless it goes into a file', async (t) => {
  const folder = folderOf(t)
  const session = largeSession('claude-code')
    .replaceAll('Fix the parser', `Fix ${JSON.stringify(HOSTILE).slice(1, -1)} the parser`)
    .replaceAll('/p"', '/\u202ep"')
  t.match(session, '\u202e')
  const path = writeOld(join(folder, '.claude/projects/-p', 'a\u009b\u202e.jsonl'), session)
  const keep = ['--keep', '1']
  const cases = [
    ['list'],
    ['list', '--json'],
    ['plan', path],
    ['compact', path, ...keep],
    ['compact', path, ...keep, '--reply', 'native'],
    ['compact', path, ...keep, '--write'],
  ]
  const target = openSync(join(folder, 'native'), 'w')
  const child = spawn(process.execPath, [MAIN, ...(cases[4] ?? [])], {
    stdio: ['ignore', target, 'inherit'],
  })
  await once(child, 'exit')
  const exact = readFileSync(join(folder, 'native'), 'utf8')
  t.match(exact, '\u202e')
  for (const args of cases) {
    const { code, stdout, stderr } = await runCli(args, { home: folder })
    t.equal(code, 0, args.join(' '))
    t.notMatch(stdout + stderr, CONTROLS)
    if (args.includes('native')) t.same(summariesIn(stdout), summariesIn(exact))
  }
})

const summariesIn = (lines: string): unknown[] =>
  lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).message?.content]))

t.test('serve starts the service, and SIGTERM ends it', async (t) => {
  const child = startCli(['serve', '--port', '0'])
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = await listening(() => output)
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGTERM')
  t.equal(await ended, 0)
})

t.test('without a reader of its messages, a command does its work, and its exit code says how it ended', async (t) => {
  const child = startCli(['nosuchcommand'], { home: folderOf(t) })
  child.stderr.destroy()
  const [code] = (await once(child, 'close')) as [number | null]
  t.equal(code, 2)
})
