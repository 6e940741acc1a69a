import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Prepares the folder for `npm pack`, which calls it before and after (`prepack`, `postpack` in package.json).
 * A package's `overrides` and its package-lock.json do not travel: npm reads neither where the package is a dependency.
 * npm-shrinkwrap.json does travel, so the packages of production are pinned there.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SHRINKWRAP = `${ROOT}npm-shrinkwrap.json`

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>
}

const step = process.argv[2]
if (step === 'prepare') prepare()
else if (step === 'clean') rmSync(SHRINKWRAP, { force: true })
else throw new Error('Say what to do: tsx scripts/package.ts prepare | clean')

function prepare(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 2, 'inherit'] })
  const lock = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as Lock
  writeFileSync(SHRINKWRAP, `${JSON.stringify(withoutDevelopment(lock), undefined, 2)}\n`)
}

function withoutDevelopment({ packages, ...lock }: Lock): Lock {
  // The workspace is a folder and a link to it.
  const kept = Object.entries(packages).filter(
    ([path, { dev, devOptional, link }]) =>
      path.startsWith('node_modules/') && dev !== true && devOptional !== true && link !== true,
  )
  const root = { ...packages[''], devDependencies: undefined, workspaces: undefined }
  return { ...lock, packages: { '': root, ...Object.fromEntries(kept) } }
}
