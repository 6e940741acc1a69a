import { replaceLoneSurrogates } from '../text/shorten.ts'
import { LABELS } from '../session/transcript.ts'

/** What stands in a prompt: the data, each part in its tags, and after it what the model is to do. */
interface PromptParts {
  /** A serialized transcript; its role labels are taken as they are. */
  conversation: string
  previousSummary?: string | undefined
  /** Lines for the additional context: each becomes one bullet. */
  context?: readonly string[] | undefined
  /** Paragraphs that tell the model what to do, in order. */
  instructions: readonly string[]
}

const isFilled = (text: string): boolean => text.trim() !== ''

const inTags = (name: string, text: string): string => `<${name}>\n${text}\n</${name}>`

/** What a reader does not see: code points that are ignored when shown, and control characters but for white space. */
const UNSEEN = String.raw`\p{DI}\x00-\x08\x0e-\x1f\x7f`

/** Space within a line, unseen characters included. */
const GAP = String.raw`[${UNSEEN}\t\v\f\p{Zs}]`

/** Matches a word with unseen characters between its letters, and with either of the hyphens that look alike. */
const spell = (word: string): string =>
  Array.from(word, (letter) => (letter === '-' ? String.raw`[-\u2010\u2011]` : letter)).join(`[${UNSEEN}]*`)

const labelNames = Object.values(LABELS)
  .map((label) => label.slice(1, -2).split(' ').map(spell).join(`${GAP}+`))
  .join('|')

const LABEL = new RegExp(
  String.raw`[[\uFF3B](?=${GAP}*(?:${labelNames})${GAP}*[\]\uFF3D]${GAP}*[:\uFF1A])(?<=^${GAP}*[[\uFF3B])`,
  'gimu',
)

/** The tag that a reply ends with: data must not bring its own. */
const REPLY_TAGS = ['short-summary']

/** The tags that frame the data of a prompt: each pair stands in it exactly once. */
const PAIRS = ['conversation', 'previous-summary', 'additional-context', 'first-draft']

// No two neighbours in these patterns can match the same character, so that each runs in linear time.
const tagPattern = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`[<\uFF1C\uFE64](?=[\s/\uFF0F${UNSEEN}]*(?:${names.map(spell).join('|')})(?![${UNSEEN}]*[\w-]))`,
    'giu',
  )
const DATA_TAG = tagPattern([...PAIRS, ...REPLY_TAGS])

const escapeData = (text: string): string => escapeTags(escapeLabels(text))

/** Further lines are indented, so that a line that looks like a bullet or a heading does not become one. */
const bullet = (line: string): string => `- ${line.trim().replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`

/**
 * Lays a prompt out as oh-my-pi does (docs/clients.md): conversation, previous summary, additional context, instructions.
 * Parts that are blank are left out. Each pair of tags stands there once, whatever the texts hold.
 */
export function framePrompt({ conversation, previousSummary = '', context = [], instructions }: PromptParts): string {
  const bullets = context.filter(isFilled).map((line) => bullet(escapeData(line)))
  const others = [
    isFilled(previousSummary) ? inTags('previous-summary', escapeData(previousSummary.trim())) : '',
    bullets.length === 0 ? '' : inTags('additional-context', bullets.join('\n')),
    ...instructions.map(escapePairs),
  ]
  // A conversation may be large: it is looked at no more often than it has to be.
  const blocks = [inTags('conversation', escapeTags(conversation)), ...others.filter(isFilled)]
  return replaceLoneSurrogates(blocks.join('\n\n'))
}

const PAIR_TAG = tagPattern(PAIRS)

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
