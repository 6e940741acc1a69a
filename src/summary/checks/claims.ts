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

/** Whether a name ends like that of a file. */
export const isFileName = (name: string): boolean => HAS_EXTENSION.test(name)

const PATTERNS: readonly [kind: Claim['kind'], pattern: RegExp][] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]}]+/g],
  // Whole spans: text between two spans is not quoted.
  ['error', /`([^`\n]{1,300})`/g],
  ['error', /["“]([^"“”\n]{1,300})["”]/g],
  // A path with a slash and an extension at its end, or only the name of a file.
  ['path', /(?<![\w./@-])(?:~?\/|\.{1,2}\/)?(?:[\w@.+-]{1,80}[/\\]){1,20}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7}\b/g],
  ['path', new RegExp(String.raw`(?<![\w./@\\-])[\w-]{1,60}(?:\.[\w-]{1,30}){0,3}\.(?:${EXTENSIONS})\b(?![\w/])`, 'g')],
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
export const isNamedByPrompts = (name: string): boolean => /^(?:AGENTS|CLAUDE)\.md$/i.test(name)

/** @param match the text with the signs at its end: three dots stand for a rest */
function isClaim({ kind, text }: Claim, match: string): boolean {
  if (kind === 'error') return text.length >= MIN_ERROR_CHARACTERS && quotesError(text)
  if (kind === 'path')
    return !NOT_FILES.test(text) && !isNamedByPrompts(text) && !/[*]/.test(text) && !/^\d+\.\d+/.test(text)
  if (kind === 'url') return !/[*${}…]|\.{3}|\/\/(?:\w{1,20}\.)?example\.(?:com|org|net)\b/.test(match)
  return text !== ''
}
