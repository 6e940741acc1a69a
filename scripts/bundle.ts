import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions, type Metafile } from 'esbuild'
import { PROGRAM_OPTIONS } from './bundle-options.ts'

/**
 * Writes dist/, but for the page and the types of the client: our programs with the packages that they use, and the licenses of these
 * packages. A command then loads some files instead of 900, which takes half of its time.
 *   npm run bundle -- [PROGRAM...]   only the programs that are named, by their path in src/ without its ending
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const DIST = join(ROOT, 'dist')
const MAIN = 'cli/main'

const named = process.argv.slice(2)
const programs = named.length > 0 ? named : [MAIN, 'server', 'worker', 'hook-process']

const metafile = await bundle(programs, {
  ...PROGRAM_OPTIONS,
  chunkNames: 'chunks/[name]-[hash]',
})
writeFileSync(join(DIST, 'licenses.md'), licensesOf(metafile))
if (programs.includes(MAIN)) chmodSync(join(DIST, `${MAIN}.js`), 0o755)
// The client runs in browsers too: it is one file, and imports nothing of Node.js.
const client = named.length === 0 ? await bundle(['client/client'], { platform: 'neutral' }) : undefined
removeOthers([...Object.keys(metafile.outputs), ...Object.keys(client?.outputs ?? {})])

/** Removes what earlier builds have left. It comes last, so that programs can be started while they are built anew. */
function removeOthers(outputs: readonly string[]): void {
  const kept = new Set(['dist/licenses.md', ...outputs])
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const path = join('dist', name)
    const isOurs = kept.has(path) || path.startsWith(join('dist', 'page'))
    if (!isOurs && statSync(join(ROOT, path)).isFile()) rmSync(join(ROOT, path))
  }
}

async function bundle(names: readonly string[], options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...{ entryPoints: names.map((name) => join(ROOT, 'src', `${name}.ts`)), outbase: join(ROOT, 'src'), outdir: DIST },
    ...{ bundle: true, format: 'esm', target: 'node20.20', absWorkingDir: ROOT, logLevel: 'warning' },
    // Node.js keeps the text of a program in memory. Names stay as they are, for errors and profiles.
    minifyWhitespace: true,
    // For `node --enable-source-maps` and debuggers. The sources are in a clone, and the maps are not in the package.
    ...{ sourcemap: true, sourcesContent: false },
    ...options,
    metafile: true,
  })
  return metafile
}

/** Returns the licenses of all packages in a bundle, which must go with copies of their code. Vite writes those of the page in the same form. */
function licensesOf({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const texts = new Set([...new Set(folders)].map(licenseOf))
  return `# Licenses\n\nThe programs contain these packages:\n\n${[...texts].sort().join('\n\n')}\n`
}

/** @throws Error for a package that names no license */
function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Package
  if (license === undefined) throw new Error(`package.json of ${folder} names no license.`)
  const files = readdirSync(join(ROOT, folder)).filter((file) => /^(?:licen[sc]e|notice)\b/i.test(file))
  const texts = files.map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim())
  return [`## ${name} - ${version} (${license})`, ...texts].join('\n\n')
}

interface Package {
  name: string
  version: string
  license?: string
}
