import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findSlowPatterns, type BuiltPattern } from './find-slow-patterns.ts'

/**
 * After all tests: every pattern that code of src/ has built at run time takes linear time, and every place of src/ that
 * builds one has built at least one. Run by tap (.taprc); a fault fails the run.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = `${ROOT}.tap/patterns/`

interface Recorded {
  file: string
  patterns: [literal: string, places: string[]][]
}

const recorded = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).map(
  (name) => JSON.parse(readFileSync(FOLDER + name, 'utf8')) as Recorded,
)
const patterns: BuiltPattern[] = recorded.flatMap(({ patterns }) =>
  patterns.map(([literal, places]) => ({ literal, places })),
)

/** A run of some tests says nothing about the places that the others build patterns at. */
const isWholeRun = readdirSync(`${ROOT}test/suites`).every((name) =>
  recorded.some(({ file }) => file === `test/suites/${name}`),
)

/** The places that build a pattern. The page has tests of its own (`npm run test:page`). */
function findPlaces(): string[] {
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.endsWith('.ts') && !name.startsWith('page/'))
    .flatMap((name) =>
      readFileSync(`${ROOT}src/${name}`, 'utf8')
        .split('\n')
        .flatMap((line, index) => (/(?<![\w.])RegExp\(/.test(line) ? [`src/${name}:${index + 1}`] : [])),
    )
}

const seen = new Set(patterns.flatMap(({ places }) => places))
const faults = [
  ...findSlowPatterns(patterns),
  ...(isWholeRun ? findPlaces() : [])
    .filter((place) => !seen.has(place))
    .map((place) => `${place} builds a pattern, and no test in this process or another test process reaches it`),
]
process.stderr.write(faults.map((fault) => `A pattern that is built at run time: ${fault}\n`).join(''))
if (faults.length > 0) process.exitCode = 1
