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
  say: (line: string) => void
}

/** Builds the service and its page if a file that they are made of has changed since the last build by this function. */
export function buildIfChanged({ root, build, say }: Build): void {
  const stamp = join(root, 'dist/.built')
  const now = fingerprintOf(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) {
    say('Nothing has changed since the last build.')
    return
  }
  say(
    existsSync(stamp)
      ? 'Building, because files have changed ...'
      : 'Building for the first time, which takes a minute ...',
  )
  build()
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, now)
}

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  buildIfChanged({
    root,
    build: () => execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit' }),
    say: (line) => void process.stderr.write(`${line}\n`),
  })
}
