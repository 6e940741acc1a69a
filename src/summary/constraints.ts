import { readUserAnswers } from '../extract/user-answers.ts'
import { readUserText } from '../extract/user-text.ts'
import { findConstraints } from '../extract/statements.ts'
import { LASTING_DEMAND } from '../extract/words.ts'
import { oneLine } from '../text/shorten.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { Message } from '../session/message.ts'
import { HEADINGS, NO_CONTENT } from '../text/summary-headings.ts'
import { EMPTY_SUMMARY, insertInSection, linesInSection, type Summary } from './summary.ts'

/**
 * Adds the user's lasting demands that a summary lacks, since a model may forget them: the constraints of the previous
 * summary, and the demands in the summarized messages, in the user's words. A demand that the summary states in other
 * words is not added. The newest demands are added first, as far as there is room.
 */
export function carryConstraints(summary: Summary, sources: ConstraintSources): { summary: Summary; restored: number } {
  const demands = sources.messages.map(demandsOf)
  const wanted = [...new Set([...constraintsIn(sources.previousSummary), ...demands.flat()])]
  // A demand that is only elsewhere, such as in a quoted request, would be lost at the next compaction.
  const said = indexLines([...constraintsIn(summary), ...constraintsIn(sources.saidElsewhere)])
  const chosen: string[] = []
  let left = sources.maxTokens
  for (const statement of wanted.slice(-MAX_STATEMENTS).reverse()) {
    const tokens = estimateTextTokens(`- ${statement}\n`)
    if (tokens > left || isStated(said, statement) || isStated(indexLines(chosen), statement)) continue
    chosen.unshift(statement)
    left -= tokens
  }
  if (chosen.length === 0) return { summary, restored: 0 }
  const lines = chosen.map((statement) => `- ${statement}`)
  return {
    summary: insertInSection(summary, HEADINGS.constraints, { lines, after: HEADINGS.goal }),
    restored: chosen.length,
  }
}

interface ConstraintSources {
  /** The previous summary, without tags and evidence. */
  previousSummary?: Summary | undefined
  /** The text beside the summary, whose constraints count as stated. */
  saidElsewhere?: Summary | undefined
  /** The summarized messages. */
  messages: readonly Message[]
  /** The limit of the added text. */
  maxTokens: number
}

/** The maximum number of statements that are looked up, the newest ones: each is compared with all that is said. */
const MAX_STATEMENTS = 500

/** The maximum length of the text in which they are looked up: several times that of any honest summary. */
const MAX_SAID_CHARACTERS = 128 * 1024

const MAX_CONSTRAINT_CHARACTERS = 300

/** Returns the lasting demands in a message of the user, in the user's words. */
export const demandsOf = (message: Message): string[] =>
  userWordsIn(message)
    .flatMap(findConstraints)
    .filter((sentence) => LASTING_DEMAND.test(sentence) && sentence.length <= MAX_CONSTRAINT_CHARACTERS)
    .map((sentence) => oneLine(sentence).replace(/^#+ /, ''))

const userWordsIn = (message: Message): string[] =>
  message.role === 'user' ? [readUserText(message) ?? ''] : readUserAnswers(message).map(({ answer }) => answer)

/** Returns the list items of all sections with the heading: the summary of a split turn may have its own. */
function constraintsIn(summary = EMPTY_SUMMARY): string[] {
  return linesInSection(summary, HEADINGS.constraints)
    .filter((line) => /^[-*] /.test(line) && !line.startsWith(NO_CONTENT, 2))
    .map((line) => line.slice(2).trim())
    .filter((item) => item !== '')
}

/**
 * The share of a statement's words that one line, or two neighbouring lines, must have for the statement to count as
 * stated.
 */
const MIN_SHARED_WORDS = 0.6

/** The indexes of the lines that have a word, by word, in ascending order. */
type LineIndex = ReadonlyMap<string, readonly number[]>

function indexLines(lines: readonly string[]): LineIndex {
  const index = new Map<string, number[]>()
  let left = MAX_SAID_CHARACTERS
  for (const [at, line] of lines.entries()) {
    left -= line.length
    if (left < 0) break
    for (const word of wordsOf(line)) {
      const found = index.get(word)
      if (found === undefined) index.set(word, [at])
      else found.push(at)
    }
  }
  return index
}

/** Whether the indexed lines contain a statement, in the same words or in others that share most of them. */
function isStated(said: LineIndex, statement: string): boolean {
  const wanted = [...wordsOf(statement)]
  if (wanted.length === 0) return true
  // The number of wanted words in each line or the line after it.
  const counts = new Map<number, number>()
  for (const word of wanted) {
    let last = -1
    for (const line of said.get(word) ?? [])
      for (const at of [line - 1, line]) {
        if (at <= last) continue
        counts.set(at, (counts.get(at) ?? 0) + 1)
        last = at
      }
  }
  for (const count of counts.values()) if (count >= wanted.length * MIN_SHARED_WORDS) return true
  return false
}

/** Words without a meaning of their own, in English, German, French and Spanish. */
const EMPTY_WORDS = new Set(
  'the and for that this with from into your you are was were will not but have has had all any its let use als der die das und den dem ein eine les des une est que los las por para con'.split(
    ' ',
  ),
)

/** Returns the words of three letters and more; in scripts without spaces, each pair of neighbouring characters. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) {
      if (word.length >= 3 && !EMPTY_WORDS.has(word)) words.add(word)
    } else for (let index = 0; index + 1 < word.length; index++) words.add(word.slice(index, index + 2))
  }
  return words
}
