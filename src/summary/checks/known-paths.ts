import { isFileName, isNamedByPrompts } from './claims.ts'

/**
 * Returns those paths that the sources name in no form. A path is known if the sources have its last two parts together
 * and its other parts anywhere, since agents name files from different folders. The two parts may also be apart in one source:
 * the file without a folder, and the folder as the place of other names, as in a listing.
 * @param sources texts that belong together (a command and its output) are one source; they may have
 * millions of characters, so each is read once
 */
export function findUnknownPaths(paths: readonly string[], sources: readonly string[]): string[] {
  const lookups = paths.map((path) => ({ path, readings: readingsOf(partsOf(path)) }))
  const mentions = new Mentions(lookups.flatMap(({ readings }) => readings.flat()))
  if (lookups.length > 0) for (const source of sources) mentions.read(source)
  const isKnown = (parts: Parts): boolean => mentions.has(parts)
  return lookups.filter(({ readings }) => !readings.some((reading) => reading.every(isKnown))).map(({ path }) => path)
}

/** The folders of a path, the outermost first, and the name of its file, in lower case. */
type Parts = readonly string[]

const partsOf = (path: string): Parts =>
  path
    .toLowerCase()
    .split(/[/\\]/)
    .map(withoutSigns)
    .filter((part) => part !== '')

/** Returns the ways to read a path: as one file, or as several whose names are joined by slashes. */
function readingsOf(parts: Parts): Parts[][] {
  const ends = parts.flatMap((part, index) => (isFileName(part) || index === parts.length - 1 ? [index + 1] : []))
  const names = ends.map((end, index) => parts.slice(ends[index - 1] ?? 0, end))
  return names.length > 1 ? [[parts], names.filter((name) => !isNamedByPrompts(name.join('/')))] : [[parts]]
}

/** A run of characters that paths have. */
const TOKEN = /[\w@.+~/\\-]{1,1000}/g

/** The names of wanted files and folders in texts, and how they stand there. */
class Mentions {
  /** The wanted folders of each wanted file. */
  readonly #folders = new Map<string, Set<string>>()
  readonly #wanted = new Set<string>()
  /** Names, and pairs of a folder and a file. */
  readonly #found = new Set<string>()

  constructor(wanted: readonly Parts[]) {
    for (const parts of wanted) {
      const [file = '', folder = ''] = parts.toReversed()
      for (const part of parts) this.#wanted.add(part)
      this.#folders.set(file, (this.#folders.get(file) ?? new Set()).add(folder))
    }
  }

  has(parts: Parts): boolean {
    const [file = '', folder, ...others] = parts.toReversed()
    return (
      this.#found.has(folder === undefined ? file : pair(folder, file)) && others.every((part) => this.#found.has(part))
    )
  }

  /** Reads a text, in time linear in its length. */
  read(source: string): void {
    const bare = new Set<string>()
    const folders = new Set<string>()
    for (const [token] of withLineEnds(source).matchAll(TOKEN)) {
      const parts = partsOf(token)
      for (const [index, name] of parts.entries()) {
        if (this.#wanted.has(name)) this.#found.add(name)
        const wanted = this.#folders.get(name)
        if (wanted === undefined) continue
        const folder = parts[index - 1]
        if (folder === undefined) bare.add(name)
        else if (wanted.has(folder)) this.#found.add(pair(folder, name))
      }
      const last = parts.at(-1) ?? ''
      folders.add(last.includes('.', 1) && !/[/\\]$/.test(token) ? (parts.at(-2) ?? '') : last)
    }
    for (const file of bare)
      for (const folder of this.#folders.get(file) ?? []) if (folders.has(folder)) this.#found.add(pair(folder, file))
  }
}

const pair = (folder: string, file: string): string => `${folder}//${file}`

/** Returns a name without the signs that a diff, a mention or a sentence puts around it. */
const withoutSigns = (part: string): string => part.replace(/^[-+@~]+/, '').replace(/[-.,]{1,10}$/, '')

/** Returns a text, and after it the same text with escaped line ends as line ends: it may be JSON, or have paths of Windows. */
const withLineEnds = (text: string): string =>
  text.includes('\\') ? `${text}\n${text.replace(/(?<!\\)\\+[nrt"']/g, '\n')}` : text
