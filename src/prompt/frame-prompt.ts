import { LABELS } from '../session/transcript.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'

/** The parts of a prompt after its transcript: the data, each part in its tags, and then the instructions. */
interface PromptParts {
  previousSummary?: string | undefined
  /** The lines of the additional context; each becomes one bullet. */
  context?: readonly string[] | undefined
  /** The states of the requests, tasks and steps that code knows. */
  workStates?: string | undefined
  /** Paragraphs with instructions to the model, in order. */
  instructions: readonly string[]
}

const isFilled = (text: string): boolean => text.trim() !== ''

const inTags = (name: string, text: string): string => `<${name}>\n${text}\n</${name}>`

/** Invisible characters: code points that are ignored in display, and control characters except for white space. */
const INVISIBLE = String.raw`\p{DI}\x00-\x08\x0e-\x1f\x7f`

/** Characters that do not change which word a reader sees: invisible ones, and marks on the letter before them. */
const UNSEEN = String.raw`${INVISIBLE}\p{M}`

/** A space in a line, or an unseen character. */
const SPACE = String.raw`[${UNSEEN}\t\v\f\p{Zs}]`

/** A hyphen, or one of the dashes that look alike. */
const HYPHEN = String.raw`[\p{Pd}\u2212]`

/** Matches a word in letters of any case, with unseen characters between them. */
const spell = (word: string): string =>
  Array.from(word, (letter) => (letter === '-' ? HYPHEN : letter)).join(`[${UNSEEN}]*`)

const labelNames = Object.values(LABELS)
  .map((label) => label.slice(1, -2).split(' ').map(spell).join(`${SPACE}+`))
  .join('|')

/** The start of a line, also after characters at which only some programs end a line; NEL is one of them. */
const LINE_START = String.raw`(?:^|[\x85\v\f\x1c-\x1e])`

const LABEL = new RegExp(
  String.raw`[[\uFF3B](?=${SPACE}*(?:${labelNames})${SPACE}*[\]\uFF3D]${SPACE}*[:\uFF1A\u2236\uA789\uFE55])(?<=${LINE_START}${SPACE}*[[\uFF3B])`,
  'gimu',
)

/** The tag at the end of a reply: data must not contain one. */
const REPLY_TAGS = ['short-summary']

/** The tags around the data of a prompt: each pair occurs exactly once. */
const PAIRS = ['conversation', 'previous-summary', 'additional-context', 'work-states', 'first-draft']

/** An angle bracket, or one that looks alike. */
const BRACKET = String.raw`[<\uFF1C\uFE64\u2039\u2329\u276E\u27E8\u3008\u02C2]`

/** A slash or a backslash (JSON writes `<\/`), or one that looks alike. */
const SLASH = String.raw`/\\\uFF0F\u2044\u2215\u2571\u27CB\u29F8\uFF3C\u2216\u29F5\u29F9`

// No two neighbouring parts of these patterns match the same character, so that they run in linear time. Without unseen characters and
// look-alikes, 15 of the 32 spellings in test/prompt/frame-prompt.test.ts would pass; in 17 MB of sessions, they change no text.
const tagPattern = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`${BRACKET}(?=[\s${SLASH}${UNSEEN}]*(?:${names.map(spell).join('|')})(?![${UNSEEN}]*[\w-]))`,
    'giu',
  )
const DATA_TAG = tagPattern([...PAIRS, ...REPLY_TAGS])

const escapeData = (text: string): string => escapeTags(escapeLabels(text))

/** Further lines are indented, so that a line that looks like a bullet or a heading does not become one. */
const bullet = (line: string): string => `- ${line.trim().replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`

/** The text around a transcript. */
export interface PromptFrame {
  before: string
  after: string
}

/**
 * Returns what is around the transcript of a prompt in oh-my-pi's layout (docs/clients.md): conversation, previous
 * summary, additional context, states of the work, instructions. Blank parts are left out. Each pair of tags occurs once, whatever the texts
 * contain, if the transcript is escaped by `escapeTranscript`.
 */
export function framePrompt({
  previousSummary = '',
  context = [],
  workStates = '',
  instructions,
}: PromptParts): PromptFrame {
  const bullets = context.filter(isFilled).map((line) => bullet(escapeData(line)))
  const others = [
    isFilled(previousSummary) ? inTags('previous-summary', escapeData(previousSummary.trim())) : '',
    bullets.length === 0 ? '' : inTags('additional-context', bullets.join('\n')),
    isFilled(workStates) ? inTags('work-states', escapeData(workStates)) : '',
    ...instructions.map(escapePairs),
  ]
  const after = ['</conversation>', ...others.filter(isFilled)].join('\n\n')
  return { before: '<conversation>\n', after: replaceLoneSurrogates(`\n${after}`) }
}

/** Returns a serialized transcript as it is in a prompt. Its labels were escaped when it was serialized. */
export const escapeTranscript = (conversation: string): string => replaceLoneSurrogates(escapeTags(conversation))

const PAIR_TAG = tagPattern(PAIRS)

/**
 * Returns a text that cannot open or close one of the pairs: the bracket of such a tag becomes `&lt;`, in any case of
 * letters, with white space, attributes, invisible characters or a full-width bracket. Other text stays as it is.
 */
export function escapePairs(text: string): string {
  return text.replace(PAIR_TAG, '&lt;')
}

/** Returns data that can neither open nor close one of the pairs, nor the short summary's tag. */
export function escapeTags(text: string): string {
  return text.replace(DATA_TAG, '&lt;')
}

/**
 * Returns a text that has no role label of a transcript at the start of a line: each gets a backslash before its
 * bracket, as in Markdown. A label with a backslash stays as it is.
 */
export function escapeLabels(text: string): string {
  return text.replace(LABEL, String.raw`\$&`)
}
