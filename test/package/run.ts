import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRegistry } from './registry.ts'

/**
 * `npm run test:package`: packs the package, installs it into an empty folder as a user would, and uses it. It needs the
 * registry, and is too slow for `npm test`; .ci/run calls it.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LIMIT_SECONDS = 60

/** What a tarball may have: what runs, the types of the client, the pages and examples that these name, and what npm adds. */
const ALLOWED =
  /^(?:dist\/.*\.js|dist\/(?:client|schemas)\/[\w-]+\.d\.ts|dist\/page\/.*|dist\/licenses\.md|prompts\/[\w-]+\.md|docs\/[\w-]+\.md|examples\/(?:agents|api|hooks)\/[\w.-]+|examples\/clients\/[\w-]+\.ts|examples\/operator-hooks\.js|package\.json|config\.schema\.json|npm-shrinkwrap\.json|README\.md|CHANGELOG\.md|LICENSE)$/
const NEEDED = [
  'dist/cli/main.js',
  'dist/server.js',
  'dist/worker.js',
  'dist/client/client.js',
  'dist/client/client.d.ts',
  'dist/schemas/hooks.d.ts',
  'dist/hook-process.js',
  'dist/licenses.md',
  'prompts/summary.md',
  'docs/cli.md',
  'examples/api/problems.json',
  'config.schema.json',
  'npm-shrinkwrap.json',
]

interface Packed {
  filename: string
  size: number
  files: { path: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'precis-package-'))
process.on('exit', () => {
  rmSync(folder, { recursive: true })
})
const tarball = checkTarball(await pack())
await checkGlobal(tarball)
await checkNpx(tarball)
await checkInstalled(tarball)
say('test:package: all is well')

async function pack(): Promise<Packed> {
  const output = await run('npm', ['pack', '--json', '--pack-destination', folder], ROOT)
  // npm 11 prints a list, npm 12 an object by name.
  const [packed] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, Packed>)
  if (packed === undefined) throw new Error(`npm pack printed no package: ${output}`)
  return packed
}

/** Returns the path of the tarball. */
function checkTarball({ filename, size, files }: Packed): string {
  const paths = files.map(({ path }) => path)
  const strangers = paths.filter((path) => !ALLOWED.test(path))
  const missing = NEEDED.filter((path) => !paths.includes(path))
  check(strangers.length === 0, `the tarball has only what runs, not ${strangers.join(' ')}`)
  check(missing.length === 0, `the tarball has everything that runs; missing: ${missing.join(' ')}`)
  // npm makes a command executable only when it installs the package.
  const { mode } = statSync(join(ROOT, 'dist/cli/main.js'))
  check(process.platform === 'win32' || (mode & 0o111) === 0o111, '`npx precis` runs in a clone after each build')
  checkLicenses(paths.filter((path) => /^dist\/(?!page\/).*\.js$/.test(path)))
  say(`ok: ${filename} has ${files.length} files, ${Math.round(size / 1024)} KB`)
  return join(folder, filename)
}

/** Copies of code need its license. The source map of a script, which stays in the clone, has the paths of the files in it. */
function checkLicenses(scripts: readonly string[]): void {
  const paths = scripts.flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(join(ROOT, `${path}.map`), 'utf8')) as { sources: string[] }
    return sources
  })
  const names = new Set(paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
  // Packages that are bundles themselves have maps, too, with names from the machines of their authors.
  const bundled = new Set([...names].filter((name) => existsSync(join(ROOT, 'node_modules', name, 'package.json'))))
  const licenses = readFileSync(join(ROOT, 'dist/licenses.md'), 'utf8')
  const missing = [...bundled].filter((name) => !licenses.includes(`\n## ${name} - `))
  check(
    bundled.has('fastify') && missing.length === 0,
    `licenses.md has all packages in dist/, except ${missing.join(' ')}`,
  )
  // It runs in browsers too.
  const client = readFileSync(join(ROOT, 'dist/client/client.js'), 'utf8')
  check(!/^import\b/m.test(client), 'precis/client imports nothing')
  say(`ok: dist/ has the licenses of the ${bundled.size} packages in it`)
}

/** npm applies neither `overrides` nor a shrinkwrap to a tarball, so its dependencies alone must suit the oldest Node.js that `engines` names. */
async function checkGlobal(tarball: string): Promise<void> {
  const prefix = join(folder, 'global')
  const { stderr } = await runWhole('npm', ['install', '--global', '--prefix', prefix, '--no-audit', tarball], folder)
  const warnings = stderr.split('\n').filter((line) => line.startsWith('npm warn'))
  check(
    warnings.length === 0,
    `npm install --global of the tarball prints no warning, but on ${process.version}:\n${warnings.join('\n')}`,
  )
  say(`ok: npm install --global of the tarball prints no warning on ${process.version}`)
}

async function checkNpx(tarball: string): Promise<void> {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const name = 'precis.tgz'
  copyFileSync(tarball, join(empty, name))
  copyFileSync(join(ROOT, 'examples/session.jsonl'), join(empty, 'session.jsonl'))
  const start = performance.now()
  const summary = await run('npx', ['--yes', `./${name}`, 'compact', 'session.jsonl'], empty)
  const seconds = Math.round((performance.now() - start) / 1000)
  check(/^## Goal\n[^]*<\/modified-files>\n$/.test(summary), 'npx prints the summary of a session')
  check(seconds <= LIMIT_SECONDS, `npx took ${seconds} s, and may take ${LIMIT_SECONDS} s`)
  say(`ok: in an empty folder, npx installs the package and prints a summary in ${seconds} s`)
}

async function checkInstalled(tarball: string): Promise<void> {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(
    join(project, 'package.json'),
    '{"name": "consumer", "version": "1.0.0", "type": "module", "private": true}',
  )
  await install(tarball, project)
  checkPins(project)
  await compile(project)
  await loadChunks(project)
  const bin = join(project, 'node_modules/.bin/precis')
  const [, page = ''] = /^More: (.+)$/m.exec(await run(bin, ['--help'], project)) ?? []
  check(existsSync(page), `the page that --help names is there: ${page}`)
  const service = spawn(bin, ['serve', '--port', '0'], {
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      service.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (found !== undefined) resolve(found)
      })
      service.on('exit', () => {
        reject(new Error(`precis serve ended: ${output}`))
      })
    })
    const printed = await run(process.execPath, ['consumer.js', url], project)
    const contract = await (await fetch(`${url}/openapi.yaml`)).text()
    check(contract === readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'), 'the service has the committed contract')
    check(printed === 'windows 1\nembedded m2 invalid-request\n', `precis/client works, and printed: ${printed}`)
  } finally {
    service.kill()
  }
  say('ok: the installed package has the pinned packages, its client compiles, and works with precis serve')
}

/** Each package of production must have the version of package-lock.json, also where an override chose it. */
function checkPins(project: string): void {
  const lock = readJson(join(ROOT, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
  const production = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, link }]) =>
      path.startsWith('node_modules/') && dev !== true && devOptional !== true && link !== true,
  )
  const wrong = production.filter(
    ([path, { version }]) => versionAt(join(project, 'node_modules/precis', path)) !== version,
  )
  check(
    wrong.length === 0,
    `the installed packages are those of package-lock.json, except ${wrong.map(([path]) => path).join(' ')}`,
  )
}

interface LockedPackage {
  version: string
  dev?: boolean
  devOptional?: boolean
  /** A workspace. */
  link?: boolean
}

function versionAt(folder: string): string {
  try {
    return (readJson(join(folder, 'package.json')) as { version: string }).version
  } catch {
    return 'missing'
  }
}

/** What a command loads only when it is needed is loaded: no other check runs all commands. */
async function loadChunks(project: string): Promise<void> {
  const chunks = join(project, 'node_modules/precis/dist/chunks')
  const script = `for (const name of fs.readdirSync('.')) await import(path.resolve(name))`
  await run(process.execPath, ['--input-type=module', '--eval', script], chunks)
}

async function compile(project: string): Promise<void> {
  copyFileSync(join(ROOT, 'test/package/consumer.ts'), join(project, 'consumer.ts'))
  const options = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    skipLibCheck: false,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }))
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], project)
}

/** Installs the package from a registry. */
async function install(tarball: string, project: string): Promise<void> {
  const manifest = readJson(join(ROOT, 'package.json')) as { name: string; version: string }
  const upstream = (await run('npm', ['config', 'get', 'registry'], project)).trim()
  const { server, url } = await startRegistry({ manifest, tarball }, upstream)
  try {
    const options = ['--no-audit', '--no-fund', '--registry', url]
    await run('npm', ['install', ...options, `${manifest.name}@${manifest.version}`], project)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Returns the output of a command. @throws Error with all that it printed */
async function run(...of: Parameters<typeof runWhole>): Promise<string> {
  return (await runWhole(...of)).stdout
}

async function runWhole(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(command, args, { cwd, env: plainEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return { stdout, stderr }
}

/** Returns the environment without what npm sets for its scripts, and without the variables of a service. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean =>
    !/^(?:npm_(?!config_(?:registry|cafile|cache|userconfig|https_proxy|proxy|noproxy)$)|PRECIS_|OPENAI_)/i.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isForeign(name)))
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`test:package failed: ${what}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
