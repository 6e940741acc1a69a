import { quotesError } from '../../extract/error-lines.ts'
import { WRITTEN_BY_CODE } from '../summary.ts'

/** A statement that can be looked up in the input. */
export interface Claim {
  kind: 'path' | 'url' | 'commit' | 'port' | 'version' | 'error'
  text: string
}

/** The maximum number of claims that are checked: of a long list, the beginning is enough. */
const MAX_CLAIMS = 400

/**
 * Finds the files, addresses, commits, ports, versions and errors that a summary mentions. Doubtful texts are not
 * claims: `and/or`, `Node.js`, a date, a pattern such as `src/*.ts`, an address with a placeholder or of
 * `example.com`.
 * @returns each claim once, as the summary spells it
 */
export function findClaims(summary: string): Claim[] {
  let text = summary.replace(new RegExp(WRITTEN_BY_CODE, 'gm'), ' ')
  const claims = new Map<string, Claim>()
  for (const [kind, pattern] of PATTERNS) {
    for (const [match, quoted = match] of text.matchAll(pattern)) {
      const claim = { kind, text: quoted.replace(/[.,;:!?*_]{1,9}$/, '') }
      if (isClaim(claim, match) && claims.size < MAX_CLAIMS) claims.set(claim.text, claim)
    }
    // An address is not a path, and a version in it is not a version.
    if (kind === 'url') text = text.replace(pattern, ' ')
  }
  return [...claims.values()]
}

const EXTENSIONS =
  'c|cc|cfg|conf|cpp|cs|css|csv|dart|env|ex|exs|go|gradle|h|hpp|html|ini|ipynb|java|js|json|jsonl|jsx|kt|less|lock|log|lua|md|mjs|cjs|mts|cts|php|pl|properties|proto|ps1|py|r|rb|rs|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml|zig'

const HAS_EXTENSION = new RegExp(String.raw`[^.]\.(?:${EXTENSIONS})$`, 'i')

const PATTERNS: readonly [kind: Claim['kind'], pattern: RegExp][] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]}]+/g],
  // Whole spans: text between two spans is not quoted.
  ['error', /`([^`\n]{1,300})`/g],
  ['error', /["“]([^"“”\n]{1,300})["”]/g],
  // A path with a slash and an extension at its end, or only the name of a file: `a.html.heex` is no `a.html`.
  ['path', /(?<![\w./@-])(?:~?\/|\.{1,2}\/)?(?:[\w@.+-]{1,80}[/\\]){1,20}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7}\b/g],
  [
    'path',
    new RegExp(
      String.raw`(?<![\w./@\\-])[\w-]{1,60}(?:\.[\w-]{1,30}){0,3}\.(?:${EXTENSIONS})\b(?![\w/]|\.[A-Za-z]\w)`,
      'g',
    ),
  ],
  ['commit', /(?<![\w/.-])(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![\w/-])/g],
  ['port', /(?<=\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):)\d{2,5}\b/g],
  ['port', /(?<=\bports? |端口\s?|ポート\s?)\d{2,5}\b/gi],
  ['version', /(?<![\w.-])v?\d{1,4}\.\d{1,4}\.\d{1,5}(?:-[a-z][\w.]{0,20})?(?![\w.]*\d)/g],
  ['version', /(?<![\w.-])v\d{1,4}\.\d{1,4}(?![\w.]*\d)/g],
]

/** Products and objects of JavaScript whose names look like file names. */
const NOT_FILES =
  /^(?:(?:node|next|vue|react|express|three|d3|nuxt|ember|backbone|discord|socket|chart|alpine|solid)\.js|(?:process|meta|import\.meta)\.env|console\.log)$/i

/** Shorter quotes may be common words. */
const MIN_ERROR_CHARACTERS = 12

/** Whether our prompts ask about a file: a summary may say that there is none. */
const isNamedByPrompts = (name: string): boolean => /^(?:AGENTS|CLAUDE)\.md$/i.test(name)

/** @param match the text with the signs at its end: three dots stand for a rest */
function isClaim({ kind, text }: Claim, match: string): boolean {
  if (kind === 'error') return text.length >= MIN_ERROR_CHARACTERS && quotesError(text)
  if (kind === 'path')
    return !NOT_FILES.test(text) && !isNamedByPrompts(text) && !/[*]/.test(text) && !/^\d+\.\d+/.test(text)
  if (kind === 'url') return !/[*${}…]|\.{3}|\/\/(?:\w{1,20}\.)?example\.(?:com|org|net)\b/.test(match)
  return text !== ''
}

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
    .replaceAll('\\', '/')
    .split('/')
    .map(withoutSigns)
    .filter((part) => part !== '')

/** Returns the ways to read a path: as one file, or as several whose names are joined by slashes. */
function readingsOf(parts: Parts): Parts[][] {
  const ends = parts.flatMap((part, index) =>
    HAS_EXTENSION.test(part) || index === parts.length - 1 ? [index + 1] : [],
  )
  const names = ends.map((end, index) => parts.slice(ends[index - 1] ?? 0, end))
  return names.length > 1 ? [[parts], names.filter((name) => !isNamedByPrompts(name.join('/')))] : [[parts]]
}

/** A run of characters that paths have. */
const TOKEN = /[\w@.+~/\\-]{1,1000}/g

/** More names are not looked for one by one. */
const MAX_LOOKED_FOR = 30

/** The names of wanted files and folders in texts, and how they stand there. */
class Mentions {
  /** The wanted folders of each wanted file. */
  readonly #folders = new Map<string, Set<string>>()
  /** The wanted files, and the folders that no text has named yet: a text without them says nothing new. */
  readonly #open = new Set<string>()
  /** Names, and pairs of a folder and a file. */
  readonly #found = new Set<string>()

  constructor(wanted: readonly Parts[]) {
    for (const parts of wanted) {
      const [file = '', folder = ''] = parts.toReversed()
      for (const part of parts) this.#open.add(part)
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
    if (!this.#mayName(source)) return
    // Most words stand in a text more than once.
    const tokens = new Set<string>()
    for (const [token] of withLineEnds(source).matchAll(TOKEN)) tokens.add(token)
    const bare = new Set<string>()
    for (const token of tokens) this.#readToken(partsOf(token), bare)
    if (bare.size === 0) return
    const folders = new Set(Array.from(tokens, folderOf))
    for (const file of bare)
      for (const folder of this.#folders.get(file) ?? []) if (folders.has(folder)) this.#found.add(pair(folder, file))
  }

  #mayName(source: string): boolean {
    if (this.#open.size > MAX_LOOKED_FOR) return true
    const text = source.toLowerCase()
    return Array.from(this.#open).some((name) => text.includes(name))
  }

  /** @param bare receives the wanted files without a folder */
  #readToken(parts: Parts, bare: Set<string>): void {
    for (const [index, name] of parts.entries()) {
      if (!this.#open.has(name)) continue
      this.#found.add(name)
      const wanted = this.#folders.get(name)
      if (wanted === undefined) {
        this.#open.delete(name)
        continue
      }
      const folder = parts[index - 1]
      if (folder === undefined) bare.add(name)
      else if (wanted.has(folder)) this.#found.add(pair(folder, name))
    }
  }
}

/** Returns the place of the names in a token: a folder, or the folder of a file. */
function folderOf(token: string): string {
  const parts = partsOf(token)
  const last = parts.at(-1) ?? ''
  return last.includes('.', 1) && !/[/\\]$/.test(token) ? (parts.at(-2) ?? '') : last
}

const pair = (folder: string, file: string): string => `${folder}//${file}`

/** Returns a name without the signs that a diff, a mention or a sentence puts around it. */
const withoutSigns = (part: string): string => part.replace(/^[-+@~]+/, '').replace(/[-.,]{1,10}$/, '')

/** Returns a text, and after it the same text with escaped line ends as line ends: it may be JSON, or have paths of Windows. */
const withLineEnds = (text: string): string =>
  text.includes('\\') ? `${text}\n${text.replace(/(?<!\\)\\+[nrt"']/g, '\n')}` : text
