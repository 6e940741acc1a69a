import { LABELS } from '../session/transcript-labels.ts'

/** The tags that frame the data of a prompt: each pair stands in it exactly once. */
const PAIRS = ['conversation', 'previous-summary', 'additional-context', 'first-draft']

/** The tag that a reply ends with: data must not bring its own. */
const REPLY_TAGS = ['short-summary']

/** What a reader does not see: code points that are ignored when shown, and control characters but for white space. */
const UNSEEN = String.raw`\p{DI}\x00-\x08\x0e-\x1f\x7f`

/** Space within a line, unseen characters included. */
const GAP = String.raw`[${UNSEEN}\t\v\f\p{Zs}]`

/** Matches a word with unseen characters between its letters, and with either of the hyphens that look alike. */
const spell = (word: string): string =>
  Array.from(word, (letter) => (letter === '-' ? String.raw`[-\u2010\u2011]` : letter)).join(`[${UNSEEN}]*`)

// No two neighbours in these patterns can match the same character, so that each runs in linear time.
const tagPattern = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`[<\uFF1C\uFE64](?=[\s/\uFF0F${UNSEEN}]*(?:${names.map(spell).join('|')})(?![${UNSEEN}]*[\w-]))`,
    'giu',
  )

const PAIR_TAG = tagPattern(PAIRS)
const DATA_TAG = tagPattern([...PAIRS, ...REPLY_TAGS])

const labelNames = Object.values(LABELS)
  .map((label) => label.slice(1, -2).split(' ').map(spell).join(`${GAP}+`))
  .join('|')

const LABEL = new RegExp(
  String.raw`[[\uFF3B](?=${GAP}*(?:${labelNames})${GAP}*[\]\uFF3D]${GAP}*[:\uFF1A])(?<=^${GAP}*[[\uFF3B])`,
  'gimu',
)

/**
 * Keeps a caller's instructions from opening or closing one of the pairs: the bracket of such a tag becomes `&lt;`, in
 * any case, with white space, attributes, unseen characters or a full-width bracket. All else stays as it is.
 */
export function escapePairs(text: string): string {
  return text.replace(PAIR_TAG, '&lt;')
}

/** Does what `escapePairs` does, and the same to the short summary's tag: for text that is data. */
export function escapeTags(text: string): string {
  return text.replace(DATA_TAG, '&lt;')
}

/**
 * Keeps text from forging a transcript's role label at the start of a line: a backslash is put before its bracket, as
 * Markdown does. A label that has one already stays as it is.
 */
export function escapeLabels(text: string): string {
  return text.replace(LABEL, String.raw`\$&`)
}
