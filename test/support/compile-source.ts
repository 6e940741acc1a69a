import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Laid out like this project: its files find each other, the prompts and the page relative to themselves. */
const OUTPUT = join(ROOT, '.tap/compiled')

/** What runs as a process of its own in tests, beside `src/`. */
const TEST_PROGRAM = 'test/support/job-worker.ts'

await compileChanged()

/**
 * Returns the path of a source file as JavaScript; its name is one like `src/cli/main.ts`. A process that starts from
 * JavaScript needs a third of the CPU time of one that starts through tsx. The import of this module compiles what has changed.
 */
export function compiled(name: string): string {
  return join(OUTPUT, name.replace(/\.ts$/, '.js'))
}

async function compileChanged(): Promise<void> {
  mkdirSync(join(OUTPUT, 'src'), { recursive: true })
  for (const name of ['prompts', 'docs', 'examples', 'package.json']) link(name)
  // The page may not be built.
  mkdirSync(join(OUTPUT, 'dist'), { recursive: true })
  link('dist/page')
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => name.endsWith('.ts') && !name.startsWith('page/')).map((name) => `src/${name}`)
  const changed = [...sources, TEST_PROGRAM].filter((name) => !isCurrent(name))
  if (changed.length === 0) return
  const { transformWithOxc } = await import('vite')
  const typescript = { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' } as const
  for (const name of changed) {
    const source = readFileSync(join(ROOT, name), 'utf8')
    write(name, (await transformWithOxc(source, name, { target: 'es2023', typescript, sourcemap: false })).code)
  }
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

/** Returns whether the output has the time of its source. */
function isCurrent(name: string): boolean {
  return changedAt(compiled(name)) === changedAt(join(ROOT, name))
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime.getTime()
}

/** Writes an output as a whole: another test file may compile or import the same one at this moment. */
function write(name: string, code: string): void {
  const output = compiled(name)
  const unfinished = `${output}.${process.pid}`
  const { mtime } = statSync(join(ROOT, name))
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(unfinished, code)
  utimesSync(unfinished, mtime, mtime)
  renameSync(unfinished, output)
}
