import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a registry shows of a package, and what users type to install it. */
export interface Release {
  name?: string
  repository?: unknown
  bugs?: unknown
}

/**
 * Returns what package.json needs before the package may be published. The name has a scope, which one account owns: commands that
 * Précis prints and installs have it, and anyone may register a name without one.
 */
export function missingForRelease({ name = '', repository, bugs }: Release): string[] {
  return [
    /^@[\w-]+\/[\w-]+$/.test(name) ? [] : `"name" with a scope, such as "@your-scope/precis", and not "${name}"`,
    repository === undefined ? '"repository"' : [],
    bugs === undefined ? '"bugs"' : [],
  ].flat()
}

// `npm publish` runs this first (`prepublishOnly`).
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingForRelease(
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Release,
  )
  if (missing.length > 0) {
    process.stderr.write(`Nothing was published. package.json needs ${missing.join(', ')}.\n`)
    process.exitCode = 1
  }
}
