import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROGRAM_OPTIONS } from '../../scripts/bundle-options.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Laid out like this project: its files find each other, the prompts and the page relative to themselves. */
const OUTPUT = join(ROOT, '.tap/compiled')
/** The sources that the output was made of, with their times. */
const STAMP = join(OUTPUT, 'sources')

/** What runs as a process of its own in tests. */
const PROGRAMS = [
  ...['src/cli/main.ts', 'src/server.ts', 'src/worker.ts', 'src/hook-process.ts'],
  ...['src/cli/write-back.ts', 'test/support/job-worker.ts'],
] as const

await compileChanged()

/**
 * Returns the path of a program as JavaScript. It is bundled as in the package: a process that starts from a bundle needs a quarter of the CPU
 * time of one that starts through tsx. The import of this module compiles all programs if a source has changed.
 */
export function compiled(name: (typeof PROGRAMS)[number]): string {
  return join(OUTPUT, name.replace(/\.ts$/, '.js'))
}

async function compileChanged(): Promise<void> {
  // The page may not be built.
  mkdirSync(join(OUTPUT, 'dist'), { recursive: true })
  for (const name of ['prompts', 'docs', 'examples', 'package.json', 'dist/page']) link(name)
  const stamp = describeSources()
  if (readStamp() === stamp) return
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    ...PROGRAM_OPTIONS,
    ...{ entryPoints: PROGRAMS.map((name) => join(ROOT, name)), outbase: ROOT, outdir: OUTPUT, absWorkingDir: ROOT },
    ...{ chunkNames: 'src/chunks/[name]-[hash]', write: false },
  })
  for (const { path, contents } of outputFiles) write(path, contents)
  removeOthers(new Set(outputFiles.map(({ path }) => path)))
  write(STAMP, stamp)
}

/** Links to a file or folder of this project, whether it is there or not. */
function link(name: string): void {
  try {
    symlinkSync(join(ROOT, name), join(OUTPUT, name))
  } catch (error) {
    // An earlier run, or a test file that runs at the same time, has created it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Returns the names of all sources, with the times at which they were changed. */
function describeSources(): string {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => name.endsWith('.ts') && !name.startsWith('page/')).map((name) => `src/${name}`)
  return [
    ...sources,
    'package-lock.json',
    'scripts/bundle-options.ts',
    ...PROGRAMS,
    import.meta.filename.slice(ROOT.length),
  ]
    .map((name) => `${name} ${statSync(join(ROOT, name)).mtimeMs}\n`)
    .join('')
}

function readStamp(): string | undefined {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes an output as a whole: another test file may compile or import the same one at this moment. */
function write(output: string, content: string | Uint8Array): void {
  const unfinished = `${output}.${process.pid}`
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(unfinished, content)
  renameSync(unfinished, output)
}

/** Removes what was compiled of other sources. */
function removeOthers(outputs: ReadonlySet<string>): void {
  for (const folder of ['src', 'test'])
    for (const name of readdirSync(join(OUTPUT, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(OUTPUT, folder, name)
      if (name.endsWith('.js') && !outputs.has(path)) rmSync(path, { force: true })
    }
}
