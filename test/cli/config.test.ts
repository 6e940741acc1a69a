import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { configPathOf, readConfigFile } from '../../src/cli/config/config-file.ts'
import { SETTING_NAMES, settingNamed, writeConfigSchema } from '../../src/cli/config/settings-table.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { readSettings } from '../../src/settings.ts'
import { EXAMPLE, runCli, writeCommand, type RunOptions } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const ROOT = new URL('../../', import.meta.url)

/** Writes the configuration of a new home. */
function configured(t: Test, config: unknown) {
  const home = folderOf(t)
  const path = join(home, '.config/precis/config.json')
  mkdirSync(join(home, '.config/precis'), { recursive: true, mode: 0o755 })
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o600 })
  const run = (args: string[], options: RunOptions = {}) => runCli(args, { home, cwd: home, ...options })
  return { home, path, run }
}

interface Shown {
  path: string
  isThere: boolean
  schema: string
  settings: { name: string; value: unknown; from: string; variable?: string }[]
}

t.test('the file is in the folder of the user, or where PRECIS_CONFIG says', async (t) => {
  const pathFor = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    configPathOf({ env, home: '/home/u' }, platform)
  t.equal(pathFor({}), '/home/u/.config/precis/config.json')
  t.equal(pathFor({ XDG_CONFIG_HOME: '/c' }), '/c/precis/config.json')
  t.equal(pathFor({ XDG_CONFIG_HOME: 'c' }), '/home/u/.config/precis/config.json')
  t.equal(pathFor({ PRECIS_CONFIG: '/x.json', XDG_CONFIG_HOME: '/c' }), '/x.json')
  t.match(pathFor({ APPDATA: '/roaming' }, 'win32'), '/roaming/precis/config.json')
  t.throws(() => pathFor({ PRECIS_CONFIG: 'x.json' }), { message: /^PRECIS_CONFIG must be an absolute path, / })
  const { path, run } = configured(t, {})
  t.same(await run(['config', 'path']), { code: 0, stdout: `${path}\n`, stderr: '' })
})

t.test('precis config says what counts, and whether it comes from a variable, the file or a default', async (t) => {
  const { path, run } = configured(t, {
    url: 'https://me:secret@precis.example/',
    budget: 50_000,
    keep: 8000,
    'no-recall': true,
  })
  const env = { PRECIS_TRANSCRIPT_TOKENS: '60000' }
  const { settings, ...file } = JSON.parse((await run(['config', '--json'], { env })).stdout) as Shown
  t.match(file, { path, isThere: true, schema: /config\.schema\.json$/ })
  t.ok(existsSync(file.schema))
  t.same(
    settings.filter(({ from }) => from !== 'default'),
    [
      { name: 'url', value: 'https://***@precis.example/', from: 'file' },
      { name: 'keep', value: 8000, from: 'file' },
      { name: 'budget', value: '60000', from: 'environment', variable: 'PRECIS_TRANSCRIPT_TOKENS' },
      { name: 'no-recall', value: true, from: 'file' },
    ],
  )
  t.same(
    settings.map(({ name }) => name),
    SETTING_NAMES,
  )
  const { stdout, stderr } = await run(['config'], { env })
  t.match(stdout, /^budget +60000 {2}\(PRECIS_TRANSCRIPT_TOKENS\)$/m)
  t.match(stdout, /^calls-per-day +100 {2}\(default\)$/m)
  t.match(stdout, /^model +-$/m)
  t.notMatch(stdout, 'secret')
  t.match(stderr, `Configuration file: ${path}\n`)
  t.match(await runCli(['config'], { home: folderOf(t) }), { code: 0, stderr: /\(there is none\)/ })
})

t.test('an option counts more than its variable, and a variable more than the file', async (t) => {
  const { run } = configured(t, { window: 50_000, keep: 1000 })
  const thresholdOf = async (args: string[]): Promise<string> => {
    const { stdout } = await run(['plan', EXAMPLE, ...args])
    return /a context window of ([\d,]+)/.exec(stdout)?.[1] ?? stdout
  }
  t.equal(await thresholdOf([]), '50,000')
  t.equal(await thresholdOf(['--window', '60000']), '60,000')
  t.equal(await thresholdOf(['--no-config']), '200,000')
})

/** A program that writes its variables and a summary. */
const PROGRAM = `require('fs').appendFileSync(__dirname + '/log', (process.env.PRECIS_ON_FAILURE ?? '-') + '\\n')
process.stdout.write('## Goal\\nFix the import of invoices, and keep every row of the file as it is.')`

t.test('the file says who writes, unless an option does', async (t) => {
  const { home, run } = configured(t, { with: 'writer', keep: 1000, 'on-failure': 'embedded' })
  const PATH = writeCommand(home, 'writer', PROGRAM)
  const writerOf = async (args: string[], env: Record<string, string> = {}) => {
    const { stderr } = await run(['compact', EXAMPLE, ...args], { env: { PATH, ...env } })
    return /Written by (the embedded summarizer|writer)|^precis: .*/m.exec(stderr)?.[0]
  }
  t.equal(await writerOf([]), 'Written by writer')
  t.equal(await writerOf([], { PRECIS_ON_FAILURE: 'error' }), 'Written by writer')
  t.same([...new Set(readFileSync(join(home, 'log'), 'utf8').trim().split('\n'))], ['embedded', 'error'])
  t.equal(await writerOf(['--no-config']), 'Written by the embedded summarizer')
  t.match(await writerOf(['--url', 'http://127.0.0.1:1']), /^precis: The service at .* cannot be reached/)
  t.match(await writerOf(['--model', 'x']), /^precis: --model needs a model server/)
})

t.test('the token of the file is sent to the service of the file, and to no other', async (t) => {
  const { home, run, path } = configured(t, { url: 'http://127.0.0.1:1', 'token-file': 'token' })
  const tried = await run(['plan', EXAMPLE])
  t.match(tried, {
    code: 2,
    stderr: /^precis: The token of "token-file" in .* cannot be read: there is no such file\.\n$/,
  })
  t.match(await run(['plan', EXAMPLE, '--url', 'http://127.0.0.1:2']), { code: 6, stderr: /127\.0\.0\.1:2 cannot be/ })
  // As a hook that was installed with --url names it.
  t.match(await run(['plan', EXAMPLE, '--url', 'http://127.0.0.1:1']), { code: 2, stderr: /"token-file"/ })
  writeFileSync(join(home, '.config/precis/token'), 'a line\nand another')
  t.match(await run(['plan', EXAMPLE]), { code: 2, stderr: /^precis: PRECIS_TOKENS has a character/ })
  writeFileSync(path, '{"url":"http://127.0.0.1:1","token-variable":"MY_TOKEN"}')
  t.match(await run(['plan', EXAMPLE]), {
    code: 2,
    stderr: /^precis: The variable MY_TOKEN is not set: "token-variable"/,
  })
  t.match(await run(['plan', EXAMPLE], { env: { MY_TOKEN: 'some' } }), { code: 6, stderr: /127\.0\.0\.1:1 cannot be/ })
})

t.test('settings of the file that a call has no use for are no error', async (t) => {
  const { run } = configured(t, { 'no-recall': true, prepared: 'never', 'calls-per-day': 5, with: 'sh' })
  t.match(await run(['compact', EXAMPLE, '--keep', '1000', '--url', 'http://127.0.0.1:1']), { code: 6 })
  t.match(await run(['watch', '--once']), { code: 0 })
  t.match(await run(['watch', '--forget']), { code: 0 })
  t.match(await run(['list']), { code: 0 })
})

t.test('faults of the file are named with their places, and what was meant', async (t) => {
  const cases: [config: unknown, message: string][] = [
    ['{\n  "keep": 8000,\n}', ':3:1: The configuration is not JSON from here on. Correct it.\n'],
    ['[]', ': The configuration must be a JSON object, such as {"model": "ollama:qwen3"}.\n'],
    ['{\n  "keap": 8000\n}', ':2: "keap" is not a setting. Did you mean "keep"?\n'],
    [
      '{\n  "keep": 1, "with": ["x \\"keep\\":"],\n  "k\\u0065ep": 2\n}',
      ':3: "keep" is there already. Leave one of them.\n',
    ],
    [{ callsPerDay: 5 }, ':1: "callsPerDay" is not a setting. Did you mean "calls-per-day"?\n'],
    [{ token: 'x' }, `:1: "token" is not a setting. Settings are ${SETTING_NAMES.join(', ')}.\n`],
    [{ keep: '8000' }, ':1: "keep" must be a whole number from 0 to 999999999.\n'],
    [{ redact: 'no' }, ':1: "redact" must be true or false.\n'],
    [{ with: [] }, ':1: "with" must be a text, or a list of texts.\n'],
    [{ url: 'localhost' }, ':1: "url" must be an address that begins with http:// or https://.\n'],
    [{ model: '' }, ':1: "model" must be a text.\n'],
    [{ model: 'ollama:qwen3,,x' }, ':1: "model" must not have an empty item between its commas.\n'],
    [
      '{\n  "keep": 1,\n  "model": "openai:"\n}',
      ':3: "model" must have the name of a model behind each server, such as openai:gpt-5-mini.\n',
    ],
    [
      { model: 'anthropc:claude-haiku-4-5' },
      ':1: "model" names a server "anthropc". Did you mean "anthropic:claude-haiku-4-5"? The server of any other model is "base-url".\n',
    ],
    [
      { 'reasoning-effort': 'hihg' },
      ':1: "reasoning-effort" must be one of none, minimal, low, medium, high, xhigh, max.\n',
    ],
    [{ prompts: '/nowhere' }, ':1: "prompts" must be a folder that can be read; /nowhere cannot be (ENOENT).\n'],
    [{ 'on-failure': 'wait' }, ':1: "on-failure" must be one of error, embedded.\n'],
    [
      { url: 'http://a', with: 'claude' },
      ': "url" excludes "model" and "with": the service has its model. Remove one of them.\n',
    ],
    [
      { with: ['claude', 'codex'], model: 'm' },
      ': "model" is for one command, and "with" names several: leave out "model".\n',
    ],
    [
      { with: 'llm', model: 'ollama:qwen3' },
      ': "model" is for claude, codex, gemini, qwen, opencode, pi: write the model into the command of "with".\n',
    ],
    [{ with: "sh -c 'x" }, `: "with" cannot be read as a command. A ' has no end.\n`],
    [{ 'token-file': 'x' }, ': A token needs "url", the service that it is for.\n'],
  ]
  for (const [config, message] of cases) {
    const { run, path } = configured(t, config)
    const { code, stderr } = await run(['plan', EXAMPLE])
    const first =
      message.startsWith(':3:1:') || message.includes('must be a JSON') ? '' : 'The configuration is not valid:\n'
    t.same([code, stderr], [2, `precis: ${first}${path}${message}`])
  }
  const { run } = configured(t, { keap: 1, windov: 2 })
  t.match((await run(['config'])).stderr, /"keap" [^]*"windov" /)
  t.equal((await run(['plan', EXAMPLE, '--no-config'])).code, 0)
  const missing = await runCli(['plan', EXAMPLE], { env: { PRECIS_CONFIG: '/nowhere.json' } })
  t.match(missing, {
    code: 2,
    stderr: /^precis: The configuration file \/nowhere\.json cannot be read: there is no such file\. /,
  })
})

t.test('paths of the file are relative to its folder, and prompts in it are checked', async (t) => {
  const { path, run } = configured(t, { prompts: 'mine' })
  const folder = join(path, '../mine')
  mkdirSync(folder)
  t.match(await run(['plan', EXAMPLE]), { code: 2, stderr: `:1: "prompts" names ${folder}, which has no prompts. ` })
  writeFileSync(join(folder, 'sumary.md'), 'Write {{tokens}}.')
  t.match(await run(['config']), {
    code: 2,
    stderr: `:1: "prompts" has bad prompts in ${folder}:\n  sumary.md is no prompt of this service. Known are `,
  })
  renameSync(join(folder, 'sumary.md'), join(folder, 'summary.md'))
  t.match((await run(['config'])).stdout, new RegExp(`^prompts +${folder}  \\(file\\)$`, 'm'))
})

t.test('a model of a server of its own may have any name', async (t) => {
  const model = 'llama:8b'
  t.match((await configured(t, { model }).run(['config'])).stderr, /Did you mean "ollama:8b"\?/)
  t.equal((await configured(t, { model, 'base-url': 'http://127.0.0.1:1/v1' }).run(['config'])).code, 0)
  t.equal((await configured(t, { model }).run(['config'], { env: { OPENAI_BASE_URL: 'http://127.0.0.1:1' } })).code, 0)
  t.equal((await configured(t, { model: 'openai:', with: 'claude' }).run(['config'])).code, 0)
})

t.test('an error about a variable names the setting of the file too', async (t) => {
  const { run } = configured(t, { model: 'ollama:qwen3' })
  t.match(await run(['compact', EXAMPLE]), {
    code: 2,
    stderr:
      /^PRECIS_CONTEXT_WINDOW \(or "context-window" in the configuration file\) must be set for a model of Ollama/m,
  })
  t.equal((await configured(t, { with: 'claude', model: 'claude-haiku-4-5' }).run(['plan', EXAMPLE])).code, 0)
})

t.test('a file that others can write to is refused, also by the folder that it is in', async (t) => {
  const { home, path, run } = configured(t, { keep: 1000 })
  t.match(await run(['config']), { code: 0 })
  chmodSync(path, 0o620)
  t.match(await run(['config']), {
    code: 2,
    stderr: `precis: Others can write to ${path}, and the configuration can name`,
  })
  chmodSync(path, 0o644)
  chmodSync(join(home, '.config/precis'), 0o777)
  t.match((await run(['config'])).stderr, `Others can write to ${join(home, '.config/precis')}, `)
  chmodSync(join(home, '.config/precis'), 0o755)
  const linked = folderOf(t)
  mkdirSync(join(linked, '.config/precis'), { recursive: true, mode: 0o755 })
  symlinkSync(path, join(linked, '.config/precis/config.json'))
  t.same(readConfigFile({ env: {}, home: linked }).config, { keep: 1000 })
  chmodSync(path, 0o602)
  t.throws(() => readConfigFile({ env: {}, home: linked }), { message: /^Others can write to / })
})

t.test('the schema in the package is that of the table, and accepts a file that names it', async (t) => {
  const schema = JSON.parse(readFileSync(new URL('config.schema.json', ROOT), 'utf8'))
  t.same(schema, writeConfigSchema(), 'run: npx tsx scripts/config-schema.ts')
  const { run } = configured(t, { $schema: '/some/config.schema.json', keep: 1000 })
  t.equal((await run(['config'])).code, 0)
  const { files } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
  t.ok(files.includes('config.schema.json'))
})

t.test('each setting is an option of a command, or a variable, with its default', async (t) => {
  const options = Object.values(COMMANDS).flatMap((command) => Object.keys(command.options))
  for (const name of SETTING_NAMES) {
    const { isOption = false, variable } = settingNamed(name)
    t.equal(isOption, options.includes(name), name)
    t.ok(isOption || variable !== undefined || name.startsWith('token-'), name)
  }
  const { maxSummaryTokens, onFailure, redact } = readSettings({})
  for (const [name, value] of Object.entries({
    'max-summary-tokens': maxSummaryTokens,
    'on-failure': onFailure,
    redact,
  }))
    t.equal(settingNamed(name as 'redact').fallback, String(value), name)
})

t.test('docs/cli.md names each setting', async (t) => {
  const docs = readFileSync(new URL('docs/cli.md', ROOT), 'utf8')
  const [, table = ''] = docs.split('| setting |')
  const named = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
  )
  t.same(named.sort(), [...SETTING_NAMES].sort())
})

t.test('a service that is started in the same shell is not stopped by the variables of commands', async (t) => {
  t.ok(readSettings({ PRECIS_CONFIG: '/x.json', PRECIS_NESTED: '1' }))
})
