import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Records the patterns that code of src/ builds with `new RegExp` in this test process, and where, for check-patterns.ts: the
 * linter reads only patterns that are written as literals. It is loaded before everything else (.taprc), since most patterns
 * are built while modules are loaded.
 */
const FOLDER = fileURLToPath(new URL('../../.tap/patterns/', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILE = process.argv[1] ?? ''

/** A stack takes longer than a pattern: of equal patterns, which several places may build, only so many are traced. */
const MAX_TRACED = 20

/** For each pattern, how often it was built, and the places in src/ that did so. */
const built = new Map()

const record = (pattern) => {
  const literal = `/${pattern.source}/${pattern.flags}`
  const seen = built.get(literal) ?? { count: 0, places: new Set() }
  built.set(literal, seen)
  seen.count += 1
  if (seen.count <= MAX_TRACED) {
    const place = callerInSrc()
    if (place !== undefined) seen.places.add(place)
  }
  return pattern
}

/** Returns the file and line of the caller if it is in src/, such as `src/text/shorten.ts:47`. */
function callerInSrc() {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 4
  // The error, this function, `record`, the trap below, and the caller.
  const frame = new Error().stack?.split('\n')[4] ?? ''
  Error.stackTraceLimit = stackTraceLimit
  const at = frame.indexOf(`${ROOT}src/`)
  return at === -1 ? undefined : /^(.*?:\d+):\d+/.exec(frame.slice(at + ROOT.length))?.[1]
}

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, values, newTarget) => record(Reflect.construct(target, values, newTarget)),
  apply: (target, self, values) => record(Reflect.apply(target, self, values)),
})

process.on('exit', () => {
  if (!FILE.endsWith('.test.ts')) return
  const patterns = [...built].flatMap(([literal, { places }]) => (places.size > 0 ? [[literal, [...places]]] : []))
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}${process.pid}.json`, JSON.stringify({ file: FILE.slice(ROOT.length), patterns }))
})
