import { isFileName, isNamedByPrompts } from './claims.ts'

/**
 * Returns those paths that the sources name in no form. A path is known if the sources have its last two parts together
 * and its other parts anywhere, since agents name files from different folders. The two parts may also be apart: in a
 * listing, in a command that changes the folder, in an import without an extension, or as two names that the summary joins
 * with a slash.
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

const partsOf = (path: string): Parts => splitPath(path.toLowerCase().replaceAll('\\', '/'))

const splitPath = (path: string): string[] => path.split('/').filter((part) => !/^(?:\.{0,2}|~)$/.test(part))

/** Names that are in so many folders that the name before one is a folder, and not a second file. */
const IN_ANY_FOLDER = /^(?:index|main|mod|lib|types|utils?|config|constants|__init__|test|readme)\./

/** Returns the ways to read a path: as one file, or as several whose names are joined by slashes. */
function readingsOf(parts: Parts): Parts[][] {
  const readings = [[parts]]
  const ends = parts.flatMap((part, index) => (isFileName(part) || index === parts.length - 1 ? [index + 1] : []))
  const names = ends.map((end, index) => parts.slice(ends[index - 1] ?? 0, end))
  if (names.length > 1) readings.push(names.filter((name) => !isNamedByPrompts(name.join('/'))))
  const [first = '', second = '', third] = parts
  // `README/CHANGELOG.md` is README.md and CHANGELOG.md.
  if (third === undefined && second !== '' && !IN_ANY_FOLDER.test(second))
    readings.push([[first + second.slice(second.lastIndexOf('.'))], [second]])
  return readings
}

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py)$/
const DOTTED = /\.(?:py|java|kt|scala)$/

const withoutExtension = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.'))) || name

/** Returns how sources spell the name of a file: imports leave out the extension, or write `.js` for `.ts`. */
function spellingsOf(file: string): string[] {
  if (!CODE.test(file)) return [file]
  return [file, ...['', '.js', '.mjs', '.jsx'].map((extension) => `/${withoutExtension(file)}${extension}`)]
}

/** A run of characters that paths have. */
const TOKEN = /[\w@.+~/\\-]{1,1000}/g

/** The signs before the only name in a line: spaces, lines of a tree, marks of a list. */
const BEFORE_NAME = /^[\s│├└─|`+#*>-]{0,80}/

/** A folder in a long listing: its name is at the end of the line. */
const LONG_LISTED = /^d[rwxst-]{9}/

/** The beginnings of lines that name a file whose content follows. */
const NAMES_FILE = /^(?:---|\+\+\+|diff --git|\*\*\* (?:add|update|delete) file:|index:) /

/** Commands that name a folder. They are searched in this many characters before a word. */
const NAMES_FOLDER = /(?:^|[\s;&|("'`$])(?:cd|ls|ll|dir|tree|find|pushd|mkdir|eza|fd|rg|grep)\s/
const REACH_CHARACTERS = 60

/** The names of wanted files and folders in texts, and how they stand there. */
class Mentions {
  /** The wanted folders of each spelling of a wanted file; a spelling without its extension begins with a slash. */
  readonly #folders = new Map<string, Set<string>>()
  readonly #wanted = new Set<string>()
  /** Names, and pairs of a folder and a file. */
  readonly #found = new Set<string>()

  constructor(wanted: readonly Parts[]) {
    for (const parts of wanted) {
      const [file = '', folder = ''] = parts.toReversed()
      for (const part of parts) this.#wanted.add(part)
      if (DOTTED.test(file)) this.#wanted.add(`${folder}.${withoutExtension(file)}`)
      for (const name of spellingsOf(file)) this.#folders.set(name, (this.#folders.get(name) ?? new Set()).add(folder))
    }
  }

  has(parts: Parts): boolean {
    const [file = '', folder = '', ...others] = parts.toReversed()
    const names = spellingsOf(file)
    if (parts.length === 1) return names.some((name) => this.#found.has(name))
    if (!others.every((part) => this.#found.has(part))) return false
    const isDotted = DOTTED.test(file) && this.#found.has(`${folder}.${withoutExtension(file)}`)
    return isDotted || names.some((name) => this.#found.has(pair(folder, name)))
  }

  /** Reads a text, in time linear in its length. */
  read(source: string): void {
    const bare = new Set<string>()
    const folders = new Set<string>()
    let header: string | undefined
    for (const line of withForms(source.toLowerCase()).split('\n')) {
      header = readHeader(line) ?? header
      const isPlace = createPlaceTest(line)
      for (const { 0: token, index } of line.matchAll(TOKEN)) {
        const parts = splitPath(token.replaceAll('\\', '/'))
        this.#noteNames(token, parts, (file) => {
          if (header === undefined) bare.add(file)
          else if (this.#folders.get(file)?.has(header) === true) this.#found.add(pair(header, file))
        })
        const folder = folderIn(token, parts, () => isPlace(token, index))
        if (folder !== undefined) for (const name of variantsOf(folder)) folders.add(name)
      }
    }
    for (const file of bare)
      for (const folder of this.#folders.get(file) ?? []) if (folders.has(folder)) this.#found.add(pair(folder, file))
  }

  /** Notes the wanted names in a path, and names of files that are there without a folder. */
  #noteNames(token: string, parts: Parts, noteBare: (file: string) => void): void {
    for (const [index, part] of parts.entries())
      for (const name of variantsOf(part)) {
        if (this.#wanted.has(name)) this.#found.add(name)
        // Without its extension, a file is named only at the end of a relative import.
        const isImport = index === parts.length - 1 && /^[.@~]{1,2}[/\\]/.test(token)
        for (const file of isImport ? [name, `/${name}`] : [name]) {
          const folders = this.#folders.get(file)
          if (folders === undefined) continue
          this.#found.add(file)
          if (index === 0) noteBare(file)
          else
            for (const folder of variantsOf(parts[index - 1] ?? ''))
              if (folders.has(folder)) this.#found.add(pair(folder, file))
        }
      }
  }
}

const pair = (folder: string, file: string): string => `${folder}//${file}`

const MAX_HEADER_CHARACTERS = 400

/** Returns the folder of a heading in a listing: `src/a:` of `ls -R`, or `# src/a/`, as some agents write it. */
function readHeader(line: string): string | undefined {
  if (line.length > MAX_HEADER_CHARACTERS || !/(?:^#.*[/\\]|:)\s*$/.test(line)) return undefined
  const path = line
    .replace(/^#{1,6} /, '')
    .trimEnd()
    .replace(/:$/, '')
    .replaceAll('\\', '/')
  const name = splitPath(path).at(-1)
  const isPath = path.includes('/') && /^[\w@.+~/-]+$/.test(path)
  return isPath && name !== undefined && !isFileName(name) ? name : undefined
}

/** Returns a test of whether a path in a line names the place of other names: it is alone there, or after a command. */
function createPlaceTest(line: string): (token: string, index: number) => boolean {
  const only = LONG_LISTED.test(line) ? line.slice(line.lastIndexOf(' ') + 1) : line.replace(BEFORE_NAME, '')
  const onlyLength = only.replace(/:?[ \r]?$/, '').length
  const namesFile = NAMES_FILE.test(line)
  return (token, index) =>
    namesFile ||
    token.length >= onlyLength ||
    NAMES_FOLDER.test(line.slice(Math.max(0, index - REACH_CHARACTERS), index))
}

/** Returns the folder that a path names as the place of other names: `src/tui/`, `src/tui`, or that of a file. */
function folderIn(token: string, parts: Parts, isPlace: () => boolean): string | undefined {
  const last = parts.at(-1)
  if (last === undefined || /[/\\]$/.test(token)) return last
  const isFolder = !last.includes('.', 1)
  if (isFolder && parts.length > 1) return last
  return isPlace() ? parts.at(isFolder ? -1 : -2) : undefined
}

/** Returns a name without the signs that a diff, a search, a mention or a sentence puts around it. */
function variantsOf(part: string): string[] {
  const names = [part]
  const inner = part.replace(/^[-+@~]+/, '').replace(/[-.,]{1,10}$/, '')
  if (inner !== part) names.push(inner)
  const cut = /^(.{1,100}?\.[a-z]\w{0,7})-\d{1,7}-/.exec(inner)?.[1]
  if (cut !== undefined) names.push(cut)
  return names
}

const BRACES = /\{([^{}\n]{1,300})\}/g
const MAX_BESIDE_BRACES = 200
const MAX_ALTERNATIVES = 20

/** Returns a text with further spellings after it: escaped line ends as line ends, and each name of `src/{a,b}.ts`. */
function withForms(source: string): string {
  const forms = [source]
  if (source.includes('\\')) forms.push(source.replace(/(?<!\\)\\+[nrt"']/g, '\n'))
  if (source.includes('{'))
    for (const match of source.matchAll(BRACES)) {
      const before = runOf(source, match.index - 1, -1)
      const after = runOf(source, match.index + match[0].length, 1)
      if (!/[/.\\-]/.test(`${before}${after}`)) continue
      for (const name of (match[1] ?? '').split(/,| => /, MAX_ALTERNATIVES))
        forms.push(`${before}${name.trim()}${after}`)
    }
  return forms.join('\n')
}

/** Returns the characters of a path from an index on, forwards or backwards. */
function runOf(source: string, from: number, step: 1 | -1): string {
  let to = from
  while (Math.abs(to - from) < MAX_BESIDE_BRACES && /[\w@.+~/\\-]/.test(source.charAt(to))) to += step
  return step > 0 ? source.slice(from, to) : source.slice(to + 1, from + 1)
}
