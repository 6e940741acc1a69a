import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

/** The shape of GitHub's workflows and issue forms, so that a mistake is found before a push. */
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const documents = (folder: string) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url)).map((name) => ({ name, ...parse(read(`${folder}/${name}`)) }))

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  uses?: string
  needs?: string | string[]
  'runs-on'?: string
  'timeout-minutes'?: number
  permissions?: Record<string, string>
  strategy?: { matrix: { node: string[] } }
  steps?: Step[]
}

const workflows = documents('.github/workflows') as {
  name: string
  on: object
  permissions: object
  jobs: Record<string, Job>
}[]
const jobs = workflows.flatMap(({ jobs }) => Object.entries(jobs))
const steps = jobs.flatMap(([, { steps = [] }]) => steps)
const job = (name: string): Job => Object.fromEntries(jobs)[name] ?? {}
const { engines, scripts } = JSON.parse(read('package.json'))

t.test('each workflow may only read by default, and each of its jobs ends', async (t) => {
  for (const { name, on, permissions } of workflows) {
    t.same(permissions, { contents: 'read' }, name)
    t.ok(on)
  }
  for (const [name, { uses, 'runs-on': machine, 'timeout-minutes': minutes, needs = [] }] of jobs) {
    t.ok(uses !== undefined || (machine !== undefined && minutes !== undefined), name)
    for (const needed of [needs].flat()) t.ok(job(needed), `${name} needs ${needed}`)
  }
})

// A tag can be moved to other code; a commit cannot.
t.test('each step runs a command or an action of a commit, and leaves no token behind', async (t) => {
  for (const { uses, run, with: inputs } of steps) {
    t.equal(Number(uses === undefined) + Number(run === undefined), 1)
    if (uses !== undefined) t.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
    if (uses?.startsWith('actions/checkout@') === true) t.same(inputs?.['persist-credentials'], false)
  }
})

t.test('each action has the version of its commit as a comment, and the same commit everywhere', async (t) => {
  const lines = ['checks', 'release'].flatMap((name) => read(`.github/workflows/${name}.yml`).split('\n'))
  const used = lines.filter((line) => /uses: .*@/.test(line)).map((line) => line.replace(/^.*uses: /, ''))
  t.same(
    used.filter((line) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    [],
  )
  t.equal(new Set(used).size, new Set(used.map((line) => line.split('@')[0])).size)
})

t.test('commands get values as variables: text of an event cannot become a command', async (t) => {
  for (const { run = '' } of steps) t.notMatch(run, /\$\{\{/)
})

t.test('the checks run on the versions of Node that package.json allows', async (t) => {
  const { node = [] } = job('check').strategy?.matrix ?? {}
  t.same(node, ['20.20', '22', '24'])
  const majors = [...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, major]) => major)
  t.same(
    node.map((version) => version.split('.')[0]),
    majors,
  )
  t.ok(job('check').steps?.some(({ run }) => run === '.ci/run'))
})

t.test('a release waits for the checks, and has provenance, two architectures and an SBOM', async (t) => {
  t.same([job('package').needs, job('image').needs], ['checks', 'checks'])
  t.match(job('package').permissions, { 'id-token': 'write' })
  const commands = job('package').steps?.map(({ run = '' }) => run) ?? []
  t.ok(commands.indexOf('npm audit --omit=dev --audit-level=high') > commands.indexOf('npm ci'), 'SECURITY.md says so')
  t.ok(job('package').steps?.some(({ run }) => /^npm publish --provenance\b/.test(run ?? '')))
  const build = job('image').steps?.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  t.match(build?.with, { platforms: 'linux/amd64,linux/arm64', sbom: true, push: true })
})

t.test('no registry or owner is written down: repository variables name them', async (t) => {
  const release = read('.github/workflows/release.yml')
  for (const name of ['NPM_REGISTRY', 'NPM_PACKAGE', 'IMAGE_HOST', 'IMAGE_OWNER']) t.match(release, `vars.${name} ||`)
})

t.test('.ci/run calls only scripts that there are', async (t) => {
  for (const [, name = ''] of read('.ci/run').matchAll(/^ *npm run ([\w:-]+)/gm)) t.ok(scripts[name], name)
})

// `npm run test:contract` installs packages below test/ while this test runs, and they bring tests of their own.
const testFiles = (folder = ''): string[] =>
  readdirSync(new URL(`./${folder}`, import.meta.url), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(`${folder}${entry.name}/`)
    return entry.name.endsWith('.test.ts') ? [folder + entry.name] : []
  })

t.test('.ci/run runs each test file: in a suite of `npm test`, or with those of its folder', async (t) => {
  const scriptsRun = [...read('.ci/run').matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => scripts[name] ?? '')
  // `tap` without files runs those that its configuration includes.
  const run = [...scriptsRun, /^ *npm test /m.test(read('.ci/run')) ? read('.taprc') : '']
  const suites = readdirSync(new URL('./suites/', import.meta.url)).map((name) => read(`test/suites/${name}`))
  const inSuites = [...suites.join('').matchAll(/^importTests\((.*)\)$/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  const named = [...run.join(' ').matchAll(/[ "]test\/(\w+)\/\*\.test\.ts/g)].map(([, name = '']) => name)
  const folders = new Set([...named, ...(named.includes('suites') ? inSuites.map((name) => name.slice(1, -1)) : [])])
  const tests = testFiles()
  t.ok(tests.length > 200)
  t.same(
    tests.filter((name) => !folders.has(name.includes('/') ? name.slice(0, name.indexOf('/')) : '.')),
    [],
  )
})

t.test('each issue form has a name, a description and fields with labels', async (t) => {
  for (const { name, description, body } of documents('.github/ISSUE_TEMPLATE').filter(
    ({ body }) => body !== undefined,
  )) {
    t.ok(description, name)
    for (const { type, id, attributes } of body) if (type !== 'markdown') t.ok(id && attributes.label, name)
  }
})
