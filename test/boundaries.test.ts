import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

/**
 * The layers, from the top down (CONTRIBUTING.md, "The source tree"). A layer imports only layers below it, and of the
 * packages only those that it names. The evaluation is no part of the service: it is above all of it, and nothing imports it.
 */
const LAYERS: { name: string; packages?: RegExp }[] = [
  { name: '../eval', packages: /^(?:node:|openai$|@sinclair\/typebox)/ },
  // The settings of oh-my-pi are YAML.
  { name: 'cli', packages: /^(?:node:|(?:jsonc-parser|smol-toml|yaml)$)/ },
  { name: 'mcp', packages: /^(?:@modelcontextprotocol\/server|node:)/ },
  // In the browser: nothing imports it. The last test says what it imports of the service.
  { name: 'page', packages: /^(?:preact|diff$|\.\.\/examples\/)/ },
  { name: 'server.ts' },
  { name: 'start-service.ts', packages: /^node:dns\/promises$/ },
  { name: 'local-app.ts' },
  { name: 'worker.ts' },
  { name: 'hook-process.ts', packages: /^node:(crypto|fs\/promises|path|url)$/ },
  { name: 'app.ts', packages: /^(fastify|@fastify\/|pino|@sinclair\/typebox)/ },
  { name: 'routes', packages: /^(fastify|@fastify\/|@sinclair\/typebox|node:)/ },
  { name: 'use-cases', packages: /^(node:|@sinclair\/typebox$)/ },
  { name: 'jobs' },
  {
    name: 'http',
    packages: /^(fastify|@fastify\/|pino|ioredis|rate-limiter-flexible|@sinclair\/typebox|@opentelemetry\/api|node:)/,
  },
  { name: 'ingest', packages: /^(@sinclair\/typebox|node:crypto)/ },
  { name: 'observe', packages: /^(prom-client|@opentelemetry\/api)$/ },
  { name: 'summary' },
  { name: 'model', packages: /^(openai|undici|lru-cache|ioredis|node:)/ },
  { name: 'prompt', packages: /^node:(fs|url|path|crypto)$/ },
  { name: 'recall' },
  { name: 'plan' },
  { name: 'redact' },
  { name: 'extract' },
  { name: 'files' },
  { name: 'tokens' },
  // Where the agents of this machine keep their sessions, for the command line.
  { name: 'agents', packages: /^node:(?:fs|path)$/ },
  // Ids of new sessions are hashes of their content.
  { name: 'session', packages: /^node:crypto$/ },
  { name: 'client' },
  { name: 'schemas', packages: /^@sinclair\/typebox/ },
  { name: 'start-warnings.ts', packages: /^node:net$/ },
  { name: 'settings.ts', packages: /^node:os$/ },
  { name: 'model-settings.ts' },
  { name: 'presets.ts' },
  { name: 'environment.ts' },
  { name: 'variables.ts' },
  { name: 'runtime', packages: /^(ioredis|node:)/ },
  { name: 'text', packages: /^diff\// },
  { name: 'errors.ts' },
  { name: 'own-package.ts', packages: /^node:(?:fs|path)$/ },
]

const FILES = ['', '../eval/'].flatMap((folder) =>
  readdirSync(SRC + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => folder + name),
)

/** What a file imports: paths below `src/`, and names of packages. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(SRC, file), 'utf8')
  const statements = source.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...statements].map(([, target = '', dynamic = target]) =>
    dynamic.startsWith('.') ? relative(SRC, join(SRC, dirname(file), dynamic)) : dynamic,
  )
}

const layerOf = (path: string): number => LAYERS.findIndex(({ name }) => path === name || path.startsWith(`${name}/`))

t.test('every file of the service and of the evaluation belongs to a layer', async (t) => {
  t.same(
    FILES.filter((file) => layerOf(file) === -1),
    [],
  )
})

for (const [index, { name, packages = /^$/ }] of LAYERS.entries())
  t.test(`${name} imports only layers below it, and its own packages`, async (t) => {
    const isAllowed = (target: string): boolean =>
      /\.tsx?$/.test(target) ? layerOf(target) >= index : packages.test(target)
    const strangers = FILES.filter((file) => layerOf(file) === index).flatMap((file) =>
      importsOf(file)
        .filter((target) => !isAllowed(target))
        .map((target) => `${file} imports ${target}`),
    )
    t.same(strangers, [])
  })

t.test('no file imports itself through others', async (t) => {
  const graph = new Map(FILES.map((file) => [file, importsOf(file).filter((target) => /\.tsx?$/.test(target))]))
  const finished = new Set<string>()
  const findCycle = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return undefined
    for (const target of graph.get(file) ?? []) {
      const cycle = findCycle(target, [...path, file])
      if (cycle !== undefined) return cycle
    }
    finished.add(file)
    return undefined
  }
  t.same(
    FILES.map((file) => findCycle(file, [])).filter((cycle) => cycle !== undefined),
    [],
  )
})

/** Two things with one name are taken for each other. Names of `export default` are not imported. */
t.test('a name is exported by one file only', async (t) => {
  const filesOf = new Map<string, string[]>()
  for (const file of FILES) {
    const source = readFileSync(join(SRC, file), 'utf8')
    const names = source.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm)
    for (const name of new Set(Array.from(names, ([, one = '']) => one)))
      filesOf.set(name, [...(filesOf.get(name) ?? []), file])
  }
  t.same(
    [...filesOf].filter(([, files]) => files.length > 1).map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  )
})

t.test('Fastify is imported at the front door only, the model SDK at the back door only', async (t) => {
  const importing = (name: RegExp): string[] =>
    FILES.filter((file) => importsOf(file).some((target) => name.test(target)))
  t.same(
    importing(/^(?:fastify$|@fastify\/)/).filter((file) => !/^(?:routes|http)\/|^app\.ts$/.test(file)),
    [],
  )
  t.same(
    importing(/^openai/).filter((file) => !/^(?:model\/openai|\.\.\/eval)\//.test(file)),
    [],
  )
})

/** What runs in browsers too: it imports only itself, and a package that does. `tsc -p src/page` finds what a browser does not have, such as `Buffer`. */
const RUNS_ANYWHERE = /^\.\.\/text\/|^\.\.\/recall\/(?:query|find-matches|normalize|unknown-terms)\.ts$/

t.test('of the service, the page imports only types of replies, and functions that run in browsers too', async (t) => {
  const imports = FILES.filter((file) => file.startsWith('page/')).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/^import (type )?[^'"]*?from '(\.\.\/[^']+)'/gm)].map(
      ([, isType, target = '']) => ({ file, isType: isType !== undefined, target }),
    ),
  )
  t.same(
    imports.filter(
      ({ isType, target }) =>
        !target.includes('?url') && !RUNS_ANYWHERE.test(target) && !(isType && target.startsWith('../schemas/')),
    ),
    [],
  )
  t.same(
    FILES.filter((file) => RUNS_ANYWHERE.test(`../${file}`)).flatMap((file) =>
      importsOf(file).filter((target) => !target.startsWith('diff/') && !RUNS_ANYWHERE.test(`../${target}`)),
    ),
    [],
  )
})
