import { mkdirSync, readFileSync, readdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = join(ROOT, 'src')
/** Laid out like an installed package: the service finds its prompts relative to its own files. */
const PACKAGE = join(ROOT, '.tap/compiled')

await compileChanged()

/**
 * Returns the path of a file of `src/` as JavaScript; its name is one like `cli/main.ts`. A process that starts from
 * JavaScript needs much less CPU time than one that starts through tsx. The import of this module compiles what has changed.
 */
export function compiled(name: string): string {
  return join(PACKAGE, 'dist', name.replace(/\.ts$/, '.js'))
}

async function compileChanged(): Promise<void> {
  mkdirSync(join(PACKAGE, 'dist'), { recursive: true })
  for (const name of ['prompts', 'package.json', 'dist/page']) link(name)
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const changed = names.filter((name) => name.endsWith('.ts') && !name.startsWith('page/') && !isCurrent(name))
  if (changed.length === 0) return
  const { default: ts } = await import('typescript')
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  }
  for (const name of changed)
    write(name, ts.transpileModule(readFileSync(join(SOURCE, name), 'utf8'), { compilerOptions }).outputText)
}

/** Links to a file or folder of this project, whether it is there or not: the page may not be built. */
function link(name: string): void {
  try {
    symlinkSync(join(ROOT, name), join(PACKAGE, name))
  } catch (error) {
    // An earlier run, or a test file that runs at the same time, has created it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Returns whether the output has the time of its source. */
function isCurrent(name: string): boolean {
  return changedAt(compiled(name)) === changedAt(join(SOURCE, name))
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime.getTime()
}

/** Writes an output as a whole: another test file may compile or import the same one at this moment. */
function write(name: string, code: string): void {
  const output = compiled(name)
  const unfinished = `${output}.${process.pid}`
  const { mtime } = statSync(join(SOURCE, name))
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(unfinished, code)
  utimesSync(unfinished, mtime, mtime)
  renameSync(unfinished, output)
}
