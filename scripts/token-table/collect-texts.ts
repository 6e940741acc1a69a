import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** The maximum size of each kind: more text does not change the result. */
const KIND_CHARACTERS = 1_200_000

/**
 * Collects the text over which the token table is counted, by kind. It comes from the pinned packages of `npm ci`, so
 * that the count can be repeated.
 */
export function collectTexts(): Record<string, string[]> {
  const files = readdirSync(PACKAGES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(PACKAGES, join(parentPath, name)))
    .filter((file) => !SKIPPED.test(file))
    .sort()
  const sample = (pattern: RegExp): string[] => take(files.filter((file) => pattern.test(file)))
  const code = sample(/\.[mc]?js$/)
  const source = sample(/(?<!\.d)\.ts$/)
  return {
    prose: sample(/(?:README|CHANGELOG|CONTRIBUTING)\.md$/i),
    declarations: sample(/\.d\.ts$/),
    code,
    source,
    // Agents write files as JSON strings.
    escaped: [...code, ...source].filter((_, index) => index % 2 === 0).map((text) => JSON.stringify(text)),
    json: sample(/package\.json$/),
    ...readCompilerMessages(),
  }
}

/** Tables of numbers, and packed files. */
const SKIPPED = /^gpt-tokenizer|\.cache|unicode|\.min\.|^\.package-lock|\.map$/

/** Returns every n-th file, so that there are some of each package. */
function take(files: readonly string[]): string[] {
  const texts = files.map((file) => readFileSync(PACKAGES + file, 'utf8'))
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  const step = Math.max(1, characters / KIND_CHARACTERS)
  return texts.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Reads the messages of TypeScript's compiler in each of its languages. */
function readCompilerMessages(): Record<string, string[]> {
  const folder = `${PACKAGES}typescript/lib`
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return Object.fromEntries(
    languages.map(({ name }) => {
      const file = `${folder}/${name}/diagnosticMessages.generated.json`
      const messages = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
      return [name, [messages.join('\n')]]
    }),
  )
}
