import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readSettings } from '../src/settings.ts'
import { AGENTS } from '../src/agents/agents.ts'
import type { Agent } from '../src/agents/agent.ts'
import type { AgentHome } from '../src/agents/home.ts'
import { PRESET_NAMES, presetNamed } from '../src/presets.ts'
import { variablesFor, VARIABLES } from '../src/variables.ts'
import { PROBLEMS, type ProblemType } from '../src/errors.ts'
import { FORMAT_IDS } from '../src/schemas/format-ids.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** The cells of a document's table rows whose first cell matches. */
function rowsOf(path: string, firstCell: RegExp): string[][] {
  return read(path)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map(([, ...cells]) => cells)
    .filter(([first = '']) => firstCell.test(first))
}

function variablesRead(): string[] {
  const names = new Set<string>()
  readSettings(new Proxy({}, { get: (_target, name) => void names.add(String(name)) }))
  return [...names]
}

const VARIABLE = /^[A-Z][A-Z0-9_]+$/
const variables = rowsOf('docs/configuration.md', VARIABLE)

t.test('docs/configuration.md names exactly the variables that the service reads, each once', async (t) => {
  t.same(variables.map(([name]) => name).sort(), variablesRead().sort())
})

t.test('each variable that is listed is read, and docs/cli.md names those that count without a service', async (t) => {
  t.same(Object.keys(VARIABLES).sort(), variablesRead().sort())
  const text = read('docs/cli.md').replace(/\n/g, ' ')
  const [, named = ''] = /It opens no port\. (.*?) count; other variables of the service do not/.exec(text) ?? []
  t.same((named.match(/PRECIS_\w+/g) ?? []).sort(), variablesFor('summaries').sort())
  const model = rowsOf('docs/cli.md', /^--model NAME$/).join(' ')
  t.same((model.match(/\b[A-Z]+_[A-Z_]+/g) ?? []).sort(), variablesFor('models').sort())
})

/** A model server, so that what is read for one counts too. */
const SERVER = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }

for (const [name = '', cell = ''] of variables) {
  const value = cell.replace(/ \(.*\)$/, '')
  if (value === 'unset') continue
  t.test(`the documented default of ${name} is the value that the service uses if it is unset`, async (t) => {
    const other = /^value of (\w+)$/.exec(value)?.[1]
    if (other === undefined) {
      t.same(readSettings({ ...SERVER, [name]: value }), readSettings(SERVER))
      return
    }
    t.same(readSettings({ [other]: '5', [name]: '5' }), readSettings({ [other]: '5' }))
  })
}

t.test('a variable without a documented default changes something when it is set', async (t) => {
  const values: Record<string, string> = {
    OPENAI_BASE_URL: 'http://127.0.0.1:2/v1',
    PRECIS_REDIS_URL: 'redis://127.0.0.1',
    PRECIS_STORE_KEY: 'a secret of at least 32 characters',
    PRECIS_RATE_LIMIT: '1',
    PRECIS_TRANSCRIPT_TOKENS: '2000',
    PRECIS_WORKERS: '64',
    PRECIS_REASONING_EFFORT: 'low',
    PRECIS_CORS_ORIGINS: 'https://example.org',
  }
  // The keys of presets count for candidates that name them.
  const keys = PRESET_NAMES.map((preset) => presetNamed(preset).key)
  for (const [name = ''] of variables.filter(([, value]) => value === 'unset')) {
    const preset = PRESET_NAMES[keys.findIndex((key) => key === name)]
    if (preset === undefined || preset === 'openai')
      t.notSame(readSettings({ ...SERVER, [name]: values[name] ?? 'some' }), readSettings(SERVER), name)
    else t.same(readSettings({ PRECIS_MODEL: `${preset}:m`, [name]: 'some' }).model?.presetKeys, { [preset]: 'some' })
  }
})

t.test('docs/api.md names exactly the formats of sessions that are read', async (t) => {
  const [, section = ''] = read('docs/api.md').split('### Sessions of other agents\n')
  const [table = ''] = section.split('```')
  const cells = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) => cell.split(', '))
  const named = cells.map((cell) => cell.replaceAll('`', '')).filter((name) => name !== 'format')
  t.same(named.sort(), [...FORMAT_IDS].sort())
})

const AGENT_LIST = Object.values<Agent>(AGENTS)

/** Returns the variables and the folder of an agent's home. */
function readHome({ root }: AgentHome): { folder: string; variables: string[] } {
  const variables = new Set<string>()
  const env = new Proxy({}, { get: (_target, name) => void variables.add(String(name)) })
  return { folder: root({ env, home: '~', folder: '.' }), variables: [...variables] }
}

t.test('docs/cli.md has the folders and variables of all agents whose files are listed', async (t) => {
  const [, table = ''] = read('docs/cli.md').split('| agent | folder | environment variables |\n')
  const rows = new Map(
    (table.split('\n\n')[0] ?? '').split('\n').flatMap((line) => {
      const [, names = '', folders = '', variables = ''] = line.split('|').map((cell) => cell.trim())
      const row = { folders, variables: variables.replaceAll('`', '').split(', ').filter(Boolean) }
      return names.split(', ').map((name) => [name, row] as const)
    }),
  )
  const homes = AGENT_LIST.flatMap(({ homes: own = [] }) => own)
  for (const home of homes) {
    const { folder, variables } = readHome(home)
    t.same(rows.get(home.name)?.variables.toSorted(), variables.toSorted(), home.name)
    const isIn = ['.', '~/.config'].some((start) => folder === start || folder.startsWith(`${start}/`))
    t.ok(isIn || rows.get(home.name)?.folders.includes(folder), folder)
  }
  const named = [...rows.keys()].filter((name) => !['', 'opencode'].includes(name) && !/^-+$/.test(name))
  t.same(named.toSorted(), homes.map(({ name }) => name).toSorted())
})

t.test('the agents whose sessions have no place for a compaction are named as such', async (t) => {
  const ids = AGENT_LIST.flatMap(({ id, appender }) => (appender === undefined ? [id] : []))
  const idsIn = (cell = ''): string[] =>
    cell.split(', ').map((name) => (/^\[([^\]]*)\]/.exec(name)?.[1] ?? name).toLowerCase())
  const refused = rowsOf('docs/cli.md', /./).find(([, what]) => what?.startsWith('refuses: their sessions') === true)
  t.same(idsIn(refused?.[0]).toSorted(), ids.toSorted())
  const unwritten = rowsOf('docs/agents.md', /./).filter(([, , writes]) => writes === 'no')
  t.same(unwritten.flatMap(([names]) => idsIn(names)).toSorted(), ids.toSorted())
})

/** Statuses that a problem has beside the one of the table. */
const OTHER_STATUSES: Partial<Record<ProblemType, number[]>> = { 'token-refused': [404] }

t.test('docs/errors.md names exactly the problems of src/errors.ts, with their statuses', async (t) => {
  const documented = rowsOf('docs/errors.md', /^\d{3}$/).map(([status, type]) => `${status} ${type}`)
  const problems = Object.entries(PROBLEMS).flatMap(([type, { status }]) =>
    [status, ...(OTHER_STATUSES[type as ProblemType] ?? [])].map((one) => `${one} ${type}`),
  )
  t.same(documented.sort(), problems.sort())
})

t.test('every example of a problem in docs/errors.md has the title and the status of its type', async (t) => {
  const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
  const examples = [...text.matchAll(/```json\n([^]*?)```/g)].map(([, json = '']) => JSON.parse(json))
  t.ok(examples.length > 0)
  for (const { type, title, status } of examples)
    t.match(PROBLEMS[type.replace('urn:precis:problem:', '') as ProblemType], { title, status })
})

t.test('a title is short ASCII without line breaks: it is the reason phrase', async (t) => {
  for (const { title } of Object.values(PROBLEMS)) t.match(title, /^[\x20-\x7e]{1,70}$/)
  for (const { status, title } of Object.values(PROBLEMS)) if (status === 413) t.match(title, /context_length_exceeded/)
})

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const DOCUMENTS = [
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'bench/RESULTS.md',
    'eval/README.md',
    'eval/RESULTS.md',
  ],
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/^```[^]*?^```/gm, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

for (const document of DOCUMENTS) {
  t.test(`each link of ${document} to this repository leads to a file and a heading that exist`, async (t) => {
    const links = readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)
    const dead = [...links].flatMap(([, link = '']) => {
      const [file = '', anchor] = link.split('#')
      const path = file === '' ? join(ROOT, document) : join(ROOT, document, '..', file)
      if (!existsSync(path)) return [link]
      return anchor === undefined || anchorsOf(path).includes(anchor) ? [] : [link]
    })
    t.same(dead, [])
  })
}
