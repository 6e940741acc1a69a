import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a build of the service and the command line reads: folders with all that is in them, and files. */
const INPUTS = [
  'src',
  'examples/session.jsonl',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/bundle.ts',
  'scripts/bundle-options.ts',
  'vite.config.ts',
]

interface Build {
  /** The folder of the project. */
  root: string
  build: () => void
}

/** Builds, and notes what the command line, the service and its page were made of. */
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

/** The parts of a build, which are scripts of package.json, and what they make. */
const PARTS = {
  bundle: 'the command line and the service',
  'build:page': 'the page',
  'build:types': 'the types of the client',
} as const
type Part = keyof typeof PARTS

/** A service needs no types, which take as long as all else: `npm run build` and `npm pack` make them. */
const OF_SERVICE: readonly Part[] = ['bundle', 'build:page']
const ALL: readonly Part[] = [...OF_SERVICE, 'build:types']

/** Builds parts one after the other, and says of each that it begins: a build may take minutes on a slow machine. */
export function buildParts(
  parts: readonly Part[],
  { run, say }: { run: (part: Part) => void; say: (line: string) => void },
): void {
  for (const [index, part] of parts.entries()) {
    say(`${index + 1} of ${parts.length}: ${PARTS[part]} ...`)
    run(part)
  }
}

/** `npm run build` builds all; `npm start` what the service needs, and only if something has changed. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const run = (part: Part): void => {
    execFileSync('npm', ['run', part, '--silent'], { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  }
  const buildOf = (parts: readonly Part[]) => ({
    root,
    build: () => {
      buildParts(parts, { run, say })
    },
  })
  if (process.argv[2] === '--if-changed') buildIfChanged({ ...buildOf(OF_SERVICE), say })
  else buildAll(buildOf(ALL))
}
