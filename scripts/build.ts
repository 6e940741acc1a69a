import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a build reads: folders with all that is in them, and files. */
const INPUTS = [
  'src',
  'examples/session.jsonl',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'scripts/bundle.ts',
  'vite.config.ts',
]

interface Build {
  /** The folder of the project. */
  root: string
  build: () => void
}

/** Builds the command line, the service and its page, and notes what they were made of. */
export function buildAll({ root, build }: Build): void {
  const made = fingerprintOf(root)
  build()
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampOf(root), made)
}

/** Builds if a file has changed since the last build. */
export function buildIfChanged({ say, ...work }: Build & { say: (line: string) => void }): void {
  const stamp = stampOf(work.root)
  const isBuilt = existsSync(stamp)
  if (isBuilt && readFileSync(stamp, 'utf8') === fingerprintOf(work.root)) {
    say('Nothing has changed since the last build.')
    return
  }
  say(isBuilt ? 'Building, because files have changed ...' : 'Building for the first time ...')
  buildAll(work)
}

const stampOf = (root: string): string => join(root, 'dist/.built')

/** Returns a hash of the names, sizes and times of all files that a build reads. */
function fingerprintOf(root: string): string {
  const hash = createHash('sha256')
  for (const name of INPUTS.flatMap((input) => filesAt(root, input)).sort()) {
    const { size, mtimeMs } = lstatSync(join(root, name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesAt(root: string, name: string): string[] {
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false })
  if (stat?.isDirectory() !== true) return stat === undefined ? [] : [name]
  return readdirSync(join(root, name)).flatMap((one) => filesAt(root, join(name, one)))
}

/** The parts of a build, which are scripts of package.json. */
const PARTS = ['bundle', 'build:types', 'build:page']

/** `npm run build` builds; `npm start` only if something has changed. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const build = (): void => {
    for (const part of PARTS)
      execFileSync('npm', ['run', part, '--silent'], { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  }
  if (process.argv[2] === '--if-changed')
    buildIfChanged({ root, build, say: (line) => void process.stderr.write(`${line}\n`) })
  else buildAll({ root, build })
}
