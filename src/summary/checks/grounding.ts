import { WRITTEN_BY_CODE } from '../sections.ts'

/**
 * Looks up the claims of a summary, A claim is known if the input contains it; case, `./` and the
 * direction of slashes do not count. For a path, its last two parts are enough, since agents name files from different
 * folders.
 * @param sources all texts of the conversation; they may have millions of characters, so each is read once, and they
 * are not joined
 */
export function checkGrounding(summary: string, sources: readonly string[]): { checked: number; unknown: string[] } {
  const claims = findClaims(summary)
  const unknown = new Map(claims.map((claim) => [claim.text, piecesOf(claim)]))
  for (let index = sources.length - 1; index >= 0 && unknown.size > 0; index--) {
    const source = plain(sources[index] ?? '')
    for (const [text, pieces] of unknown) {
      const left = pieces.filter((piece) => !contains(source, piece))
      if (left.length === 0) unknown.delete(text)
      else if (left.length < pieces.length) unknown.set(text, left)
    }
  }
  return { checked: claims.length, unknown: [...unknown.keys()] }
}

const plain = (text: string): string => text.toLowerCase().replaceAll('\\', '/').replace(/\s+/g, ' ')

/** The minimum length of a piece of a shortened error. Where all pieces are shorter, the whole text is looked up. */
const MIN_PIECE_CHARACTERS = 12

/** Returns the texts that must be in the input for a claim to be known. */
function piecesOf({ kind, text }: Claim): string[] {
  const claim = plain(text).replace(/^(?:\.\/)+/, '')
  switch (kind) {
    case 'path':
      return [claim.split('/').slice(-2).join('/')]
    case 'error': {
      const pieces = claim.split(/\.{3}|…/).map((piece) => piece.trim())
      const long = pieces.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS)
      return long.length > 0 ? long : [claim]
    }
    case 'version':
      return [claim.replace(/^v/, '')]
    default:
      return [claim]
  }
}

/** Whether a source contains a piece. A number must not be a part of a longer number there. */
function contains(source: string, piece: string): boolean {
  if (!/^\d+$/.test(piece)) return source.includes(piece)
  for (let at = source.indexOf(piece); at >= 0; at = source.indexOf(piece, at + 1))
    if (!/\d/.test(source[at - 1] ?? '') && !/\d/.test(source[at + piece.length] ?? '')) return true
  return false
}
/** A statement that can be looked up in the input. */
interface Claim {
  kind: 'path' | 'url' | 'commit' | 'port' | 'version' | 'error'
  text: string
}

/** The maximum number of claims that are checked: of a long list, the beginning is enough. */
const MAX_CLAIMS = 400

/**
 * Finds the files, addresses, commits, ports, versions and errors that a summary mentions. Doubtful texts are not
 * claims: `and/or`, `Node.js`, a date, a pattern such as `src/*.ts`.
 * @returns each claim once, as the summary spells it
 */
export function findClaims(summary: string): Claim[] {
  let text = summary.replace(new RegExp(WRITTEN_BY_CODE, 'gm'), ' ')
  const claims = new Map<string, Claim>()
  for (const [kind, pattern] of PATTERNS) {
    for (const [match] of text.matchAll(pattern)) {
      const claim = { kind, text: match.replace(/[.,;:!?*_]+$/, '') }
      if (isClaim(claim) && claims.size < MAX_CLAIMS) claims.set(claim.text, claim)
    }
    // An address is not a path, and a version in it is not a version.
    if (kind === 'url') text = text.replace(pattern, ' ')
  }
  return [...claims.values()]
}

const EXTENSIONS =
  'c|cc|cfg|conf|cpp|cs|css|csv|dart|env|ex|exs|go|gradle|h|hpp|html|ini|ipynb|java|js|json|jsonl|jsx|kt|less|lock|log|lua|md|mjs|cjs|mts|cts|php|pl|properties|proto|ps1|py|r|rb|rs|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml|zig'

const PATTERNS: readonly [kind: Claim['kind'], pattern: RegExp][] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]}]+/g],
  ['error', /(?<=`)[^`\n]{12,200}(?=`)|(?<=["“])[^"”\n]{12,200}(?=["”])/g],
  // A path with a slash and an extension at its end, or only the name of a file.
  ['path', /(?<![\w./@-])(?:~?\/|\.{1,2}\/)?(?:[\w@.+-]{1,80}[/\\]){1,20}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7}\b/g],
  ['path', new RegExp(String.raw`(?<![\w./@\\-])[\w-]{1,60}(?:\.[\w-]{1,30}){0,3}\.(?:${EXTENSIONS})\b(?![\w/])`, 'g')],
  ['commit', /(?<![\w/.-])(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![\w/-])/g],
  ['port', /(?<=\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):)\d{2,5}\b/g],
  ['port', /(?<=\bports? |端口\s?|ポート\s?)\d{2,5}\b/gi],
  ['version', /(?<![\w.-])v?\d{1,4}\.\d{1,4}\.\d{1,5}(?:-[a-z][\w.]{0,20})?(?![\w.]*\d)/g],
  ['version', /(?<![\w.-])v\d{1,4}\.\d{1,4}(?![\w.]*\d)/g],
]

/** Products whose names look like file names. */
const PRODUCTS = /^(?:node|next|vue|react|express|three|d3|nuxt|ember|backbone|discord|socket|chart|alpine|solid)\.js$/i

/** Quoted text that looks like an error. */
const READS_AS_ERROR =
  /\b(?:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,}|error:|failed|cannot|can't|not found|no such|undefined|unexpected|denied|refused|timed? ?out)\b/

function isClaim({ kind, text }: Claim): boolean {
  if (kind === 'error') return READS_AS_ERROR.test(text)
  if (kind === 'path') return !PRODUCTS.test(text) && !/[*]/.test(text) && !/^\d+\.\d+/.test(text)
  return text !== ''
}
